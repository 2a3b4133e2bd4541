/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for a list is taken in chunks: the first is in the list itself, so that short lists take none.
 */
#include "device/launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { ALIGNMENT = 16, CHUNK_BYTES = 64 << 10 };

struct launch_chunk {
    launch_chunk *next;
    size_t bytes;
    _Alignas(ALIGNMENT) unsigned char start[];
};

void launch_list_begin(launch_list *list) {
    list->first = list->last = NULL;
    list->status = RIFFLE_OK;
    list->more = NULL;
    list->used = 0;
}

void launch_list_free(launch_list *list) {
    while (list->more != NULL) {
        launch_chunk *const next = list->more->next;
        free(list->more);
        list->more = next;
    }
    launch_list_begin(list);
}

static bool add_chunk(launch_list *list, size_t bytes) {
    const size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    launch_chunk *const chunk = malloc(sizeof *chunk + room);
    if (chunk == NULL) {
        list->status = fail_memory("a list of launches", room);
        return false;
    }
    chunk->next = list->more;
    chunk->bytes = room;
    list->more = chunk;
    list->used = 0;
    return true;
}

static void *take(launch_list *list, size_t bytes) {
    const size_t room = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t limit = list->more != NULL ? list->more->bytes : LAUNCH_LIST_BYTES;
    if (room > limit - list->used && !add_chunk(list, room)) return NULL;
    unsigned char *const out = (list->more != NULL ? list->more->start : list->inside) + list->used;
    list->used += room;
    return out;
}

static launch *append(launch_list *list, const launch *work) {
    launch *const out = list->status == RIFFLE_OK ? take(list, sizeof *out) : NULL;
    if (out == NULL) {
        list->nowhere = *work;
        return &list->nowhere;
    }
    *out = *work;
    *(list->last != NULL ? &list->last->next : &list->first) = out;
    list->last = out;
    return out;
}

launch *launch_append(launch_list *list, const kernel_record *kernel, size_t elem_bytes, const void *arguments,
                      size_t bytes) {
    void *const copy = list->status == RIFFLE_OK ? take(list, bytes) : NULL;
    if (copy != NULL) memcpy(copy, arguments, bytes);
    return append(list, &(launch){.kind = kernel->steps != NULL ? LAUNCH_COOPERATIVE : LAUNCH_KERNEL,
                                  .kernel = kernel,
                                  .elem_bytes = elem_bytes,
                                  .grid = 1,
                                  .block_x = 1,
                                  .block_y = 1,
                                  .arguments = copy});
}

launch *launch_append_again(launch_list *list, const launch *ready) {
    launch work = *ready;
    work.next = NULL;
    return append(list, &work);
}

void launch_append_copy(launch_list *list, void *to, const void *from, size_t bytes) {
    if (bytes > 0) append(list, &(launch){.kind = LAUNCH_COPY, .to = to, .from = from, .bytes = bytes});
}

void launch_append_fill(launch_list *list, void *to, unsigned char value, size_t bytes) {
    if (bytes > 0) append(list, &(launch){.kind = LAUNCH_FILL, .to = to, .value = value, .bytes = bytes});
}

unsigned launch_addresses(launch *work, void *out[KERNEL_MAX_ARGUMENTS]) {
    const kernel_record *const kernel = work->kernel;
    unsigned count = 0;
    if (kernel->steps == NULL) {
        out[count++] = &work->to;
        out[count++] = &work->from;
    }
    size_t at = 0; /* as C lays a struct out */
    for (unsigned k = 0; k < kernel->arguments; k++) {
        const size_t unit = kernel->argument[k].alignment;
        at = (at + unit - 1) / unit * unit;
        out[count++] = (char *)(uintptr_t)work->arguments + at;
        at += kernel->argument[k].bytes;
    }
    return count;
}
