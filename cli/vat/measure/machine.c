/* SPDX-License-Identifier: Apache-2.0
 *
 * The caches of the machine that is measured: the last level for data, from the system, and the translation
 * cache, from the processor. The model's translation cache is the last-level TLB and the caches for upper nodes
 * together.
 */
#define _GNU_SOURCE /* _SC_LEVEL3_CACHE_SIZE */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "system/machine.h"
#include "vat/measure/measure.h"

enum { MAX_CACHES = 16 };
static const uint64_t USUAL_CACHE = (uint64_t)32 << 20;

static bool read_line(int index, const char *name, char *line, int capacity) {
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    const bool done = fgets(line, capacity, file) != NULL;
    fclose(file);
    return done;
}

/* "32768K" */
static uint64_t parse_size(const char *line) {
    unsigned long long size = 0;
    char unit = ' ';
    if (sscanf(line, "%llu%c", &size, &unit) < 1) return 0;
    return (uint64_t)size << (unit == 'K' ? 10 : unit == 'M' ? 20 : 0);
}

/* The bytes of the largest cache that the system lists for one core. On some processors sysconf adds up the caches of all
 * complexes. */
static uint64_t last_level_cache(void) {
    uint64_t largest = 0;
    char line[64];
    for (int k = 0; k < MAX_CACHES; ++k) {
        if (!read_line(k, "type", line, sizeof line) || strncmp(line, "Instruction", 11) == 0) continue;
        if (!read_line(k, "size", line, sizeof line)) continue;
        const uint64_t size = parse_size(line);
        if (size > largest) largest = size;
    }
#ifdef _SC_LEVEL3_CACHE_SIZE
    if (largest == 0 && sysconf(_SC_LEVEL3_CACHE_SIZE) > 0) largest = (uint64_t)sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    return largest;
}

/* 512 entries of 8 bytes a node; pages of 2 MiB are what a node above pages of 4 KiB covers. */
static riffle_vat_options options_for(const riffle_vat_preset *preset, vat_pages pages) {
    const bool huge = pages == VAT_PAGES_2M;
    const uint64_t leaves = huge && preset->entries_2m > 0 ? preset->entries_2m : preset->entries_4k;
    return (riffle_vat_options){.fanout = 512,
                                .page = huge ? (uint64_t)1 << 21 : 4096,
                                .height = huge ? 3 : 4,
                                .cache = leaves + preset->entries_upper,
                                .tau = 1};
}

riffle_status vat_machine_describe(vat_machine *out) {
    memset(out, 0, sizeof *out);
    machine_cpu(out->cpu, sizeof out->cpu);
    machine_huge_pages(out->huge_pages, sizeof out->huge_pages);
    out->cache = last_level_cache();
    out->knows_cache = out->cache > 0;
    if (!out->knows_cache) out->cache = USUAL_CACHE;
    const riffle_status status = riffle_vat_detect(&out->preset);
    for (int k = 0; k < VAT_PAGE_KINDS; ++k) out->options[k] = options_for(&out->preset, (vat_pages)k);
    return status;
}

const char *vat_pages_name(vat_pages pages) { return pages == VAT_PAGES_2M ? "2m" : "4k"; }
