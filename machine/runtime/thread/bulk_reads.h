/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads of shared memory by bulk copies of a thread, from when they are asked for until the thread has waited for their group.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_THREAD_BULK_READS_H
#define RIFFLE_MACHINE_RUNTIME_THREAD_BULK_READS_H

#include "machine/check/arrays.h"

typedef struct bulk_read {
    machine_array *array;
    size_t offset, bytes;
    const void *pc;
    unsigned group; /**< UINT_MAX: in none yet */
} bulk_read;

typedef struct bulk_reads {
    bulk_read *read;
    size_t count, capacity;
    unsigned groups;
} bulk_reads;

/** One more, whose bytes are marked. False without memory. */
bool bulk_reads_add(bulk_reads *own, const bulk_read *one);

/** Makes a group of those that are in none. */
void bulk_reads_commit(bulk_reads *own);

/** All groups but the last `left` are over. */
void bulk_reads_wait(bulk_reads *own, unsigned left);

/** One that reads these bytes of an array, or NULL. */
const bulk_read *bulk_reads_find(const bulk_reads *own, const machine_array *array, size_t offset,
                                 size_t bytes);

/** Forgets all, and takes the marks off. */
void bulk_reads_drop(bulk_reads *own);
void bulk_reads_free(bulk_reads *own);

#endif
