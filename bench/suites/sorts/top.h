/* SPDX-License-Identifier: Apache-2.0
 *
 * The first few of each segment as they were found, for the host and for a GPU alike.
 *
 * A rank is an element's code and, where indices are wanted, its place behind it. Results are right if they are in order of their
 * ranks, if a sum of hashes says that those before the last are all elements before it, and if as many elements as results are not
 * behind the last; without indices, equal ones may be more.
 */
#ifndef RIFFLE_BENCH_SUITES_SORTS_TOP_H
#define RIFFLE_BENCH_SUITES_SORTS_TOP_H

#include "sorts/number.h"

/** The elements, and of->count results of each segment one behind the other. */
typedef struct bench_top {
    const void *numbers, *keys;
    const void *indices; /**< NULL where none are wanted */
} bench_top;

/** The sum of looks at the elements and results of a segment. */
typedef struct bench_top_look {
    unsigned long long wrong; /**< results out of order, or that are not what their index says */
    unsigned long long sum;   /**< 0 if the results before the last are all elements before it */
    unsigned long long ahead; /**< elements that are not behind the last result */
} bench_top_look;

typedef struct bench_rank {
    bench_code code;
    uint64_t index;
} bench_rank;

BENCH_FUNCTION bool bench_is_before(bench_rank a, bench_rank b) {
    return a.code < b.code || (a.code == b.code && a.index < b.index);
}

BENCH_FUNCTION bench_rank bench_rank_of_result(const bench_numbers *of, const bench_top *top, uint64_t place) {
    bench_rank rank;
    rank.code = bench_code_at(of, top->keys, place);
    rank.index = top->indices != NULL ? bench_index_at(of, top->indices, place) : 0;
    return rank;
}

/** Looks at element i of all segments. */
BENCH_FUNCTION bench_top_look bench_look_at_element(const bench_numbers *of, const bench_top *top, uint64_t i) {
    const bench_rank last = bench_rank_of_result(of, top, (i / of->n + 1) * of->count - 1);
    bench_rank rank;
    bench_top_look look;
    rank.code = bench_code_at(of, top->numbers, i);
    rank.index = top->indices != NULL ? i : 0;
    look.wrong = 0;
    look.sum = bench_is_before(rank, last) ? 0 - bench_hash_code(rank.code, rank.index) : 0;
    look.ahead = !bench_is_before(last, rank);
    return look;
}

/* The index of a result names an element of its segment, and that is the result. */
BENCH_FUNCTION bool bench_is_indexed(const bench_numbers *of, const bench_top *top, bench_rank rank,
                                     uint64_t segment) {
    return top->indices == NULL ||
           (rank.index / of->n == segment && bench_code_at(of, top->numbers, rank.index) == rank.code);
}

/** Looks at a place of the results. */
BENCH_FUNCTION bench_top_look bench_look_at_result(const bench_numbers *of, const bench_top *top,
                                                   uint64_t place) {
    const uint64_t segment = place / of->count;
    const bool is_first = place % of->count == 0;
    const bench_rank last = bench_rank_of_result(of, top, (segment + 1) * of->count - 1);
    const bench_rank rank = bench_rank_of_result(of, top, place);
    const bench_rank before = bench_rank_of_result(of, top, is_first ? place : place - 1);
    bench_top_look look;
    look.wrong = !bench_is_indexed(of, top, rank, segment);
    if (!is_first)
        look.wrong |= top->indices != NULL ? !bench_is_before(before, rank) : bench_is_before(rank, before);
    look.sum = bench_is_before(rank, last) ? bench_hash_code(rank.code, rank.index) : 0;
    look.ahead = 0;
    return look;
}

/** True if the looks at all of a segment say that its results are right. */
BENCH_FUNCTION bool bench_top_is_right(const bench_numbers *of, const bench_top *top, bench_top_look all) {
    const bool has_as_many = top->indices != NULL ? all.ahead == of->count : all.ahead >= of->count;
    return all.wrong == 0 && all.sum == 0 && has_as_many;
}

#endif
