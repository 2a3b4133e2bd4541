/* SPDX-License-Identifier: Apache-2.0
 *
 * Random shapes: an axis takes what a random number of bits counts to, and then the next number of its kind (any, prime,
 * a power of two, a multiple of 10); one axis, also a random one, takes what is left. Every third array has a short last
 * axis, and every third result. Integers alone, so that a seed means the same everywhere.
 */
#include "axes/axes.h"
#include "bench/word.h"

static const uint64_t LEAST_BYTES = (uint64_t)1 << 26;
enum { LEAST_RANK = 2, MOST_RANK = 8 };

/* Random numbers one after the other. */
typedef struct stream {
    uint64_t key, count;
} stream;

static uint64_t below(stream *from, uint64_t bound) { return bench_hash(from->key + from->count++) % bound; }

static bool is_prime(uint64_t x) {
    for (uint64_t d = 2; d * d <= x; ++d)
        if (x % d == 0) return false;
    return x >= 2;
}

/* The next number of a random kind from x on. */
static uint64_t of_some_kind(stream *from, uint64_t x) {
    uint64_t power = 1;
    switch (below(from, 4)) {
    case 0:
        while (!is_prime(x)) ++x;
        return x;
    case 1:
        while (power < x) power *= 2;
        return power;
    case 2: return x > 10 ? (x + 9) / 10 * 10 : x;
    default: return x;
    }
}

static unsigned bits_of(uint64_t x) {
    unsigned bits = 0;
    while (x >>= 1) ++bits;
    return bits;
}

/* One of `axes` axes, at least two, that are to have `left` elements: of up to twice an even share's bits. */
static uint64_t length_of(stream *from, uint64_t left, unsigned axes) {
    const uint64_t most = 2 * (uint64_t)bits_of(left) / axes;
    const uint64_t power = (uint64_t)1 << (1 + below(from, most > 1 ? most : 1));
    return of_some_kind(from, power / 2 + 1 + below(from, power / 2));
}

/* Fisher and Yates, until it is not the identity. */
static void draw_order(stream *from, bench_axes *axes) {
    bool moves = false;
    for (unsigned j = 0; j < axes->rank; ++j) axes->order[j] = j;
    while (!moves) {
        for (unsigned j = axes->rank; j > 1; --j) {
            const unsigned other = (unsigned)below(from, j), held = axes->order[j - 1];
            axes->order[j - 1] = axes->order[other];
            axes->order[other] = held;
        }
        for (unsigned j = 0; j < axes->rank; ++j) moves |= axes->order[j] != j;
    }
}

bench_axes bench_axes_random(uint64_t seed, size_t k, size_t elem_bytes) {
    stream from = {.key = bench_hash(bench_hash(seed) + k * 16 + elem_bytes)};
    bench_axes axes = {.rank = LEAST_RANK + (unsigned)below(&from, MOST_RANK - LEAST_RANK + 1)};
    draw_order(&from, &axes);
    const unsigned last = axes.rank - 1, rest = (unsigned)below(&from, axes.rank);
    const unsigned shorter[] = {last, axes.order[last], axes.rank};
    const unsigned shortest = shorter[k % 3];
    uint64_t left = LEAST_BYTES / elem_bytes;
    for (unsigned a = 0; a < axes.rank; ++a) {
        if (a == rest) continue;
        axes.shape[a] =
            a == shortest ? 2 + below(&from, 6) : length_of(&from, left, axes.rank - a + (a > rest));
        left = (left + axes.shape[a] - 1) / axes.shape[a];
    }
    axes.shape[rest] = left > 1 ? of_some_kind(&from, left) : 2;
    return axes;
}
