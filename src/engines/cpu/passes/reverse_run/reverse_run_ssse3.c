/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs reversed with SSSE3.
 */
#if defined(__x86_64__)
#include "engines/cpu/vectors/ssse3.h"

#include "engines/cpu/passes/reverse_run/reverse_run_pieces.inc"
#endif
