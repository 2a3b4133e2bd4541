/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, madvise */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arithmetic.h"
#include "base/status.h"

enum { CACHE_LINE = 64 };
static const size_t HUGE_PAGE = (size_t)2 << 20;

/* Below one huge page malloc serves as well; from there on whole huge pages are mapped. */
static bool is_mapped(size_t bytes) { return bytes >= HUGE_PAGE; }

/* Maps one huge page more than is needed and gives back what lies before and after the aligned part. */
static void *map_huge_aligned(size_t bytes) {
    size_t span = bytes + HUGE_PAGE;
    char *base = mmap(NULL, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return NULL;
    size_t before = round_up((uintptr_t)base, HUGE_PAGE) - (uintptr_t)base;
    char *aligned = base + before;
    if (before > 0) munmap(base, before);
    if (HUGE_PAGE - before > 0) munmap(aligned + bytes, HUGE_PAGE - before);
    madvise(aligned, bytes, MADV_HUGEPAGE); /* advice only: plain pages are right too, only slower */
    return aligned;
}

riffle_status buffer_create(const char *what, size_t bytes, void **out) {
    if (bytes > SIZE_MAX / 2) return fail_memory(what, bytes);
    void *buffer;
    if (is_mapped(bytes)) {
        buffer = map_huge_aligned(round_up(bytes, HUGE_PAGE));
    } else {
        size_t rounded = round_up(bytes > 0 ? bytes : 1, CACHE_LINE);
        buffer = aligned_alloc(CACHE_LINE, rounded);
        if (buffer != NULL) memset(buffer, 0, rounded);
    }
    if (buffer == NULL) return fail_memory(what, bytes);
    *out = buffer;
    return RIFFLE_OK;
}

riffle_status riffle_buffer_create(size_t bytes, void **out) {
    RETURN_IF_NULL(out);
    return buffer_create("a buffer", bytes, out);
}

void riffle_buffer_free(void *buffer, size_t bytes) {
    if (buffer == NULL) return;
    if (is_mapped(bytes)) {
        munmap(buffer, round_up(bytes, HUGE_PAGE));
    } else {
        free(buffer);
    }
}

bool multiply_sizes(uint64_t a, uint64_t b, uint64_t c, size_t *out) {
    size_t product;
    return !__builtin_mul_overflow(a, b, &product) && !__builtin_mul_overflow(product, c, out);
}
