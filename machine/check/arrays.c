/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "machine/check/arrays.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"

enum { PAGE_BYTES = 4096, NEAR_BYTES = 64 << 10 };

static riffle_status reserve_one(machine_arrays *all) {
    if (all->count == MACHINE_MAX_ARRAYS || (all->unused_count == 0 && all->numbers == 2 * MACHINE_MAX_ARRAYS))
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a machine holds %d arrays at most", MACHINE_MAX_ARRAYS);
    if (all->count < all->capacity) return RIFFLE_OK;
    const size_t capacity = 2 * all->capacity + 16;
    machine_array **grown = realloc(all->array, capacity * sizeof(machine_array *));
    if (grown == NULL) return fail_memory("a machine's list of arrays", capacity * sizeof(machine_array *));
    all->array = grown;
    all->capacity = capacity;
    return RIFFLE_OK;
}

/* Zeroed pages of the system: what a kernel reads that nobody wrote must not depend on what this process freed before. The page before them
 * is left alone, for a stack may lie there, which the machine takes no notice of. */
static void *map(size_t room) {
    char *const memory =
        mmap(NULL, PAGE_BYTES + room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory + PAGE_BYTES;
}

static void unmap(void *memory, size_t room) { munmap((char *)memory - PAGE_BYTES, PAGE_BYTES + room); }

static void array_free(machine_array *a) {
    shadow_free(&a->shadow);
    free(a->name);
    if (a->owned != NULL) unmap(a->owned, a->room);
    free(a);
}

riffle_status arrays_adopt(machine_arrays *all, const char *name, report_space space, void *start, size_t bytes,
                           machine_array **out) {
    const riffle_status status = reserve_one(all);
    if (status != RIFFLE_OK) return status;
    machine_array *a = calloc(1, sizeof *a);
    if (a == NULL) return fail_memory("a machine's array", sizeof *a);
    a->name = strdup(name);
    if (a->name == NULL || !shadow_init(&a->shadow, bytes, space == SPACE_SHARED)) {
        array_free(a);
        return fail_memory("what the machine knows of an array", 2 * (uint64_t)bytes);
    }
    a->start = (uintptr_t)start;
    a->bytes = a->room = bytes;
    a->space = space;
    a->base = (place)(all->unused_count > 0 ? all->unused[--all->unused_count] : all->numbers++)
              << PLACE_OFFSET_BITS;
    all->array[all->count++] = a;
    *out = a;
    return RIFFLE_OK;
}

riffle_status arrays_create(machine_arrays *all, const char *name, size_t bytes, machine_array **out) {
    const size_t most = SIZE_MAX / 4;
    const size_t room = bytes <= most ? (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES : 0;
    void *const memory = room > 0 ? map(room) : NULL;
    if (memory == NULL) return fail_memory("an array of the machine", bytes);
    const riffle_status status = arrays_adopt(all, name, SPACE_GLOBAL, memory, bytes, out);
    if (status != RIFFLE_OK) {
        unmap(memory, room);
        return status;
    }
    (*out)->owned = memory;
    (*out)->room = room;
    return RIFFLE_OK;
}

void arrays_free(machine_arrays *all) {
    for (size_t k = 0; k < all->count; k++) array_free(all->array[k]);
    free(all->array);
    free(all->unused);
}

bool arrays_remove(machine_arrays *all, uintptr_t start) {
    size_t k = 0;
    while (k < all->count && all->array[k]->start != start) k++;
    if (k == all->count) return false;
    uint16_t *grown = realloc(all->unused, (all->unused_count + 1) * sizeof *grown);
    if (grown != NULL) {
        all->unused = grown;
        all->unused[all->unused_count++] = (uint16_t)(all->array[k]->base >> PLACE_OFFSET_BITS);
    }
    array_free(all->array[k]);
    all->array[k] = all->array[--all->count];
    return true;
}

bool arrays_give_up(machine_arrays *all, uintptr_t start) {
    for (size_t k = 0; k < all->count; k++) {
        machine_array *a = all->array[k];
        if (a->start != start || a->owned == NULL) continue;
        a->bytes = 0;
        a->freed = true;
        return true;
    }
    return false;
}

machine_array *arrays_find(const machine_arrays *all, uintptr_t address) {
    for (size_t k = 0; k < all->count; k++) {
        if (address - all->array[k]->start < all->array[k]->bytes) return all->array[k];
    }
    return NULL;
}

static uintptr_t distance(const machine_array *a, uintptr_t address) {
    return address < a->start ? a->start - address : address - (a->start + a->bytes);
}

const machine_array *arrays_nearest(const machine_arrays *all, uintptr_t address) {
    const machine_array *nearest = NULL;
    uintptr_t least = NEAR_BYTES;
    for (size_t k = 0; k < all->count; k++) {
        const machine_array *a = all->array[k];
        if (address - a->start < a->room) return a;
        if (a->bytes == 0 || distance(a, address) >= least) continue;
        nearest = a;
        least = distance(nearest, address);
    }
    return nearest;
}
