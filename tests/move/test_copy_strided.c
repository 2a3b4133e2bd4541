/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_copy_strided against the plain definition, with every set of kernels that this processor has, and all that it
 * refuses.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "support.h"

#include "fenced.h"
#include "tile_support.h"
#include "view_support.h"

/* By riffle_copy_strided, or by one set of kernels. */
static void copy(const view_pair *v, const tile_kernels *kernels, unsigned threads, dst_place place,
                 unsigned char *dst, const unsigned char *src) {
    unsigned char *const to = dst + (size_t)v->dst_at * v->elem_bytes;
    const unsigned char *const from = src + (size_t)v->src_at * v->elem_bytes;
    if (kernels == NULL) {
        assert_int_equal(riffle_copy_strided(v->rank, v->shape, v->elem_bytes, to, v->dst_strides, from,
                                             v->src_strides, &(riffle_call_options){.threads = threads}),
                         RIFFLE_OK);
        return;
    }
    strided_move move = {.elem_bytes = v->elem_bytes, .rank = v->rank};
    for (unsigned k = 0; k < v->rank; k++)
        move.axis[k] = (strided_axis){v->shape[k], v->src_strides[k], v->dst_strides[k]};
    strided_normalize(&move);
    pass p = {.kind = &PASS_AXES_TILE};
    axes_tile_plan(&move, place, &p.axes_tile);
    move_with(kernels, &p, threads, to, from);
}

/* A pair of views between fences, dst poisoned, all of it compared. */
static void check_views(rng *r, view_pair v, uint64_t seed) {
    const size_t dst_bytes = (size_t)v.dst_elements * v.elem_bytes,
                 src_bytes = (size_t)v.src_elements * v.elem_bytes;
    const fenced src = fenced_create(src_bytes, rng_below(r, 2) == 0);
    const fenced dst = fenced_create(dst_bytes, rng_below(r, 2) == 0);
    unsigned char *const expected = malloc(dst_bytes + 1);
    assert_non_null(expected);
    fill_random(r, src.data, src_bytes);
    memset(expected, POISON_VALUE, dst_bytes);
    copy_plainly(&v, expected, src.data);
    for (unsigned k = 0; k <= KERNEL_SETS; k++) {
        const tile_kernels *const kernels = k < KERNEL_SETS ? kernel_set(k) : NULL;
        if (k < KERNEL_SETS && kernels == NULL) continue;
        memset(dst.data, POISON_VALUE, dst_bytes);
        vectors_limit((vector_set)k); /* KERNEL_SETS is all of them */
        copy(&v, kernels, 1 + (unsigned)rng_below(r, 4), (dst_place)rng_below(r, 3), dst.data, src.data);
        vectors_limit(VECTOR_SETS);
        if (memcmp(dst.data, expected, dst_bytes) == 0) continue;
        print_error("kernels: %s\n", kernels != NULL ? vectors_name((vector_set)k) : "as chosen");
        print_view_pair(&v, seed);
        fail();
    }
    free(expected);
    fenced_free(&dst);
    fenced_free(&src);
}

static void check(rng *r, uint64_t most, uint64_t seed) { check_views(r, random_view_pair(r, most), seed); }

/* Images whose rows are flipped, pixels of any size from one and more channels, into an array as long or with longer rows. */
static void test_flipped_rows(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(400); round++) {
        const uint64_t rows = 1 + rng_below(&r, 9),
                       pixels = 1 + rng_below(&r, rng_below(&r, 2) == 0 ? 70 : 3000);
        const uint64_t channels = 1 + rng_below(&r, 4), row = pixels * channels,
                       gap = rng_below(&r, 2) * rng_below(&r, 9);
        const view_pair v = {.rank = 3,
                             .elem_bytes = 1 + (size_t)rng_below(&r, 9),
                             .shape = {rows, pixels, channels},
                             .count = rows * row,
                             .dst_strides = {(int64_t)(row + gap), (int64_t)channels, 1},
                             .src_strides = {(int64_t)row, -(int64_t)channels, 1},
                             .dst_elements = (rows - 1) * (row + gap) + row,
                             .src_elements = rows * row,
                             .src_at = row - channels};
        check_views(&r, v, seed);
    }
}

/* Images whose rows are flipped while planes are taken apart or woven. */
static void test_flipped_planes(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(400); round++) {
        const uint64_t rows = 1 + rng_below(&r, 3),
                       pixels = 1 + rng_below(&r, rng_below(&r, 2) == 0 ? 70 : 9000);
        const uint64_t channels = 2 + rng_below(&r, 7), plane = rows * pixels, row = pixels * channels;
        view_pair v = {.rank = 3,
                       .elem_bytes = (size_t)1 << rng_below(&r, 4),
                       .count = plane * channels,
                       .dst_elements = plane * channels,
                       .src_elements = plane * channels};
        const bool is_apart = rng_below(&r, 2) == 0;
        const uint64_t apart[] = {channels, rows, pixels}, woven[] = {rows, pixels, channels};
        const int64_t from_woven[] = {1, (int64_t)row, -(int64_t)channels},
                      from_planes[] = {(int64_t)pixels, -1, (int64_t)plane},
                      to_planes[] = {(int64_t)plane, (int64_t)pixels, 1},
                      to_woven[] = {(int64_t)row, (int64_t)channels, 1};
        memcpy(v.shape, is_apart ? apart : woven, sizeof apart);
        memcpy(v.src_strides, is_apart ? from_woven : from_planes, sizeof from_woven);
        memcpy(v.dst_strides, is_apart ? to_planes : to_woven, sizeof to_woven);
        v.src_at = is_apart ? row - channels : pixels - 1;
        check_views(&r, v, seed);
    }
}

static void test_random_small(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(2000); round++) check(&r, 1 << 13, seed);
}

static void test_random_large(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(40); round++) check(&r, 1 << 21, seed);
}

/* NumPy's x[1:3, ::-1] into y[:, 5:9:2] of other arrays, by hand; and row-major order where strides are NULL. */
static void test_by_hand(void **state) {
    (void)state;
    unsigned char x[4 * 2], y[2 * 10], rows[4];
    for (unsigned i = 0; i < sizeof x; i++) x[i] = (unsigned char)(i + 1);
    memset(y, 0, sizeof y);
    const uint64_t shape[] = {2, 2};
    assert_int_equal(
        riffle_copy_strided(2, shape, 1, y + 5, (int64_t[]){10, 2}, x + 2 + 1, (int64_t[]){2, -1}, NULL),
        RIFFLE_OK);
    const unsigned char expected[2 * 10] = {[5] = 4, [7] = 3, [15] = 6, [17] = 5};
    assert_memory_equal(y, expected, sizeof y);
    assert_int_equal(riffle_copy_strided(2, shape, 1, rows, NULL, x, (int64_t[]){1, 2}, NULL), RIFFLE_OK);
    assert_memory_equal(rows, ((unsigned char[]){1, 3, 2, 4}), 4);
    assert_int_equal(riffle_copy_strided(2, shape, 1, x, (int64_t[]){4, 1}, rows, NULL, NULL), RIFFLE_OK);
    assert_memory_equal(x, ((unsigned char[]){1, 3, 3, 4, 2, 4, 7, 8}), 8);
    assert_int_equal(riffle_copy_strided(0, NULL, 4, y, NULL, rows, NULL, NULL), RIFFLE_OK);
    assert_memory_equal(y, rows, 4);
}

/* Columns of one array onto each other: bounds overlap, elements do not. */
static void test_within_one_array(void **state) {
    (void)state;
    uint32_t x[1000 * 7], expected[1000 * 7];
    for (unsigned i = 0; i < 7000; i++) x[i] = expected[i] = i;
    for (unsigned i = 0; i < 1000; i++) expected[7 * i + 5] = expected[7 * i + 2];
    assert_int_equal(
        riffle_copy_strided(1, (uint64_t[]){1000}, 4, x + 5, (int64_t[]){7}, x + 2, (int64_t[]){7}, NULL),
        RIFFLE_OK);
    assert_memory_equal(x, expected, sizeof x);
}

static unsigned char untouched[4096];

static void expect_refused(riffle_status status, riffle_status expected, const char *sentence) {
    assert_int_equal(status, expected);
    assert_string_equal(riffle_error_detail(), sentence);
    for (size_t k = 0; k < sizeof untouched; k++) assert_int_equal(untouched[k], POISON_VALUE);
}

static void test_refusals(void **state) {
    (void)state;
    memset(untouched, POISON_VALUE, sizeof untouched);
    unsigned char *const y = untouched;
    const unsigned char x[64] = {0};
    const uint64_t shape[] = {3, 4};
    const int64_t rows[] = {4, 1};
    expect_refused(riffle_copy_strided(33, shape, 1, y, rows, x, rows, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "an array of rank 33 has more than 32 dimensions");
    expect_refused(riffle_copy_strided(2, shape, 0, y, rows, x, rows, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "elements must be at least 1 byte long");
    expect_refused(riffle_copy_strided(2, NULL, 1, y, rows, x, rows, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "shape is NULL but the rank is 2");
    expect_refused(riffle_copy_strided(2, shape, 1, NULL, rows, x, rows, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "dst is NULL but the shape has 12 elements");
    expect_refused(riffle_copy_strided(2, shape, 1, y, rows, NULL, rows, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "src is NULL but the shape has 12 elements");
    expect_refused(riffle_copy_strided(2, shape, 1, y + 20, (int64_t[]){4, -1}, x, rows, NULL),
                   RIFFLE_ERROR_INVALID_ARGUMENT,
                   "dst's stride along axis 1 is -1, and only src's may be negative; turn that axis of both");
    expect_refused(riffle_copy_strided(2, shape, 1, y, (int64_t[]){0, 1}, x, rows, NULL),
                   RIFFLE_ERROR_INVALID_ARGUMENT,
                   "dst's strides overlap: [1, 0] and [0, 0] are the same element");
    expect_refused(riffle_copy_strided(2, shape, 1, y, (int64_t[]){3, 1}, x, rows, NULL),
                   RIFFLE_ERROR_INVALID_ARGUMENT,
                   "dst's strides overlap: [1, 0] and [0, 3] are the same element");
    expect_refused(riffle_copy_strided(2, shape, 4, y, rows, y + 44, rows, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "dst and src share memory; copy by way of a third array");
    expect_refused(riffle_copy_strided(2, shape, 4, y, rows, y, rows, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
                   "dst and src share memory; copy by way of a third array");
    const uint64_t large[] = {(uint64_t)1 << 40, 2}, huge[] = {(uint64_t)1 << 40, (uint64_t)1 << 40};
    expect_refused(riffle_copy_strided(2, large, 1, y, NULL, x, (int64_t[]){0, 0}, NULL), RIFFLE_ERROR_LENGTH,
                   "the shape has more elements than the largest length, 2^40");
    expect_refused(riffle_copy_strided(2, huge, 1, y, NULL, x, (int64_t[]){0, 0}, NULL), RIFFLE_ERROR_LENGTH,
                   "the shape has more elements than the largest length, 2^40");
    const char *const beyond_dst = "dst: its dimensions and strides reach beyond what an address can hold";
    const char *const beyond_src = "src: its dimensions and strides reach beyond what an address can hold";
    expect_refused(riffle_copy_strided(1, large, (size_t)1 << 30, y, NULL, x, (int64_t[]){0}, NULL),
                   RIFFLE_ERROR_LENGTH, beyond_dst);
    expect_refused(riffle_copy_strided(0, NULL, SIZE_MAX, y, NULL, x, NULL, NULL), RIFFLE_ERROR_LENGTH,
                   beyond_dst);
    expect_refused(riffle_copy_strided(2, shape, 1, y, (int64_t[]){INT64_MAX, 1}, x, rows, NULL),
                   RIFFLE_ERROR_LENGTH, beyond_dst);
    expect_refused(riffle_copy_strided(2, shape, 1, y, rows, x, (int64_t[]){INT64_MIN, 1}, NULL),
                   RIFFLE_ERROR_LENGTH, beyond_src);
    expect_refused(riffle_copy_strided(2, shape, 1, y, rows, x, (int64_t[]){-((int64_t)1 << 58), 1}, NULL),
                   RIFFLE_ERROR_LENGTH, beyond_src);
    uint64_t twos[27];
    int64_t nested[27], entangled[27];
    rng r = {1};
    for (unsigned k = 0; k < 27; k++) {
        twos[k] = 2;
        nested[k] = ((int64_t)1 << (k + 19)) + 1;
        entangled[k] = ((int64_t)1 << 40) + (int64_t)rng_below(&r, (uint64_t)1 << 40);
    }
    expect_refused(
        riffle_copy_strided(27, twos, 1, y, entangled, x, NULL, NULL), RIFFLE_ERROR_UNSUPPORTED,
        "dst's strides are so entangled that whether its elements overlap is too long to find out; use "
        "strides of which each is beyond what the shorter ones reach together");
    expect_refused(
        riffle_copy_strided(27, twos, 1, y, nested, y + 2048, entangled, NULL), RIFFLE_ERROR_UNSUPPORTED,
        "dst and src lie in the same memory, and their strides are so entangled that whether elements are "
        "shared is too long to find out; copy by way of a third array");
}

/* Nothing is asked of pointers and strides where there is nothing to copy, nor of strides that lead nowhere. */
static void test_nothing(void **state) {
    (void)state;
    assert_int_equal(riffle_copy_strided(2, (uint64_t[]){5, 0}, 1, NULL, (int64_t[]){0, -1}, NULL, NULL, NULL),
                     RIFFLE_OK);
    assert_int_equal(riffle_copy_strided(2, (uint64_t[]){UINT64_MAX, 0}, 1, NULL, NULL, NULL, NULL, NULL),
                     RIFFLE_OK);
    char to = 0;
    assert_int_equal(riffle_copy_strided(2, (uint64_t[]){1, 1}, 1, &to, (int64_t[]){-5, INT64_MIN}, "a",
                                         (int64_t[]){INT64_MAX, 0}, NULL),
                     RIFFLE_OK);
    assert_int_equal(to, 'a');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),      cmocka_unit_test(test_within_one_array),
        cmocka_unit_test(test_random_small), cmocka_unit_test(test_random_large),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_flipped_rows), cmocka_unit_test(test_flipped_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
