/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Permutations of arrays that lie in the memories of MPI's ranks. It is a library of its own, libriffle-mpi, built where MPI is found,
 *  for that MPI alone; programs link it beside libriffle.
 *
 *  @code{.c}
 *  riffle_mpi_plan *plan;
 *  riffle_mpi_plan_create(perm, sizeof(float), MPI_COMM_WORLD, NULL, &plan);  // all ranks
 *  riffle_mpi_execute(plan, dst, src);                                        // each with its own parts of both
 *  riffle_mpi_plan_free(plan);
 *  @endcode
 *
 *  Arrays are in the memory of the host. Functions that are said to be of all ranks are called by every rank of the communicator, in the
 *  same order. Where one rank fails in planning (its memory is short, say), all ranks get its status, and riffle_error_detail() says on each
 *  of them which rank it was and what was wrong. Ranks that ask for unlike things are all told so, and none waits for another for ever.
 *  A failure of MPI itself is RIFFLE_ERROR_IO with MPI's own words.
 */
#ifndef RIFFLE_MPI_H
#define RIFFLE_MPI_H

#include <mpi.h>

#include "riffle/exchange.h"
#include "riffle/mpi_files.h"

/** Marks the functions that libriffle-mpi exports. */
#define RIFFLE_MPI_API RIFFLE_API

#ifdef __cplusplus
extern "C" {
#endif

/** A caller's wishes; NULL, or zero in every field, gives the defaults. */
typedef struct riffle_mpi_options {
    riffle_exchange_options exchange; /**< layouts, and whether ranks may be relabelled */
    unsigned threads; /**< of each rank's local steps; 0: one, for launchers give a rank a core */
    /** Bytes of a message up to which its count is a plain one; longer ones have a derived type, as MPI's counts are of 31 bits. 0: 2^30.
     *  It changes nothing that a caller sees, and is here for tests. */
    size_t plain_bytes;
} riffle_mpi_options;

/** A move between ranks made ready for a communicator. Executions of one plan come one after another. */
typedef struct riffle_mpi_plan riffle_mpi_plan;

/** Plans on all ranks of `comm`, which is duplicated. All ranks ask for the same permutation, element size and options (threads aside), with
 *  one build of this library. The plan keeps two workspaces, of a rank's own part of src and of dst, but for a local step that moves nothing.
 *
 *  @return RIFFLE_ERROR_INVALID_ARGUMENT for unlike arguments or builds, and for what riffle_exchange_create refuses. */
RIFFLE_MPI_API riffle_status riffle_mpi_plan_create(const riffle_perm *perm, size_t elem_bytes, MPI_Comm comm,
                                                    const riffle_mpi_options *options, riffle_mpi_plan **out);

/** Moves an array, on all ranks: riffle_mpi_start, then riffle_mpi_wait. */
RIFFLE_MPI_API riffle_status riffle_mpi_execute(riffle_mpi_plan *plan, void *dst, const void *src);

/** Begins a move, on all ranks: packs this rank's part and starts its messages. dst and src hold riffle_mpi_plan_elements elements, do not
 *  overlap, and are left alone until the move is done. RIFFLE_ERROR_INVALID_ARGUMENT if a move of this plan is under way. Where it fails on one
 *  rank only, others wait for its messages: end the program then, by MPI_Abort. */
RIFFLE_MPI_API riffle_status riffle_mpi_start(riffle_mpi_plan *plan, void *dst, const void *src);

/** Lets MPI get on, and says in *done whether this rank's move is done; the call that finds all messages there unpacks them. True, too,
 *  where none is under way. */
RIFFLE_MPI_API riffle_status riffle_mpi_test(riffle_mpi_plan *plan, bool *done);

/** Waits until this rank's move is done. */
RIFFLE_MPI_API riffle_status riffle_mpi_wait(riffle_mpi_plan *plan);

/** How many elements this rank has of src and of dst; either pointer may be NULL. */
RIFFLE_MPI_API void riffle_mpi_plan_elements(const riffle_mpi_plan *plan, uint64_t *src, uint64_t *dst);

/** The part of dst that this rank has in the end: its own number, unless ranks were relabelled. */
RIFFLE_MPI_API unsigned riffle_mpi_plan_block(const riffle_mpi_plan *plan);

/** Bytes that one execution sends from rank to rank, of all ranks together, and in how many messages. No exchange sends fewer bytes. Either
 *  pointer may be NULL. */
RIFFLE_MPI_API void riffle_mpi_plan_volume(const riffle_mpi_plan *plan, uint64_t *bytes, uint64_t *messages);

/** Bytes that this rank has sent to others, in all executions so far, as it counted them when it handed them to MPI. */
RIFFLE_MPI_API uint64_t riffle_mpi_plan_sent_bytes(const riffle_mpi_plan *plan);

/** Prints what this rank does and what all ranks send. RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_MPI_API riffle_status riffle_mpi_plan_explain(const riffle_mpi_plan *plan, FILE *stream);

/** Frees a plan, on all ranks, before MPI_Finalize; after a move that is under way. */
RIFFLE_MPI_API void riffle_mpi_plan_free(riffle_mpi_plan *plan);

/** Returns on all ranks the status of the first one that has another than RIFFLE_OK, with its words for riffle_error_detail(), else
 *  RIFFLE_OK. For a caller's own steps between calls of all ranks. */
RIFFLE_MPI_API riffle_status riffle_mpi_agree(MPI_Comm comm, riffle_status own);

/** Moves one .npy file to another: riffle/mpi_files.h has the contract. On all ranks of MPI_COMM_WORLD. */
RIFFLE_MPI_API riffle_status riffle_mpi_permute_files(const riffle_mpi_files *ask,
                                                      riffle_mpi_files_report *report);

#ifdef __cplusplus
}
#endif
#endif
