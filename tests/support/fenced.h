/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory between two pages that must not be touched, for tests with cmocka that define _GNU_SOURCE.
 */
#ifndef RIFFLE_TESTS_FENCED_H
#define RIFFLE_TESTS_FENCED_H

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support.h"

typedef struct fenced {
    unsigned char *base;
    size_t mapped;
    unsigned char *data;
} fenced;

/** The bytes begin behind the first page, or end before the second. */
static inline fenced fenced_create(size_t bytes, bool at_the_end) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), usable = (bytes + page - 1) / page * page;
    fenced memory = {.mapped = usable + 2 * page};
    memory.base = mmap(NULL, memory.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory.base != MAP_FAILED);
    assert_int_equal(mprotect(memory.base, page, PROT_NONE), 0);
    assert_int_equal(mprotect(memory.base + page + usable, page, PROT_NONE), 0);
    memory.data = memory.base + page + (at_the_end ? usable - bytes : 0);
    return memory;
}

static inline void fenced_free(const fenced *memory) { munmap(memory->base, memory->mapped); }

#endif
