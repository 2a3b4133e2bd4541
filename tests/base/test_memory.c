/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers of every size around the switch from malloc to mapped huge pages, and products that overflow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/memory.h"

static const size_t HUGE_PAGE = (size_t)2 << 20;

static void test_buffers_are_zeroed_aligned_and_whole(void **state) {
    (void)state;
    const size_t sizes[] = {0,
                            1,
                            63,
                            64,
                            65,
                            4096,
                            1000003,
                            HUGE_PAGE - 1,
                            HUGE_PAGE,
                            HUGE_PAGE + 1,
                            2 * HUGE_PAGE,
                            7 * HUGE_PAGE / 2 + 13};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        unsigned char *buffer = NULL;
        assert_int_equal(riffle_buffer_create(sizes[k], (void **)&buffer), RIFFLE_OK);
        assert_non_null(buffer);
        assert_int_equal((uintptr_t)buffer % 64, 0);
        if (sizes[k] >= HUGE_PAGE) assert_int_equal((uintptr_t)buffer % HUGE_PAGE, 0);
        for (size_t i = 0; i < sizes[k]; i++)
            if (buffer[i] != 0) fail_msg("byte %zu of %zu is not zero", i, sizes[k]);
        memset(buffer, 0xa5, sizes[k]);
        riffle_buffer_free(buffer, sizes[k]);
    }
}

static void test_many_buffers_do_not_overlap(void **state) {
    (void)state;
    enum { COUNT = 20 };
    unsigned char *buffers[COUNT];
    const size_t bytes = HUGE_PAGE + 100;
    for (int k = 0; k < COUNT; k++) {
        assert_int_equal(riffle_buffer_create(bytes, (void **)&buffers[k]), RIFFLE_OK);
        memset(buffers[k], k, bytes);
    }
    for (int k = 0; k < COUNT; k++) {
        assert_int_equal(buffers[k][0], k);
        assert_int_equal(buffers[k][bytes - 1], k);
        riffle_buffer_free(buffers[k], bytes);
    }
}

static void test_too_much_memory_is_refused(void **state) {
    (void)state;
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, SIZE_MAX / 2 + 1, (size_t)1 << 60};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        void *buffer = &buffer;
        assert_int_equal(buffer_create("the test", sizes[k], &buffer), RIFFLE_ERROR_OUT_OF_MEMORY);
        assert_ptr_equal(buffer, &buffer); /* untouched */
        assert_non_null(strstr(riffle_error_detail(), "no memory for the test"));
    }
    void *buffer;
    assert_int_equal(riffle_buffer_create(SIZE_MAX, &buffer), RIFFLE_ERROR_OUT_OF_MEMORY);
    assert_non_null(strstr(riffle_error_detail(), "no memory for a buffer"));
}

static void test_freeing_nothing(void **state) {
    (void)state;
    riffle_buffer_free(NULL, 0);
    riffle_buffer_free(NULL, 2 * HUGE_PAGE);
}

static void test_products_that_overflow(void **state) {
    (void)state;
    size_t product = 5;
    assert_true(multiply_sizes(3, 5, 7, &product));
    assert_int_equal(product, 105);
    assert_true(multiply_sizes(0, UINT64_MAX, UINT64_MAX, &product));
    assert_int_equal(product, 0);
    assert_true(multiply_sizes(UINT64_MAX, 1, 1, &product));
    assert_int_equal(product, SIZE_MAX);
    assert_false(multiply_sizes((uint64_t)1 << 32, (uint64_t)1 << 32, 1, &product));
    assert_false(multiply_sizes((uint64_t)1 << 32, (uint64_t)1 << 31, 2, &product));
    assert_false(multiply_sizes((uint64_t)1 << 32, (uint64_t)1 << 32, 0, &product));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers_are_zeroed_aligned_and_whole),
        cmocka_unit_test(test_many_buffers_do_not_overlap),
        cmocka_unit_test(test_too_much_memory_is_refused),
        cmocka_unit_test(test_freeing_nothing),
        cmocka_unit_test(test_products_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
