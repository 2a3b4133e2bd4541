/* SPDX-License-Identifier: Apache-2.0
 *
 * How much each thread of a warp takes from the first list is found by dynamic programming: best[t][x] is how many of
 * threads t and on can begin in a first bank and read one list only, where those before took x keys of the first list.
 */
#include "papers/sort/worst_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

typedef struct warp_plan {
    const worst_pairs *merge;
    uint32_t first, second; /* keys that the warp takes of either list, whole rows */
    int16_t *best;          /* [thread][x]; -1: cannot be */
    uint8_t *taken;         /* [thread][x]: of the first list */
} warp_plan;

static size_t place(const warp_plan *plan, uint32_t thread, uint32_t x) {
    return (size_t)thread * (plan->first + 1) + x;
}

static int16_t gain(const warp_plan *plan, uint32_t thread, uint32_t x, uint32_t take) {
    const uint32_t each = plan->merge->each, y = thread * each - x, width = plan->merge->width;
    return (take == each && x % width == 0) || (take == 0 && y % width == 0) ? 1 : 0;
}

static void choose(const warp_plan *plan, uint32_t thread, uint32_t x) {
    const uint32_t each = plan->merge->each, done = thread * each;
    int16_t best = -1;
    if (x > done || done - x > plan->second) {
        plan->best[place(plan, thread, x)] = -1;
        return;
    }
    for (uint32_t take = 0; take <= each && x + take <= plan->first; take++) {
        const int16_t later = plan->best[place(plan, thread + 1, x + take)];
        if (later < 0 || later + gain(plan, thread, x, take) <= best) continue;
        best = (int16_t)(later + gain(plan, thread, x, take));
        plan->taken[place(plan, thread, x)] = (uint8_t)take;
    }
    plan->best[place(plan, thread, x)] = best;
}

/* Says of each key of a warp, in order, whether it is of the second list. */
static riffle_status mark_warp(const worst_pairs *merge, uint32_t rows_of_first, bool *is_second) {
    const uint32_t width = merge->width, each = merge->each;
    warp_plan plan = {.merge = merge, .first = rows_of_first * width, .second = (each - rows_of_first) * width};
    const size_t places = (size_t)(width + 1) * (plan.first + 1);
    plan.best = malloc(places * sizeof *plan.best);
    plan.taken = calloc(places, 1);
    const bool there_is_room = plan.best != NULL && plan.taken != NULL;
    if (there_is_room) {
        for (uint32_t x = 0; x <= plan.first; x++) plan.best[place(&plan, width, x)] = x == plan.first ? 0 : -1;
        for (uint32_t thread = width; thread-- > 0;)
            for (uint32_t x = 0; x <= plan.first; x++) choose(&plan, thread, x);
        for (uint32_t thread = 0, x = 0; thread < width; thread++) {
            const uint32_t take = plan.taken[place(&plan, thread, x)];
            for (uint32_t k = 0; k < each; k++) is_second[thread * each + k] = k >= take;
            x += take;
        }
    }
    free(plan.best);
    free(plan.taken);
    return there_is_room ? RIFFLE_OK : fail_memory("a warp's worst merge", places * 3);
}

/* Warps take a row more of one list and of the other in turn. */
static riffle_status mark_part(const worst_pairs *merge, bool *is_second) {
    const size_t warp = (size_t)merge->width * merge->each;
    for (uint32_t k = 0; k < merge->warps; k++) {
        const riffle_status status = mark_warp(merge, (merge->each + 1 - k % 2) / 2, is_second + k * warp);
        if (status != RIFFLE_OK) return status;
    }
    return RIFFLE_OK;
}

/* n sorted keys become two lists that merge to them. */
static void split(const bool *is_second, uint64_t part, const uint32_t *keys, uint64_t n, uint32_t *out) {
    uint64_t lists[2] = {0, n / 2};
    for (uint64_t i = 0; i < n; i++) out[lists[is_second[i % part]]++] = keys[i];
}

riffle_status worst_pairs_streams(const worst_pairs *merge, uint64_t n, uint64_t streams, uint32_t *out) {
    const uint64_t part = worst_pairs_part(merge);
    bool *const is_second = malloc(part);
    uint32_t *const keys = malloc((size_t)n * sizeof *keys);
    riffle_status status = is_second != NULL && keys != NULL
                               ? mark_part(merge, is_second)
                               : fail_memory("a worst merge", (size_t)n * sizeof *keys + (size_t)part);
    for (uint64_t i = 0; status == RIFFLE_OK && i < n; i++) out[i] = (uint32_t)i;
    for (uint64_t have = 1; status == RIFFLE_OK && have < streams; have *= 2) {
        const uint64_t length = n / have;
        memcpy(keys, out, (size_t)n * sizeof *keys);
        for (uint64_t k = 0; k < have; k++) split(is_second, part, keys + k * length, length, out + k * length);
    }
    free(is_second);
    free(keys);
    return status;
}
