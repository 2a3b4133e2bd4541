/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "machine/runtime/cluster/windows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"

enum { PAGE_BYTES = 4096, NEAR_STEPS = 24 };
static const uintptr_t STEP_BYTES = (uintptr_t)32 << 20; /* between the places that are tried */

struct window_image {
    size_t count;
    struct {
        void *bytes;
        shadow known;
    } array[];
};

/* ---- opening */

static bool is_of_block(const machine_array *a) { return a->space == SPACE_SHARED && a->home == NULL; }

/* The arrays, and from where to where they lie. */
static riffle_status find_arrays(windows *w, const machine_arrays *all, uintptr_t *high) {
    w->home = calloc(all->count + 1, sizeof *w->home);
    if (w->home == NULL) return fail_memory("the shared arrays of a cluster", all->count * sizeof *w->home);
    w->low = UINTPTR_MAX;
    *high = 0;
    for (size_t k = 0; k < all->count; k++) {
        machine_array *a = all->array[k];
        if (!is_of_block(a)) continue;
        w->home[w->count++] = a;
        if (a->start < w->low) w->low = a->start;
        if (a->start + a->shadow.bytes > *high) *high = a->start + a->shadow.bytes;
    }
    return RIFFLE_OK;
}

static char *map_at(uintptr_t hint, size_t bytes) {
    void *memory =
        mmap((void *)hint, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    const intptr_t distance = (intptr_t)((uintptr_t)memory - hint);
    if (distance <= (intptr_t)STEP_BYTES && distance >= -(intptr_t)STEP_BYTES) return memory;
    munmap(memory, bytes);
    return NULL;
}

/* The same place in a page as the arrays have, so that banks and alignments are the same. */
static riffle_status map_near(windows *w, uintptr_t high) {
    w->low = w->low / PAGE_BYTES * PAGE_BYTES;
    w->bytes = (high - w->low + 2 * PAGE_BYTES) / PAGE_BYTES * PAGE_BYTES;
    for (uintptr_t step = 1; step <= NEAR_STEPS && w->memory == NULL; step++) {
        w->memory = map_at(w->low - step * STEP_BYTES, w->ranks * w->bytes);
        if (w->memory == NULL) w->memory = map_at(w->low + step * STEP_BYTES, w->ranks * w->bytes);
    }
    if (w->memory != NULL) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "there is no room for %u blocks of a cluster near their shared memory", w->ranks);
}

static riffle_status adopt(windows *w, machine_arrays *all, unsigned rank, size_t k) {
    machine_array *home = w->home[k], *peer;
    char name[256];
    snprintf(name, sizeof name, "%.200s of block %u of the cluster", array_name(home), rank);
    const riffle_status status = arrays_adopt(all, name, SPACE_SHARED, (void *)windows_at(w, home->start, rank),
                                              home->shadow.bytes, &peer);
    if (status != RIFFLE_OK) return status;
    peer->bytes = home->bytes;
    peer->room = home->room;
    peer->front = home->front;
    peer->code = home->code;
    peer->code_end = home->code_end;
    peer->dynamic = home->dynamic;
    peer->home = home;
    peer->rank = rank;
    peer->base |= (place)(1 + rank) << PLACE_OFFSET_BITS;
    w->peer[rank * w->count + k] = peer;
    return RIFFLE_OK;
}

riffle_status windows_open(windows *w, machine_arrays *all, unsigned ranks) {
    uintptr_t high = 0;
    windows_close(w, all);
    w->ranks = ranks;
    riffle_status status = find_arrays(w, all, &high);
    if (status == RIFFLE_OK) status = map_near(w, high);
    if (status == RIFFLE_OK) w->peer = calloc(w->count * ranks, sizeof(machine_array *));
    if (status == RIFFLE_OK && w->peer == NULL)
        status = fail_memory("the shared arrays of a cluster", w->count * ranks);
    for (unsigned rank = 0; rank < ranks; rank++)
        for (size_t k = 0; k < w->count && status == RIFFLE_OK; k++) status = adopt(w, all, rank, k);
    if (status != RIFFLE_OK) windows_close(w, all);
    return status;
}

void windows_close(windows *w, machine_arrays *all) {
    for (size_t k = 0; w->peer != NULL && k < w->ranks * w->count; k++)
        if (w->peer[k] != NULL) arrays_remove(all, w->peer[k]->start);
    if (w->memory != NULL) munmap(w->memory, w->ranks * w->bytes);
    free(w->home);
    free(w->peer);
    *w = (windows){0};
}

/* ---- blocks that come and go */

static machine_array *peer_of(const windows *w, unsigned rank, size_t k) {
    return w->peer[rank * w->count + k];
}

static void swap_shadows(shadow *a, shadow *b) {
    const shadow kept = *a;
    *a = *b;
    *b = kept;
}

void windows_put(windows *w, unsigned rank, uint32_t base) {
    for (size_t k = 0; k < w->count; k++) {
        machine_array *home = w->home[k], *peer = peer_of(w, rank, k);
        memcpy((void *)peer->start, (const void *)home->start, home->bytes);
        swap_shadows(&home->shadow, &peer->shadow);
        peer->shadow.oldest = base;
        home->shadow.oldest = 0;
    }
}

void windows_take(windows *w, unsigned rank) {
    for (size_t k = 0; k < w->count; k++) {
        machine_array *home = w->home[k], *peer = peer_of(w, rank, k);
        memcpy((void *)home->start, (const void *)peer->start, home->bytes);
        swap_shadows(&home->shadow, &peer->shadow);
        home->shadow.oldest = 0;
    }
}

window_image *windows_save(windows *w, unsigned rank) {
    window_image *image = calloc(1, sizeof *image + w->count * sizeof image->array[0]);
    bool saved = image != NULL;
    for (size_t k = 0; saved && k < w->count; k++) {
        machine_array *peer = peer_of(w, rank, k);
        shadow empty;
        image->array[k].bytes = malloc(peer->bytes + 1);
        saved = image->array[k].bytes != NULL && shadow_init(&empty, peer->shadow.bytes, true);
        if (!saved) break;
        memcpy(image->array[k].bytes, (const void *)peer->start, peer->bytes);
        image->array[k].known = peer->shadow;
        peer->shadow = empty;
        image->count = k + 1;
    }
    if (saved || image == NULL) return image;
    windows_free_image(image);
    return NULL;
}

void windows_restore(windows *w, unsigned rank, window_image *image) {
    for (size_t k = 0; k < image->count; k++) {
        machine_array *peer = peer_of(w, rank, k);
        memcpy((void *)peer->start, image->array[k].bytes, peer->bytes);
        swap_shadows(&peer->shadow, &image->array[k].known);
    }
    windows_free_image(image);
}

void windows_free_image(window_image *image) {
    for (size_t k = 0; image != NULL && k < image->count; k++) {
        free(image->array[k].bytes);
        shadow_free(&image->array[k].known);
    }
    free(image);
}

static void forget(shadow *known, uint32_t base) {
    shadow_forget_segments(known, known->oldest);
    known->oldest = base;
}

void windows_forget(windows *w, uint32_t base) {
    for (size_t k = 0; k < w->ranks * w->count; k++) forget(&w->peer[k]->shadow, base);
}

void windows_forget_image(window_image *image, uint32_t base) {
    for (size_t k = 0; image != NULL && k < image->count; k++) forget(&image->array[k].known, base);
}

/* ---- addresses */

uintptr_t windows_at(const windows *w, uintptr_t address, unsigned rank) {
    const int in = windows_rank(w, address);
    const uintptr_t offset = in >= 0 ? (address - (uintptr_t)w->memory) % w->bytes : address - w->low;
    if (w->memory == NULL || offset >= w->bytes) return address;
    return (uintptr_t)w->memory + rank * w->bytes + offset;
}

int windows_rank(const windows *w, uintptr_t address) {
    const uintptr_t offset = address - (uintptr_t)w->memory;
    return w->memory != NULL && offset < w->ranks * w->bytes ? (int)(offset / w->bytes) : -1;
}

uintptr_t windows_home(const windows *w, uintptr_t address) {
    if (windows_rank(w, address) < 0) return address;
    return w->low + (address - (uintptr_t)w->memory) % w->bytes;
}

bool windows_have(const windows *w, uintptr_t address) {
    return w->memory != NULL && windows_home(w, address) - w->low < w->bytes;
}
