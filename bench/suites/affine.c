/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite `affine`, in groups:
 *
 *     large      riffle's affine tiles at sizes of element from 1 to 16 bytes, along many permutations
 *     small      the same for arrays of 2^20 to 2^26 floats
 *     in-place   within one array
 *     batch      many short arrays at a time, contiguous and apart
 *     checked    with options.check, and without
 *     paper      the BMMC paper's kernels beside riffle's (Bouverot-Dupuis, Sheeran 2023, Figures 9 to 11), one permutation of a kind
 *     transposes its section 2.3 and Figure 12
 *     figures    its Figures 9 to 11 as means over random permutations
 */
#include "bench/suite.h"

#include <stdio.h>

#include "bench/word.h"
#include "kinds/kinds.h"
#include "riffle/papers.h"

#define POWER(k) ((uint64_t)1 << (k))
#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define AFFINE RIFFLE_ALGORITHM_AFFINE

/* The longest: "bits:" and 40 numbers. */
static char text[160];

static const char *transpose_of(unsigned m, unsigned columns_bits) {
    snprintf(text, sizeof text, "transpose:%llux%llu", (unsigned long long)POWER(m - columns_bits),
             (unsigned long long)POWER(columns_bits));
    return text;
}

static const char *transpose(unsigned m) { return transpose_of(m, m / 2); }

static const char *random_affine(unsigned seed) {
    snprintf(text, sizeof text, "random-affine:%u", seed);
    return text;
}

static const char *bits(unsigned m, const unsigned *to) {
    size_t length = 0;
    for (unsigned k = 0; k < m && length < sizeof text; ++k)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%u", k == 0 ? "bits:" : ",", to[k]);
    return text;
}

/* 0..m-1 in an order that only the seed says (Fisher, Yates). */
static void shuffle(unsigned m, unsigned seed, unsigned order[RIFFLE_MAX_BITS]) {
    for (unsigned k = 0; k < m; ++k) order[k] = k;
    for (unsigned k = m; k > 1; --k) {
        const uint64_t j = bench_word((uint64_t)seed * RIFFLE_MAX_BITS + k) % k;
        const unsigned last = order[k - 1];
        order[k - 1] = order[j];
        order[j] = last;
    }
}

static const char *random_bits(unsigned m, unsigned seed) {
    unsigned to[RIFFLE_MAX_BITS];
    shuffle(m, seed, to);
    return bits(m, to);
}

enum { QUBITS = 29 };

/* Pairs of bits change places; of an odd number one stays. */
static const char *random_exchange(unsigned m, unsigned seed) {
    unsigned order[RIFFLE_MAX_BITS], to[RIFFLE_MAX_BITS];
    shuffle(m, seed, order);
    for (unsigned k = 0; k < m; ++k) to[order[k]] = order[(k ^ 1) < m ? k ^ 1 : k];
    return bits(m, to);
}

enum { LARGE_NAMED = 5, LARGE_BITS = 10, LARGE_AFFINE = 20 };
enum { LARGE_PERMS = LARGE_NAMED + LARGE_BITS + LARGE_AFFINE };

static const char *large_perm(unsigned m, size_t k) {
    static const char *const named[LARGE_NAMED - 1] = {"identity", "reverse", "shuffle", "bit-reversal"};
    if (k < LARGE_NAMED) return k < COUNT(named) ? named[k] : transpose(m);
    const unsigned seed = (unsigned)(k - LARGE_NAMED + 1);
    return seed <= LARGE_BITS ? random_bits(m, seed) : random_affine(seed - LARGE_BITS);
}

static const struct {
    unsigned m, elem_bytes;
} large[] = {{30, 4}, {28, 4}, {29, 8}, {28, 16}, {30, 2}, {31, 1}};

static bench_row large_row(size_t k) {
    const unsigned m = large[k / LARGE_PERMS].m;
    return (bench_row){.by = large_perm(m, k % LARGE_PERMS),
                       .n = POWER(m),
                       .elem_bytes = large[k / LARGE_PERMS].elem_bytes,
                       .algorithm = AFFINE};
}

enum { SMALL_LEAST_BITS = 20, SMALL_SIZES = 7 };
static const char *const small_perms[] = {"identity",        "bit-reversal",    "shuffle",
                                          "random-affine:1", "random-affine:2", "random-affine:3"};

static bench_row small_row(size_t k) {
    return (bench_row){.by = small_perms[k % COUNT(small_perms)],
                       .n = POWER(SMALL_LEAST_BITS + k / COUNT(small_perms)),
                       .elem_bytes = 4,
                       .algorithm = AFFINE};
}

/* One pair of bits, five, and all but one bit: qubits of a state vector. */
static const char *exchange(size_t pairs) {
    static const unsigned pair[][2] = {{10, 20}, {3, 25}, {4, 17}, {12, 28}, {7, 14}};
    unsigned to[QUBITS];
    for (unsigned k = 0; k < QUBITS; ++k) to[k] = k;
    for (size_t k = 0; k < pairs; ++k) {
        to[pair[k][0]] = pair[k][1];
        to[pair[k][1]] = pair[k][0];
    }
    return bits(QUBITS, to);
}

enum { IN_PLACE_BITS = 30, IN_PLACE_NAMED = 3, IN_PLACE_ROWS = 12 };

static bench_row in_place_row(size_t k) {
    static const char *const named[IN_PLACE_NAMED] = {"bit-reversal", "transpose:32768x32768", "reverse"};
    const unsigned seed = (unsigned)(IN_PLACE_ROWS - k);
    bench_row row = {.n = POWER(IN_PLACE_BITS), .elem_bytes = 4, .algorithm = AFFINE, .in_place = true};
    switch (k) {
    case 3: row.by = random_exchange(IN_PLACE_BITS, 1); return row;
    case 4: row.by = random_bits(IN_PLACE_BITS, 1); return row;
    case 5: row.by = exchange(1); break;
    case 6: row.by = exchange(5); break;
    case 7: row.by = random_exchange(QUBITS, 1); break;
    case 8: row.by = "bit-reversal"; break;
    default: row.by = k < IN_PLACE_NAMED ? named[k] : random_affine(seed); break;
    }
    if (k < IN_PLACE_NAMED) return row;
    row.elem_bytes = k <= 8 ? 8 : 4;
    row.n = k <= 8 ? POWER(QUBITS) : POWER(28);
    return row;
}

enum { BATCH = 4096, BATCH_BITS = 14, BATCH_GAP = 32, BATCH_PERMS = 3 };

static bench_row batch_row(size_t k) {
    static const char *const perms[BATCH_PERMS] = {"bit-reversal", "random-affine:1", "transpose:128x128"};
    return (bench_row){.by = perms[k % BATCH_PERMS],
                       .n = POWER(BATCH_BITS),
                       .elem_bytes = 4,
                       .algorithm = AFFINE,
                       .batch = BATCH,
                       .stride = POWER(BATCH_BITS) + (k < BATCH_PERMS ? 0 : BATCH_GAP)};
}

enum { CHECKED_PERMS = 3, CHECKED_WAYS = 2 };

static const struct { unsigned m, elem_bytes; } checked[] = {{28, 4}, {28, 8}, {26, 16}, {30, 1}};

/* Without a check, and with one, in turn. */
static bench_row checked_row(size_t k) {
    const size_t size = k / (CHECKED_PERMS * CHECKED_WAYS), perm = k / CHECKED_WAYS % CHECKED_PERMS;
    const unsigned m = checked[size].m;
    return (bench_row){.by = perm == 0   ? "bit-reversal"
                             : perm == 1 ? transpose(m)
                                         : random_affine(1),
                       .n = POWER(m),
                       .elem_bytes = checked[size].elem_bytes,
                       .algorithm = AFFINE,
                       .check = k % CHECKED_WAYS == 0 ? RIFFLE_CHECK_NONE : RIFFLE_CHECK_FULL};
}

/* For each size bit reversal and a random bit permutation by all kernels, and a random affine one by those that
 * can. */
enum { PAPER_LEAST_BITS = 20, PAPER_STEP_BITS = 2, PAPER_SIZES = 6 };

static const struct {
    const char *by; /* NULL: a random bit permutation */
    riffle_algorithm algorithm;
} paper[] = {
    {"bit-reversal", RIFFLE_ALGORITHM_BMMC_NAIVE},
    {"bit-reversal", RIFFLE_ALGORITHM_BMMC_TILE},
    {"bit-reversal", RIFFLE_ALGORITHM_BMMC_TILE_BANKS},
    {"bit-reversal", RIFFLE_ALGORITHM_BMMC_TILE_ITERS},
    {"bit-reversal", RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS},
    {"bit-reversal", AFFINE},
    {NULL, RIFFLE_ALGORITHM_BMMC_NAIVE},
    {NULL, RIFFLE_ALGORITHM_BMMC_TILE},
    {NULL, RIFFLE_ALGORITHM_BMMC_TILE_BANKS},
    {NULL, RIFFLE_ALGORITHM_BMMC_TILE_ITERS},
    {NULL, RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS},
    {NULL, AFFINE},
    {"random-affine:1", RIFFLE_ALGORITHM_BMMC_NAIVE},
    {"random-affine:1", RIFFLE_ALGORITHM_BMMC_TILE},
    {"random-affine:1", RIFFLE_ALGORITHM_BMMC_TILE_BANKS},
    {"random-affine:1", AFFINE},
};

static bench_row paper_row(size_t k) {
    const unsigned m = PAPER_LEAST_BITS + PAPER_STEP_BITS * (unsigned)(k / COUNT(paper));
    const char *const by = paper[k % COUNT(paper)].by;
    return (bench_row){.by = by != NULL ? by : random_bits(m, 1),
                       .n = POWER(m),
                       .elem_bytes = 4,
                       .algorithm = paper[k % COUNT(paper)].algorithm};
}

/* Section 2.3's transposes of a square, and then Figure 12's of 2^25 elements, whose columns are 2^0 to 2^25. */
enum { SQUARE_BITS = 30, FIGURE12_BITS = 25 };
static const riffle_algorithm square_ways[] = {RIFFLE_ALGORITHM_BMMC_NAIVE, RIFFLE_ALGORITHM_BMMC_TILE,
                                               RIFFLE_ALGORITHM_BMMC_TILE_BANKS,
                                               RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS, AFFINE};
static const riffle_algorithm figure12_ways[] = {RIFFLE_ALGORITHM_BMMC_NAIVE, RIFFLE_ALGORITHM_BMMC_TILE_BANKS,
                                                 AFFINE};
enum { TRANSPOSE_ROWS = COUNT(square_ways) + (FIGURE12_BITS + 1) * COUNT(figure12_ways) };

static bench_row transposes_row(size_t k) {
    if (k < COUNT(square_ways))
        return (bench_row){.by = transpose(SQUARE_BITS),
                           .n = POWER(SQUARE_BITS),
                           .elem_bytes = 4,
                           .algorithm = square_ways[k]};
    k -= COUNT(square_ways);
    return (bench_row){.by = transpose_of(FIGURE12_BITS, (unsigned)(k / COUNT(figure12_ways))),
                       .n = POWER(FIGURE12_BITS),
                       .elem_bytes = 4,
                       .algorithm = figure12_ways[k % COUNT(figure12_ways)]};
}

/* The n_over of tiles of 2^5 columns: index bits that stay among the lowest. */
static unsigned overlap(const unsigned *to) {
    enum { TILE_BITS = 5 };
    unsigned count = 0;
    for (unsigned k = 0; k < TILE_BITS; ++k) count += to[k] < TILE_BITS;
    return count;
}

/* The k-th of the random bit permutations with this n_over. */
static const char *bits_of_overlap(unsigned m, unsigned over, unsigned k) {
    unsigned to[RIFFLE_MAX_BITS];
    for (unsigned seed = 1; k > 0; ++seed) {
        shuffle(m, seed, to);
        k -= overlap(to) == over;
    }
    return bits(m, to);
}

static const char *bits_of_overlap_0(unsigned m, unsigned k) { return bits_of_overlap(m, 0, k); }
static const char *bits_of_overlap_1(unsigned m, unsigned k) { return bits_of_overlap(m, 1, k); }
static const char *bits_of_overlap_2(unsigned m, unsigned k) { return bits_of_overlap(m, 2, k); }
static const char *kth_affine(unsigned m, unsigned k) {
    (void)m;
    return random_affine(k);
}

/* Figure 9 has all kernels at the longest length, Figures 10 and 11 the first, the best and riffle's at all lengths. */
enum { DRAWN_EACH = 20, DRAWN_LONGEST = 22, DRAWN_OTHERS = 12, DRAWN_LONGEST_BITS = 30 };
enum { DRAWN_ROWS = DRAWN_LONGEST + DRAWN_OTHERS * (PAPER_SIZES - 1) };

#define DRAWN(spec)                                                                                            \
    { (spec), DRAWN_EACH, DRAWN_ROWS }
static const bench_drawn_row drawn[] = {DRAWN(bits_of_overlap_0), DRAWN(bits_of_overlap_1),
                                        DRAWN(bits_of_overlap_2), DRAWN(kth_affine)};
static const char *const drawn_names[COUNT(drawn)] = {"random bits, n_over 0", "random bits, n_over 1",
                                                      "random bits, n_over 2", "random affine"};

/* The ways of all lengths come first. Matrices that are no bit permutations have no iterations. */
static const riffle_algorithm drawn_bits_ways[] = {
    RIFFLE_ALGORITHM_BMMC_NAIVE, RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS, AFFINE,
    RIFFLE_ALGORITHM_BMMC_TILE,  RIFFLE_ALGORITHM_BMMC_TILE_BANKS,       RIFFLE_ALGORITHM_BMMC_TILE_ITERS};
static const riffle_algorithm drawn_affine_ways[] = {
    RIFFLE_ALGORITHM_BMMC_NAIVE, RIFFLE_ALGORITHM_BMMC_TILE_BANKS, AFFINE, RIFFLE_ALGORITHM_BMMC_TILE};

static bench_row drawn_row(unsigned m, size_t kind, size_t way) {
    return (bench_row){.by = drawn_names[kind],
                       .n = POWER(m),
                       .elem_bytes = 4,
                       .algorithm = kind + 1 < COUNT(drawn) ? drawn_bits_ways[way] : drawn_affine_ways[way],
                       .kind = &bench_drawn,
                       .of = &drawn[kind]};
}

static bench_row figures_row(size_t k) {
    if (k < DRAWN_LONGEST)
        return drawn_row(DRAWN_LONGEST_BITS, k / COUNT(drawn_bits_ways), k % COUNT(drawn_bits_ways));
    k -= DRAWN_LONGEST;
    const size_t ways = DRAWN_OTHERS / COUNT(drawn);
    return drawn_row(PAPER_LEAST_BITS + PAPER_STEP_BITS * (unsigned)(k / DRAWN_OTHERS), k % DRAWN_OTHERS / ways,
                     k % ways);
}

/* The last groups are the ones that are missed least if the time is over. */
static const bench_group groups[] = {
    {"in-place", IN_PLACE_ROWS, .row = in_place_row},
    {"batch", 2 * BATCH_PERMS, .row = batch_row},
    {"checked", COUNT(checked) * CHECKED_PERMS *CHECKED_WAYS, .row = checked_row},
    {"small", SMALL_SIZES *COUNT(small_perms), .row = small_row},
    {"large", COUNT(large) * LARGE_PERMS, .row = large_row},
    {"paper", PAPER_SIZES *COUNT(paper), .row = paper_row},
    {"transposes", TRANSPOSE_ROWS, .row = transposes_row},
    {"figures", DRAWN_ROWS, .row = figures_row},
    {0},
};

const bench_suite bench_suite_affine = {
    .name = "affine",
    .about = "affine permutations of all sizes, and Figures 9 to 12 of the BMMC paper; on a GPU",
    .needs_gpu = true,
    .groups = groups,
};
