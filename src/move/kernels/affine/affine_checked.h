/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of affine tiles whose words are added to a check's record as they are read: those of affine_tile.h, and where P sends the words,
 * each again a sum (XOR) of what the bits of the tile's number, those of the thread's, the move and the word of a vector choose.
 */
#ifndef RIFFLE_MOVE_KERNELS_AFFINE_AFFINE_CHECKED_H
#define RIFFLE_MOVE_KERNELS_AFFINE_AFFINE_CHECKED_H

#include "check/kernels/table.h"
#include "move/kernels/affine/affine_tile.h"

enum { AFFINE_VECTOR_BYTES = 16, AFFINE_CHECKED_THREADS = 256 };

/* Places are numbers of words, counted from their run's first; with places of 32 bits all words of all runs have such. */
#define AFFINE_CHECKED_TABLE(bits)                                                                             \
    typedef struct affine_keys_##bits {                                                                        \
        check_record *record;                                                                                  \
        uint64_t run_words;    /* words of a run */                                                            \
        uint##bits##_t origin; /* place of tile 0 */                                                           \
        uint##bits##_t thread[AFFINE_THREADS_LOG2];                                                            \
        uint##bits##_t move[AFFINE_MOVES];                                                                     \
        uint##bits##_t tile[AFFINE_TILES_LOG2_##bits];                                                         \
        uint##bits##_t word[AFFINE_VECTOR_BYTES]; /* for each word of a vector */                              \
    } affine_keys_##bits;                                                                                      \
                                                                                                               \
    typedef struct affine_checked_table_##bits {                                                               \
        affine_table_##bits tiles;                                                                             \
        affine_keys_##bits keys;                                                                               \
    } affine_checked_table_##bits;

AFFINE_CHECKED_TABLE(32)
AFFINE_CHECKED_TABLE(64)

#endif
