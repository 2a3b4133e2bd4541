/* SPDX-License-Identifier: Apache-2.0
 *
 * Enumerations whose values have names: string, parse and list agree, and refuse alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "riffle/bits.h"
#include "riffle/group.h"
#include "riffle/hull.h"
#include "riffle/program.h"
#include "riffle/sort.h"
#include "riffle/vat.h"

enum { MOST = 64 };

/* One enumeration: its functions by numbers. */
typedef struct named {
    const char *first, *last;
    size_t (*list)(unsigned *out, size_t capacity);
    const char *(*string)(unsigned value);
    riffle_status (*parse)(const char *name, unsigned *out);
} named;

#define NAMED(name)                                                                                            \
    static size_t name##_numbers(unsigned *out, size_t capacity) {                                             \
        name values[MOST];                                                                                     \
        const size_t count = name##_list(out != NULL ? values : NULL, capacity);                               \
        for (size_t k = 0; out != NULL && k < capacity && k < count; k++) out[k] = (unsigned)values[k];        \
        return count;                                                                                          \
    }                                                                                                          \
    static const char *name##_name(unsigned value) { return name##_string((name)value); }                      \
    static riffle_status name##_number(const char *text, unsigned *out) {                                      \
        name value = (name)*out;                                                                               \
        const riffle_status status = name##_parse(text, &value);                                               \
        *out = (unsigned)value;                                                                                \
        return status;                                                                                         \
    }                                                                                                          \
    static riffle_status name##_nowhere(void) { return name##_parse("auto", NULL); }

#define EACH(DO)                                                                                               \
    DO(riffle_engine, "cpu", "cuda")                                                                           \
    DO(riffle_algorithm, "auto", "bmmc-tile-banks-iters")                                                      \
    DO(riffle_bit_order, "little", "big")                                                                      \
    DO(riffle_effort, "estimate", "measure")                                                                   \
    DO(riffle_check, "none", "passes")                                                                         \
    DO(riffle_type, "i8", "c128")                                                                              \
    DO(riffle_sort_algorithm, "auto", "pairwise")                                                              \
    DO(riffle_group_by, "value", "top")                                                                        \
    DO(riffle_ungroup_sum, "none", "bf16")                                                                     \
    DO(riffle_hull_algorithm, "auto", "paper")                                                                 \
    DO(riffle_program_algorithm, "auto", "paper")                                                              \
    DO(riffle_vat_policy, "lru", "lis")                                                                        \
    DO(riffle_vat_program, "sequential-scan", "multiply-recursive")

#define DEFINE(name, first, last) NAMED(name)
#define RECORD(name, first, last) {first, last, name##_numbers, name##_name, name##_number},
#define NOWHERE(name, first, last) name##_nowhere,
EACH(DEFINE)
static const named all[] = {EACH(RECORD)};
static riffle_status (*const nowhere[])(void) = {EACH(NOWHERE)};

static void names_and_numbers_agree(void **state) {
    (void)state;
    for (size_t e = 0; e < sizeof all / sizeof *all; e++) {
        unsigned numbers[MOST], few[MOST] = {99, 99, 99}, found;
        const size_t count = all[e].list(NULL, 0);
        assert_int_equal(all[e].list(NULL, MOST), count);
        assert_in_range(count, 2, MOST);
        assert_int_equal(all[e].list(numbers, MOST), count);
        assert_int_equal(all[e].list(few, 2), count);
        assert_int_equal(few[1], numbers[1]);
        assert_int_equal(few[2], 99);
        assert_string_equal(all[e].string(numbers[0]), all[e].first);
        assert_string_equal(all[e].string(numbers[count - 1]), all[e].last);
        for (size_t k = 0; k < count; k++) {
            found = 99;
            assert_int_equal(all[e].parse(all[e].string(numbers[k]), &found), RIFFLE_OK);
            assert_int_equal(found, numbers[k]);
        }
    }
}

static void what_has_no_name_is_refused_alike(void **state) {
    (void)state;
    for (size_t e = 0; e < sizeof all / sizeof *all; e++) {
        unsigned found = 1;
        assert_string_equal(all[e].string(99), "unknown");
        assert_int_equal(all[e].parse("bubble", &found), RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_int_equal(found, 1);
        assert_non_null(strstr(riffle_error_detail(), "unknown "));
        assert_non_null(strstr(riffle_error_detail(), " 'bubble'; there are "));
        assert_non_null(strstr(riffle_error_detail(), all[e].first));
        assert_non_null(strstr(riffle_error_detail(), all[e].last));
        assert_int_equal(all[e].parse(NULL, &found), RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_string_equal(riffle_error_detail(), "name is NULL");
        assert_int_equal(nowhere[e](), RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_string_equal(riffle_error_detail(), "out is NULL");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_numbers_agree),
        cmocka_unit_test(what_has_no_name_is_refused_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
