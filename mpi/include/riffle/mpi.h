/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Permutations, sorts and groups of arrays that lie in the memories of MPI's ranks. It is a library of its own, libriffle-mpi, built where MPI is found,
 *  for that MPI alone; programs link it beside libriffle.
 *
 *  @code{.c}
 *  riffle_mpi_plan *plan;
 *  riffle_mpi_plan_create(perm, sizeof(float), MPI_COMM_WORLD, NULL, &plan);  // all ranks
 *  riffle_mpi_execute(plan, dst, src);                                        // each with its own parts of both
 *  riffle_mpi_plan_free(plan);
 *  @endcode
 *
 *  Arrays are in the memory of the host; those of moves may be in that of each rank's GPU (riffle_mpi_options.engine). Functions that are said to be of all ranks are called by every rank of the communicator, in the
 *  same order. Where one rank fails in planning (its memory is short, say), all ranks get its status, and riffle_error_detail() says on each
 *  of them which rank it was and what was wrong. Ranks that ask for unlike things are all told so, and none waits for another for ever.
 *  A failure of MPI itself is RIFFLE_ERROR_IO with MPI's own words.
 */
#ifndef RIFFLE_MPI_H
#define RIFFLE_MPI_H

#include <mpi.h>

#include "riffle/exchange.h"
#include "riffle/group.h"
#include "riffle/mpi_files.h"
#include "riffle/sort.h"

/** Marks the functions that libriffle-mpi exports. */
#define RIFFLE_MPI_API RIFFLE_API

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st; /* CUDA's cudaStream_t is a pointer to it */

/** How messages go between the memories of ranks. Those of hosts have PEERS and AWARE, and AUTO tries them in this order. */
typedef enum riffle_mpi_transport {
    RIFFLE_MPI_TRANSPORT_AUTO =
        0, /**< the first of those below that all ranks have; riffle_mpi_plan_explain says which, and why */
    /** By MPI, from memory to memory. Between GPUs AUTO takes it where MPIX_Query_cuda_support() of Open MPI or MPICH says so; asked for by name, it is taken
     *  unasked. */
    RIFFLE_MPI_TRANSPORT_AWARE,
    /** By NCCL 2.7 or later (libnccl.so.2, loaded when it is wanted), queued on the streams. One rank a GPU; else RIFFLE_ERROR_UNSUPPORTED. */
    RIFFLE_MPI_TRANSPORT_NCCL,
    /** Ranks of one host read each other's workspaces. Of GPUs: by copies, where ranks see each other's GPUs (NVLink, PCIe, or one GPU; CUDA_VISIBLE_DEVICES). Of
     *  hosts: workspaces are in memory that they share, got and filled with zeros when the move is planned, so it pays from the fifth move or so; where messages are whole pages, nothing
     *  is copied between packing and unpacking. AUTO takes it for messages of 16 KiB and more on average that are packed or unpacked. RIFFLE_ERROR_UNSUPPORTED of ranks on
     *  several hosts, of several users, or in several containers. */
    RIFFLE_MPI_TRANSPORT_PEERS,
    /** By any MPI, through pinned memory of the host, as much as a rank sends to others and gets from them. */
    RIFFLE_MPI_TRANSPORT_STAGED,
} riffle_mpi_transport;

/** A caller's wishes; NULL, or zero in every field, gives the defaults. */
typedef struct riffle_mpi_options {
    riffle_exchange_options exchange; /**< layouts, and whether ranks may be relabelled */
    unsigned threads; /**< of each rank's local steps; 0: one, for launchers give a rank a core */
    /** Where src and dst lie: in the memory of the host, or, with RIFFLE_ENGINE_CUDA, of the GPU that is current when the rank plans. */
    riffle_engine engine;
    struct CUstream_st *stream;     /**< of that GPU, on which moves are queued; NULL: the default stream */
    riffle_mpi_transport transport; /**< NCCL and STAGED are of GPUs alone */
    /** Bytes of a message up to which its count is a plain one; longer ones have a derived type, as MPI's counts are of 31 bits. 0: 2^30.
     *  It changes nothing that a caller sees, and is here for tests. */
    size_t plain_bytes;
} riffle_mpi_options;

/** A move between ranks made ready for a communicator. Executions of one plan come one after another. */
typedef struct riffle_mpi_plan riffle_mpi_plan;

/** Plans on all ranks of `comm`, which is duplicated. All ranks ask for the same permutation, element size and options (threads aside), with
 *  one build of this library. The plan keeps two workspaces, of a rank's own part of src and of dst, but for a local step that moves nothing;
 *  they are where the arrays are.
 *
 *  A plan between GPUs belongs to the GPU that was current on each rank: it has to be so in all calls of the plan. Several ranks may have one GPU,
 *  but for NCCL. Planning allocates and waits, and moves are no part of a CUDA graph.
 *
 *  @return RIFFLE_ERROR_INVALID_ARGUMENT for unlike arguments or builds, and for what riffle_exchange_create refuses; of GPUs what riffle_plan_create
 *  and the transport return, RIFFLE_ERROR_UNSUPPORTED on all ranks where one has no GPU. */
RIFFLE_MPI_API riffle_status riffle_mpi_plan_create(const riffle_perm *perm, size_t elem_bytes, MPI_Comm comm,
                                                    const riffle_mpi_options *options, riffle_mpi_plan **out);

/** Moves an array, on all ranks: riffle_mpi_start, then riffle_mpi_wait. Between GPUs, what is queued on the stream from now on finds dst whole. */
RIFFLE_MPI_API riffle_status riffle_mpi_execute(riffle_mpi_plan *plan, void *dst, const void *src);

/** Begins a move, on all ranks: packs this rank's part and starts its messages. dst and src hold riffle_mpi_plan_elements elements, do not
 *  overlap, and are left alone until the move is done. Between GPUs src is read when all is done that the stream has by now. By NCCL the move is queued
 *  whole, else riffle_mpi_test and riffle_mpi_wait send what is packed by then. RIFFLE_ERROR_INVALID_ARGUMENT if a move of this plan is under way. Where it fails on one
 *  rank only, others wait for its messages: end the program then, by MPI_Abort. */
RIFFLE_MPI_API riffle_status riffle_mpi_start(riffle_mpi_plan *plan, void *dst, const void *src);

/** Lets MPI get on, and says in *done whether this rank's move is done; the call that finds all messages there unpacks them. True, too,
 *  where none is under way. Between GPUs done is what is queued on the stream to the end. */
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

/** @name Sorts
 *  Elements of all ranks are sorted by riffle/sort.h's keys: rank 0 ends with the first ones, and so on.
 *  @{ */

/** A caller's wishes; NULL, or zero in every field, gives the defaults. */
typedef struct riffle_mpi_sort_options {
    size_t value_bytes; /**< bytes per value that is carried along with an element: 4 or 8; 0: there are none */
    bool indices;       /**< indices are wanted; values and indices exclude each other */
    unsigned threads;   /**< of each rank's own sorts; 0: one. Ranks may have unlike numbers */
    size_t plain_bytes; /**< see riffle_mpi_options */
} riffle_mpi_sort_options;

/** One rank's arrays. Counts are any, and of all ranks together the sum of both is the same. Arrays are aligned as riffle_sort_arrays has them,
 *  and no two overlap. */
typedef struct riffle_mpi_sort_arrays {
    const void *
        from_keys; /**< this rank's elements: all elements are those of rank 0, then those of rank 1, and so on */
    uint64_t from_count;     /**< how many they are */
    void *keys;              /**< receives this rank's share of the sorted elements */
    uint64_t count;          /**< how many it is to have */
    const void *from_values; /**< a value for each element, where options say so */
    void *values;            /**< receives the values of the share */
    uint64_t *indices;       /**< receives where each element of the share came from: its number among all */
} riffle_mpi_sort_arrays;

/** Figures of a sort. */
typedef struct riffle_mpi_sort_report {
    uint64_t volume;   /**< bytes of elements, values and indices that went from rank to rank */
    uint64_t messages; /**< in so many messages */
    unsigned rounds;   /**< rounds in which pivots were found */
} riffle_mpi_sort_report;

/** A sort over ranks made ready for a communicator, a key and each rank's counts. Executions of one plan come one after another. */
typedef struct riffle_mpi_sort_plan riffle_mpi_sort_plan;

/** Plans sorts on all ranks of `comm`, which is duplicated: of from_count elements of this rank, whose share is `count`. The plan keeps a workspace of as much memory as a
 *  share, with its values or indices, and as this rank's elements where these are more, so that sorts of equal counts do not get it each anew.
 *
 *  `key`, its comparison if there is one, and options but for threads are alike on all ranks; `key` is copied. `options` may be NULL.
 *
 *  @return RIFFLE_ERROR_INVALID_ARGUMENT for unlike arguments or builds, and counts whose sums differ; what riffle_sort_plan_create returns of one rank's
 *  part; RIFFLE_ERROR_OUT_OF_MEMORY; RIFFLE_ERROR_IO as riffle_mpi_group has it. */
RIFFLE_MPI_API riffle_status riffle_mpi_sort_plan_create(const riffle_sort_key *key, uint64_t from_count,
                                                         uint64_t count, MPI_Comm comm,
                                                         const riffle_mpi_sort_options *options,
                                                         riffle_mpi_sort_plan **out);

/** Sorts on all ranks: each sorts its own elements, exact pivots are found (Jurkiewicz 2013, section 4.2.2), each element goes once to the rank
 *  whose share it is in, and that merges what came. The result is, byte for byte, what riffle_sort_execute makes of all elements in
 *  one memory, and so does not depend on the number of ranks. Elements are sorted where the share is to be, so that after a failure there may be anything. `report` may be
 *  NULL.
 *
 *  @return RIFFLE_ERROR_INVALID_ARGUMENT for arrays that are missing, and counts that are not the plan's; what riffle_sort_execute returns of one rank's part;
 *  RIFFLE_ERROR_IO as riffle_mpi_group has it. */
RIFFLE_MPI_API riffle_status riffle_mpi_sort_execute(riffle_mpi_sort_plan *plan,
                                                     const riffle_mpi_sort_arrays *arrays,
                                                     riffle_mpi_sort_report *report);

/** Frees a plan, on all ranks, before MPI_Finalize. */
RIFFLE_MPI_API void riffle_mpi_sort_plan_free(riffle_mpi_sort_plan *plan);

/** Sorts once: riffle_mpi_sort_plan_create for the counts of `arrays`, riffle_mpi_sort_execute, riffle_mpi_sort_plan_free, with their errors. */
RIFFLE_MPI_API riffle_status riffle_mpi_sort(const riffle_sort_key *key, const riffle_mpi_sort_arrays *arrays,
                                             MPI_Comm comm, const riffle_mpi_sort_options *options,
                                             riffle_mpi_sort_report *report);

/** @}
 *  @name Groups
 *  Rows of all ranks are brought to the ranks that own their groups, by riffle/group.h's keys.
 *  @{ */

/** A caller's wishes; NULL, or zero in every field, gives the defaults. */
typedef struct riffle_mpi_group_options {
    riffle_group_by by; /**< how keys name groups */
    unsigned threads;   /**< of each rank's own grouping; 0: one. Ranks may have unlike numbers */
    size_t plain_bytes; /**< see riffle_mpi_options */
} riffle_mpi_group_options;

/** Rows that were brought to a rank. Free them with riffle_mpi_group_free. */
typedef struct riffle_mpi_groups {
    uint64_t first_group; /**< the first of this rank's groups */
    uint64_t groups;      /**< how many it has: ceil(all / ranks), but the last ranks fewer or none */
    uint64_t *offsets; /**< where each begins in rows: groups + 1 numbers, the last one is how many rows came */
    void *rows;        /**< the rows, aligned to 64 bytes */
    size_t row_bytes;  /**< bytes of each */
    uint64_t left_out; /**< of this rank's own rows those whose key names no group */
    uint64_t volume;   /**< bytes that went from rank to rank, of all ranks together */
    uint64_t messages; /**< in so many messages */
} riffle_mpi_groups;

/** Groups rows on all ranks. Of one group the rows of rank 0 come first, in their order, then those of rank 1: what
 *  riffle_group_execute makes of all rows in one memory, cut between groups. `groups` are all groups, row_bytes, key_type and options
 *  but for threads are alike on all ranks; n, rows and keys are this rank's own. Rows of 0 bytes are counted alone, and `rows` is NULL then.
 *
 *  @return RIFFLE_ERROR_INVALID_ARGUMENT for unlike arguments or builds and missing arrays; what riffle_group_plan_create and
 *  riffle_group_execute return of one rank's part; RIFFLE_ERROR_OUT_OF_MEMORY on all ranks if what comes finds no room on one. RIFFLE_ERROR_IO where MPI itself
 *  fails: if it does on one rank only, others may wait for it; end the program then, by MPI_Abort. */
RIFFLE_MPI_API riffle_status riffle_mpi_group(uint64_t n, size_t row_bytes, const void *rows,
                                              riffle_type key_type, const void *keys, uint64_t groups,
                                              MPI_Comm comm, const riffle_mpi_group_options *options,
                                              riffle_mpi_groups *out);

/** Frees what riffle_mpi_group gave; `groups` may be NULL. */
RIFFLE_MPI_API void riffle_mpi_group_free(riffle_mpi_groups *groups);
/** @} */

/** Returns on all ranks the status of the first one that has another than RIFFLE_OK, with its words for riffle_error_detail(), else
 *  RIFFLE_OK. For a caller's own steps between calls of all ranks. */
RIFFLE_MPI_API riffle_status riffle_mpi_agree(MPI_Comm comm, riffle_status own);

/** The build of this library, a text that stays: riffle_build() of a libriffle of the same sources gives the same. Programs that load libriffle-mpi by its name
 *  compare the two, for the structs of these headers may differ between builds of one version; it needs no MPI that runs. */
RIFFLE_MPI_API const char *riffle_mpi_build(void);

/** Moves one .npy file to another: riffle/mpi_files.h has the contract. On all ranks of MPI_COMM_WORLD. */
RIFFLE_MPI_API riffle_status riffle_mpi_permute_files(const riffle_mpi_files *ask,
                                                      riffle_mpi_files_watch *watch,
                                                      riffle_mpi_files_report *report);

/** Sorts one .npy file into another: riffle/mpi_files.h has the contract. On all ranks of MPI_COMM_WORLD. */
RIFFLE_MPI_API riffle_status riffle_mpi_sort_files(const riffle_mpi_files_sort *ask,
                                                   riffle_mpi_files_watch *watch,
                                                   riffle_mpi_files_report *report);

/** Brings rows of one .npy file together into another: riffle/mpi_files.h has the contract. On all ranks of MPI_COMM_WORLD. */
RIFFLE_MPI_API riffle_status riffle_mpi_group_files(const riffle_mpi_files_group *ask,
                                                    riffle_mpi_files_watch *watch,
                                                    riffle_mpi_files_report *report);

/** Has other ranks' calls of the three above fail: riffle/mpi_files.h has the contract. On the ranks of MPI_COMM_WORLD that make none of them. */
RIFFLE_MPI_API riffle_status riffle_mpi_refuse_files(const char *words, riffle_mpi_files_report *report);

#ifdef __cplusplus
}
#endif
#endif
