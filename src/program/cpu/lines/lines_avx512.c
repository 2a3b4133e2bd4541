/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages on lines with AVX-512 and VBMI.
 */
#if defined(__x86_64__)

#include "base/simd/numbers_avx512.h"

#include <string.h>

#include "program/cpu/lines/lines.h"
#include "program/cpu/lines/lines.inc"

#endif
