/* SPDX-License-Identifier: Apache-2.0
 *
 * The distribution is a formula for affine maps and rotations; for the rest each warp's address groups are counted in a small hash table, emptied for the next by a new
 * number.
 */
#include "models/hmm.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"

uint64_t hmm_lower_bound(uint64_t n, unsigned width, unsigned latency) {
    return ceil_div(n, width) + latency - 1;
}

/* ------------------------------------------------- distributions in closed form */

/* A warp's addresses are an affine space: its groups the image of the low columns in the high bits. */
static bool affine_distribution(const riffle_perm *perm, unsigned width, uint64_t *out) {
    perm_affine affine;
    if ((width & (width - 1)) != 0 || !perm_as_affine(perm, &affine)) return false;
    const uint64_t n = riffle_perm_length(perm);
    const unsigned k = (unsigned)__builtin_ctz(width);
    uint64_t basis[RIFFLE_MAX_BITS]; /* vectors of that image, each with a top bit that no later one has */
    unsigned rank = 0;
    for (unsigned j = 0; j < k && j < affine.a.m; j++) {
        uint64_t image = k < affine.a.m ? affine.a.column[j] >> k : 0;
        for (unsigned b = 0; b < rank; b++) image = image < (image ^ basis[b]) ? image : image ^ basis[b];
        if (image != 0) basis[rank++] = image;
    }
    *out = ceil_div(n, width) << rank;
    return true;
}

/* 0..n-1 moved as two pieces: the inputs from `split` on have gone around the end. */
typedef struct ring {
    uint64_t n, width, split;
    perm_rotation rotation;
} ring;

static uint64_t ring_apply(const ring *r, uint64_t i) {
    const uint64_t offset = r->rotation.offset;
    if (r->rotation.reflected) return offset >= i ? offset - i : offset + r->n - i;
    return i < r->split ? i + offset : i - r->split;
}

/* The address groups first .. last that inputs begin .. end - 1 of one piece go to; or none. */
typedef struct group_range {
    uint64_t first, last;
    bool empty;
} group_range;

static group_range groups_of_piece(const ring *r, uint64_t begin, uint64_t end) {
    if (begin >= end) return (group_range){.empty = true};
    const uint64_t a = ring_apply(r, begin) / r->width, b = ring_apply(r, end - 1) / r->width;
    return (group_range){a < b ? a : b, a < b ? b : a, false};
}

static uint64_t groups_of_warp(const ring *r, uint64_t warp) {
    const uint64_t begin = warp * r->width;
    const uint64_t end = r->n - begin < r->width ? r->n : begin + r->width;
    const uint64_t middle = r->split < begin ? begin : r->split > end ? end : r->split;
    const group_range x = groups_of_piece(r, begin, middle), y = groups_of_piece(r, middle, end);
    uint64_t groups = (x.empty ? 0 : x.last - x.first + 1) + (y.empty ? 0 : y.last - y.first + 1);
    if (!x.empty && !y.empty && x.first <= y.last && y.first <= x.last) {
        const uint64_t first = x.first > y.first ? x.first : y.first, last = x.last < y.last ? x.last : y.last;
        groups -= last - first + 1;
    }
    return groups;
}

/* Whole warps of one piece all lie alike in their groups: one stands for all. */
static uint64_t rotation_distribution(const riffle_perm *perm, unsigned width) {
    ring r = {.n = riffle_perm_length(perm), .width = width, .rotation = perm->rotation};
    r.split = r.rotation.reflected ? r.rotation.offset + 1 : r.n - r.rotation.offset;
    const uint64_t whole = r.n / width, before = r.split / width;
    const uint64_t after = ceil_div(r.split, width) < whole ? ceil_div(r.split, width) : whole;
    uint64_t groups = 0;
    if (before > 0) groups += before * groups_of_warp(&r, 0);
    if (before < after) groups += groups_of_warp(&r, before);
    if (after < whole) groups += (whole - after) * groups_of_warp(&r, after);
    if (r.n % width > 0) groups += groups_of_warp(&r, whole);
    return groups;
}

static bool closed_form(const riffle_perm *perm, unsigned width, uint64_t *out) {
    if (riffle_perm_length(perm) > 0 && perm->kind == PERM_ROTATION) {
        *out = rotation_distribution(perm, width);
        return true;
    }
    return affine_distribution(perm, width, out);
}

/* --------------------------------------------------------- counting by evaluation */

/* A set of address groups. A place belongs to the set if it bears the number of the warp that is counted. */
typedef struct group_set {
    uint64_t *group;
    uint64_t *warp;
    uint64_t places; /* a power of two, at least twice a warp's groups */
} group_set;

/* Adds a group; false if it was there. */
static bool add_group(const group_set *set, uint64_t warp, uint64_t group) {
    uint64_t at = (group * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (set->places - 1);
    while (set->warp[at] == warp) {
        if (set->group[at] == group) return false;
        at = (at + 1) & (set->places - 1);
    }
    set->warp[at] = warp;
    set->group[at] = group;
    return true;
}

enum { BATCH = 1024 };

/* The groups of one warp; `number` is one that the set has not seen, above 0. */
static uint64_t count_warp(const riffle_perm *perm, uint64_t width, uint64_t warp, const group_set *set,
                           uint64_t number) {
    uint64_t values[BATCH], groups = 0;
    const uint64_t n = riffle_perm_length(perm), begin = warp * width;
    const uint64_t end = n - begin < width ? n : begin + width;
    for (uint64_t first = begin; first < end; first += BATCH) {
        const size_t count = end - first < BATCH ? (size_t)(end - first) : BATCH;
        riffle_perm_map(perm, first, count, values); /* in range, so it cannot fail */
        for (size_t k = 0; k < count; k++) groups += add_group(set, number, values[k] / width) ? 1 : 0;
    }
    return groups;
}

/* Every thread's set, in one buffer. */
static size_t set_words(uint64_t n, uint64_t width) {
    uint64_t places = 2;
    while (places < 2 * (width < n ? width : n)) places *= 2;
    return 2 * (size_t)places;
}

static group_set set_at(uint64_t *words, size_t count) {
    return (group_set){.group = words, .warp = words + count / 2, .places = count / 2};
}

/* The groups of `samples` warps spread evenly over all. */
typedef struct sampling {
    const riffle_perm *perm;
    uint64_t width, samples;
    uint64_t *sets; /* a set of `words` words for each thread */
    size_t words;
    uint64_t *groups; /* all threads', added up */
} sampling;

static void count_share(const void *context, team_member me) {
    const sampling *const s = context;
    const uint64_t warps = ceil_div(riffle_perm_length(s->perm), s->width);
    const group_set set = set_at(s->sets + me.number * s->words, s->words);
    const team_share mine = team_share_of(s->samples, me);
    uint64_t groups = 0;
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const uint64_t warp = warps / s->samples * k + warps % s->samples * k / s->samples;
        groups += count_warp(s->perm, s->width, warp, &set, k + 1);
    }
    __atomic_fetch_add(s->groups, groups, __ATOMIC_RELAXED);
}

static riffle_status count_groups(const riffle_perm *perm, unsigned width, uint64_t samples, uint64_t *out) {
    enum { ACCESSES_A_THREAD = 1 << 16 };
    const unsigned threads = threads_for(samples * width, ACCESSES_A_THREAD, threads_most(0));
    const size_t words = set_words(riffle_perm_length(perm), width), bytes = threads * words * sizeof(uint64_t);
    void *sets;
    const riffle_status status = buffer_create("counting address groups", bytes, &sets);
    if (status != RIFFLE_OK) return status;
    *out = 0;
    team_run(threads, count_share, &(sampling){perm, width, samples, sets, words, out});
    riffle_buffer_free(sets, bytes);
    return RIFFLE_OK;
}

riffle_status hmm_distribution(const riffle_perm *perm, unsigned width, uint64_t *out) {
    if (closed_form(perm, width, out)) return RIFFLE_OK;
    return count_groups(perm, width, ceil_div(riffle_perm_length(perm), width), out);
}

riffle_status hmm_distribution_estimate(const riffle_perm *perm, unsigned width, uint64_t samples, double *out,
                                        bool *exact) {
    const uint64_t warps = ceil_div(riffle_perm_length(perm), width);
    uint64_t groups;
    const bool all = closed_form(perm, width, &groups) || samples >= warps;
    const riffle_status status =
        all ? hmm_distribution(perm, width, &groups) : count_groups(perm, width, samples, &groups);
    if (status != RIFFLE_OK) return status;
    *out = all ? (double)groups : (double)groups * (double)warps / (double)samples;
    *exact = all;
    return RIFFLE_OK;
}

riffle_status riffle_perm_distribution(const riffle_perm *perm, unsigned width, uint64_t *out) {
    RETURN_IF_NULL(perm, out);
    if (width >= 1 && width <= HMM_MAX_WIDTH) return hmm_distribution(perm, width, out);
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a width of %u: it must be from 1 to %d", width, HMM_MAX_WIDTH);
}
