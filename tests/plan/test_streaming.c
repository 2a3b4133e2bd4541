/* SPDX-License-Identifier: Apache-2.0
 *
 * From which length on arrays are streamed: by what a processor says of its last cache, and 4 MiB where it says nothing.
 */
#include "plan/request/streaming.h"
#include "support.h"

#define CACHE(level, ways, sets)                                                                               \
    { level << 5 | 3, ((uint32_t)(ways)-1) << 22 | 63, (uint32_t)(sets)-1, 0 }

static const uint64_t MIB = 1 << 20;

static uint64_t from_of(const cpuid_leaf *leaves) {
    const processor p = {"made up", leaves};
    return streamed_from(&p);
}

static void the_last_cache_counts(void **state) {
    (void)state;
    const cpuid_leaf zen3[] = {{0x8000001d, 0, {1 << 5 | 1, 7u << 22 | 63, 63, 0}},
                               {0x8000001d, 1, {1 << 5 | 2, 7u << 22 | 63, 63, 0}},
                               {0x8000001d, 2, CACHE(2, 8, 1024)},
                               {0x8000001d, 3, CACHE(3, 16, 32768)},
                               {.number = CPUID_END}};
    const cpuid_leaf laptop[] = {
        {0x8000001d, 0, CACHE(1, 8, 64)}, {0x8000001d, 1, CACHE(3, 16, 8192)}, {.number = CPUID_END}};
    const cpuid_leaf stacked[] = {{0x8000001d, 0, CACHE(3, 16, 98304)}, {.number = CPUID_END}};
    const cpuid_leaf silent[] = {{.number = CPUID_END}};
    assert_int_equal(processor_last_cache_bytes(&(processor){"made up", zen3}), 32 * MIB);
    assert_int_equal(from_of(zen3), 8 * MIB);
    assert_int_equal(from_of(laptop), 4 * MIB);
    assert_int_equal(from_of(stacked), 24 * MIB);
    assert_int_equal(processor_last_cache_bytes(&(processor){"made up", silent}), 0);
    assert_int_equal(from_of(silent), 4 * MIB);
}

/* A guest may be told of caches without end. */
static void a_list_without_end_ends(void **state) {
    (void)state;
    cpuid_leaf leaves[17];
    for (uint32_t k = 0; k < 16; k++) leaves[k] = (cpuid_leaf){0x8000001d, k, CACHE(3, 16, 32768)};
    leaves[16] = (cpuid_leaf){.number = CPUID_END};
    assert_int_equal(from_of(leaves), 8 * MIB);
}

static void this_processor_streams_long_arrays_only(void **state) {
    (void)state;
    const processor *here;
    assert_int_equal(processor_here(&here), RIFFLE_OK);
    const uint64_t from = streamed_from(here);
    assert_false(is_streamed(0));
    assert_false(is_streamed(from - 1));
    assert_true(is_streamed(from));
    assert_true(from >= 4 * MIB);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_cache_counts),
        cmocka_unit_test(a_list_without_end_ends),
        cmocka_unit_test(this_processor_streams_long_arrays_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
