/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages on lines of halves with AVX-512 and FP16: twice as many in a vector as floats, and one instruction a sum, where floats that are
 * rounded to halves take three.
 */
#include "base/processor/vectors.h"

#if defined(VECTORS_COMPILE_FP16)

#include "base/simd/numbers_avx512fp16.h"

#include <string.h>

#include "program/cpu/lines/lines.h"
#include "program/cpu/lines/lines.inc"

#endif
