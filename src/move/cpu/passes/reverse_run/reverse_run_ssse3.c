/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs reversed with SSSE3.
 */
#if defined(__x86_64__)
#include "base/simd/ssse3.h"

#include "move/cpu/passes/reverse_run/reverse_run_pieces.inc"
#endif
