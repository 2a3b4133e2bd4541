/* SPDX-License-Identifier: Apache-2.0
 *
 * Normal forms of strided moves, against the plain definition: what moves where stays the same.
 */
#include "support.h"

#include "plan/axes/strided.h"

enum { SPAN = 1 << 14 };

/* Sets to[place in dst] = place in src, in elements, for every element moved; returns their number. */
static uint64_t places(const strided_move *m, int64_t *to) {
    const uint64_t n = strided_elements(m);
    for (uint64_t i = 0; i < n; i++) {
        int64_t src = m->src_offset, dst = m->dst_offset;
        uint64_t rest = i;
        for (unsigned k = 0; k < m->rank; k++) {
            const int64_t c = (int64_t)(rest % m->axis[k].length);
            rest /= m->axis[k].length;
            src += c * m->axis[k].src_stride, dst += c * m->axis[k].dst_stride;
        }
        assert_in_range(dst, 0, SPAN - 1);
        to[dst] = src;
    }
    return n;
}

/* A move that no two elements of collide in: dst's strides are those of a dense array with gaps, in some order and with
 * some signs; src's are any. */
static strided_move random_move(rng *r) {
    strided_move m = {.elem_bytes = 1, .rank = (unsigned)rng_below(r, 6), .src_offset = 1000};
    int64_t stride = 1 + (int64_t)rng_below(r, 2);
    for (unsigned k = 0; k < m.rank; k++) {
        strided_axis *const a = &m.axis[k];
        a->length = 1 + rng_below(r, 4);
        a->dst_stride = stride;
        a->src_stride = rng_below(r, 2) ? stride : (int64_t)rng_below(r, 9) - 4;
        stride *= (int64_t)a->length + (int64_t)rng_below(r, 2);
        if (rng_below(r, 2) == 0) continue;
        m.dst_offset += (int64_t)(a->length - 1) * a->dst_stride;
        a->dst_stride = -a->dst_stride;
    }
    for (unsigned k = m.rank; k > 1; k--) {
        const uint64_t other = rng_below(r, k);
        const strided_axis swapped = m.axis[other];
        m.axis[other] = m.axis[k - 1];
        m.axis[k - 1] = swapped;
    }
    return m;
}

static void check_normal(const strided_move *m) {
    for (unsigned k = 0; k < m->rank; k++) {
        assert_int_not_equal(m->axis[k].length, 1);
        assert_true(m->axis[k].dst_stride > 0);
        if (k == 0) continue;
        const strided_axis *const a = &m->axis[k - 1], *const b = &m->axis[k];
        assert_true(a->dst_stride <= b->dst_stride);
        assert_false(a->dst_stride * (int64_t)a->length == b->dst_stride &&
                     a->src_stride * (int64_t)a->length == b->src_stride);
    }
}

static void test_normal_form(void **state) {
    (void)state;
    const uint64_t seed = test_seed();
    rng r = {seed};
    static int64_t before[SPAN], after[SPAN];
    for (unsigned round = 0; round < test_rounds(2000); round++) {
        strided_move m = random_move(&r);
        memset(before, 0xff, sizeof before), memset(after, 0xff, sizeof after);
        const uint64_t n = places(&m, before);
        strided_normalize(&m);
        check_normal(&m);
        if (places(&m, after) == n && memcmp(before, after, sizeof before) == 0) continue;
        fail_msg("seed %llu, round %u: the normal form moves something else", (unsigned long long)seed, round);
    }
}

static void test_axes(void **state) {
    (void)state;
    /* 4 x 1 x 6 x 5 by 3,0,1,2: the first three stay neighbours */
    const perm_axes axes = {.rank = 4, .shape = {4, 1, 6, 5}, .order = {3, 0, 1, 2}};
    strided_move m;
    strided_of_axes(&axes, 8, &m);
    assert_int_equal(m.rank, 2);
    assert_int_equal(m.elem_bytes, 8);
    assert_int_equal(m.axis[0].length, 24);
    assert_int_equal(m.axis[0].src_stride, 5);
    assert_int_equal(m.axis[0].dst_stride, 1);
    assert_int_equal(m.axis[1].length, 5);
    assert_int_equal(m.axis[1].src_stride, 1);
    assert_int_equal(m.axis[1].dst_stride, 24);
    const perm_axes empty = {.rank = 2, .shape = {4, 0}, .order = {1, 0}};
    strided_of_axes(&empty, 8, &m);
    assert_int_equal(strided_elements(&m), 0);
    assert_int_equal(m.rank, 1);
}

static void test_broadcast_axes_are_one(void **state) {
    (void)state;
    strided_move m = {.elem_bytes = 4, .rank = 2, .axis = {{5, 0, 7}, {7, 0, 1}}};
    strided_normalize(&m);
    assert_int_equal(m.rank, 1);
    assert_int_equal(m.axis[0].length, 35);
    assert_int_equal(m.axis[0].src_stride, 0);
}

static void test_units(void **state) {
    (void)state;
    /* Rows of 12 bytes: elements of 4, unless addresses or a stride forbid. */
    const strided_move rows = {.elem_bytes = 1, .rank = 3, .axis = {{12, 1, 1}, {5, 36, 12}, {3, 12, 60}}};
    strided_move m = rows;
    strided_choose_unit(&m, 256);
    assert_int_equal(m.elem_bytes, 4);
    assert_int_equal(m.rank, 3);
    assert_int_equal(m.axis[0].length, 3);
    assert_int_equal(m.axis[1].src_stride, 9);
    m = rows;
    strided_choose_unit(&m, 2);
    assert_int_equal(m.elem_bytes, 2);
    m = rows;
    m.src_offset = 3;
    strided_choose_unit(&m, 256);
    assert_int_equal(m.elem_bytes, 1);
    /* A row of 16 bytes is one element, and no axis any more; a row between gaps is too. */
    m = (strided_move){.elem_bytes = 2, .rank = 2, .axis = {{8, 1, 1}, {9, 24, 8}}};
    strided_choose_unit(&m, 256);
    assert_int_equal(m.elem_bytes, 16);
    assert_int_equal(m.rank, 1);
    assert_int_equal(m.axis[0].src_stride, 3);
    /* Elements that lie apart stay what they are. */
    m = (strided_move){.elem_bytes = 4, .rank = 1, .axis = {{8, 2, 1}}};
    strided_choose_unit(&m, 256);
    assert_int_equal(m.elem_bytes, 4);
    /* Elements of 12 bytes are rows of three units. */
    m = (strided_move){.elem_bytes = 12, .dst_offset = 2, .rank = 2, .axis = {{5, 7, 1}, {7, 1, 5}}};
    strided_choose_unit(&m, 256);
    assert_int_equal(m.elem_bytes, 4);
    assert_int_equal(m.dst_offset, 6);
    assert_int_equal(m.rank, 3);
    assert_int_equal(m.axis[0].length, 3);
    assert_int_equal(m.axis[2].dst_stride, 15);
    m = (strided_move){.elem_bytes = 3, .rank = 0};
    strided_choose_unit(&m, 256);
    assert_int_equal(m.elem_bytes, 1);
    assert_int_equal(m.rank, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal_form),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_broadcast_axes_are_one),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
