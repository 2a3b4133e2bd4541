/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts on a GPU: there are none yet.
 */
#include "engines/sort.h"

#include "base/status.h"

static riffle_status create(riffle_sort_plan *plan, const riffle_sort_options *options) {
    (void)plan, (void)options;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "the cuda engine has no sorts yet; use the cpu engine");
}

static riffle_status execute(const riffle_sort_plan *plan, const riffle_sort_arrays *arrays) {
    (void)plan, (void)arrays;
    return fail(RIFFLE_ERROR_INTERNAL, "there is a plan of a sort that cannot be made");
}

static void destroy(void *own) { (void)own; }

const sort_engine cuda_sort_engine = {.create = create, .execute = execute, .destroy = destroy};
