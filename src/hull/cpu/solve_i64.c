/* SPDX-License-Identifier: Apache-2.0 */
#define POINT hull_i64
#define AT i64
#define BEFORE hull_before_i64
#define ORIENT hull_orient_i64
#define OFFSET(x, from) ((double)((uint64_t)(x) - (uint64_t)(from)))
#define FLIP_IF(is, x) ((x) ^ -(int64_t)(is))
#define SOLUTION_FIND solution_find_i64

#include "hull/cpu/solve.inc"
