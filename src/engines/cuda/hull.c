/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls on a GPU: there are none yet.
 */
#include "engines/hull.h"

#include "base/status.h"

static riffle_status create(riffle_hull_plan *plan, const riffle_hull_options *options) {
    (void)plan, (void)options;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "the cuda engine has no hulls yet; use the cpu engine");
}

static riffle_status execute(const riffle_hull_plan *plan, void *hulls, uint64_t *lengths, const void *points,
                             const uint64_t *first) {
    (void)plan, (void)hulls, (void)lengths, (void)points, (void)first;
    return fail(RIFFLE_ERROR_INTERNAL, "there is a plan of a hull that cannot be made");
}

static void destroy(void *own) { (void)own; }

const hull_engine cuda_hull_engine = {.create = create, .execute = execute, .destroy = destroy};
