/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups of random rows, what the definition makes of them, and what an engine made.
 */
#ifndef RIFFLE_TESTS_GROUP_SUPPORT_H
#define RIFFLE_TESTS_GROUP_SUPPORT_H

#include "group/definition.h"
#include "support.h"

enum { GROUP_CASE_COLUMNS = 3 }; /* a case has at most, besides the first */

/** Bytes of columns' rows, of which a case has neighbours. */
static const size_t group_case_column_bytes[] = {8, 4, 2, 16, 16, 3, 8, 0, 1, 32, 12, 16, 100, 4};

/** Rows and keys, and how they are grouped. */
typedef struct group_case {
    uint64_t n, groups;
    size_t row_bytes;
    riffle_type key_type;
    riffle_group_options options;
    guarded rows, keys, columns[GROUP_CASE_COLUMNS];
} group_case;

static inline uint64_t group_case_entries(const group_case *c) {
    return c->n * (c->options.keys_per_row > 0 ? c->options.keys_per_row : 1);
}

/** How keys lie among groups. */
typedef enum group_spread { SPREAD_EVEN, SPREAD_FEW, SPREAD_ONE, SPREAD_OUTSIDE, SPREADS } group_spread;

static inline uint64_t group_random_key(rng *r, const group_case *c, group_spread spread) {
    switch (spread) {
    case SPREAD_EVEN: return rng_below(r, c->groups);
    case SPREAD_FEW: return rng_below(r, 3) * (c->groups / 3);
    case SPREAD_ONE: return c->groups - 1;
    default: return rng_below(r, 2) == 0 ? rng_next(r) : rng_below(r, c->groups + 1);
    }
}

static inline size_t group_alignment(size_t row_bytes) {
    return row_bytes % 16 == 0 ? 16 : row_bytes & (~row_bytes + 1);
}

/** Makes keys and rows at random, of a case whose other fields are there. Offsets of arrays are what alignment allows. */
static inline void group_case_fill(rng *r, group_case *c, group_spread spread) {
    const size_t key_bytes = riffle_type_bytes(c->key_type);
    const uint64_t entries = group_case_entries(c);
    c->rows = guarded_create((size_t)c->n * c->row_bytes, rng_below(r, 4) * group_alignment(c->row_bytes));
    for (unsigned k = 0; k < c->options.columns; k++) {
        const size_t bytes = c->options.column_bytes[k];
        c->columns[k] = guarded_create((size_t)c->n * bytes, rng_below(r, 4) * group_alignment(bytes));
        fill_random(r, c->columns[k].data, c->columns[k].bytes);
    }
    c->keys = guarded_create((size_t)entries * key_bytes, rng_below(r, 8) * key_bytes);
    fill_random(r, c->rows.data, c->rows.bytes);
    for (uint64_t e = 0; e < entries; e++) {
        const uint64_t key = group_random_key(r, c, spread);
        memcpy(c->keys.data + e * key_bytes, &key, key_bytes); /* little-endian */
    }
}

static inline void group_case_free(group_case *c) {
    guarded_free(&c->rows);
    guarded_free(&c->keys);
    for (unsigned k = 0; k < c->options.columns; k++) guarded_free(&c->columns[k]);
}

/** The arrays that an execution writes. */
typedef struct group_result {
    guarded rows, offsets, counts, places, left_out, columns[GROUP_CASE_COLUMNS];
    unsigned column_count;
    riffle_group_column listed[GROUP_CASE_COLUMNS];
} group_result;

static inline group_result group_result_create(rng *r, const riffle_group_plan *plan) {
    const size_t room = (size_t)plan->room;
    group_result out = {
        .rows = guarded_create(room * plan->row_bytes, rng_below(r, 8) * group_alignment(plan->row_bytes)),
        .offsets = guarded_create((plan->rule.groups + (size_t)1) * 8, 8),
        .counts = guarded_create(plan->rule.groups * (size_t)8, 0),
        .places = guarded_create((size_t)plan->entries * plan->index_bytes, 16),
        .left_out = guarded_create(GROUP_LEFT_OUTS * (size_t)8, 8),
        .column_count = plan->columns - 1};
    for (unsigned k = 0; k < out.column_count; k++)
        out.columns[k] = guarded_create(room * plan->column_bytes[k],
                                        rng_below(r, 8) * group_alignment(plan->column_bytes[k]));
    return out;
}

static inline riffle_group_arrays group_result_arrays(const group_case *c, group_result *to) {
    for (unsigned k = 0; k < to->column_count; k++)
        if (c->options.column_bytes[k] > 0)
            to->listed[k] = (riffle_group_column){to->columns[k].data, c->columns[k].data};
    return (riffle_group_arrays){.rows = c->row_bytes > 0 ? to->rows.data : NULL,
                                 .from_rows = c->row_bytes > 0 ? c->rows.data : NULL,
                                 .keys = c->keys.data,
                                 .offsets = (uint64_t *)(void *)to->offsets.data,
                                 .counts = (uint64_t *)(void *)to->counts.data,
                                 .places = c->options.index_bytes > 0 ? to->places.data : NULL,
                                 .left_out = (uint64_t *)(void *)to->left_out.data,
                                 .columns = to->column_count > 0 ? to->listed : NULL};
}

static inline void group_result_free(group_result *result) {
    guarded_free(&result->rows);
    guarded_free(&result->offsets);
    guarded_free(&result->counts);
    guarded_free(&result->places);
    guarded_free(&result->left_out);
    for (unsigned k = 0; k < result->column_count; k++) guarded_free(&result->columns[k]);
}

static inline bool group_is_same(const guarded *a, const guarded *b) {
    return guarded_intact(b) && (a->bytes == 0 || memcmp(a->data, b->data, a->bytes) == 0);
}

/** The name of the first array that differs, or where guards are not intact; NULL if all are what is wanted. */
static inline const char *group_difference(const group_result *wanted, const group_result *got) {
    if (!group_is_same(&wanted->counts, &got->counts)) return "counts";
    if (!group_is_same(&wanted->offsets, &got->offsets)) return "offsets";
    if (!group_is_same(&wanted->left_out, &got->left_out)) return "left_out";
    if (!group_is_same(&wanted->places, &got->places)) return "places";
    for (unsigned k = 0; k < wanted->column_count; k++)
        if (!group_is_same(&wanted->columns[k], &got->columns[k])) return "a column's rows";
    return group_is_same(&wanted->rows, &got->rows) ? NULL : "rows";
}

static inline void group_fail(const group_case *c, uint64_t seed, const char *what) {
    fail_msg("seed %llu: %llu rows of %zu bytes, %u columns besides, %llu keys each of type %s, %llu groups by "
             "%s, multiple %llu, "
             "capacity %llu, places "
             "of %zu bytes: %s",
             (unsigned long long)seed, (unsigned long long)c->n, c->row_bytes, c->options.columns,
             (unsigned long long)c->options.keys_per_row, riffle_type_string(c->key_type),
             (unsigned long long)c->groups, riffle_group_by_string(c->options.by),
             (unsigned long long)c->options.multiple, (unsigned long long)c->options.capacity,
             c->options.index_bytes, what);
}

/** A case of any kind, but for its length and groups. */
static inline group_case group_random_case(rng *r, uint64_t n, uint64_t groups) {
    static const size_t row_bytes[] = {0, 1, 2, 3, 4, 8, 12, 16, 24, 32, 48, 100, 256};
    group_case c = {.n = n,
                    .groups = groups,
                    .row_bytes = row_bytes[rng_below(r, sizeof row_bytes / sizeof *row_bytes)],
                    .key_type = (riffle_type)rng_below(r, RIFFLE_TYPE_U64 + 1),
                    .options = {.by = (riffle_group_by)rng_below(r, RIFFLE_GROUP_BY_TOP + 1),
                                .keys_per_row = rng_below(r, 5),
                                .multiple = rng_below(r, 3) == 0 ? 1 + rng_below(r, 40) : 0,
                                .capacity = rng_below(r, 3) == 0 ? 1 + rng_below(r, 2 * n / groups + 2) : 0,
                                .index_bytes = 4 * rng_below(r, 3),
                                .check = (riffle_check)rng_below(r, 2)}};
    c.options.columns = rng_below(r, 3) == 0 ? 1 + (unsigned)rng_below(r, GROUP_CASE_COLUMNS) : 0;
    c.options.column_bytes = group_case_column_bytes +
                             rng_below(r, sizeof group_case_column_bytes / sizeof(size_t) - GROUP_CASE_COLUMNS);
    group_case_fill(r, &c, (group_spread)rng_below(r, SPREADS));
    return c;
}

#endif
