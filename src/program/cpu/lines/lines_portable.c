/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages on lines for any processor.
 */
#include "base/simd/numbers_portable.h"

#include <string.h>

#include "program/cpu/lines/lines.h"
#include "program/cpu/lines/lines.inc"
