/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages on lines with AVX2, F16C and FMA.
 */
#if defined(__x86_64__)

#include "base/simd/numbers_avx2.h"

#include <string.h>

#include "program/cpu/lines/lines.h"
#include "program/cpu/lines/lines.inc"

#endif
