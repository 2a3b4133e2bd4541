/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* madvise, MAP_ANONYMOUS */
#include "vat/measure/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "frame/message.h"

static const size_t HUGE_BYTES = (size_t)1 << 21;

/* Maps a huge page more, and gives back what stands before and behind the aligned part. */
static void *map_aligned(size_t bytes) {
    unsigned char *all = mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return NULL;
    const size_t before = (HUGE_BYTES - (uintptr_t)all % HUGE_BYTES) % HUGE_BYTES;
    if (before > 0) munmap(all, before);
    munmap(all + before + bytes, HUGE_BYTES - before);
    return all + before;
}

/* The bytes of the mapping at `base` in huge pages. No other mapping has its advice, so none joins it. */
static uint64_t count_huge_bytes(const void *base) {
    FILE *file = fopen("/proc/self/smaps", "r");
    if (file == NULL) return 0;
    char line[512];
    unsigned long long from, to, kilobytes, found = 0;
    bool inside = false;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%llx-%llx ", &from, &to) == 2) {
            inside = from <= (uintptr_t)base && (uintptr_t)base < to;
        } else if (inside && sscanf(line, "AnonHugePages: %llu kB", &kilobytes) == 1) {
            found = kilobytes << 10;
            break;
        }
    }
    fclose(file);
    return found;
}

bool vat_memory_map(size_t bytes, vat_pages pages, vat_memory *out) {
    const size_t whole = (bytes + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
    *out = (vat_memory){.base = map_aligned(whole), .bytes = whole};
    if (out->base == NULL) {
        complain("vat measure: no memory for an array of %zu bytes; choose a smaller --most", whole);
        return false;
    }
    /* A kernel without huge pages refuses both; then all pages are small, which smaps shows. */
    const int advice = pages == VAT_PAGES_2M ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
    if (madvise(out->base, whole, advice) != 0 && errno != EINVAL) {
        complain("vat measure: the system takes no advice on pages: %s", strerror(errno));
        vat_memory_unmap(out);
        return false;
    }
    memset(out->base, 0, whole);
    const double huge = (double)count_huge_bytes(out->base);
    out->huge_share = huge < (double)whole ? huge / (double)whole : 1;
    return true;
}

void vat_memory_unmap(vat_memory *memory) {
    if (memory->base != NULL) munmap(memory->base, memory->bytes);
    memory->base = NULL;
}
