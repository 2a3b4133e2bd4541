/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine permutations on the GPU against the definition, all bytes of dst compared: those of the arrays, and
 * those before, between and behind them, which must stay as they were.
 */
#include "test_affine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "riffle/cuda.h"
#include "riffle/papers.h"

enum { MARGIN = 1024, POISON = 0x5a, WHAT_BYTES = 320, MAX_BITS = 32, SIZES = 6 };

/* ----------------------------------------------------------- permutations */

enum { KINDS = 15, FIRST_GENERAL_KIND = 9 };

/* Fisher and Yates on the bits from `first` on. */
static void shuffle_bits(unsigned m, unsigned *to) {
    for (unsigned k = 0; k < m; k++) to[k] = k;
    for (unsigned k = m; k > 1; k--) {
        const unsigned other = (unsigned)(check_random() % k), held = to[k - 1];
        to[k - 1] = to[other];
        to[other] = held;
    }
}

/* Bit k goes to bit to[k], and c is added. */
static riffle_status make_bits(unsigned m, const unsigned *to, uint64_t c, riffle_perm **out) {
    uint64_t rows[MAX_BITS] = {0};
    for (unsigned k = 0; k < m; k++) rows[to[k]] = (uint64_t)1 << k;
    return riffle_perm_affine(m, rows, c, out);
}

static uint64_t random_index(unsigned m) { return check_random() & (((uint64_t)1 << m) - 1); }

static riffle_status make_random_bits(unsigned m, riffle_perm **out) {
    unsigned to[MAX_BITS];
    shuffle_bits(m, to);
    return make_bits(m, to, random_index(m), out);
}

/* Pairs of bits change places, and c has both or none of each pair. */
static riffle_status make_exchange(unsigned m, riffle_perm **out) {
    unsigned order[MAX_BITS], to[MAX_BITS];
    uint64_t c = random_index(m);
    shuffle_bits(m, order);
    for (unsigned k = 0; k < m; k++) to[k] = k;
    for (unsigned k = 0; k + 1 < m; k += 2) {
        to[order[k]] = order[k + 1];
        to[order[k + 1]] = order[k];
        const uint64_t one = c >> order[k] & 1;
        c = (c & ~((uint64_t)1 << order[k + 1])) | one << order[k + 1];
    }
    return make_bits(m, to, c, out);
}

/* Two bits change places, or one is added to another: half of the elements stay. */
static riffle_status make_half(bool added, unsigned m, riffle_perm **out) {
    uint64_t rows[MAX_BITS] = {0};
    for (unsigned k = 0; k < m; k++) rows[k] = (uint64_t)1 << k;
    const unsigned i = m > 1 ? (unsigned)(check_random() % (m - 1)) : 0, j = m > 0 ? m - 1 : 0;
    if (added && m > 1) rows[i] |= rows[j];
    if (!added && m > 1) rows[i] = (uint64_t)1 << j, rows[j] = (uint64_t)1 << i;
    return riffle_perm_affine(m, rows, added && m > 1 ? random_index(i + 1) : 0, out);
}

/* A random matrix of the bits up to bit 8 alone. */
static riffle_status make_low(unsigned m, riffle_perm **out) {
    const unsigned low = m < 9 ? m : 9;
    uint64_t rows[MAX_BITS];
    riffle_status status;
    do {
        for (unsigned k = 0; k < m; k++) rows[k] = k < low ? random_index(low) : (uint64_t)1 << k;
        status = riffle_perm_affine(m, rows, random_index(m), out);
    } while (status == RIFFLE_ERROR_SINGULAR);
    return status;
}

/* Kinds below FIRST_GENERAL_KIND permute index bits. */
static bool make_kind(unsigned kind, unsigned m, riffle_perm **out) {
    static const char *const names[] = {"identity", "reverse", "bit-reversal", "shuffle", "unshuffle"};
    const uint64_t n = (uint64_t)1 << m, rows = (uint64_t)1 << (m / 2);
    riffle_status status;
    switch (kind) {
    case 5: status = riffle_perm_transpose(rows, n / rows, out); break;
    case 6: status = riffle_perm_transpose(m < 3 ? n : n / 8, m < 3 ? 1 : 8, out); break;
    case 7: status = make_random_bits(m, out); break;
    case 8: status = make_exchange(m, out); break;
    case 9:
    case 10:
    case 11: status = riffle_perm_random_affine(n, check_random(), out); break;
    case 12: status = make_half(false, m, out); break;
    case 13: status = make_half(true, m, out); break;
    case 14: status = make_low(m, out); break;
    default: status = riffle_perm_parse(names[kind], n, out); break;
    }
    return check(status == RIFFLE_OK, "permutation %u of 2^%u elements", kind, m);
}

/* ------------------------------------------------------------------ moves */

/* One execution's move: arrays from byte `at` on, of src as of dst. */
typedef struct move {
    const riffle_perm *perm;
    size_t elem_bytes, at;
    riffle_plan_options options;
    unsigned share; /* one of so many chunks of the result is compared; 1 for all */
} move;

static uint64_t arrays_of(const move *m) { return m->options.batch > 0 ? m->options.batch : 1; }

static size_t array_bytes(const move *m) { return riffle_perm_length(m->perm) * m->elem_bytes; }

static size_t step_of(const move *m) {
    return m->options.stride > 0 ? m->options.stride * m->elem_bytes : array_bytes(m);
}

static size_t span_of(const move *m) { return (arrays_of(m) - 1) * step_of(m) + array_bytes(m); }

static void describe(const move *m, char what[WHAT_BYTES]) {
    char spec[160];
    riffle_perm_print(m->perm, spec, sizeof spec, NULL);
    snprintf(what, WHAT_BYTES, "%s of %llu x %zu bytes by %s, %llu arrays %llu apart from byte %zu%s", spec,
             (unsigned long long)riffle_perm_length(m->perm), m->elem_bytes,
             riffle_algorithm_string(m->options.algorithm), (unsigned long long)arrays_of(m),
             (unsigned long long)m->options.stride, m->at, m->options.in_place ? ", in place" : "");
}

enum { CHUNK = 1024 };

/* The elements first .. first + CHUNK - 1 of array k. */
static bool chunk_is_moved(const move *m, const unsigned char *dst, const unsigned char *src, uint64_t k,
                           uint64_t first) {
    uint64_t to[CHUNK];
    const uint64_t left = riffle_perm_length(m->perm) - first;
    const size_t count = left < CHUNK ? (size_t)left : CHUNK, start = m->at + k * step_of(m);
    if (riffle_perm_map(m->perm, first, count, to) != RIFFLE_OK) return false;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *from = src + start + (first + i) * m->elem_bytes;
        if (memcmp(dst + start + to[i] * m->elem_bytes, from, m->elem_bytes) != 0) return false;
    }
    return true;
}

static bool arrays_are_moved(const move *m, const unsigned char *dst, const unsigned char *src) {
    const uint64_t chunks = (riffle_perm_length(m->perm) + CHUNK - 1) / CHUNK, all = chunks * arrays_of(m);
    const uint64_t phase = check_random() % m->share;
    uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong) schedule(static, 64)
    for (uint64_t t = phase; t < all; t += m->share)
        wrong += !chunk_is_moved(m, dst, src, t / chunks, t % chunks * CHUNK);
    return wrong == 0;
}

/* All bytes are like their neighbours, and the first is poison. */
static bool is_poison(const unsigned char *bytes, size_t count) {
    return count == 0 || (bytes[0] == POISON && memcmp(bytes, bytes + 1, count - 1) == 0);
}

/* True if bytes that belong to no array are as they were. */
static bool surroundings_stay(const move *m, const unsigned char *dst, size_t bytes) {
    bool stay = is_poison(dst, m->at) && is_poison(dst + m->at + span_of(m), bytes - m->at - span_of(m));
    for (uint64_t k = 0; stay && k + 1 < arrays_of(m); k++)
        stay = is_poison(dst + m->at + k * step_of(m) + array_bytes(m), step_of(m) - array_bytes(m));
    return stay;
}

/* dst becomes poison; in place its arrays become src's. */
static bool renew_dst(const move *m, check_arrays *arrays) {
    cudaError_t error = cudaMemset(arrays->device_dst, POISON, arrays->bytes);
    for (uint64_t k = 0; error == cudaSuccess && m->options.in_place && k < arrays_of(m); k++) {
        const size_t start = m->at + k * step_of(m);
        error = cudaMemcpy(arrays->device_dst + start, arrays->device_src + start, array_bytes(m),
                           cudaMemcpyDeviceToDevice);
    }
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    return check_cuda(error, "renewing dst");
}

static void compare(const move *m, check_arrays *arrays, const char *what) {
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemcpy(arrays->dst, arrays->device_dst, arrays->bytes, cudaMemcpyDeviceToHost);
    if (!check_cuda(error, what)) return;
    check(surroundings_stay(m, arrays->dst, arrays->bytes), "%s: wrote beside its arrays", what);
    check(arrays_are_moved(m, arrays->dst, arrays->src), "%s: elements in the wrong place", what);
}

/* Plans, executes and compares; `owed` says that a refusal is a failure. */
static void run_move(const move *m, bool owed, check_arrays *arrays) {
    char what[WHAT_BYTES];
    describe(m, what);
    if (!check(m->at + span_of(m) + MARGIN <= arrays->bytes, "%s: more than the test's arrays", what)) return;
    riffle_plan *plan;
    const riffle_status planned =
        riffle_plan_create(m->perm, m->elem_bytes, RIFFLE_ENGINE_CUDA, &m->options, &plan);
    if (planned == RIFFLE_ERROR_UNSUPPORTED && !owed) return;
    if (!check(planned == RIFFLE_OK, "%s: not planned", what)) return;
    if (renew_dst(m, arrays)) {
        unsigned char *dst = arrays->device_dst + m->at;
        const unsigned char *src = m->options.in_place ? dst : arrays->device_src + m->at;
        if (check(riffle_cuda_execute(plan, dst, src, NULL, 0, NULL) == RIFFLE_OK, "%s: not executed", what))
            compare(m, arrays, what);
    }
    riffle_plan_free(plan);
}

/* --------------------------------------------------------------- lengths */

/* Out of place, and in place. */
static void test_kind(unsigned kind, unsigned m, size_t elem_bytes, check_arrays *arrays) {
    riffle_perm *perm;
    if (!make_kind(kind, m, &perm)) return;
    move one = {.perm = perm, .elem_bytes = elem_bytes, .at = MARGIN, .share = 1};
    one.options.algorithm = RIFFLE_ALGORITHM_AFFINE;
    run_move(&one, true, arrays);
    one.options = (riffle_plan_options){.in_place = true};
    run_move(&one, true, arrays);
    riffle_perm_free(perm);
}

static void test_lengths(unsigned most_bits) {
    for (unsigned e = 0; e < SIZES; e++) {
        for (unsigned m = 0; m <= most_bits; m++) {
            check_arrays arrays;
            if (arrays_create(((size_t)1 << (m + e)) + 2 * MARGIN, &arrays))
                for (unsigned kind = 0; kind < KINDS; kind++) test_kind(kind, m, (size_t)1 << e, &arrays);
            arrays_free(&arrays);
        }
    }
}

/* --------------------------------------------------------------- batches */

typedef struct batch {
    unsigned m;
    uint64_t count, gap;
} batch;

static void test_batch(const batch *b, size_t elem_bytes, check_arrays *arrays) {
    static const unsigned kinds[] = {1, 2, 7, 8, 9, 12, 13};
    const uint64_t n = (uint64_t)1 << b->m;
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        riffle_perm *perm;
        if (!make_kind(kinds[k], b->m, &perm)) continue;
        move one = {.perm = perm, .elem_bytes = elem_bytes, .at = MARGIN, .share = 1};
        one.options = (riffle_plan_options){.algorithm = RIFFLE_ALGORITHM_AFFINE, .batch = b->count};
        if (b->gap > 0) one.options.stride = n + b->gap;
        run_move(&one, true, arrays);
        one.options.algorithm = RIFFLE_ALGORITHM_AUTO;
        one.options.in_place = true;
        run_move(&one, true, arrays);
        riffle_perm_free(perm);
    }
}

static void test_batches(bool small) {
    static const batch batches[] = {
        {0, 5, 0},  {0, 7, 3},   {1, 3, 0},   {2, 1000, 0}, {3, 77, 5},  {4, 9, 17}, {6, 33, 0},  {8, 5, 261},
        {8, 64, 0}, {10, 3, 64}, {10, 12, 1}, {12, 6, 0},   {12, 7, 16}, {16, 5, 1}, {16, 24, 0}, {18, 3, 4}};
    for (unsigned k = 0; k < sizeof batches / sizeof batches[0]; k++) {
        const batch *b = &batches[k];
        if (small && b->m > 12) continue;
        for (unsigned e = 0; e < SIZES; e++) {
            const size_t bytes = (((size_t)1 << b->m) + b->gap) * b->count << e;
            check_arrays arrays;
            if (arrays_create(bytes + 2 * MARGIN, &arrays)) test_batch(b, (size_t)1 << e, &arrays);
            arrays_free(&arrays);
        }
    }
}

/* The other algorithms move one array of a batch after the other. */
static void test_other_algorithms(void) {
    static const struct {
        const char *by;
        riffle_algorithm algorithm;
    } cases[] = {{"random:3", RIFFLE_ALGORITHM_GATHER},
                 {"random:3", RIFFLE_ALGORITHM_SCATTER},
                 {"random:3", RIFFLE_ALGORITHM_SCHEDULED},
                 {"random:3", RIFFLE_ALGORITHM_CONFLICT_FREE},
                 {"transpose:24x40", RIFFLE_ALGORITHM_TRANSPOSE},
                 {"rotate:7", RIFFLE_ALGORITHM_COPY},
                 {"reverse", RIFFLE_ALGORITHM_COPY}};
    enum { N = 960, BATCH = 5, GAP = 13 };
    check_arrays arrays;
    if (arrays_create((size_t)(N + GAP) * BATCH * 8 + 2 * MARGIN, &arrays)) {
        for (unsigned k = 0; k < 2 * sizeof cases / sizeof cases[0]; k++) {
            riffle_perm *perm;
            if (!check(riffle_perm_parse(cases[k / 2].by, N, &perm) == RIFFLE_OK, "%s", cases[k / 2].by))
                continue;
            move one = {.perm = perm, .elem_bytes = k % 2 == 0 ? 4 : 8, .at = MARGIN, .share = 1};
            one.options =
                (riffle_plan_options){.algorithm = cases[k / 2].algorithm, .batch = BATCH, .stride = N + GAP};
            run_move(&one, true, &arrays);
            riffle_perm_free(perm);
        }
    }
    arrays_free(&arrays);
}

/* By way of host memory: what lies between arrays stays there as well. */
static void test_host_batch(bool in_place) {
    enum { N = 4096, BATCH = 3, STRIDE = N + 5, ELEM_BYTES = 4, BYTES = STRIDE * BATCH * ELEM_BYTES };
    riffle_perm *perm = NULL;
    riffle_plan *plan = NULL;
    unsigned char *src = malloc(BYTES), *dst = malloc(BYTES);
    const riffle_plan_options options = {.batch = BATCH, .stride = STRIDE, .in_place = in_place};
    if (src != NULL && dst != NULL && make_kind(2, 12, &perm) &&
        check(riffle_plan_create(perm, ELEM_BYTES, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
              "a batch")) {
        const move one = {.perm = perm, .elem_bytes = ELEM_BYTES, .options = options, .share = 1};
        memset(dst, POISON, BYTES);
        for (size_t k = 0; k < BYTES; k++) src[k] = (unsigned char)check_random();
        for (unsigned k = 0; in_place && k < BATCH; k++)
            memcpy(dst + k * step_of(&one), src + k * step_of(&one), array_bytes(&one));
        check(riffle_execute(plan, dst, in_place ? dst : src) == RIFFLE_OK, "a batch from host memory");
        check(surroundings_stay(&one, dst, BYTES), "a batch from host memory: wrote beside its arrays");
        check(arrays_are_moved(&one, dst, src), "a batch from host memory: elements in the wrong place");
    }
    riffle_plan_free(plan);
    riffle_perm_free(perm);
    free(dst);
    free(src);
}

/* ------------------------------------------------------------- bmmc paper */

static bool is_bmmc_owed(riffle_algorithm algorithm, unsigned kind, unsigned m) {
    const unsigned lane_bits = 5;
    const bool iterates =
        algorithm == RIFFLE_ALGORITHM_BMMC_TILE_ITERS || algorithm == RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS;
    if (algorithm == RIFFLE_ALGORITHM_BMMC_NAIVE) return true;
    return m >= lane_bits && (kind < FIRST_GENERAL_KIND || !iterates);
}

static void test_bmmc_kind(unsigned kind, unsigned m, size_t elem_bytes, check_arrays *arrays) {
    riffle_perm *perm;
    if (!make_kind(kind, m, &perm)) return;
    for (unsigned a = RIFFLE_ALGORITHM_BMMC_NAIVE; a <= RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS; a++) {
        const riffle_algorithm algorithm = (riffle_algorithm)a;
        const move one = {perm, elem_bytes, MARGIN, {.algorithm = algorithm}, 1};
        run_move(&one, is_bmmc_owed(algorithm, kind, m), arrays);
    }
    riffle_perm_free(perm);
}

static void test_bmmc(unsigned most_bits) {
    for (size_t elem_bytes = 4; elem_bytes <= 8; elem_bytes += 4) {
        for (unsigned m = 0; m <= most_bits; m++) {
            check_arrays arrays;
            if (arrays_create((elem_bytes << m) + 2 * MARGIN, &arrays))
                for (unsigned kind = 0; kind < KINDS; kind++) test_bmmc_kind(kind, m, elem_bytes, &arrays);
            arrays_free(&arrays);
        }
    }
}

/* --------------------------------------------------------------- refusals */

static riffle_plan *plan_for(unsigned kind, unsigned m, size_t elem_bytes, riffle_plan_options options) {
    riffle_perm *perm;
    riffle_plan *plan = NULL;
    if (!make_kind(kind, m, &perm)) return NULL;
    check(riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan) == RIFFLE_OK,
          "permutation %u of 2^%u x %zu bytes", kind, m, elem_bytes);
    riffle_perm_free(perm);
    return plan;
}

static void test_overlap(check_arrays *arrays) {
    unsigned char *dst = arrays->device_dst;
    const riffle_plan_options apart = {.algorithm = RIFFLE_ALGORITHM_AFFINE, .batch = 2, .stride = 4096};
    riffle_plan *plan = plan_for(2, 10, 4, apart);
    if (plan != NULL) {
        check_refused(riffle_cuda_execute(plan, dst, dst + 4096, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                      "overlap", "arrays between arrays");
        check_refused(riffle_cuda_execute(plan, dst, dst, NULL, 0, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                      "overlap", "the same arrays");
    }
    riffle_plan_free(plan);
    plan = plan_for(2, 10, 4, (riffle_plan_options){.in_place = true});
    if (plan != NULL)
        check_refused(riffle_cuda_execute(plan, dst, arrays->device_src, NULL, 0, NULL),
                      RIFFLE_ERROR_INVALID_ARGUMENT, "dst is not src", "two arrays in place");
    riffle_plan_free(plan);
}

static void test_plan_refused(const char *by, uint64_t n, size_t elem_bytes, riffle_plan_options options,
                              riffle_status wanted, const char *words) {
    riffle_perm *perm;
    riffle_plan *plan = NULL;
    if (!check(riffle_perm_parse(by, n, &perm) == RIFFLE_OK, "%s: not parsed", by)) return;
    check_refused(riffle_plan_create(perm, elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan), wanted, words, by);
    check(plan == NULL, "%s: a plan in spite of a refusal", by);
    riffle_perm_free(perm);
}

static void test_plan_refusals(void) {
    const riffle_plan_options none = {0}, affine = {.algorithm = RIFFLE_ALGORITHM_AFFINE},
                              in_place = {.in_place = true};
    const uint64_t huge = (uint64_t)1 << 38;
    test_plan_refused("bit-reversal", huge, 8, none, RIFFLE_ERROR_OUT_OF_MEMORY, "memory");
    test_plan_refused("bit-reversal", huge, 8, in_place, RIFFLE_ERROR_OUT_OF_MEMORY, "memory");
    test_plan_refused("bit-reversal", 1 << 20, 1, (riffle_plan_options){.batch = (uint64_t)1 << 22},
                      RIFFLE_ERROR_OUT_OF_MEMORY, "memory");
    test_plan_refused("random:1", 1024, 4, affine, RIFFLE_ERROR_UNSUPPORTED, "only affine permutations");
    test_plan_refused("bit-reversal", 1024, 12, affine, RIFFLE_ERROR_UNSUPPORTED, "power of two of bytes");
    test_plan_refused("random:1", 1024, 4, in_place, RIFFLE_ERROR_UNSUPPORTED, "in place");
    test_plan_refused("reverse", 1000, 4, (riffle_plan_options){.batch = 2, .stride = 999},
                      RIFFLE_ERROR_INVALID_ARGUMENT, "stride of 999");
}

static void test_perm_refusals(void) {
    static const uint64_t singular[] = {3, 3};
    static const struct {
        const char *by;
        uint64_t n;
    } wrong[] = {
        {"bit-reversal", 1000}, {"shuffle", 12}, {"bits:0,1,2", 16}, {"affine:1,2", 8}, {"transpose:3x5", 16}};
    riffle_perm *perm = NULL;
    check_refused(riffle_perm_affine(2, singular, 0, &perm), RIFFLE_ERROR_SINGULAR, "add up to zero",
                  "a singular matrix");
    for (unsigned k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        check(riffle_perm_parse(wrong[k].by, wrong[k].n, &perm) == RIFFLE_ERROR_LENGTH, "%s of %llu elements",
              wrong[k].by, (unsigned long long)wrong[k].n);
    check(perm == NULL, "a permutation in spite of a refusal");
}

static void test_refusals(void) {
    check_arrays arrays;
    if (arrays_create(1 << 16, &arrays)) test_overlap(&arrays);
    arrays_free(&arrays);
    test_plan_refusals();
    test_perm_refusals();
}

/* Gaps and lengths that are no multiples of 16 bytes are moved by single elements, which need no more than
 * their own alignment. */
static void test_odd_places(void) {
    check_arrays arrays;
    if (arrays_create((size_t)16 * 4200 * 3, &arrays)) {
        for (unsigned e = 0; e < 4; e++) {
            riffle_perm *perm;
            if (!make_kind(8, 12, &perm)) continue;
            move one = {
                .perm = perm, .elem_bytes = (size_t)1 << e, .at = MARGIN + ((size_t)1 << e), .share = 1};
            one.options = (riffle_plan_options){.batch = 3, .stride = 4096 + 1};
            run_move(&one, true, &arrays);
            one.options.in_place = true;
            run_move(&one, true, &arrays);
            riffle_perm_free(perm);
        }
    }
    arrays_free(&arrays);
}

/* ----------------------------------------------------------- long arrays */

static void run_long(unsigned kind, unsigned m, size_t elem_bytes, riffle_plan_options options, unsigned share,
                     check_arrays *arrays) {
    riffle_perm *perm;
    if (!make_kind(kind, m, &perm)) return;
    const move one = {.perm = perm, .elem_bytes = elem_bytes, .at = MARGIN, .options = options, .share = share};
    run_move(&one, true, arrays);
    riffle_perm_free(perm);
}

/* More bytes than 2^31 and 2^32; of the longest every 16th chunk of elements is compared. */
static void test_long(void) {
    const size_t bytes = ((size_t)1 << 32) + ((size_t)1 << 23) + 2 * MARGIN;
    const riffle_plan_options affine = {.algorithm = RIFFLE_ALGORITHM_AFFINE}, in_place = {.in_place = true};
    size_t free_bytes = 0, all = 0;
    if (!check_cuda(cudaMemGetInfo(&free_bytes, &all), "the GPU's memory")) return;
    if (free_bytes / 2 < bytes + ((size_t)64 << 20)) {
        printf("long arrays left out: the GPU has %zu bytes free\n", free_bytes);
        return;
    }
    check_arrays arrays;
    if (arrays_create(bytes, &arrays)) {
        run_long(9, 31, 1, affine, 16, &arrays);
        run_long(2, 30, 4, affine, 16, &arrays);
        run_long(8, 30, 4, in_place, 16, &arrays);
        run_long(9, 30, 4, in_place, 16, &arrays);
        run_long(12, 30, 4, in_place, 16, &arrays);
        run_long(13, 30, 4, in_place, 16, &arrays);
        run_long(12, 28, 16, in_place, 16, &arrays);
        run_long(9, 27, 32, affine, 4, &arrays);
        const riffle_plan_options many = {
            .algorithm = RIFFLE_ALGORITHM_AFFINE, .batch = 4100, .stride = (1 << 20) + 1};
        run_long(9, 20, 1, many, 16, &arrays);
    }
    arrays_free(&arrays);
}

void test_affine(bool small) {
    test_lengths(small ? 12 : 20);
    test_batches(small);
    test_other_algorithms();
    test_host_batch(false);
    test_host_batch(true);
    test_odd_places();
    test_bmmc(small ? 12 : 20);
    test_refusals();
    if (!small) test_long();
}
