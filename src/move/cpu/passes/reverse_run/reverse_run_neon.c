/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs reversed with NEON.
 */
#if defined(__aarch64__)
#include "base/simd/neon.h"

#include "move/cpu/passes/reverse_run/reverse_run_pieces.inc"
#endif
