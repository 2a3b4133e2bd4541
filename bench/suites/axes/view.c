/* SPDX-License-Identifier: Apache-2.0 */
#include "axes/view.h"

#include <stdlib.h>
#include <string.h>

/* Numbers apart from each other by `between`, up to `end`; how many, 0 for what is none. */
static unsigned read_numbers(const char **at, char between, char end, int64_t out[BENCH_VIEW_RANK]) {
    unsigned count = 0;
    for (;; ++*at) {
        char *behind;
        if (count == BENCH_VIEW_RANK) return 0;
        out[count++] = strtoll(*at, &behind, 10);
        if (behind == *at) return 0;
        *at = behind;
        if (*behind != between) break;
    }
    if (**at != end) return 0;
    if (end != '\0') ++*at;
    return count;
}

static void place(const bench_view *view, bench_side *side) {
    uint64_t behind = 0;
    side->first = 0;
    for (unsigned k = 0; k < view->rank; ++k) {
        const int64_t reach = (int64_t)(view->shape[k] - 1) * side->strides[k];
        if (reach < 0) {
            side->first += (uint64_t)-reach;
        } else {
            behind += (uint64_t)reach;
        }
    }
    side->span = side->first + behind + 1;
}

bool bench_view_read(const char *by, bench_view *view) {
    static const char prefix[] = "view:";
    int64_t shape[BENCH_VIEW_RANK];
    if (strncmp(by, prefix, sizeof prefix - 1) != 0) return false;
    by += sizeof prefix - 1;
    view->rank = read_numbers(&by, 'x', ':', shape);
    if (view->rank == 0 || read_numbers(&by, ',', ':', view->src.strides) != view->rank ||
        read_numbers(&by, ',', '\0', view->dst.strides) != view->rank)
        return false;
    for (unsigned k = 0; k < view->rank; ++k) {
        if (shape[k] < 1) return false;
        view->shape[k] = (uint64_t)shape[k];
    }
    place(view, &view->src);
    place(view, &view->dst);
    return true;
}

uint64_t bench_view_length(const bench_view *view) {
    uint64_t length = 1;
    for (unsigned k = 0; k < view->rank; ++k) length *= view->shape[k];
    return length;
}

uint64_t bench_view_at(const bench_view *view, const bench_side *side, uint64_t k) {
    int64_t at = (int64_t)side->first;
    for (unsigned axis = view->rank; axis-- > 0; k /= view->shape[axis])
        at += (int64_t)(k % view->shape[axis]) * side->strides[axis];
    return (uint64_t)at;
}
