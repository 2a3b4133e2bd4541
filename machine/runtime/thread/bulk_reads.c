/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/thread/bulk_reads.h"

#include <limits.h>
#include <stdlib.h>

bool bulk_reads_add(bulk_reads *own, const bulk_read *one) {
    if (own->count == own->capacity) {
        const size_t capacity = 2 * own->capacity + 8;
        bulk_read *grown = realloc(own->read, capacity * sizeof *grown);
        if (grown == NULL) return false;
        own->read = grown;
        own->capacity = capacity;
    }
    own->read[own->count] = *one;
    own->read[own->count++].group = UINT_MAX;
    shadow_mark_read(&one->array->shadow, one->offset, one->bytes, true);
    return true;
}

void bulk_reads_commit(bulk_reads *own) {
    for (size_t k = 0; k < own->count; k++)
        if (own->read[k].group == UINT_MAX) own->read[k].group = own->groups;
    own->groups++;
}

static void unmark(const bulk_read *one) {
    shadow_mark_read(&one->array->shadow, one->offset, one->bytes, false);
}

void bulk_reads_wait(bulk_reads *own, unsigned left) {
    size_t kept = 0;
    for (size_t k = 0; k < own->count; k++) {
        if (own->read[k].group == UINT_MAX || own->read[k].group + left >= own->groups)
            own->read[kept++] = own->read[k];
        else
            unmark(&own->read[k]);
    }
    own->count = kept;
    /* Where two read one place the mark stays for the other. */
    for (size_t k = 0; k < kept; k++)
        shadow_mark_read(&own->read[k].array->shadow, own->read[k].offset, own->read[k].bytes, true);
}

const bulk_read *bulk_reads_find(const bulk_reads *own, const machine_array *array, size_t offset,
                                 size_t bytes) {
    for (size_t k = 0; k < own->count; k++) {
        const bulk_read *one = &own->read[k];
        if (one->array == array && offset < one->offset + one->bytes && one->offset < offset + bytes)
            return one;
    }
    return NULL;
}

void bulk_reads_drop(bulk_reads *own) {
    for (size_t k = 0; k < own->count; k++) unmark(&own->read[k]);
    own->count = 0;
    own->groups = 0;
}

void bulk_reads_free(bulk_reads *own) { free(own->read); }
