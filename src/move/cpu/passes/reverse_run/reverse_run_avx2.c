/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs reversed with AVX2.
 */
#if defined(__x86_64__)
#include "base/simd/avx2.h"

#include "move/cpu/passes/reverse_run/reverse_run_pieces.inc"
#endif
