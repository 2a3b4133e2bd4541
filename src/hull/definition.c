/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/definition.h"

#include <stdlib.h>

#include "base/status.h"

/* A point and its index. */
typedef struct site {
    union {
        hull_f64 real;
        hull_i64 integer;
    } at;
    uint32_t index;
} site;

/* The predicates on one kind of coordinates. */
typedef struct predicates {
    bool (*before)(const site *a, const site *b);
    int (*orient)(const site *a, const site *b, const site *c);
    int (*compare)(const void *a, const void *b); /* for qsort: by place, then by index */
} predicates;

static bool before_f64(const site *a, const site *b) { return hull_before_f64(a->at.real, b->at.real); }
static bool before_i64(const site *a, const site *b) { return hull_before_i64(a->at.integer, b->at.integer); }

static int orient_f64(const site *a, const site *b, const site *c) {
    return hull_orient_f64(a->at.real, b->at.real, c->at.real);
}

static int orient_i64(const site *a, const site *b, const site *c) {
    return hull_orient_i64(a->at.integer, b->at.integer, c->at.integer);
}

static int by_index(const site *a, const site *b) { return (a->index > b->index) - (a->index < b->index); }

static int compare_f64(const void *a, const void *b) {
    return before_f64(a, b) ? -1 : before_f64(b, a) ? 1 : by_index(a, b);
}

static int compare_i64(const void *a, const void *b) {
    return before_i64(a, b) ? -1 : before_i64(b, a) ? 1 : by_index(a, b);
}

static const predicates of_f64 = {before_f64, orient_f64, compare_f64};
static const predicates of_i64 = {before_i64, orient_i64, compare_i64};

static void load(const hull_points *points, uint64_t first, uint64_t end, site *sites) {
    for (uint64_t i = first; i < end; i++) {
        site *const to = &sites[i - first];
        to->index = (uint32_t)i;
        if (hull_is_i64(points->type))
            to->at.integer = hull_i64_at(points, i);
        else
            to->at.real = hull_f64_at(points, i);
    }
}

/* Keeps the first of equal sites; returns how many are left. */
static uint64_t keep_first(const predicates *p, site *sites, uint64_t n) {
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++)
        if (kept == 0 || p->before(&sites[kept - 1], &sites[k])) sites[kept++] = sites[k];
    return kept;
}

/* Appends the site to the boundary that begins at `from`, without what turns right there, or does not turn. */
static uint64_t walk(const predicates *p, const site *sites, uint64_t *chain, uint64_t from, uint64_t length,
                     uint64_t next, bool all) {
    while (length >= from + 2) {
        const int turn = p->orient(&sites[chain[length - 2]], &sites[chain[length - 1]], &sites[next]);
        if (turn > 0 || (turn == 0 && all)) break;
        length--;
    }
    chain[length] = next;
    return length + 1;
}

static bool is_line(const predicates *p, const site *sites, uint64_t n) {
    for (uint64_t k = 1; k + 1 < n; k++)
        if (p->orient(&sites[0], &sites[n - 1], &sites[k]) != 0) return false;
    return true;
}

/* The hull of sorted, distinct sites; chain has room for 2 n. */
static uint64_t chain_of(const predicates *p, const site *sites, uint64_t n, bool all, uint64_t *chain) {
    uint64_t length = 0;
    if (is_line(p, sites, n)) {
        for (uint64_t k = 0; k < n; k++)
            if (all || k == 0 || k == n - 1) chain[length++] = k;
        return length;
    }
    for (uint64_t k = 0; k < n; k++) length = walk(p, sites, chain, 0, length, k, all);
    const uint64_t upper = length - 1;
    for (uint64_t k = n - 1; k-- > 0;) length = walk(p, sites, chain, upper, length, k, all);
    return length - 1; /* the first stands at the end too */
}

riffle_status hull_definition(const hull_points *points, uint64_t first, uint64_t end, bool all, uint32_t *hull,
                              uint64_t *length) {
    const uint64_t n = end - first;
    const predicates *const p = hull_is_i64(points->type) ? &of_i64 : &of_f64;
    site *const sites = malloc((n + 1) * sizeof *sites);
    uint64_t *const chain = malloc((2 * n + 1) * sizeof *chain);
    riffle_status status = RIFFLE_OK;
    if (sites == NULL || chain == NULL) {
        status = fail_memory("the points of a hull", (n + 1) * (sizeof *sites + 2 * sizeof *chain));
        goto done;
    }
    load(points, first, end, sites);
    qsort(sites, n, sizeof *sites, p->compare);
    const uint64_t kept = keep_first(p, sites, n);
    *length = chain_of(p, sites, kept, all, chain);
    for (uint64_t k = 0; k < *length; k++) hull[k] = sites[chain[k]].index;
done:
    free(chain);
    free(sites);
    return status;
}
