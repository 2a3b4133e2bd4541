/* SPDX-License-Identifier: Apache-2.0
 *
 * Planning on a GPU: what libriffle-cuda does for it. Tables of permutations in device memory are checked, shortened, inverted and
 * compared there, and bucket schedules are made from them. Entries are unsigned, of 4 bytes where n <= 2^32, else of 8, as in
 * perm/table.c. All belongs to the current device, queues on a stream and waits for it; what is made is device memory that the
 * device releases, and NULL for n = 0.
 */
#ifndef RIFFLE_MOVE_CUDA_STEPS_H
#define RIFFLE_MOVE_CUDA_STEPS_H

#include "base/feistel.h"
#include "device/cuda_library.h"
#include "models/line_reads.h"
#include "plan/bucket/tile.h"

struct CUstream_st;

/** A table on the device. */
typedef struct cuda_table {
    void *entries;
    uint64_t n;
    size_t entry_bytes;
} cuda_table;

/** A rotation, reflected or not, or an affine map of `bits` bits: a table is compared with it. */
typedef struct cuda_form {
    bool is_affine, reflected;
    uint64_t offset; /**< a rotation's, or the constant of an affine map */
    const uint64_t *column;
    unsigned bits;
} cuda_form;

/** A random permutation, as perm/random.c has it. */
typedef struct cuda_random {
    feistel net;
    bool inverted;
    uint32_t swap;
} cuda_random;

/** A pass's schedule whose order, chunks and first_chunk are device memory. */
typedef bucket_tile_schedule cuda_bucket_schedule;

/** A permutation as 4-byte entries on the device, known to be one: the places in dst that src scatters to, or its
 *  inverse, the indices that dst gathers from. */
typedef struct cuda_bucket_source {
    const uint32_t *entries;
    bool is_inverse;
} cuda_bucket_source;

typedef struct cuda_steps {
    /** Copies `entries`, device memory of n <= RIFFLE_MAX_LENGTH entries of given_bytes (4 or 8), after checking that they are a
     *  permutation. RIFFLE_ERROR_NOT_A_PERMUTATION names the first entry that is not below n, or the first index
     *  that repeats a value and the one that has it before, in the words of riffle_perm_table_u32. */
    riffle_status (*take)(uint64_t n, const void *entries, size_t given_bytes, struct CUstream_st *stream,
                          cuda_table *out);
    /** Device memory that `take` needs at most, the table that it makes included. */
    size_t (*take_bytes)(uint64_t n);
    /** A table of n entries that a random permutation computes, or that are copied from the host where `random` is NULL. */
    riffle_status (*write)(uint64_t n, const cuda_random *random, const void *entries,
                           struct CUstream_st *stream, cuda_table *out);
    /** A copy of a table. */
    riffle_status (*copy)(const cuda_table *table, struct CUstream_st *stream, cuda_table *out);
    /** The inverse of a table that is a permutation. */
    riffle_status (*invert)(const cuda_table *table, struct CUstream_st *stream, cuda_table *out);
    /** The entries at `count` indices, in 8 bytes. */
    riffle_status (*pick)(const cuda_table *table, unsigned count, const uint64_t *indices, uint64_t *out,
                          struct CUstream_st *stream);
    /** True in *out if the whole table is that form. */
    riffle_status (*is_form)(const cuda_table *table, const cuda_form *form, struct CUstream_st *stream,
                             bool *out);
    /** Copies entries first..first+count-1 to the host, as 8-byte numbers. */
    riffle_status (*fetch)(const cuda_table *table, uint64_t first, size_t count, uint64_t *out);
    /** Copies to the host what the table, or its inverse, has for a sample of indices (models/line_reads.h). The
     *  inverse is not made: one look at all entries finds it there. */
    riffle_status (*sample)(const cuda_table *table, bool inverse, const line_sample *sample,
                            struct CUstream_st *stream, uint64_t *out);
    void (*free)(cuda_table *table);

    /** Plans a permutation of n elements, as bucket_tile_plan does but for the order of elements within a run, into shape.passes
     *  schedules. Before anything is allocated it asks how much memory is free, and says so if it is less than bucket_planning_bytes
     *  and bucket_tile_most_bytes together (RIFFLE_ERROR_OUT_OF_MEMORY). After a failure nothing is left behind. */
    riffle_status (*bucket_plan)(const cuda_bucket_source *source, uint64_t n, size_t elem_bytes,
                                 bucket_tile_shape shape, struct CUstream_st *stream,
                                 cuda_bucket_schedule out[BUCKET_TILE_PASSES]);
    /** Marks entries as bucket_tile_mark does; which of those with one chunk are not marked is left open. */
    riffle_status (*bucket_mark)(const cuda_bucket_schedule *schedule, struct CUstream_st *stream);
    /** Device memory that planning takes at most beside the schedules themselves and the entries: of two passes 2
     *  bytes for each piece and tile, and of places to scatter to 2 for each element; of three 20 to 26 for each element.
     *  RIFFLE_ERROR_DEVICE if CUB will not say. */
    riffle_status (*bucket_planning_bytes)(uint64_t n, size_t elem_bytes, bucket_tile_shape shape,
                                           bool is_inverse, size_t *out);
} cuda_steps;

/** The steps, for who has a GPU as a device. */
static inline const cuda_steps *steps_of_cuda(void) { return cuda_library_loaded()->steps; }

#endif
