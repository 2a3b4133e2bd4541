/* SPDX-License-Identifier: Apache-2.0
 *
 * How failures are told: a phrase for every status, and for each thread the detail of its own last one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* cmocka's; ours is under test */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "base/status.h"

#define EACH_STATUS(X)                                                                                         \
    X(RIFFLE_OK)                                                                                               \
    X(RIFFLE_ERROR_INVALID_ARGUMENT)                                                                           \
    X(RIFFLE_ERROR_SYNTAX)                                                                                     \
    X(RIFFLE_ERROR_LENGTH)                                                                                     \
    X(RIFFLE_ERROR_NOT_A_PERMUTATION)                                                                          \
    X(RIFFLE_ERROR_SINGULAR)                                                                                   \
    X(RIFFLE_ERROR_FORMAT)                                                                                     \
    X(RIFFLE_ERROR_IO)                                                                                         \
    X(RIFFLE_ERROR_OUT_OF_MEMORY)                                                                              \
    X(RIFFLE_ERROR_UNSUPPORTED)                                                                                \
    X(RIFFLE_ERROR_DEVICE)                                                                                     \
    X(RIFFLE_ERROR_INTERNAL)                                                                                   \
    X(RIFFLE_ERROR_STOPPED)                                                                                    \
    X(RIFFLE_ERROR_DAMAGED)

/* A status that is new and not in the list does not compile here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
static bool is_listed(int number) {
    switch ((riffle_status)number) {
#define CASE(status) case status:
        EACH_STATUS(CASE)
#undef CASE
        return true;
    }
    return false;
}
#pragma GCC diagnostic pop

static void test_every_status_has_a_phrase_of_its_own(void **state) {
    (void)state;
    for (int a = 0; a < 256; a++) {
        const char *phrase = riffle_status_string((riffle_status)a);
        assert_int_equal(strcmp(phrase, "unknown") != 0, is_listed(a));
        for (int b = 0; b < a && is_listed(a); b++)
            assert_string_not_equal(phrase, riffle_status_string((riffle_status)b));
    }
    assert_string_equal(riffle_status_string(RIFFLE_OK), "done");
}

static void test_fail_returns_the_status_and_keeps_the_detail(void **state) {
    (void)state;
    assert_int_equal(fail(RIFFLE_ERROR_LENGTH, "index %d and %s", 41, "97"), RIFFLE_ERROR_LENGTH);
    assert_string_equal(riffle_error_detail(), "index 41 and 97");
    assert_int_equal(fail_memory("the tiles", (uint64_t)3 << 19), RIFFLE_ERROR_OUT_OF_MEMORY);
    assert_string_equal(riffle_error_detail(), "no memory for the tiles: 1.5 MiB were asked for");
}

static void test_long_details_are_cut(void **state) {
    (void)state;
    char text[100000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    fail(RIFFLE_ERROR_IO, "%s", text);
    size_t length = strlen(riffle_error_detail());
    assert_in_range(length, 200, sizeof text - 2);
    assert_memory_equal(riffle_error_detail(), text, length);
}

static void test_what_a_terminal_would_act_upon_is_escaped(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {"plain ~", "plain ~"},
        {"a\nb\x1b[31m\x7f", "a\\x0ab\\x1b[31m\\x7f"},
        {"gr\xc3\xb6\xc3\x9f"
         "e \xe5\x90\x8d \xf0\x9f\x8e\xb2",
         "gr\xc3\xb6\xc3\x9f"
         "e \xe5\x90\x8d \xf0\x9f\x8e\xb2"},
        {"\xc2\x9b"
         "31m",
         "\\xc2\\x9b31m"},                   /* a control sequence in one character */
        {"\xe0\x80\x9b", "\\xe0\\x80\\x9b"}, /* the same with a byte too many */
        {"\xf0\x82\x80\x80", "\\xf0\\x82\\x80\\x80"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* a surrogate */
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond Unicode */
        {"\x80|\xc3|\xff", "\\x80|\\xc3|\\xff"},
        {"cut \xe5\x90", "cut \\xe5\\x90"},
    };
    char shown[100];
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_string_equal(riffle_printable(cases[k][0], shown, sizeof shown), cases[k][1]);
        fail(RIFFLE_ERROR_IO, "%s: gone", cases[k][0]);
        assert_memory_equal(riffle_error_detail(), cases[k][1], strlen(cases[k][1]));
    }
    /* Text that does not fit as a whole is left out. */
    static const char *const cut[] = {"", "a", "a", "a", "a", "a\\x1b", "a\\x1bz"};
    for (size_t room = 1; room <= 7; room++)
        assert_string_equal(riffle_printable("a\x1bz", shown, room), cut[room - 1]);
}

static void *fail_elsewhere(void *first_detail) {
    strcpy(first_detail, riffle_error_detail());
    fail(RIFFLE_ERROR_IO, "of the other thread");
    return NULL;
}

static void test_each_thread_has_its_own_detail(void **state) {
    (void)state;
    char first_detail[1000] = "unset";
    fail(RIFFLE_ERROR_IO, "of this thread");
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, fail_elsewhere, first_detail), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_string_equal(first_detail, "");
    assert_string_equal(riffle_error_detail(), "of this thread");
}

static void test_the_version_is_the_headers(void **state) {
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", RIFFLE_VERSION_MAJOR, RIFFLE_VERSION_MINOR, RIFFLE_VERSION_PATCH);
    assert_string_equal(text, RIFFLE_VERSION);
    assert_string_equal(riffle_version(), RIFFLE_VERSION);
    assert_int_equal(riffle_version_number(), RIFFLE_VERSION_NUMBER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_status_has_a_phrase_of_its_own),
        cmocka_unit_test(test_fail_returns_the_status_and_keeps_the_detail),
        cmocka_unit_test(test_long_details_are_cut),
        cmocka_unit_test(test_what_a_terminal_would_act_upon_is_escaped),
        cmocka_unit_test(test_each_thread_has_its_own_detail),
        cmocka_unit_test(test_the_version_is_the_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
