/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of results that are read once more (riffle_check, docs/check.md): the sum of h(place, row) over what was read, each with the place
 * where it belongs, and the sum over what was written have to be the same.
 *
 * On the host the sums are loops here; on a device they are launches, which add what was read to a record in the workspace and take what was
 * written from it.
 */
#ifndef RIFFLE_CHECK_CHECK_H
#define RIFFLE_CHECK_CHECK_H

#include "check/kernels/hash.h"
#include "device/device.h"

/** Refuses a number that is no check's. */
riffle_status check_is_one(riffle_check check);

/** Fails, for a plan without a check that is asked what it found. */
riffle_status check_is_missing(void);

/** Fails for sums that differ, or for faults, elements that are where they cannot be. `what` is the subject ("groups"). */
riffle_status check_result(const char *what, check_sums read, check_sums written, uint64_t faults);

/** Bytes of a word of rows at places: the largest power of two that divides a row, CHECK_WORD_BYTES at most. Words are numbered through all
 *  rows. */
size_t check_word_bytes(size_t row_bytes);

/* ------------------------------------------------------------------ the host */

/** Writes the places of so many items from one on; UINT64_MAX for an item that has none. */
typedef void check_places(const void *context, uint64_t first, size_t count, uint64_t *places);

/** One side: items, of which `each` are of one row. */
typedef struct check_side {
    const void *rows;
    size_t row_bytes;
    uint64_t items, each;
    check_places *places; /**< NULL: item k is at place k */
    const void *context;
    uint64_t before; /**< is added to all places */
} check_side;

/** An element's bytes, 8 at a time; zeros fill the last. */
void check_take_bytes(check_pair *number, const char *bytes, size_t count);

/** Adds the side to sums, by so many threads at most. */
void check_sum(const check_side *side, unsigned threads, check_sums *sums);

/** The side's sums, by the calling thread, which asks for places in order. */
check_sums check_sum_alone(const check_side *side);

/* ------------------------------------------------------------------ a device */

enum { CHECK_RECORD_BYTES = 512 }; /* a record's place in a workspace */

/** place = offset + sum (XOR) of the columns that the bits of a number below 2^bits choose. */
typedef struct check_map {
    unsigned bits;
    uint64_t offset;
    const uint64_t *column;
} check_map;

/** One side, on a device: rows of `arrays` arrays, `stride` rows from the start of one to the next. */
typedef struct check_there {
    const void *rows; /**< aligned to what divides row_bytes */
    size_t row_bytes;
    uint64_t n, arrays, stride;
    const uint64_t *count;   /**< how many rows there are, up to n, where the device alone knows; or NULL */
    const check_map *affine; /**< n = 2^bits rows, of 1, 2, 4, 8 or 16 bytes each, go along it; or NULL */
    const void *
        places; /**< `keys_per_row` of each row, of index_bytes bytes; NULL, and affine too: rows are where they belong */
    uint64_t most_places; /**< places are below it; 0: below n */
    size_t index_bytes;
    uint32_t keys_per_row;
    bool may_be_nowhere; /**< a place of all bits is none */
} check_there;

/** Begins a record. */
void check_append_begin(void *record, launch_list *out);

/** Adds what was read to the record, or takes what was written from it. */
void check_append_read(const check_there *side, void *record, launch_list *out);
void check_append_written(const check_there *side, void *record, launch_list *out);

/** Waits for the stream and says what the record has found, by check_result. */
riffle_status check_ask(const device *d, const void *record, const char *what, struct CUstream_st *stream);

#endif
