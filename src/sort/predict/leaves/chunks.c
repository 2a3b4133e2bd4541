/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses that are expected of leaves that are too long for a team of warps: a block sorts them with their places, as records of several
 * words. Where all keys are one such leaf no access depends on them.
 */
#include <math.h>

#include "sort/predict/patterns.h"
#include "sort/predict/tied.h"
#include "sort/predict/tiles.h"

/* Chunks of blocks, and of the block that has the most. */
typedef struct chunks {
    double count, most, keys; /* keys: of a chunk */
    uint32_t unit;
    bool carries, has_from;
} chunks;

/* A record in shared memory: a word of 8 bytes of a short key; else words of the key, and the place, in whose banks lanes meet. */
static void add_exchanges(expectation *e, const chunks *s) {
    enum { WARPS = SORT_LONG_THREADS / WARP_LANES };
    const bool is_short = s->unit == 4;
    const double words = is_short ? 1 : s->unit / 8.0, meet = s->unit == 8 ? 2 : 1;
    uint32_t calls = 0;
    for (uint32_t group = 2, steps = 1; group <= WARPS; group *= 2) calls += steps++;
    const double rounds = s->most * calls * SORT_LONG_EACH, warps = s->count * WARPS * calls * SORT_LONG_EACH,
                 all = is_short ? 1 : words + 1;
    expect_shared(e, PATTERN_WRITE, rounds * all, warps * all);
    expect_add(e, PATTERN_SHARED, PATTERN_READ, rounds * words, warps * words, meet);
    if (!is_short) expect_add(e, PATTERN_SHARED, PATTERN_READ, rounds, warps, 2 * meet);
}

/* A thread writes its keys side by side, so that each lane's are 16 cells from the next one's. */
static void add_results(expectation *e, const chunks *s) {
    const double threads = s->keys / SORT_LONG_EACH, warps = s->count * ceil(threads / WARP_LANES),
                 each = s->count *
                        (WARP_LANES / 2.0 * floor(threads / WARP_LANES) + ceil(fmod(threads, WARP_LANES) / 2));
    for (unsigned k = 0; k < (s->carries ? 2U : 1U); k++)
        expect_global(e, PATTERN_WRITE, s->most * SORT_LONG_EACH, warps * SORT_LONG_EACH, each / warps);
}

static void add_chunks(expectation *e, const chunks *s) {
    const double rounds = s->most * ceil(s->keys / SORT_LONG_THREADS),
                 warps = s->count * ceil(s->keys / WARP_LANES);
    expect_global(e, PATTERN_READ, rounds, warps, 1);
    add_exchanges(e, s);
    if (s->has_from) expect_global(e, PATTERN_READ, rounds, warps, WARP_LANES * 0.95);
    add_results(e, s);
}

/* A check of passes reads them once more, and each warp adds its sums to the record. */
static void add_sums(expectation *e, const chunks *s) {
    enum { WARPS = SORT_LONG_THREADS / WARP_LANES };
    expect_global(e, PATTERN_READ, s->most * ceil(s->keys / SORT_LONG_THREADS),
                  s->count * ceil(s->keys / WARP_LANES), 1);
    for (unsigned k = 0; k < 2; k++) expect_global(e, PATTERN_WRITE, s->most, s->count * WARPS, 1);
}

/* Which leaves are too long is read from a list; a leaf's begin, its end, and whether its keys are alike. */
static void add_list(expectation *e, const launch *work, const chunks *s) {
    const double warps = work->block_x / WARP_LANES;
    expect_global(e, PATTERN_READ, 1, work->grid * warps, 1);
    for (unsigned k = 0; s->count > 0 && k < 4; k++)
        expect_global(e, PATTERN_READ, s->most, s->count * warps, 1);
}

void pattern_of_sort_long(const launch *work, const void *subject, pattern *out) {
    const sort_long_table *const t = &((const struct sort_long_arguments *)work->arguments)->table;
    const sort_subject *const of = subject;
    chunks s = {.count = 1,
                .most = 1,
                .keys = t->n,
                .unit = (uint32_t)work->elem_bytes,
                .carries = t->carried.to != NULL,
                .has_from = t->carried.from != NULL};
    expectation e = expect_begin(out, work->grid, t->rest == NULL && !s.has_from);
    if (t->rest != NULL) {
        s.count = of->levels == 0 || tied_are_sorted(of)
                      ? 0
                      : round(sort_subject_longer(&of->level[of->levels - 1], t->above, &s.keys));
        s.most = ceil(s.count / work->grid);
        s.keys = fmin(s.keys / fmax(s.count, 1), SORT_CHUNK);
        add_list(&e, work, &s);
    }
    if (s.count > 0 && t->summed.record != NULL) add_sums(&e, &s);
    if (s.count > 0) add_chunks(&e, &s);
}
