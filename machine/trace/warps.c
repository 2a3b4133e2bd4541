/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/trace/warps.h"

#include <stdlib.h>

static traced_warp warp_of(const riffle_trace *trace, bool by_launch, const traced_access *a) {
    return (traced_warp){.launch = by_launch ? trace->round[a->round].launch : 0,
                         .warp = a->warp,
                         .block = a->block,
                         .round = a->round};
}

static int compare(const void *one, const void *other) {
    const traced_warp *a = one, *b = other;
    if (a->launch != b->launch) return a->launch < b->launch ? -1 : 1;
    if (a->block != b->block) return a->block < b->block ? -1 : 1;
    return (a->warp > b->warp) - (a->warp < b->warp);
}

/* Sorts, and keeps one of each. */
static size_t make_unique(traced_warp *warp, size_t count) {
    qsort(warp, count, sizeof *warp, compare);
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (kept == 0 || compare(&warp[kept - 1], &warp[k]) != 0) warp[kept++] = warp[k];
    return kept;
}

bool warps_of(const riffle_trace *trace, bool by_launch, traced_warps *out) {
    *out = (traced_warps){.warp = calloc(trace->accesses + 1, sizeof *out->warp),
                          .of_access = calloc(trace->accesses + 1, sizeof *out->of_access)};
    if (out->warp == NULL || out->of_access == NULL) {
        warps_free(out);
        return false;
    }
    for (size_t k = 0; k < trace->accesses; k++) out->warp[k] = warp_of(trace, by_launch, &trace->access[k]);
    out->count = make_unique(out->warp, trace->accesses);
    for (size_t k = 0; k < trace->accesses; k++) {
        const traced_warp own = warp_of(trace, by_launch, &trace->access[k]);
        const traced_warp *found = bsearch(&own, out->warp, out->count, sizeof own, compare);
        out->of_access[k] = (size_t)(found - out->warp);
    }
    return true;
}

void warps_free(traced_warps *warps) {
    free(warps->warp);
    free(warps->of_access);
}
