/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/two_phase.h"

#include "base/threads/team.h"
#include "sort/cpu/buckets.h"

unsigned two_phase_threads(uint64_t n, unsigned most) {
    const uint64_t paid = n / WORDS_A_THREAD_PAYS;
    if (most > WORDS_MOST_RUNS) most = WORDS_MOST_RUNS;
    return paid < 2 ? 1 : paid < most ? (unsigned)paid : most;
}

bool two_phase_wants_numbers(unsigned threads) { return threads > 1 || words_want_room(); }

size_t two_phase_room(size_t word_bytes, unsigned threads, uint64_t runs) {
    return runs > 2 ? (size_t)threads * 2 * WORDS_BLOCK * word_bytes : 0;
}

static void *at(const two_phase *sort, void *array, uint64_t i) { return (char *)array + i * sort->word_bytes; }

static void finish(const two_phase *sort, uint64_t first, uint64_t n) {
    if (sort->finish != NULL) sort->finish(sort->context, at(sort, sort->sorted, first), first, n);
}

/* In blocks that a cache holds, where they are shown to somebody. */
static void make(const two_phase *sort, void *numbers, uint64_t first, uint64_t n) {
    enum { SHOWN = 2048 };
    const uint64_t most = sort->made != NULL ? SHOWN : n;
    for (uint64_t i = 0; i < n; i += most) {
        const uint64_t some = n - i < most ? n - i : most;
        sort->make(sort->context, at(sort, numbers, i), first + i, some);
        if (sort->made != NULL) sort->made(sort->context, at(sort, numbers, i), first + i, some);
    }
}

static team_share part_of(const two_phase *sort, unsigned part) {
    return team_share_of(sort->n, (team_member){part, sort->threads});
}

/* OpenMP may give fewer threads than there are parts. */
static void make_parts(const void *context, team_member me) {
    const two_phase *const sort = context;
    for (unsigned p = me.number; p < sort->threads; p += me.count) {
        const team_share part = part_of(sort, p);
        make(sort, at(sort, sort->numbers, part.first), part.first, part.end - part.first);
    }
}

static void sort_parts(const void *context, team_member me) {
    const two_phase *const sort = context;
    for (unsigned p = me.number; p < sort->threads; p += me.count) {
        const team_share part = part_of(sort, p);
        sort_words_for(sort->word_bytes)
            ->sort(at(sort, sort->numbers, part.first), at(sort, sort->sorted, part.first),
                   part.end - part.first);
    }
}

static void merge_part(const two_phase *sort, const words_runs *runs, unsigned p) {
    const team_share part = part_of(sort, p);
    uint64_t from[WORDS_MOST_RUNS], end[WORDS_MOST_RUNS];
    void *const to = at(sort, sort->sorted, part.first);
    void *const room = sort->room == NULL ? NULL : at(sort, sort->room, (uint64_t)p * 2 * WORDS_BLOCK);
    const sort_words *const words = sort_words_for(sort->word_bytes);
    words->split(runs, part.first, from);
    words->split(runs, part.end, end);
    words->merge(runs, from, end, to, room);
    finish(sort, part.first, part.end - part.first);
}

/* Runs, and how they are merged. */
typedef struct merging {
    const two_phase *sort;
    const words_runs *runs;
} merging;

static void merge_parts(const void *context, team_member me) {
    const merging *const all = context;
    for (unsigned p = me.number; p < all->sort->threads; p += me.count) merge_part(all->sort, all->runs, p);
}

void two_phase_merge(const two_phase *sort, const words_runs *runs) {
    team_run(sort->threads, merge_parts, &(merging){sort, runs});
}

void two_phase_sort(const two_phase *sort) {
    if (sort->threads <= 1) {
        make(sort, sort->sorted, 0, sort->n);
        sort_words_for(sort->word_bytes)->sort(sort->sorted, sort->numbers, sort->n);
        finish(sort, 0, sort->n);
        return;
    }
    if (sort->is_made_anew && buckets_sort(sort)) return;
    words_runs runs = {.numbers = sort->numbers, .k = sort->threads};
    for (unsigned p = 0; p < sort->threads; p++) runs.first[p] = part_of(sort, p).first;
    runs.first[sort->threads] = sort->n;
    team_run(sort->threads, make_parts, sort);
    team_run(sort->threads, sort_parts, sort);
    two_phase_merge(sort, &runs);
}
