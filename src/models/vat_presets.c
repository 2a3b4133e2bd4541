/* SPDX-License-Identifier: Apache-2.0
 *
 * The translation caches of common cores, each figure with its source, and of the processor at hand, from
 * CPUID.
 *
 * Of entries_upper 0 means that no source was found. Where a core has no last-level TLB for
 * pages of 1 GiB, the first-level one's entries stand.
 */
#include "models/vat_presets.h"

#include <stddef.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

static const riffle_vat_preset presets[] = {
    /* "Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2A, CPUID leaf 2, descriptor C3H:
     * shared second-level TLB, 1536 entries for 4 KiB and 2 MiB pages, "also 1 GByte pages, 4-way, 16 entries".
     * That these cores report it: CPUID of a Xeon Gold 6252 (Cascade Lake), https://github.com/gz/rust-cpuid,
     * src/tests/xeon_gold_6252.rs, and of a Skylake server, in "TLB information provided by cpuid doesn't make
     * sense to me", https://community.intel.com, message 1371605. */
    {"skylake", "Intel Skylake and Cascade Lake", 1536, 1536, 16, 0},
    /* CPUID leaf 18H of a Core i7-1065G7: unified second-level TLBs of 8 ways by 128 sets for 4 KiB and 2 MiB
     * pages, and of 8 by 128 for 4 KiB and 1 GiB pages; https://github.com/InstLatx64/InstLatx64,
     * GenuineIntel/GenuineIntel00706E5_IceLakeY_CPUID.txt */
    {"ice-lake", "Intel Ice Lake", 2048, 1024, 1024, 0},
    /* CPUID 80000006H and 80000019H of a Ryzen 9 PRO 3900: 2048 entries in the second-level data TLB for 4 KiB
     * and for 2 MiB pages, 64 in the first-level one for 1 GiB pages, none in the second;
     * https://github.com/InstLatx64/InstLatx64, AuthenticAMD/AuthenticAMD0870F10_K17_Matisse_CPUID.txt. Upper
     * levels: "a 64 entry page directory cache" for the two highest, by the optimization manual: "Deep Diving
     * Neoverse N1", https://chipsandcheese.com/p/deep-diving-neoverse-n1 */
    {"zen2", "AMD Zen 2", 2048, 2048, 64, 64},
    /* CPUID 80000006H and 80000019H of a Ryzen 9 5900X; https://github.com/InstLatx64/InstLatx64,
     * AuthenticAMD/AuthenticAMD0A20F10_K19_Vermeer2_CPUID.txt. Upper levels: a page directory cache of 64
     * entries "since Zen 1": "Zen 5's Leaked Slides", https://chipsandcheese.com/p/zen-5s-leaked-slides */
    {"zen3", "AMD Zen 3", 2048, 2048, 64, 64},
    /* CPUID 80000006H and 80000019H of a Ryzen 5 7600X; https://github.com/InstLatx64/InstLatx64,
     * AuthenticAMD/AuthenticAMD0A60F12_K19_Raphael_01_CPUID.txt. Upper levels: as for Zen 3. */
    {"zen4", "AMD Zen 4", 3072, 3072, 64, 64},
    /* "Arm Cortex-A72 MPCore Processor Technical Reference Manual", 5.2.3: one unified structure of 1024
     * entries for pages of 4 KiB, 2 MiB and 1 GiB among others;
     * http://infocenter.arm.com/help/topic/com.arm.doc.100095_0002_04_en/way1382448124731.html */
    {"cortex-a72", "Arm Cortex-A72", 1024, 1024, 1024, 0},
    /* 1280 entries: "Deep Diving Neoverse N1" (above). All page sizes in one structure: "Arm
     * Cortex-A76 Core Technical Reference Manual" 100798, A5.2.3, of the core that is "almost identical" to N1
     * (https://en.wikichip.org/wiki/arm_holdings/microarchitectures/neoverse_n1);
     * https://www.easymanua.ls/arm/cortex-a76-core/manual?p=64 */
    {"neoverse-n1", "Arm Neoverse N1 and Cortex-A76", 1280, 1280, 1280, 0},
    /* "Arm Cortex-X925 Core Technical Reference Manual" 102807: one second-level TLB of 2048 entries for
     * mappings from 4 KiB to 1 GiB, as quoted in https://github.com/jiegec/blog-source,
     * docs/blog/posts/hardware/arm-core-development.md */
    {"cortex-x925", "Arm Cortex-X925", 2048, 2048, 2048, 0},
};

const riffle_vat_preset *riffle_vat_preset_at(size_t k) {
    return k < sizeof presets / sizeof presets[0] ? &presets[k] : NULL;
}

/* ------------------------------------------------------- families, models */

/* From the numbers in Linux: arch/x86/include/asm/intel-family.h, arch/x86/kernel/cpu/amd.c. */
typedef struct model_range {
    bool amd;
    unsigned family, first, last;
    const char *preset;
} model_range;

static const model_range models[] = {
    {false, 6, 0x4e, 0x4e, "skylake"},  {false, 6, 0x55, 0x55, "skylake"},  {false, 6, 0x5e, 0x5e, "skylake"},
    {false, 6, 0x6a, 0x6a, "ice-lake"}, {false, 6, 0x6c, 0x6c, "ice-lake"}, {false, 6, 0x7d, 0x7e, "ice-lake"},
    {true, 0x17, 0x30, 0x4f, "zen2"},   {true, 0x17, 0x60, 0x7f, "zen2"},   {true, 0x17, 0x90, 0x91, "zen2"},
    {true, 0x17, 0xa0, 0xaf, "zen2"},   {true, 0x19, 0x00, 0x0f, "zen3"},   {true, 0x19, 0x20, 0x5f, "zen3"},
    {true, 0x19, 0x10, 0x1f, "zen4"},   {true, 0x19, 0x60, 0xaf, "zen4"},
};

static const riffle_vat_preset *preset_named(const char *name) {
    const riffle_vat_preset *preset = NULL;
    for (size_t k = 0; (preset = riffle_vat_preset_at(k)) != NULL && strcmp(preset->name, name) != 0; k++) {
    }
    return preset;
}

static const riffle_vat_preset *preset_of(bool amd, uint32_t signature) {
    const unsigned base = signature >> 8 & 0xf;
    const unsigned family = base == 0xf ? base + (signature >> 20 & 0xff) : base;
    const unsigned model = (signature >> 4 & 0xf) | (signature >> 12 & 0xf0);
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
        const model_range *m = &models[k];
        if (m->amd == amd && m->family == family && m->first <= model && model <= m->last) {
            return preset_named(m->preset);
        }
    }
    return NULL;
}

/* ------------------------------------------------------------------ CPUID */

/* Entries by page size: 4 KiB, 2 MiB, 1 GiB. */
enum { SIZE_4K, SIZE_2M, SIZE_1G, SIZES };

typedef struct tlb_entries {
    uint64_t of[SIZES];
} tlb_entries;

/* Intel's deterministic address translation parameters: one structure a subleaf; those of the highest level
 * that takes pages of a size add up. */
static tlb_entries intel_leaf_18(cpuid_source *cpuid) {
    enum { DATA = 1, UNIFIED = 3, LOADS = 4 };
    static const unsigned page_bit[SIZES] = {[SIZE_4K] = 0, [SIZE_2M] = 1, [SIZE_1G] = 3};
    tlb_entries entries = {{0}};
    unsigned level_of[SIZES] = {0};
    const uint32_t last = cpuid(0x18, 0).eax;
    for (uint32_t subleaf = 0; subleaf <= last && subleaf < 64; subleaf++) {
        const cpuid_answer a = cpuid(0x18, subleaf);
        const unsigned type = a.edx & 0x1f, level = a.edx >> 5 & 7;
        if (type != DATA && type != UNIFIED && type != LOADS) continue;
        for (unsigned size = 0; size < SIZES; size++) {
            if ((a.ebx >> page_bit[size] & 1) == 0 || level < level_of[size]) continue;
            if (level > level_of[size]) entries.of[size] = 0;
            level_of[size] = level;
            entries.of[size] += (uint64_t)(a.ebx >> 16) * a.ecx;
        }
    }
    return entries;
}

/* Intel's older way: a descriptor a byte; the larger of two for the same pages is the last level's. */
static tlb_entries intel_leaf_2(cpuid_source *cpuid) {
    static const struct descriptor {
        uint8_t byte;
        tlb_entries entries;
    } known[] = {
        {0x03, {{64, 0, 0}}},       {0x63, {{0, 32, 4}}},  {0xc1, {{1024, 1024, 0}}},
        {0xc3, {{1536, 1536, 16}}}, {0xca, {{512, 0, 0}}},
    };
    const cpuid_answer a = cpuid(2, 0);
    const uint32_t registers[] = {a.eax & ~(uint32_t)0xff, a.ebx, a.ecx, a.edx}; /* its low byte is a count */
    tlb_entries entries = {{0}};
    for (unsigned byte = 0; byte < 16; byte++) {
        const uint32_t from = registers[byte / 4];
        if (from >> 31 != 0) continue; /* the register holds no descriptors */
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            if (known[k].byte != (from >> 8 * (byte % 4) & 0xff)) continue;
            for (unsigned size = 0; size < SIZES; size++) {
                const uint64_t has = known[k].entries.of[size];
                if (has > entries.of[size]) entries.of[size] = has;
            }
        }
    }
    return entries;
}

static tlb_entries intel_entries(cpuid_source *cpuid) {
    const tlb_entries entries = intel_leaf_18(cpuid);
    return entries.of[SIZE_4K] != 0 ? entries : intel_leaf_2(cpuid);
}

/* The second level's data TLB, or the first level's where there is none. */
static uint64_t amd_size(uint32_t second, uint32_t first) {
    const uint64_t entries = second >> 28 != 0 ? second >> 16 & 0xfff : 0;
    return entries != 0 ? entries : first;
}

static tlb_entries amd_entries(cpuid_source *cpuid) {
    const cpuid_answer l1 = cpuid(0x80000005, 0), l2 = cpuid(0x80000006, 0), huge = cpuid(0x80000019, 0);
    return (tlb_entries){{
        [SIZE_4K] = amd_size(l2.ebx, l1.ebx >> 16 & 0xff),
        [SIZE_2M] = amd_size(l2.eax, l1.eax >> 16 & 0xff),
        [SIZE_1G] = amd_size(huge.ebx, huge.eax >> 16 & 0xfff),
    }};
}

static bool has_vendor(cpuid_answer leaf_0, const char *vendor) {
    const uint32_t words[] = {leaf_0.ebx, leaf_0.edx, leaf_0.ecx};
    return memcmp(words, vendor, sizeof words) == 0;
}

bool vat_preset_from_cpuid(cpuid_source *cpuid, riffle_vat_preset *out) {
    const cpuid_answer leaf_0 = cpuid(0, 0);
    const bool amd = has_vendor(leaf_0, "AuthenticAMD");
    if (!amd && !has_vendor(leaf_0, "GenuineIntel")) return false;
    const tlb_entries entries = amd ? amd_entries(cpuid) : intel_entries(cpuid);
    if (entries.of[SIZE_4K] == 0) return false;
    const riffle_vat_preset *known = preset_of(amd, cpuid(1, 0).eax);
    riffle_vat_preset found = {.name = "detected", .description = "this processor, as its CPUID describes it"};
    if (known != NULL) found = *known;
    if (entries.of[SIZE_4K] != 0) found.entries_4k = entries.of[SIZE_4K];
    if (entries.of[SIZE_2M] != 0) found.entries_2m = entries.of[SIZE_2M];
    if (entries.of[SIZE_1G] != 0) found.entries_1g = entries.of[SIZE_1G];
    *out = found;
    return true;
}

#if defined(__x86_64__)
static cpuid_answer ask_processor(uint32_t leaf, uint32_t subleaf) {
    cpuid_answer a = {0};
    __get_cpuid_count(leaf, subleaf, &a.eax, &a.ebx, &a.ecx, &a.edx);
    return a;
}
#endif

riffle_status riffle_vat_detect(riffle_vat_preset *out) {
#if defined(__x86_64__)
    if (vat_preset_from_cpuid(ask_processor, out)) return RIFFLE_OK;
#endif
    *out = presets[0];
    out->name = "unknown";
    out->description = "a processor that does not tell; the first preset's figures";
    return RIFFLE_OK;
}
