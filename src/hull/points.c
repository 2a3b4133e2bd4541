/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/points.h"

#include <inttypes.h>
#include <math.h>

#include "base/status.h"

enum { BLOCK = 512 }; /* points that are looked at before one is named */

bool hull_has_type(riffle_type type) { return (unsigned)type <= RIFFLE_TYPE_F64 && type != RIFFLE_TYPE_F16; }

/* True if the points first .. end - 1 are finite, without a branch. */
static bool are_finite(const hull_points *points, uint64_t first, uint64_t end) {
    bool is_other = false;
    if (points->type == RIFFLE_TYPE_F32) {
        const float *const at = points->data;
        for (uint64_t k = 2 * first; k < 2 * end; k++) is_other |= !(fabsf(at[k]) < INFINITY);
    } else {
        const double *const at = points->data;
        for (uint64_t k = 2 * first; k < 2 * end; k++) is_other |= !(fabs(at[k]) < (double)INFINITY);
    }
    return !is_other;
}

uint64_t hull_first_not_finite(const hull_points *points, uint64_t first, uint64_t end) {
    if (points->type != RIFFLE_TYPE_F32 && points->type != RIFFLE_TYPE_F64) return end;
    while (first < end && are_finite(points, first, end - first < BLOCK ? end : first + BLOCK))
        first = end - first < BLOCK ? end : first + BLOCK;
    for (; first < end; first++)
        if (!are_finite(points, first, first + 1)) return first;
    return end;
}

riffle_status hull_refuse(const hull_points *points, uint64_t i) {
    return hull_refuse_pair(i, hull_f64_at(points, i));
}

riffle_status hull_refuse_pair(uint64_t i, hull_f64 point) {
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "point %" PRIu64 " is (%g, %g); hulls are of finite points", i,
                point.x, point.y);
}
