/* SPDX-License-Identifier: Apache-2.0
 *
 * The presets, and what is read out of CPUID: of recorded processors, of some that never were, and of the one
 * at hand or pretended (RIFFLE_PROCESSOR).
 */
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/processor/vectors.h"
#include "models/presets.h"

/* ------------------------------------------------------------------- CPUID */

static atomic_uint asked; /* the linker puts this before base/processor/processor.c's (tests/CMakeLists.txt) */

cpuid_answer __real_processor_cpuid(const processor *of, uint32_t leaf, uint32_t subleaf);
cpuid_answer __wrap_processor_cpuid(const processor *of, uint32_t leaf, uint32_t subleaf);

cpuid_answer __wrap_processor_cpuid(const processor *of, uint32_t leaf, uint32_t subleaf) {
    asked++;
    return __real_processor_cpuid(of, leaf, subleaf);
}

static void *detect(void *found) {
    vectors_for(LOOPS_AFFINE);
    return riffle_vat_detect(found) == RIFFLE_OK ? found : NULL;
}

/* This test is the program's first, so that the threads all come before the answer is known. */
static void a_process_asks_once(void **state) {
    (void)state;
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    riffle_vat_preset found[THREADS] = {{0}};
    for (unsigned k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, detect, &found[k]), 0);
    for (unsigned k = 0; k < THREADS; k++) {
        void *done;
        assert_int_equal(pthread_join(threads[k], &done), 0);
        assert_ptr_equal(done, &found[k]);
        assert_memory_equal(&found[k], &found[0], sizeof found[k]);
    }
    const unsigned first = asked;
    assert_in_range(first, 1, 100);
    riffle_perm *perm = parse_or_fail("random:1", 1 << 21);
    riffle_plan *plan;
    assert_int_equal(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, NULL, &plan), RIFFLE_OK);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
    assert_int_equal(asked, first);
}

/* ------------------------------------------------------------------ presets */

static void presets_are_plausible(void **state) {
    (void)state;
    size_t count = 0;
    for (const riffle_vat_preset *p; (p = riffle_vat_preset_at(count)) != NULL; count++) {
        assert_true(p->name[0] != '\0' && p->description[0] != '\0');
        assert_in_range(p->entries_4k, 64, 1 << 16);
        assert_in_range(p->entries_2m, 4, p->entries_4k);
        assert_in_range(p->entries_1g, 4, p->entries_2m);
        assert_in_range(p->entries_upper, 0, p->entries_4k);
        for (size_t k = 0; k < count; k++) assert_string_not_equal(p->name, riffle_vat_preset_at(k)->name);
    }
    assert_true(count >= 5);
    assert_null(riffle_vat_preset_at(count));
    assert_null(riffle_vat_preset_at(SIZE_MAX));
    assert_string_equal(riffle_vat_preset_at(0)->name, "skylake");
}

/* --------------------------------------------------------------- processors */

static const processor *recorded(const char *name) {
    const processor *p = NULL;
    for (size_t k = 0; (p = processor_recorded_at(k)) != NULL && strcmp(p->name, name) != 0; k++) {
    }
    if (p == NULL) fail_msg("no record of %s", name);
    return p;
}

/* For every record: the preset, and by CPUID alone the entries for pages of 4 KiB, 2 MiB and 1 GiB. */
static const struct expectation {
    const char *processor, *preset;
    uint64_t told[3];
} EXPECTED[] = {
    {"core-2", "detected", {256, 32, 0}},
    {"nehalem", "detected", {512, 32, 0}},
    {"haswell", "detected", {1024, 1024, 4}},
    {"skylake", "skylake", {1536, 1536, 16}},
    {"cascade-lake", "skylake", {1536, 1536, 16}},
    {"ice-lake", "ice-lake", {2048, 1024, 1024}},
    {"rocket-lake", "ice-lake", {2048, 1024, 1024}},
    {"alder-lake", "golden-cove", {2048, 1024, 1024}},
    {"alder-lake-efficient", "golden-cove", {2048, 2048, 8}},
    {"sapphire-rapids", "golden-cove", {2048, 1024, 1024}},
    {"sapphire-rapids-guest", "golden-cove", {0, 0, 0}},
    {"zen2", "zen2", {2048, 2048, 64}},
    {"zen3", "zen3", {2048, 2048, 64}},
    {"zen4", "zen4", {3072, 3072, 64}},
    {"zen5", "zen5", {4096, 4096, 1024}},
    {"zen5-guest", "zen5", {4096, 4096, 1024}},
    {"hygon", "detected", {1536, 1536, 64}},
    {"centaur", "unknown", {0, 0, 0}},
    {"none", "unknown", {0, 0, 0}},
};
enum { RECORDS = sizeof EXPECTED / sizeof EXPECTED[0] };

static void records_give_their_presets(void **state) {
    (void)state;
    for (size_t k = 0; k < RECORDS; k++) {
        const struct expectation *e = &EXPECTED[k];
        const riffle_vat_preset found = vat_preset_of(recorded(e->processor));
        if (strcmp(found.name, e->preset) != 0) fail_msg("%s is taken for %s", e->processor, found.name);
        assert_true(found.description[0] != '\0');
        const riffle_vat_preset told = vat_preset_told(recorded(e->processor));
        if (told.entries_4k != e->told[0] || told.entries_2m != e->told[1] || told.entries_1g != e->told[2])
            fail_msg("%s tells %llu, %llu, %llu", e->processor, (unsigned long long)told.entries_4k,
                     (unsigned long long)told.entries_2m, (unsigned long long)told.entries_1g);
    }
    assert_non_null(processor_recorded_at(RECORDS - 1));
    assert_null(processor_recorded_at(RECORDS));
}

/* The presets' figures are those that the bare cores themselves tell; an efficient core has other ones for huge
 * pages. */
static void presets_agree_with_what_bare_cores_tell(void **state) {
    (void)state;
    for (size_t k = 0; k < RECORDS; k++) {
        const riffle_vat_preset found = vat_preset_of(recorded(EXPECTED[k].processor));
        const riffle_vat_preset told = vat_preset_told(recorded(EXPECTED[k].processor));
        if (told.entries_4k == 0) continue;
        assert_int_equal(found.entries_4k, told.entries_4k);
        if (strcmp(EXPECTED[k].processor, "alder-lake-efficient") == 0) continue;
        assert_int_equal(found.entries_2m, told.entries_2m);
        assert_int_equal(found.entries_1g, told.entries_1g);
    }
}

/* ------------------------------------------------------------------- the rule */

#define INTEL                                                                                                  \
    {                                                                                                          \
        0, 0, { 0x1b, 0x756e6547, 0x6c65746e, 0x49656e69 }                                                     \
    }
#define AMD                                                                                                    \
    {                                                                                                          \
        0, 0, { 0x10, 0x68747541, 0x444d4163, 0x69746e65 }                                                     \
    }
#define END                                                                                                    \
    { .number = CPUID_END }

static void assert_found(const cpuid_leaf *leaves, const char *name, uint64_t entries_4k, uint64_t entries_2m,
                         uint64_t entries_1g) {
    const processor made = {"made", leaves};
    const riffle_vat_preset found = vat_preset_of(&made);
    assert_string_equal(found.name, name);
    assert_int_equal(found.entries_4k, entries_4k);
    assert_int_equal(found.entries_2m, entries_2m);
    assert_int_equal(found.entries_1g, entries_1g);
}

/* A hypervisor's figures of a core that is known do not count. */
static void a_known_model_wins(void **state) {
    (void)state;
    const cpuid_leaf zen4_guest[] = {
        AMD, {1, 0, {0x00a10f11, 0, 0x80000000, 0}}, {0x80000006, 0, {0x40202000, 0x40204000, 0, 0}}, END};
    assert_found(zen4_guest, "zen4", 3072, 3072, 64);
    const cpuid_leaf silent[] = {AMD, {1, 0, {0x00a10f11, 0, 0x80000000, 0}}, END};
    assert_found(silent, "zen4", 3072, 3072, 64);
    const cpuid_leaf skylake_guest[] = {
        INTEL, {1, 0, {0x00050654, 0, 0x80000000, 0}}, {2, 0, {0x00feff01, 0xf0, 0, 0}}, END};
    assert_found(skylake_guest, "skylake", 1536, 1536, 16);
}

/* Family 1Ah model 50h is later than Zen 5: no preset, but the unit is known, told or masked. */
static void units_of_32_are_told_or_masked(void **state) {
    (void)state;
    const uint32_t family_1a = 0x00b50f00, family_1b = 0x00c00f00, family_17 = 0x00800f00;
    const uint32_t guest = UINT32_C(1) << 31, told = 1 << 14;
    const struct {
        uint32_t signature, ecx, leaf_21;
        uint64_t entries_4k;
    } cases[] = {
        {family_1a, 0, told, 4096}, {family_1a, guest, told, 4096}, {family_1a, guest, 0, 4096},
        {family_1a, 0, 0, 128},     {family_1b, guest, 0, 4096},    {family_17, guest, 0, 128},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const cpuid_leaf leaves[] = {AMD,
                                     {1, 0, {cases[k].signature, 0, cases[k].ecx, 0}},
                                     {0x80000006, 0, {0x40802040, 0x60804040, 0, 0}},
                                     {0x80000021, 0, {cases[k].leaf_21, 0, 0, 0}},
                                     END};
        assert_found(leaves, "detected", cases[k].entries_4k, cases[k].entries_4k, 0);
    }
}

static void cores_without_a_preset_tell_themselves(void **state) {
    (void)state;
    const cpuid_leaf later[] = {AMD,
                                {1, 0, {0x00ff0f00, 0, 0, 0}},
                                {0x80000005, 0, {0xff60ff60, 0xff60ff60, 0, 0}},
                                {0x80000006, 0, {0, 0x6fff4200, 0, 0}},
                                END};
    assert_found(later, "detected", 4095, 96, 0);
    /* A first-level count is in units of 1 even where the second level's are not. */
    const cpuid_leaf no_second[] = {AMD,
                                    {1, 0, {0x00ff0f00, 0, 0, 0}},
                                    {0x80000005, 0, {0xff60ff60, 0xff60ff60, 0, 0}},
                                    {0x80000021, 0, {1 << 14, 0, 0, 0}},
                                    END};
    assert_found(no_second, "detected", 96, 96, 0);
}

static void silent_processors_have_a_stated_default(void **state) {
    (void)state;
    const riffle_vat_preset *first = riffle_vat_preset_at(0);
    const cpuid_leaf later_intel[] = {
        INTEL, {1, 0, {0x000f0f00, 0, 0x80000000, 0}}, {2, 0, {0x00feff01, 0xf0, 0, 0}}, END};
    assert_found(later_intel, "unknown", first->entries_4k, first->entries_2m, first->entries_1g);
    const cpuid_leaf other[] = {
        {0, 0, {2, 0x12345678, 0, 0}}, {2, 0, {0x76036301, 0x00f0b5ff, 0, 0xc30000}}, END};
    assert_found(other, "unknown", first->entries_4k, first->entries_2m, first->entries_1g);
}

/* Leaves that count more subleaves than there are, and structures without size, end in bounded time. */
static void nonsense_is_survived(void **state) {
    (void)state;
    const cpuid_leaf nonsense[] = {INTEL,
                                   {0x18, 0, {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
                                   {0x18, 1, {0, 0xffffffff, 0xffffffff, 0xffffffe3}},
                                   END};
    assert_found(nonsense, "detected", 0xfffeffff0001, 0xfffeffff0001, 0xfffeffff0001);
}

static void this_processor_is_detected(void **state) {
    (void)state;
    riffle_vat_preset here = {0};
    assert_int_equal(riffle_vat_detect(&here), RIFFLE_OK);
    assert_non_null(here.name);
    assert_non_null(here.description);
    const processor *pretended;
    assert_int_equal(processor_here(&pretended), RIFFLE_OK);
    const riffle_vat_preset expected = vat_preset_of(pretended);
    assert_string_equal(here.name, expected.name);
    assert_int_equal(here.entries_4k, expected.entries_4k);
    if (pretended->leaves != NULL) assert_non_null(strstr(here.description, pretended->name));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_asks_once),
        cmocka_unit_test(presets_are_plausible),
        cmocka_unit_test(records_give_their_presets),
        cmocka_unit_test(presets_agree_with_what_bare_cores_tell),
        cmocka_unit_test(a_known_model_wins),
        cmocka_unit_test(units_of_32_are_told_or_masked),
        cmocka_unit_test(cores_without_a_preset_tell_themselves),
        cmocka_unit_test(silent_processors_have_a_stated_default),
        cmocka_unit_test(nonsense_is_survived),
        cmocka_unit_test(this_processor_is_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
