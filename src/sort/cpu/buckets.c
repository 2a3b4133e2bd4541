/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/buckets.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/threads/team.h"

enum { BLOCK = 2048, SAMPLE = 4096 };

/* A share's numbers of a bucket, and then where the next one goes. */
typedef struct buckets {
    const two_phase *sort;
    uint64_t pivots[WORDS_MOST_RUNS];
    uint64_t counts[WORDS_MOST_RUNS][WORDS_MOST_RUNS]; /* for share s, bucket b */
    uint64_t begin[WORDS_MOST_RUNS + 1];
} buckets;

static const sort_words *words_of(const two_phase *sort) { return sort_words_for(sort->word_bytes); }

static void *at(const two_phase *sort, void *array, uint64_t i) { return (char *)array + i * sort->word_bytes; }

static void choose_pivots(buckets *b) {
    const two_phase *const sort = b->sort;
    union {
        uint32_t narrow[SAMPLE];
        uint64_t wide[SAMPLE];
    } sample, room;
    const uint64_t stride = sort->n / SAMPLE;
    for (uint64_t i = 0; i < SAMPLE; i++)
        sort->make(sort->context, at(sort, &sample, i), i * stride + i * 2654435761U % stride, 1);
    words_of(sort)->sort(&sample, &room, SAMPLE);
    for (unsigned k = 1; k < sort->threads; k++) {
        const unsigned which = SAMPLE / sort->threads * k;
        b->pivots[k - 1] = sort->word_bytes == 4 ? sample.narrow[which] : sample.wide[which];
    }
}

/* A block of a share's numbers. */
typedef struct block {
    uint64_t words[BLOCK];
    uint64_t n;
} block;

static void make_block(const two_phase *sort, uint64_t first, uint64_t end, block *out) {
    out->n = end - first < BLOCK ? end - first : BLOCK;
    sort->make(sort->context, out->words, first, out->n);
}

static team_share share_of(const two_phase *sort, unsigned s) {
    return team_share_of(sort->n, (team_member){s, sort->threads});
}

/* How many numbers are less than each pivot, by share. */
static void count_share(buckets *b, unsigned s) {
    const two_phase *const sort = b->sort;
    const team_share share = share_of(sort, s);
    block made;
    for (uint64_t i = share.first; i < share.end; i += made.n) {
        make_block(sort, i, share.end, &made);
        for (unsigned k = 0; k + 1 < sort->threads; k++)
            b->counts[s][k] += words_of(sort)->count(made.words, made.n, b->pivots[k]);
    }
    b->counts[s][sort->threads - 1] = share.end - share.first;
    for (unsigned k = sort->threads - 1; k > 0; k--) b->counts[s][k] -= b->counts[s][k - 1];
}

static void count_shares(const void *context, team_member me) {
    buckets *const b = (buckets *)(uintptr_t)context;
    for (unsigned s = me.number; s < b->sort->threads; s += me.count) count_share(b, s);
}

/* Counts become where each share's numbers of a bucket go; whether no bucket is much longer than the others. */
static bool place_buckets(buckets *b) {
    const unsigned threads = b->sort->threads;
    uint64_t before = 0;
    bool is_even = true;
    for (unsigned k = 0; k < threads; k++) {
        b->begin[k] = before;
        for (unsigned s = 0; s < threads; s++) {
            const uint64_t own = b->counts[s][k];
            b->counts[s][k] = before;
            before += own;
        }
        is_even &= before - b->begin[k] <= b->sort->n / threads / 4 * 5;
    }
    b->begin[threads] = before;
    return is_even;
}

/* A number that memory changed since it was counted finds no room behind its bucket's end: a check finds it gone. */
static void copy_out(buckets *b, unsigned s, unsigned bucket, const void *from, uint64_t n) {
    const uint64_t room = b->begin[bucket + 1] - b->counts[s][bucket], kept = min(n, room);
    memcpy(at(b->sort, b->sort->sorted, b->counts[s][bucket]), from, kept * b->sort->word_bytes);
    b->counts[s][bucket] += kept;
}

/* Numbers of buckets first .. end - 1. */
static void move_some(buckets *b, unsigned s, unsigned first, unsigned end, void *numbers, uint64_t n) {
    const unsigned middle = first + (end - first) / 2;
    if (n == 0) return;
    if (end - first == 1) {
        copy_out(b, s, first, numbers, n);
        return;
    }
    const uint64_t less = words_of(b->sort)->divide(numbers, n, b->pivots[middle - 1]);
    move_some(b, s, first, middle, numbers, less);
    move_some(b, s, middle, end, at(b->sort, numbers, less), n - less);
}

static void move_shares(const void *context, team_member me) {
    buckets *const b = (buckets *)(uintptr_t)context;
    block made;
    for (unsigned s = me.number; s < b->sort->threads; s += me.count) {
        const team_share share = share_of(b->sort, s);
        for (uint64_t i = share.first; i < share.end; i += made.n) {
            make_block(b->sort, i, share.end, &made);
            if (b->sort->made != NULL) b->sort->made(b->sort->context, made.words, i, made.n);
            move_some(b, s, 0, b->sort->threads, made.words, made.n);
        }
    }
}

static void sort_buckets(const void *context, team_member me) {
    const buckets *const b = context;
    const two_phase *const sort = b->sort;
    for (unsigned k = me.number; k < sort->threads; k += me.count) {
        const uint64_t first = b->begin[k], n = b->begin[k + 1] - first;
        void *const numbers = at(sort, sort->sorted, first);
        words_of(sort)->sort(numbers, at(sort, sort->numbers, first), n);
        if (sort->finish != NULL) sort->finish(sort->context, numbers, first, n);
    }
}

bool buckets_sort(const two_phase *sort) {
    buckets b = {.sort = sort};
    if (sort->n < 2 * SAMPLE) return false;
    choose_pivots(&b);
    team_run(sort->threads, count_shares, &b);
    if (!place_buckets(&b)) return false;
    team_run(sort->threads, move_shares, &b);
    team_run(sort->threads, sort_buckets, &b);
    return true;
}
