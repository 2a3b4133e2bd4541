/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "machine/check/arrays.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arithmetic.h"
#include "base/status.h"

enum { PAGE_BYTES = 4096, NEAR_BYTES = 64 << 10, HUGE_BYTES = 2 << 20 };

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
    if (memory == MAP_FAILED) return NULL;
    if (room >= HUGE_BYTES) madvise(memory, PAGE_BYTES + room, MADV_HUGEPAGE);
    return memory + PAGE_BYTES;
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
              << PLACE_ARRAY_SHIFT;
    all->array[all->count++] = a;
    *out = a;
    return RIFFLE_OK;
}

riffle_status arrays_create(machine_arrays *all, const char *name, size_t bytes, machine_array **out) {
    const size_t most = SIZE_MAX / 4;
    const size_t room = bytes <= most ? (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES : 0;
    void *const memory = room > 0 ? map(room) : NULL;
    const riffle_status status = memory != NULL ? arrays_adopt(all, name, SPACE_GLOBAL, memory, bytes, out)
                                                : fail_memory("an array of the machine", bytes);
    if (status != RIFFLE_OK) {
        if (memory != NULL) unmap(memory, room);
        if (all->lacked < bytes) all->lacked = bytes;
        return status;
    }
    (*out)->owned = memory;
    (*out)->room = room;
    (*out)->front = PAGE_BYTES;
    return RIFFLE_OK;
}

void arrays_free(machine_arrays *all) {
    for (size_t k = 0; k < all->count; k++) array_free(all->array[k]);
    for (size_t k = 0; k < all->gone_count && k < ARRAYS_FREED; k++) array_free(all->gone[k]);
    free(all->array);
    free(all->unused);
}

/* Its bytes read as zeros from now on, and take no memory. */
static void keep_empty(machine_arrays *all, machine_array *a) {
    machine_array **slot = &all->gone[all->gone_count++ % ARRAYS_FREED];
    if (all->gone_count > ARRAYS_FREED) array_free(*slot);
    madvise(a->owned, a->room, MADV_DONTNEED);
    shadow_free(&a->shadow);
    a->shadow = (shadow){0};
    a->freed = true;
    a->bytes = 0;
    *slot = a;
}

bool arrays_remove(machine_arrays *all, uintptr_t start) {
    size_t k = 0;
    while (k < all->count && (all->array[k]->start != start || all->array[k]->freed)) k++;
    if (k == all->count) return false;
    machine_array *a = all->array[k];
    uint16_t *grown = realloc(all->unused, (all->unused_count + 1) * sizeof *grown);
    if (grown != NULL) {
        all->unused = grown;
        all->unused[all->unused_count++] = (uint16_t)place_array(a->base);
    }
    all->array[k] = all->array[--all->count];
    if (a->owned != NULL)
        keep_empty(all, a);
    else
        array_free(a);
    return true;
}

bool array_clear(const machine_array *a, size_t offset, size_t bytes) {
    if (a->owned == NULL || bytes < HUGE_BYTES || offset + bytes > a->bytes) return false;
    char *const memory = a->owned;
    const size_t from = round_up(offset, PAGE_BYTES), to = (offset + bytes) / PAGE_BYTES * PAGE_BYTES;
    if (madvise(memory + from, to - from, MADV_DONTNEED) != 0) return false;
    memset(memory + offset, 0, from - offset);
    memset(memory + to, 0, offset + bytes - to);
    return true;
}

machine_array *arrays_find_freed(const machine_arrays *all, uintptr_t address) {
    const size_t count = all->gone_count < ARRAYS_FREED ? all->gone_count : ARRAYS_FREED;
    for (size_t k = 0; k < count; k++)
        if (address - all->gone[k]->start < all->gone[k]->room) return all->gone[k];
    return NULL;
}

bool arrays_give_up(machine_arrays *all, uintptr_t start) {
    for (size_t k = 0; k < all->count; k++) {
        machine_array *a = all->array[k];
        if (a->start != start || a->owned == NULL) continue;
        a->bytes = 0;
        a->freed = a->heap = true;
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

machine_array *arrays_overlapping(const machine_arrays *all, uintptr_t start, size_t bytes) {
    for (size_t k = 0; k < all->count; k++) {
        machine_array *a = all->array[k];
        if (a->start < start + bytes && start < a->start + a->bytes) return a;
    }
    return NULL;
}

bool array_surrounds(const machine_array *a, uintptr_t address) {
    return address - (a->start - a->front) < a->front + a->room;
}

static uintptr_t distance(const machine_array *a, uintptr_t address) {
    if (address < a->start) return a->start - address;
    return address < a->start + a->bytes ? 0 : address - (a->start + a->bytes);
}

/* True if a parameter that leads to no array is nearer than this. */
static bool has_stray_within(const machine_arrays *all, uintptr_t address, uintptr_t least) {
    for (size_t k = 0; k < all->stray_count; k++) {
        const uintptr_t from = all->stray[k];
        if ((address < from ? from - address : address - from) < least) return true;
    }
    return false;
}

const machine_array *arrays_nearest(const machine_arrays *all, uintptr_t address, const machine_array *likely) {
    const machine_array *nearest = arrays_find_freed(all, address);
    if (nearest != NULL) return nearest;
    if (likely != NULL && (array_surrounds(likely, address) || distance(likely, address) < NEAR_BYTES))
        return likely;
    uintptr_t least = NEAR_BYTES;
    bool surrounded = false;
    for (size_t k = 0; k < all->count; k++) {
        const machine_array *a = all->array[k];
        if (a->foreign) continue;
        const bool surrounds = array_surrounds(a, address);
        if ((a->bytes == 0 && !surrounds) || (surrounded && !surrounds)) continue;
        if (surrounded == surrounds && distance(a, address) >= least) continue;
        nearest = a;
        least = distance(a, address);
        surrounded = surrounds;
    }
    return surrounded || !has_stray_within(all, address, least) ? nearest : NULL;
}

bool arrays_are_apart(const machine_arrays *all, uintptr_t address, size_t bytes) {
    if (arrays_find_freed(all, address) != NULL) return true;
    for (size_t k = 0; k < all->count; k++) {
        const machine_array *a = all->array[k];
        if (array_surrounds(a, address) && array_surrounds(a, address + bytes - 1)) return true;
    }
    return false;
}
