/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs reversed with AVX2.
 */
#if defined(__x86_64__)
#include "engines/cpu/vectors/avx2.h"

#include "engines/cpu/passes/reverse_run/reverse_run_pieces.inc"
#endif
