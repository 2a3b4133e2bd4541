/* SPDX-License-Identifier: Apache-2.0 */
#include "group/definition.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

uint64_t group_key_at(const riffle_group_plan *plan, const void *keys, uint64_t entry) {
    switch (plan->key_type) {
    case RIFFLE_TYPE_I8: return (uint64_t)((const int8_t *)keys)[entry];
    case RIFFLE_TYPE_I16: return (uint64_t)((const int16_t *)keys)[entry];
    case RIFFLE_TYPE_I32: return (uint64_t)((const int32_t *)keys)[entry];
    case RIFFLE_TYPE_U8: return ((const uint8_t *)keys)[entry];
    case RIFFLE_TYPE_U16: return ((const uint16_t *)keys)[entry];
    case RIFFLE_TYPE_U32: return ((const uint32_t *)keys)[entry];
    default: return ((const uint64_t *)keys)[entry];
    }
}

typedef struct grouping {
    const riffle_group_plan *plan;
    const riffle_group_arrays *arrays;
    uint64_t *count, *first; /* a number for each group; behind the last count is that of entries outside */
} grouping;

static uint32_t number_at(const grouping *g, uint64_t entry) {
    return group_number(&g->plan->rule, group_key_at(g->plan, g->arrays->keys, entry));
}

static void set_place(const grouping *g, uint64_t entry, uint64_t place) {
    if (g->plan->index_bytes == 8) ((uint64_t *)g->arrays->places)[entry] = place;
    if (g->plan->index_bytes == 4) ((uint32_t *)g->arrays->places)[entry] = (uint32_t)place;
}

static char *row_at(const grouping *g, uint64_t place) {
    return (char *)g->arrays->rows + place * g->plan->row_bytes;
}

static void count_entries(const grouping *g) {
    for (uint64_t e = 0; e < g->plan->entries; e++) g->count[number_at(g, e)]++;
}

static void lay_out(const grouping *g, uint64_t *overflowed) {
    for (uint32_t k = 0; k < g->plan->rule.groups; k++) {
        const uint64_t kept = group_kept(g->plan, g->count[k]), padded = group_padded(g->plan, kept);
        *overflowed += g->count[k] - kept;
        g->first[k + 1] = g->first[k] + padded;
        if (g->arrays->counts != NULL) g->arrays->counts[k] = kept;
        if (g->plan->row_bytes > 0 && padded > kept)
            memset(row_at(g, g->first[k] + kept), 0, (padded - kept) * g->plan->row_bytes);
    }
}

static void place_entries(const grouping *g) {
    const size_t row_bytes = g->plan->row_bytes;
    memset(g->count, 0, g->plan->rule.groups * sizeof *g->count);
    for (uint64_t e = 0; e < g->plan->entries; e++) {
        const uint32_t k = number_at(g, e);
        const bool is_kept = k < g->plan->rule.groups && g->count[k] < g->plan->capacity;
        const uint64_t place = is_kept ? g->first[k] + g->count[k]++ : RIFFLE_GROUP_NOWHERE;
        set_place(g, e, place);
        if (is_kept && row_bytes > 0)
            memcpy(row_at(g, place), (const char *)g->arrays->from_rows + e / g->plan->keys_per_row * row_bytes,
                   row_bytes);
    }
}

static riffle_status define(const riffle_group_plan *plan, const riffle_group_arrays *arrays) {
    const size_t groups = plan->rule.groups, bytes = (groups + 1) * sizeof(uint64_t);
    const grouping g = {plan, arrays, calloc(1, bytes), calloc(1, bytes)};
    riffle_status status = RIFFLE_OK;
    if (g.count == NULL || g.first == NULL) {
        status = fail_memory("the definition of groups", 2 * bytes);
    } else {
        uint64_t overflowed = 0;
        count_entries(&g);
        lay_out(&g, &overflowed);
        if (arrays->offsets != NULL) memcpy(arrays->offsets, g.first, bytes);
        if (arrays->left_out != NULL)
            memcpy(arrays->left_out, (uint64_t[GROUP_LEFT_OUTS]){g.count[groups], overflowed},
                   GROUP_LEFT_OUTS * sizeof(uint64_t));
        place_entries(&g);
    }
    free(g.count);
    free(g.first);
    return status;
}

riffle_status group_definition(const riffle_group_plan *plan, const riffle_group_arrays *arrays) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < plan->columns; k++) {
        group_alone alone;
        group_column_alone(plan, arrays, k, &alone);
        status = define(&alone.plan, &alone.arrays);
    }
    return status;
}
