/* SPDX-License-Identifier: Apache-2.0
 *
 * The translation caches of common cores, each figure with its source, and of a processor, by what it answers
 * to CPUID:
 *
 *   1. Vendor, family and model name a preset. Its figures stand whatever else CPUID says: they are facts of the core,
 *      where hypervisors hide leaves (Intel's 2 and 18H are often 0), or the bit that says in which unit a leaf
 *      counts. A guest may also be told an older model's number; but AMX cannot be pretended, so what is Intel's
 *      and has it is Golden Cove or later.
 *   2. A core without a preset has the figures that CPUID tells, and 0 where it tells none ("detected").
 *   3. Where it does not even tell of pages of 4 KiB, or there is no CPUID (any processor but x86-64), the first
 *      preset's figures stand, a common size ("unknown").
 *
 * If entries_upper is 0, no source was found. Where a core has no last-level TLB for pages of 1 GiB, the first-level one's
 * entries stand.
 */
#include "models/presets.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"

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
    /* CPUID leaf 18H of a Core i9-12900K's performance core, as of Ice Lake; its efficient core has 2048
     * entries for pages of 4 KiB too. The same of a Sapphire Rapids, Emerald Rapids, Granite Rapids and Raptor
     * Lake; https://github.com/InstLatx64/InstLatx64,
     * GenuineIntel/GenuineIntel0090672_AlderLake_01_LC_BC_CPUID.txt,
     * GenuineIntel00806F8_SapphireRapids_05_CPUID.txt, GenuineIntel00C06F2_EmeraldRapids_01_CPUID.txt,
     * GenuineIntel00A06D1_GraniteRapids_03_CPUID.txt, GenuineIntel00B0671_RaptorLake_01_CPUID.txt */
    {"golden-cove", "Intel Golden Cove: Alder Lake, Sapphire Rapids and later", 2048, 1024, 1024, 0},
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
    /* CPUID 80000006H and 80000019H of a Ryzen 9 9950X, in units of 32 (amd_entries below);
     * https://github.com/InstLatx64/InstLatx64, AuthenticAMD/AuthenticAMD0B40F40_K20_GraniteRidge_02_CPUID.txt,
     * and the same of Turin and Strix Halo there. "L2: 2K ITLB; 4K DTLB": Cohen and Subramony, "Next Generation
     * 'Zen 5' Core", Hot Chips 2024. */
    {"zen5", "AMD Zen 5", 4096, 4096, 1024, 0},
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

/* From the numbers in Linux: arch/x86/include/asm/intel-family.h, arch/x86/kernel/cpu/amd.c. That Kaby, Coffee
 * and Comet Lake answer as Skylake, and Tiger and Rocket Lake as Ice Lake: the files of these names in
 * https://github.com/InstLatx64/InstLatx64, GenuineIntel. */
typedef struct model_range {
    bool amd;
    unsigned family, first, last;
    const char *preset;
} model_range;

static const model_range models[] = {
    {false, 6, 0x4e, 0x4e, "skylake"},     {false, 6, 0x55, 0x55, "skylake"},
    {false, 6, 0x5e, 0x5e, "skylake"},     {false, 6, 0x8e, 0x8e, "skylake"},
    {false, 6, 0x9e, 0x9e, "skylake"},     {false, 6, 0xa5, 0xa6, "skylake"},
    {false, 6, 0x6a, 0x6a, "ice-lake"},    {false, 6, 0x6c, 0x6c, "ice-lake"},
    {false, 6, 0x7d, 0x7e, "ice-lake"},    {false, 6, 0x8c, 0x8d, "ice-lake"},
    {false, 6, 0xa7, 0xa7, "ice-lake"},    {false, 6, 0x8f, 0x8f, "golden-cove"},
    {false, 6, 0x97, 0x97, "golden-cove"}, {false, 6, 0x9a, 0x9a, "golden-cove"},
    {false, 6, 0xad, 0xae, "golden-cove"}, {false, 6, 0xb7, 0xb7, "golden-cove"},
    {false, 6, 0xba, 0xba, "golden-cove"}, {false, 6, 0xbf, 0xbf, "golden-cove"},
    {false, 6, 0xcf, 0xcf, "golden-cove"}, {true, 0x17, 0x30, 0x4f, "zen2"},
    {true, 0x17, 0x60, 0x7f, "zen2"},      {true, 0x17, 0x90, 0x91, "zen2"},
    {true, 0x17, 0xa0, 0xaf, "zen2"},      {true, 0x19, 0x00, 0x0f, "zen3"},
    {true, 0x19, 0x20, 0x5f, "zen3"},      {true, 0x19, 0x10, 0x1f, "zen4"},
    {true, 0x19, 0x60, 0xaf, "zen4"},      {true, 0x1a, 0x00, 0x2f, "zen5"},
    {true, 0x1a, 0x40, 0x4f, "zen5"},      {true, 0x1a, 0x60, 0x7f, "zen5"},
};

static const riffle_vat_preset *preset_named(const char *name) {
    const riffle_vat_preset *preset = NULL;
    for (size_t k = 0; (preset = riffle_vat_preset_at(k)) != NULL && strcmp(preset->name, name) != 0; k++) {
    }
    return preset;
}

/* The answers of leaf 0 and leaf 1. */
typedef struct identity {
    bool amd, intel; /* the vendor whose leaves it has */
    unsigned family, model;
    bool is_guest; /* a hypervisor answers */
} identity;

static bool has_vendor(cpuid_answer leaf_0, const char *vendor) {
    const uint32_t words[] = {leaf_0.ebx, leaf_0.edx, leaf_0.ecx};
    return memcmp(words, vendor, sizeof words) == 0;
}

static identity identify(const processor *of) {
    const cpuid_answer leaf_0 = processor_cpuid(of, 0, 0), leaf_1 = processor_cpuid(of, 1, 0);
    const uint32_t signature = leaf_1.eax;
    const unsigned base = signature >> 8 & 0xf;
    return (identity){.amd = has_vendor(leaf_0, "AuthenticAMD") || has_vendor(leaf_0, "HygonGenuine"),
                      .intel = has_vendor(leaf_0, "GenuineIntel"),
                      .family = base == 0xf ? base + (signature >> 20 & 0xff) : base,
                      .model = (signature >> 4 & 0xf) | (signature >> 12 & 0xf0),
                      .is_guest = leaf_1.ecx >> 31 != 0};
}

static bool has_amx(const processor *of) { return (processor_cpuid(of, 7, 0).edx >> 24 & 1) != 0; }

static const riffle_vat_preset *preset_by_model(const processor *of, const identity *is) {
    if (is->intel && has_amx(of)) return preset_named("golden-cove");
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
        const model_range *m = &models[k];
        if ((m->amd ? is->amd : is->intel) && m->family == is->family && m->first <= is->model &&
            is->model <= m->last)
            return preset_named(m->preset);
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
static tlb_entries intel_leaf_18(const processor *of) {
    enum { DATA = 1, UNIFIED = 3, LOADS = 4 };
    static const unsigned page_bit[SIZES] = {[SIZE_4K] = 0, [SIZE_2M] = 1, [SIZE_1G] = 3};
    tlb_entries entries = {{0}};
    unsigned level_of[SIZES] = {0};
    const uint32_t last = processor_cpuid(of, 0x18, 0).eax;
    for (uint32_t subleaf = 0; subleaf <= last && subleaf < 64; subleaf++) {
        const cpuid_answer a = processor_cpuid(of, 0x18, subleaf);
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

/* Intel's older way: a descriptor a byte (the manual, volume 2A, table 3-12); the larger of two for the same
 * pages is the last level's. Pages of 4 MiB are those of 2 MiB where addresses have 64 bits. */
static tlb_entries intel_leaf_2(const processor *of) {
    static const struct descriptor {
        uint8_t byte;
        tlb_entries entries;
    } known[] = {
        {0x03, {{64, 0, 0}}},       {0x05, {{0, 32, 0}}},  {0x56, {{0, 16, 0}}},      {0x57, {{16, 0, 0}}},
        {0x5a, {{0, 32, 0}}},       {0x63, {{0, 32, 4}}},  {0x64, {{512, 0, 0}}},     {0x6a, {{64, 0, 0}}},
        {0x6b, {{256, 0, 0}}},      {0x6c, {{0, 128, 0}}}, {0x6d, {{0, 0, 16}}},      {0xb3, {{128, 0, 0}}},
        {0xb4, {{256, 0, 0}}},      {0xba, {{64, 0, 0}}},  {0xc1, {{1024, 1024, 0}}}, {0xc2, {{16, 16, 0}}},
        {0xc3, {{1536, 1536, 16}}}, {0xc4, {{0, 32, 0}}},  {0xca, {{512, 0, 0}}},
    };
    const cpuid_answer a = processor_cpuid(of, 2, 0);
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

static tlb_entries intel_entries(const processor *of) {
    const tlb_entries entries = intel_leaf_18(of);
    return entries.of[SIZE_4K] != 0 ? entries : intel_leaf_2(of);
}

/* From Zen 5 on the second level's entries are counted in units of 32, and bit 14 of 80000021H's EAX says so
 * (L2TlbSizeX32). Hypervisors that do not know the bit mask it, and hand the counts on. */
static unsigned amd_unit(const processor *of, const identity *is) {
    const bool told = (processor_cpuid(of, 0x80000021, 0).eax >> 14 & 1) != 0;
    return told || (is->is_guest && is->family >= 0x1a) ? 32 : 1;
}

/* The second level's data TLB, or the first level's where there is none. */
static uint64_t amd_size(uint32_t second, unsigned unit, uint32_t first) {
    const uint64_t entries = second >> 28 != 0 ? second >> 16 & 0xfff : 0;
    return entries != 0 ? entries * unit : first;
}

static tlb_entries amd_entries(const processor *of, const identity *is) {
    const cpuid_answer l1 = processor_cpuid(of, 0x80000005, 0), l2 = processor_cpuid(of, 0x80000006, 0);
    const cpuid_answer huge = processor_cpuid(of, 0x80000019, 0);
    const unsigned unit = amd_unit(of, is);
    return (tlb_entries){{
        [SIZE_4K] = amd_size(l2.ebx, unit, l1.ebx >> 16 & 0xff),
        [SIZE_2M] = amd_size(l2.eax, unit, l1.eax >> 16 & 0xff),
        [SIZE_1G] = amd_size(huge.ebx, unit, huge.eax >> 16 & 0xfff),
    }};
}

/* ---------------------------------------------------------------- processors */

riffle_vat_preset vat_preset_told(const processor *of) {
    const identity is = identify(of);
    tlb_entries entries = {{0}};
    if (is.intel) entries = intel_entries(of);
    if (is.amd) entries = amd_entries(of, &is);
    return (riffle_vat_preset){.name = "detected",
                               .description = of->leaves == NULL ? "this processor, as its CPUID describes it"
                                                                 : "as its recorded CPUID describes it",
                               .entries_4k = entries.of[SIZE_4K],
                               .entries_2m = entries.of[SIZE_2M],
                               .entries_1g = entries.of[SIZE_1G]};
}

riffle_vat_preset vat_preset_of(const processor *of) {
    const identity is = identify(of);
    const riffle_vat_preset *known = preset_by_model(of, &is);
    if (known != NULL) return *known;
    const riffle_vat_preset told = vat_preset_told(of);
    if (told.entries_4k != 0) return told;
    riffle_vat_preset unknown = presets[0];
    unknown.name = "unknown";
    unknown.description = "a processor that does not tell; the first preset's figures";
    return unknown;
}

/* The answer for this process: a processor stays the same, and asking it takes thousands of cycles under a
 * hypervisor. */
static riffle_vat_preset detected;
static char detected_description[128];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void detect(void) {
    const processor *here;
    if (processor_here(&here) != RIFFLE_OK) return; /* riffle_vat_detect has found it */
    detected = vat_preset_of(here);
    if (here->leaves == NULL) return;
    snprintf(detected_description, sizeof detected_description, "%s; RIFFLE_PROCESSOR pretends %s",
             detected.description, here->name);
    detected.description = detected_description;
}

riffle_status riffle_vat_detect(riffle_vat_preset *out) {
    RETURN_IF_NULL(out);
    const processor *here;
    const riffle_status status = processor_here(&here);
    if (status != RIFFLE_OK) return status;
    pthread_once(&once, detect);
    *out = detected;
    return RIFFLE_OK;
}
