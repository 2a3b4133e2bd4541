/* SPDX-License-Identifier: Apache-2.0
 *
 * The axes_tile pass against the plain definition: thousands of random shapes, orders, element sizes and
 * alignments, with every set of kernels that this processor has.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "support.h"

#include <sys/mman.h>
#include <unistd.h>

#include "engines/cpu/axes_tile.h"
#include "engines/cpu/loops.h"

enum { GUARD = 256, POISON = 0xa5, MAX_TOTAL = 1 << 21 };

static uint64_t random_state;

static uint64_t random_below(uint64_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state * 0x9e3779b97f4a7c15u >> 16) % n;
}

/** The kernels to test; returns their number. */
static unsigned all_kernels(const tile_kernels *out[8]) {
    const tile_kernels *all[] = {tile_kernels_portable(), tile_kernels_avx512(), tile_kernels_avx512vbmi()};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] != NULL) out[count++] = all[i];
    return count;
}

static uint64_t length_of(const perm_axes *axes) {
    uint64_t n = 1;
    for (unsigned k = 0; k < axes->rank; k++) n *= axes->shape[k];
    return n;
}

static void plan_axes(const perm_axes *axes, size_t elem_bytes, axes_tile_schedule *out) {
    strided_move move;
    strided_of_axes(axes, elem_bytes, &move);
    axes_tile_plan(&move, out);
}

/** dst[P(i)] = src[i], digit by digit. */
static void move_plainly(const perm_axes *axes, size_t elem_bytes, uint8_t *dst, const uint8_t *src) {
    const uint64_t n = length_of(axes);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t digits[RIFFLE_MAX_RANK];
        uint64_t rest = i;
        for (unsigned k = axes->rank; k-- > 0; rest /= axes->shape[k]) digits[k] = rest % axes->shape[k];
        uint64_t to = 0;
        for (unsigned k = 0; k < axes->rank; k++)
            to = to * axes->shape[axes->order[k]] + digits[axes->order[k]];
        memcpy(dst + to * elem_bytes, src + i * elem_bytes, elem_bytes);
    }
}

static void print_case(const perm_axes *axes, size_t elem_bytes, uint64_t seed, const char *kernels) {
    print_error("seed %llu, kernels %s, %zu bytes, shape", (unsigned long long)seed, kernels, elem_bytes);
    for (unsigned k = 0; k < axes->rank; k++) print_error(" %llu", (unsigned long long)axes->shape[k]);
    print_error(", order");
    for (unsigned k = 0; k < axes->rank; k++) print_error(" %u", axes->order[k]);
    print_error("\n");
}

/** Memory of `bytes` bytes that ends where a page begins that must not be touched. */
typedef struct fenced {
    uint8_t *base;
    size_t mapped;
    uint8_t *data;
} fenced;

static fenced fenced_create(size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t usable = (bytes + page - 1) / page * page;
    fenced memory = {.mapped = usable + page};
    memory.base = mmap(NULL, memory.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory.base != MAP_FAILED);
    assert_int_equal(mprotect(memory.base + usable, page, PROT_NONE), 0);
    memory.data = memory.base + usable - bytes;
    return memory;
}

/* A move by the kernels of one instruction set. */
typedef struct kernels_move {
    const tile_kernels *kernels;
    cpu_move move;
} kernels_move;

static void move_with(const void *context, team_member me) {
    const kernels_move *with = context;
    axes_tile_move(with->kernels, &with->move, me);
}

/** Moves random bytes with one set of kernels and compares; dst starts anywhere; src ends at a fence or a
 *  little before. */
static void check_with(const tile_kernels *kernels, const perm_axes *axes, size_t elem_bytes, bool stream,
                       uint64_t seed) {
    const size_t bytes = (size_t)length_of(axes) * elem_bytes;
    const size_t dst_at = GUARD + (size_t)random_below(65);
    const size_t room = dst_at + bytes + GUARD;
    const fenced memory = fenced_create(bytes + (random_below(2) == 0 ? (size_t)random_below(65) : 0));
    uint8_t *src = memory.data;
    uint8_t *dst = malloc(room);
    uint8_t *expected = malloc(room);
    assert_true(dst != NULL && expected != NULL);
    for (size_t i = 0; i < bytes; i++) src[i] = (uint8_t)random_below(256);
    memset(dst, POISON, room);
    memset(expected, POISON, room);
    move_plainly(axes, elem_bytes, expected + dst_at, src);

    pass p = {.kind = &PASS_AXES_TILE};
    plan_axes(axes, elem_bytes, &p.axes_tile);
    p.axes_tile.stream = stream;
    uint64_t taken = 0;
    const kernels_move with = {kernels, {.p = &p, .dst = dst + dst_at, .src = src, .taken = &taken}};
    team_run(1 + (unsigned)random_below(4), move_with, &with);
    if (memcmp(dst, expected, room) != 0) {
        print_case(axes, elem_bytes, seed, kernels->name);
        fail();
    }
    munmap(memory.base, memory.mapped);
    free(dst);
    free(expected);
}

static void check(const perm_axes *axes, size_t elem_bytes, uint64_t seed) {
    const tile_kernels *kernels[8];
    const unsigned count = all_kernels(kernels);
    for (unsigned i = 0; i < count; i++) check_with(kernels[i], axes, elem_bytes, random_below(2) == 0, seed);
}

static void shuffle_order(perm_axes *axes) {
    for (unsigned k = 0; k < axes->rank; k++) axes->order[k] = k;
    for (unsigned k = axes->rank; k-- > 1;) {
        const unsigned other = (unsigned)random_below(k + 1);
        const unsigned swapped = axes->order[k];
        axes->order[k] = axes->order[other];
        axes->order[other] = swapped;
    }
}

/** A random extent: mostly small, sometimes one off a tile edge, sometimes longer than a tile. */
static uint64_t random_extent(void) {
    static const uint64_t edges[] = {15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257};
    switch (random_below(8)) {
    case 0: return 1;
    case 1:
    case 2: return 2 + random_below(9);
    case 3: return edges[random_below(sizeof edges / sizeof edges[0])];
    case 4: return 1 + random_below(600);
    case 5: return 1 + random_below(5000);
    default: return 2 + random_below(60);
    }
}

static size_t random_elem_bytes(void) {
    static const size_t words[] = {1, 2, 4, 8, 16};
    const uint64_t kind = random_below(8);
    if (kind < 5) return words[random_below(5)];
    return 1 + (size_t)random_below(kind == 5 ? 24 : kind == 6 ? 200 : 5000);
}

/** A random case of at most `most` bytes. */
static size_t random_case(perm_axes *axes, uint64_t most) {
    size_t elem_bytes = random_elem_bytes();
    uint64_t bytes = elem_bytes;
    axes->rank = 1 + (unsigned)random_below(random_below(4) == 0 ? RIFFLE_MAX_RANK : 5);
    for (unsigned k = 0; k < axes->rank; k++) {
        uint64_t extent = random_extent();
        while (bytes * extent > most) extent = extent / 2 + (extent == 1 ? 0 : extent % 2 * (extent > 3));
        if (extent == 0) extent = 1;
        axes->shape[k] = extent;
        bytes *= extent;
    }
    for (unsigned k = 0; k < axes->rank; k++) {
        const unsigned other = (unsigned)random_below(axes->rank);
        const uint64_t swapped = axes->shape[k];
        axes->shape[k] = axes->shape[other];
        axes->shape[other] = swapped;
    }
    shuffle_order(axes);
    return elem_bytes;
}

static void test_random_small(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(600); seed++) {
        random_state = seed * 0x2545f4914f6cdd1du;
        perm_axes axes;
        const size_t elem_bytes = random_case(&axes, 1 << 13);
        check(&axes, elem_bytes, seed);
    }
}

static void test_random_large(void **state) {
    (void)state;
    for (uint64_t seed = 100001; seed <= 100000 + test_rounds(30); seed++) {
        random_state = seed * 0x2545f4914f6cdd1du;
        perm_axes axes;
        const size_t elem_bytes = random_case(&axes, MAX_TOTAL);
        check(&axes, elem_bytes, seed);
    }
}

/** Two axes of every pair of lengths about the block and tile edges, for each word. */
static void test_matrix_edges(void **state) {
    (void)state;
    static const uint64_t edges[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 129, 257};
    static const size_t sizes[] = {1, 2, 4, 8, 16, 12, 3};
    const size_t count = sizeof edges / sizeof edges[0];
    for (size_t i = 0; i < count * count * sizeof sizes / sizeof sizes[0]; i++) {
        random_state = i + 1;
        const perm_axes axes = {
            .rank = 2, .shape = {edges[i % count], edges[i / count % count]}, .order = {1, 0}};
        check(&axes, sizes[i / count / count], i + 1);
    }
}

/** Planes woven and separated, 2 to 9 of them, with and without an axis in front. */
static void test_planes(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_rounds(120); seed++) {
        random_state = seed;
        const uint64_t planes = 2 + random_below(8);
        const uint64_t pixels = 1 + random_below(random_below(2) == 0 ? 200 : 20000);
        const uint64_t images = 1 + random_below(3);
        const perm_axes weave = {.rank = 3, .shape = {images, planes, pixels}, .order = {0, 2, 1}};
        const perm_axes separate = {.rank = 3, .shape = {images, pixels, planes}, .order = {0, 2, 1}};
        const size_t word = (size_t)1 << random_below(5);
        check(random_below(2) == 0 ? &weave : &separate, word, seed);
    }
}

static void test_empty_and_single(void **state) {
    (void)state;
    const perm_axes empty = {.rank = 3, .shape = {5, 0, 7}, .order = {2, 0, 1}};
    const perm_axes single = {.rank = 3, .shape = {1, 1, 1}, .order = {2, 0, 1}};
    random_state = 1;
    check(&empty, 4, 1);
    check(&single, 4, 1);
    check(&single, 100003, 1);
    pass p = {.kind = &PASS_AXES_TILE};
    plan_axes(&empty, 4, &p.axes_tile);
    assert_int_equal(p.axes_tile.tiles, 0);
    cpu_run_pass(&p, 2, NULL, NULL, NULL);
}

static void test_rank_32(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        random_state = seed;
        perm_axes axes = {.rank = RIFFLE_MAX_RANK};
        for (unsigned k = 0; k < axes.rank; k++) axes.shape[k] = 1;
        for (unsigned k = 0; k < 16; k++) axes.shape[random_below(axes.rank)] = 2;
        axes.shape[random_below(axes.rank)] = 3;
        shuffle_order(&axes);
        check(&axes, (size_t)1 << random_below(5), seed);
    }
}

/** Normalization merges what stays together and finds the run that does not move. */
static void test_normalization(void **state) {
    (void)state;
    const perm_axes axes = {.rank = 6, .shape = {5, 1, 7, 4, 1, 6}, .order = {2, 3, 4, 0, 1, 5}};
    axes_tile_schedule schedule;
    plan_axes(&axes, 2, &schedule);
    assert_int_equal(schedule.rank, 2);
    assert_int_equal(schedule.run_bytes, 12);
    assert_int_equal(schedule.mode, AXES_TILE_RUNS);
    assert_int_equal(schedule.axes[0].extent, 5);
    assert_int_equal(schedule.axes[1].extent, 28);
    const perm_axes identity = {.rank = 3, .shape = {50, 1, 70}, .order = {1, 0, 2}};
    plan_axes(&identity, 8, &schedule);
    assert_int_equal(schedule.mode, AXES_TILE_DIRECT);
    assert_int_equal(schedule.run_bytes, 50 * 70 * 8);
    assert_true(sizeof schedule <= 4096);
}

/** No tile of a large array is of a few elements, nor do few planes wait for blocks of a few words. */
static void test_no_tile_is_tiny(void **state) {
    (void)state;
    const perm_axes tiny[] = {
        {.rank = 7, .shape = {6, 2, 8, 3, 4, 115, 172}, .order = {6, 3, 4, 2, 5, 1, 0}},
        {.rank = 6, .shape = {58, 6, 80, 5, 61, 2}, .order = {3, 2, 4, 0, 5, 1}},
        {.rank = 8, .shape = {4, 2, 418, 2, 3, 30, 4, 7}, .order = {3, 7, 4, 5, 2, 1, 0, 6}},
    };
    const size_t named = sizeof tiny / sizeof tiny[0];
    for (uint64_t seed = 1; seed <= test_rounds(2000); seed++) {
        random_state = seed;
        perm_axes axes;
        const size_t elem_bytes = seed <= named ? 1 : random_case(&axes, 1 << 24);
        if (seed <= named) axes = tiny[seed - 1];
        axes_tile_schedule s;
        plan_axes(&axes, elem_bytes, &s);
        uint64_t tile = s.run_bytes, whole = s.run_bytes;
        for (unsigned k = 0; k < s.rank; k++) tile *= s.axes[k].tile, whole *= s.axes[k].extent;
        if (whole < 1 << 20 || s.mode == AXES_TILE_DIRECT) continue;
        const unsigned outer = s.mode == AXES_TILE_INTERLEAVE ? 1 : 0;
        const bool has_planes = s.mode == AXES_TILE_INTERLEAVE || s.mode == AXES_TILE_SEPARATE;
        if (tile < 1 << 10 || (has_planes && s.axes[outer].extent * s.run_bytes < 64))
            fail_msg("seed %d: tiles of %d bytes, mode %d", (int)seed, (int)tile, (int)s.mode);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_and_single), cmocka_unit_test(test_normalization),
        cmocka_unit_test(test_matrix_edges),     cmocka_unit_test(test_planes),
        cmocka_unit_test(test_random_small),     cmocka_unit_test(test_random_large),
        cmocka_unit_test(test_rank_32),          cmocka_unit_test(test_no_tile_is_tiny),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
