/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages on lines with NEON.
 */
#if defined(__aarch64__)

#include "base/simd/numbers_neon.h"

#include <string.h>

#include "program/cpu/lines/lines.h"
#include "program/cpu/lines/lines.inc"

#endif
