/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "sort/cpu/words/vector.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "base/processor/vectors.h"
#include "models/presets.h"

/* hwy::Sorter is a class of one pointer that nothing reads, and its call operator for ascending order takes the numbers, how
 * many, and an empty tag, which the calling convention does not pass. */
typedef void operator_u32(const void *sorter, uint32_t *numbers, size_t n);
typedef void operator_u64(const void *sorter, uint64_t *numbers, size_t n);

typedef void disable_targets(int64_t targets); /* hwy::DisableTargets: in place of those disabled before */

static struct {
    pthread_once_t once;
    operator_u32 *sort_u32;
    operator_u64 *sort_u64;
    disable_targets *disable; /* NULL where the library has none */
    bool compresses_slowly;
    _Atomic int64_t disabled;
} highway = {.once = PTHREAD_ONCE_INIT};

static const void *const no_sorter[8];

/* Highway's targets, as bits. Zen 4 has AVX-512's compressing stores of 4-byte elements in microcode: 2^24 numbers take
 * 0.84 s by them (HWY_AVX3_DL and HWY_AVX3), 0.12 s by AVX2; those of 8 bytes, compressed by permutations, 0.17 and 0.27 s.
 * Highway knows it from 1.0.5 on and has a target of its own then (1 << 6), which stays. */
enum {
    AVX_512 = 1 << 7 | 1 << 8,
    ANY_AVX_512 = AVX_512 | 1 << 3 | 1 << 4 | 1 << 6,
    AVX_2 = 1 << 9,
    SSSE_3 = 1 << 11 | 1 << 12, /* SSE4 and it */
};

/* Targets of sets that may not run. */
static int64_t taken_away(void) {
#if defined(__x86_64__)
    return (vectors_has(VECTORS_AVX512) ? 0 : ANY_AVX_512) | (vectors_has(VECTORS_AVX2) ? 0 : AVX_2) |
           (vectors_has(VECTORS_SSSE3) ? 0 : SSSE_3);
#else
    return 0;
#endif
}

/* Sorts at the same time of the other width, in the same process, may go by either: only their speed depends on it. */
static void disable(int64_t targets) {
    if (highway.disable == NULL || atomic_exchange(&highway.disabled, targets) == targets) return;
    highway.disable(targets);
}

static void sort_u32(uint32_t *numbers, size_t n) {
    disable(taken_away() | (highway.compresses_slowly ? AVX_512 : 0));
    highway.sort_u32(no_sorter, numbers, n);
}

static void sort_u64(uint64_t *numbers, size_t n) {
    disable(taken_away());
    highway.sort_u64(no_sorter, numbers, n);
}

static bool compresses_slowly(void) {
    static const processor at_hand = {.name = ""};
    const riffle_vat_preset core = vat_preset_of(&at_hand);
    return strcmp(core.name, "zen4") == 0;
}

/* The library brings C++'s, whose beginnings end the process where they get no memory (std::bad_alloc, which nothing can catch
 * there), and so does the loader in places. Both take 5 MiB; so there must be several times as much. */
static bool has_memory(void) {
    enum { ROOM = 16 << 20 };
    void *const room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room != MAP_FAILED && munmap(room, ROOM) == 0;
}

static void load(void) {
    if (!has_memory()) return;
    void *const library = dlopen("libhwy_contrib.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    void *const u32 = dlsym(library, "_ZNK3hwy6SorterclEPjmNS_13SortAscendingE");
    void *const u64 = dlsym(library, "_ZNK3hwy6SorterclEPmmNS_13SortAscendingE");
    if (u32 == NULL || u64 == NULL) {
        dlclose(library);
        return;
    }
    void *const disable = dlsym(library, "_ZN3hwy14DisableTargetsEl");
    highway.compresses_slowly = compresses_slowly();
    memcpy(&highway.disable, &disable, sizeof disable);
    memcpy(&highway.sort_u32, &u32, sizeof u32);
    memcpy(&highway.sort_u64, &u64, sizeof u64);
}

const sort_vector *sort_vector_best(void) {
    static const sort_vector sorts = {sort_u32, sort_u64};
    pthread_once(&highway.once, load);
    return highway.sort_u32 != NULL ? &sorts : NULL;
}
