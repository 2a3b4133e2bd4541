/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs reversed with NEON.
 */
#if defined(__aarch64__)
#include "engines/cpu/vectors/neon.h"

#include "engines/cpu/passes/reverse_run/reverse_run_pieces.inc"
#endif
