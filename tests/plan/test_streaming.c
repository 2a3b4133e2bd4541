/* SPDX-License-Identifier: Apache-2.0
 *
 * Where arrays are left: by what a processor says of its last cache, and by 4 MiB where it says nothing.
 */
#include "plan/request/streaming.h"
#include "support.h"

#define CACHE(level, ways, sets)                                                                               \
    { level << 5 | 3, ((uint32_t)(ways)-1) << 22 | 63, (uint32_t)(sets)-1, 0 }

static const uint64_t MIB = 1 << 20;

/* The least array, by MiB, that is left no nearer than `place`. */
static uint64_t from_of(const cpuid_leaf *leaves, dst_place place) {
    const processor p = {"made up", leaves};
    uint64_t bytes = 0;
    while (dst_place_on(&p, bytes) < place) bytes += MIB;
    if (bytes > 0) assert_true(dst_place_on(&p, bytes - 1) < place);
    return bytes;
}

static uint64_t cache_of(const cpuid_leaf *leaves) {
    return processor_last_cache(&(processor){"made up", leaves}).bytes;
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
    assert_int_equal(cache_of(zen3), 32 * MIB);
    assert_int_equal(from_of(zen3, DST_FAR), 8 * MIB);
    assert_int_equal(from_of(zen3, DST_PAST), 8 * MIB);
    assert_int_equal(from_of(laptop, DST_PAST), 4 * MIB);
    assert_int_equal(from_of(stacked, DST_PAST), 24 * MIB);
    assert_int_equal(cache_of(silent), 0);
    assert_int_equal(from_of(silent, DST_PAST), 4 * MIB);
}

/* Leaf 4 tells of caches behind a mesh: an Emerald Rapids' of 260 MiB, and a small one. */
static void a_cache_behind_a_mesh_is_far(void **state) {
    (void)state;
    const cpuid_leaf xeon[] = {{0x4, 0, CACHE(1, 12, 64)},
                               {0x4, 2, CACHE(2, 16, 2048)},
                               {0x4, 1, CACHE(1, 8, 64)},
                               {0x4, 3, CACHE(3, 20, 212992)},
                               {.number = CPUID_END}};
    const cpuid_leaf small[] = {{0x4, 0, CACHE(3, 12, 16384)}, {.number = CPUID_END}};
    assert_int_equal(cache_of(xeon), 260 * MIB);
    assert_int_equal(from_of(xeon, DST_FAR), 4 * MIB);
    assert_int_equal(from_of(xeon, DST_PAST), 65 * MIB);
    assert_int_equal(cache_of(small), 12 * MIB);
    assert_int_equal(from_of(small, DST_PAST), 4 * MIB);
}

/* A guest may be told of caches without end. */
static void a_list_without_end_ends(void **state) {
    (void)state;
    cpuid_leaf leaves[17];
    for (uint32_t k = 0; k < 16; k++) leaves[k] = (cpuid_leaf){0x8000001d, k, CACHE(3, 16, 32768)};
    leaves[16] = (cpuid_leaf){.number = CPUID_END};
    assert_int_equal(from_of(leaves, DST_PAST), 8 * MIB);
}

static void this_processor_is_as_its_leaves_say(void **state) {
    (void)state;
    const processor *here;
    assert_int_equal(processor_here(&here), RIFFLE_OK);
    for (uint64_t bytes = 0; bytes <= 256 * MIB; bytes += MIB)
        assert_int_equal(dst_place_of(bytes), dst_place_on(here, bytes));
    assert_int_equal(dst_place_of(4 * MIB - 1), DST_NEAR);
    assert_false(is_streamed(4 * MIB - 1));
    assert_true(is_streamed((uint64_t)1 << 40));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_cache_counts),
        cmocka_unit_test(a_cache_behind_a_mesh_is_far),
        cmocka_unit_test(a_list_without_end_ends),
        cmocka_unit_test(this_processor_is_as_its_leaves_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
