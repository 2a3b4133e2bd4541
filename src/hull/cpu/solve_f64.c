/* SPDX-License-Identifier: Apache-2.0 */
#define POINT hull_f64
#define AT f64
#define BEFORE hull_before_f64
#define ORIENT hull_orient_f64
#define OFFSET(x, from) ((x) - (from))
#define FLIP_IF(is, x) ((x) * ((is) ? -1.0 : 1.0))
#define SOLUTION_FIND solution_find_f64

#include "hull/cpu/solve.inc"
