/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/cpu/sort/vector.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* hwy::Sorter is a class of one pointer that nothing reads, and its call operator for ascending order takes the numbers, how
 * many, and an empty tag, which the calling convention does not pass. */
typedef void operator_u32(const void *sorter, uint32_t *numbers, size_t n);
typedef void operator_u64(const void *sorter, uint64_t *numbers, size_t n);

static struct {
    pthread_once_t once;
    operator_u32 *sort_u32;
    operator_u64 *sort_u64;
} highway = {.once = PTHREAD_ONCE_INIT};

static const void *const no_sorter[8];

static void sort_u32(uint32_t *numbers, size_t n) { highway.sort_u32(no_sorter, numbers, n); }
static void sort_u64(uint64_t *numbers, size_t n) { highway.sort_u64(no_sorter, numbers, n); }

static void load(void) {
    void *const library = dlopen("libhwy_contrib.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    void *const u32 = dlsym(library, "_ZNK3hwy6SorterclEPjmNS_13SortAscendingE");
    void *const u64 = dlsym(library, "_ZNK3hwy6SorterclEPmmNS_13SortAscendingE");
    if (u32 == NULL || u64 == NULL) {
        dlclose(library);
        return;
    }
    memcpy(&highway.sort_u32, &u32, sizeof u32);
    memcpy(&highway.sort_u64, &u64, sizeof u64);
}

const sort_vector *sort_vector_best(void) {
    static const sort_vector sorts = {sort_u32, sort_u64};
    pthread_once(&highway.once, load);
    return highway.sort_u32 != NULL ? &sorts : NULL;
}
