/* SPDX-License-Identifier: Apache-2.0
 *
 * The presets, and what is read out of CPUID: of processors whose registers are published (the sources stand at
 * the presets), of some that never were, and of the one at hand.
 */
#include "support.h"

#include "models/vat_presets.h"

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

/* -------------------------------------------------------------------- CPUID */

typedef struct leaf {
    uint32_t number, subleaf;
    cpuid_answer answer;
} leaf;

static const leaf *registers; /* up to one whose number is END */
static const uint32_t END = 0xffffffff;

static cpuid_answer recorded(uint32_t number, uint32_t subleaf) {
    for (const leaf *l = registers; l->number != END; l++) {
        if (l->number == number && l->subleaf == subleaf) return l->answer;
    }
    return (cpuid_answer){0};
}

static void assert_found(const leaf *of, const char *name, uint64_t entries_4k, uint64_t entries_2m,
                         uint64_t entries_1g) {
    riffle_vat_preset found;
    registers = of;
    assert_true(vat_preset_from_cpuid(recorded, &found));
    assert_string_equal(found.name, name);
    assert_int_equal(found.entries_4k, entries_4k);
    assert_int_equal(found.entries_2m, entries_2m);
    assert_int_equal(found.entries_1g, entries_1g);
}

#define INTEL                                                                                                  \
    {                                                                                                          \
        0, 0, { 0x1b, 0x756e6547, 0x6c65746e, 0x49656e69 }                                                     \
    }
#define AMD                                                                                                    \
    {                                                                                                          \
        0, 0, { 0x10, 0x68747541, 0x444d4163, 0x69746e65 }                                                     \
    }

static void published_registers_give_the_presets(void **state) {
    (void)state;
    const leaf cascade_lake[] = {
        INTEL, {1, 0, {0x00050657, 0, 0, 0}}, {2, 0, {0x76036301, 0x00f0b5ff, 0, 0x00c30000}}, {END, 0, {0}}};
    assert_found(cascade_lake, "skylake", 1536, 1536, 16);
    const leaf ice_lake[] = {INTEL,
                             {1, 0, {0x000706e5, 0, 0, 0}},
                             {2, 0, {0x00feff01, 0x000000f0, 0, 0}},
                             {0x18, 0, {7, 0, 0, 0}},
                             {0x18, 1, {0, 0x00080007, 0x01, 0x4122}},
                             {0x18, 2, {0, 0x0010000f, 0x01, 0x4125}},
                             {0x18, 3, {0, 0x00040001, 0x10, 0x4024}},
                             {0x18, 4, {0, 0x00040006, 0x08, 0x4024}},
                             {0x18, 5, {0, 0x00080008, 0x01, 0x4124}},
                             {0x18, 6, {0, 0x00080007, 0x80, 0x4043}},
                             {0x18, 7, {0, 0x00080009, 0x80, 0x4043}},
                             {END, 0, {0}}};
    assert_found(ice_lake, "ice-lake", 2048, 1024, 1024);
    const leaf zen2[] = {AMD,
                         {1, 0, {0x00870f10, 0, 0, 0}},
                         {0x80000005, 0, {0xff40ff40, 0xff40ff40, 0x20080140, 0x20080140}},
                         {0x80000006, 0, {0x48006400, 0x68006400, 0x02006140, 0x02009140}},
                         {0x80000019, 0, {0xf040f040, 0, 0, 0}},
                         {END, 0, {0}}};
    assert_found(zen2, "zen2", 2048, 2048, 64);
    const leaf zen3[] = {AMD,
                         {1, 0, {0x00a20f10, 0, 0, 0}},
                         {0x80000006, 0, {0x48002200, 0x68004200, 0x02006140, 0x02009140}},
                         {0x80000019, 0, {0xf040f040, 0xf0400000, 0, 0}},
                         {END, 0, {0}}};
    assert_found(zen3, "zen3", 2048, 2048, 64);
    const leaf zen4[] = {AMD,
                         {1, 0, {0x00a60f12, 0, 0, 0}},
                         {0x80000006, 0, {0x5c002200, 0x6c004200, 0x04006140, 0x01009140}},
                         {0x80000019, 0, {0xf048f040, 0xf0400000, 0, 0}},
                         {END, 0, {0}}};
    assert_found(zen4, "zen4", 3072, 3072, 64);
}

static void presets_fill_in_what_is_hidden(void **state) {
    (void)state;
    const leaf zen4_guest[] = {
        AMD, {1, 0, {0x00a10f11, 0, 0, 0}}, {0x80000006, 0, {0x5c002200, 0x6c004200, 0, 0}}, {END, 0, {0}}};
    assert_found(zen4_guest, "zen4", 3072, 3072, 64);
    /* A later family: no preset, so what is hidden is not known. */
    const leaf later[] = {AMD,
                          {1, 0, {0x00ff0f00, 0, 0, 0}},
                          {0x80000005, 0, {0xff60ff60, 0xff60ff60, 0, 0}},
                          {0x80000006, 0, {0, 0x6fff4200, 0, 0}},
                          {END, 0, {0}}};
    assert_found(later, "detected", 4095, 96, 0);
    const leaf haswell[] = {INTEL,
                            {1, 0, {0x000306c3, 0, 0, 0}},
                            {2, 0, {0x76036301, 0x00f0b5ff, 0x80c30000, 0x00c10000}},
                            {END, 0, {0}}};
    assert_found(haswell, "detected", 1024, 1024, 4);
}

static void silent_processors_are_not_guessed_at(void **state) {
    (void)state;
    riffle_vat_preset untouched = {.name = "untouched"};
    const leaf silent[] = {AMD, {1, 0, {0x00a10f11, 0, 0, 0}}, {END, 0, {0}}};
    registers = silent;
    assert_false(vat_preset_from_cpuid(recorded, &untouched));
    const leaf other[] = {
        {0, 0, {2, 0x12345678, 0, 0}}, {2, 0, {0x76036301, 0x00f0b5ff, 0, 0xc30000}}, {END, 0, {0}}};
    registers = other;
    assert_false(vat_preset_from_cpuid(recorded, &untouched));
    assert_string_equal(untouched.name, "untouched");
}

/* Leaves that count more subleaves than there are, and structures without size, end in bounded time. */
static void nonsense_is_survived(void **state) {
    (void)state;
    const leaf nonsense[] = {INTEL,
                             {0x18, 0, {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
                             {0x18, 1, {0, 0xffffffff, 0xffffffff, 0xffffffe3}},
                             {END, 0, {0}}};
    assert_found(nonsense, "detected", 0xfffeffff0001, 0xfffeffff0001, 0xfffeffff0001);
}

static void this_processor_is_detected(void **state) {
    (void)state;
    riffle_vat_preset here = {0};
    assert_int_equal(riffle_vat_detect(&here), RIFFLE_OK);
    assert_non_null(here.name);
    assert_non_null(here.description);
    assert_in_range(here.entries_4k, 16, 1 << 20);
    if (strcmp(here.name, "unknown") == 0)
        assert_int_equal(here.entries_4k, riffle_vat_preset_at(0)->entries_4k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_are_plausible),
        cmocka_unit_test(published_registers_give_the_presets),
        cmocka_unit_test(presets_fill_in_what_is_hidden),
        cmocka_unit_test(silent_processors_are_not_guessed_at),
        cmocka_unit_test(nonsense_is_survived),
        cmocka_unit_test(this_processor_is_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
