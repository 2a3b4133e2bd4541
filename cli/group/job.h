/* SPDX-License-Identifier: Apache-2.0
 *
 * The request of `riffle group`, and its state from the opening of its inputs to the end.
 */
#ifndef RIFFLE_CLI_GROUP_JOB_H
#define RIFFLE_CLI_GROUP_JOB_H

#include "arrays/transfer.h"
#include "group/columns.h"
#include "riffle/group.h"

typedef struct request {
    const char *in, *out; /* the operands */
    const char *keys, *offsets, *counts, *places;
    further_columns columns;
    uint64_t groups, multiple, capacity;
    riffle_group_by by;
    bool mpi, force, verbose;
    riffle_check check;
    riffle_engine engine;
    unsigned threads;
} request;

/** A file beside OUT. */
typedef struct beside {
    const char *name, *path; /**< path NULL: it is not wanted */
    riffle_npy_output *output;
} beside;

/** Three of int64, and from COLUMNS on the outputs of --column. */
enum { OFFSETS, COUNTS, PLACES, COLUMNS, BESIDES_MOST = COLUMNS + COLUMNS_MOST };

typedef struct job {
    transfer file;
    request ask;
    riffle_npy_input *keys;
    riffle_type key_type;
    uint64_t keys_per_row;
    array_units units;  /* IN's rows */
    void *aligned_keys; /* a copy of KEYS, where they do not lie at a multiple of their length */
    uint64_t *offsets;  /* groups + 1 numbers, and as many of another count */
    beside beside[BESIDES_MOST];
    uint64_t rows; /* OUT has */
    uint64_t left_out[2];
} job;

#endif
