/* SPDX-License-Identifier: Apache-2.0
 *
 * The request of `riffle sort`, and its state from the opening of its input to the end.
 */
#ifndef RIFFLE_CLI_SORT_JOB_H
#define RIFFLE_CLI_SORT_JOB_H

#include "arrays/transfer.h"
#include "riffle/papers.h"
#include "riffle/sort.h"
#include "sort/key.h"
#include "sort/segments.h"

/** --axis. */
typedef struct axis {
    enum { AXIS_LAST = 0, AXIS_GIVEN, AXIS_NONE } which;
    int64_t number;
} axis;

/** The number of elements of --top, or the place of the element of --partition; a place below zero counts from the end. */
typedef struct sort_place {
    bool is_given;
    int64_t number;
} sort_place;

typedef struct request {
    const char *in, *out; /* the operands */
    const char *fields, *indices, *before, *segments;
    axis axis;
    bool descending, merge, unique, force, verbose, mpi;
    riffle_check check;
    sort_place top, partition;
    uint64_t memory; /* bytes that a merge may hold; 0: not said */
    riffle_sort_algorithm algorithm;
    riffle_engine engine;
    unsigned threads;
} request;

/** A result: where it is written, in C order with the axis last, and where it goes. */
typedef struct result {
    void *room; /* the result's own, unless it is written to the output */
    size_t room_bytes, item_bytes;
    riffle_npy_output *output;
} result;

typedef struct job {
    transfer file;
    request ask;
    riffle_sort_key key;
    sort_key_names names;
    riffle_sort_plan *plan;
    riffle_sort_task task;
    uint64_t n, length; /* elements, and how many of them a line has */
    uint64_t count;     /* count by --top or --partition, from the front */
    uint64_t results;   /* results of --unique are known once it is done */
    sort_segments segments;
    unsigned axis; /* in the input */
    bool is_moved; /* it was not the last, and is for the sort */
    const void *from;
    result elements, indices;
    uint64_t block, memory_blocks; /* a merge with --memory: elements of a block, and blocks held */
    riffle_merge_counts merged;
} job;

#endif
