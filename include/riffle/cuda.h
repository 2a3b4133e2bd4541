/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  riffle on an NVIDIA GPU. A plan for RIFFLE_ENGINE_CUDA belongs to the device that was current when it was
 *  created.
 *
 *  The library loads and works without a GPU, a driver or a build with CUDA: then the functions here, and
 *  riffle_plan_create for that engine, return RIFFLE_ERROR_UNSUPPORTED and say what is missing.
 *
 *  riffle_execute(plan, dst, src) with such a plan takes host memory and carries it to the device and back, by
 *  way of two arrays that it allocates there and frees.
 *
 *  Planning, and executions between arrays in host memory, allocate and wait, and cannot be part of a CUDA graph. They are refused
 *  with RIFFLE_ERROR_INVALID_ARGUMENT while the stream that they are given, or one that waits for the default stream, is being
 *  captured; the capture goes on. They leave other captures alone, whatever their mode; so does freeing a plan.
 *
 *  Executions on a stream are alike. They take the plan, its arrays in memory of the plan's device, a workspace, its bytes and a
 *  stream (NULL: the default stream), queue the work and return. They allocate nothing, wait for nothing, and may be captured into a CUDA
 *  graph. Errors of the work itself show, as CUDA's do, when the stream is synchronized.
 *
 *  A workspace is device memory of at least as many bytes as riffle_plan_workspace_bytes, riffle_sort_plan_workspace_bytes and their
 *  like say, aligned to 256, apart from all arrays. NULL is the plan's own, which a plan with options.callers_workspace lacks; its bytes
 *  are not looked at then. A workspace serves one execution at a time: executions of one plan may run at the same time if each
 *  brings its own, or if the plan needs none, and are ordered on a stream or by events else.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for a plan of another engine or device, NULL, overlap, misalignment, a workspace that is too small or
 *  missing; RIFFLE_ERROR_DEVICE if a launch is refused. */
#ifndef RIFFLE_CUDA_H
#define RIFFLE_CUDA_H

#include "riffle/indices.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A stream: CUDA's cudaStream_t is a pointer to it. */
struct CUstream_st;
struct riffle_group_arrays; /* riffle/group.h */
struct riffle_ungroup_arrays;
struct riffle_ungroup_task;
struct riffle_group_plan;
struct riffle_hull_arrays; /* riffle/hull.h */
struct riffle_hull_plan;
struct riffle_program_plan; /* riffle/program.h */
struct riffle_sort_arrays;  /* riffle/sort.h */
struct riffle_sort_plan;

/** A GPU. */
typedef struct riffle_cuda_device {
    char name[256];           /**< "NVIDIA H200" */
    int index;                /**< among the devices that the process sees, as cudaGetDevice counts */
    unsigned compute_major;   /**< the compute capability: 9 of 9.0 */
    unsigned compute_minor;   /**< and 0 of it */
    unsigned multiprocessors; /**< how many there are */
    unsigned driver;          /**< the version of CUDA that the driver knows: 13000 is 13.0 */
    unsigned runtime;         /**< and the one that riffle was built with */
    unsigned block_threads;   /**< most threads of a block */
    size_t shared_bytes;      /**< most shared memory that a block may ask for */
    size_t l2_bytes;          /**< the second-level cache */
    size_t memory_bytes;      /**< the device's memory */
} riffle_cuda_device;

/** Describes the current device. RIFFLE_ERROR_UNSUPPORTED without one. */
RIFFLE_API riffle_status riffle_cuda_describe(riffle_cuda_device *out);

/** A GPU by its name, there or not: "a100" (80 GB), "h100" (SXM) or "h200", in any case, and the bytes that its memory carries in a second at
 *  best, by its data sheet; NULL: not wanted. RIFFLE_ERROR_INVALID_ARGUMENT for another name, with the names there are. */
RIFFLE_API riffle_status riffle_cuda_device_named(const char *name, riffle_cuda_device *out,
                                                  uint64_t *bytes_per_second);

struct CUevent_st; /* CUDA's cudaEvent_t is a pointer to it */

/** Bytes of a handle by which another process of the host opens memory. */
#define RIFFLE_CUDA_HANDLE_BYTES 64

/** For transports between memories (libriffle-mpi is one): memory, copies and events of the current GPU. `what` is named in messages. No
 *  function disturbs a capture of another stream into a graph. */
typedef struct riffle_cuda_memory {
    /** The GPU's UUID, 16 bytes that no other GPU has. */
    riffle_status (*identify)(unsigned char *uuid);
    /** RIFFLE_ERROR_INVALID_ARGUMENT where `at` is not in the GPU's memory. */
    riffle_status (*check)(const char *what, const void *at);
    /** Memory of the GPU, aligned to 256 bytes; *out is NULL for 0 bytes. */
    riffle_status (*allocate)(const char *what, size_t bytes, void **out);
    void (*release)(void *at); /**< gives it back; NULL is allowed */
    /** Memory of the host that is pinned, so that copies need not wait for each other; *out is NULL for 0 bytes. */
    riffle_status (*allocate_pinned)(const char *what, size_t bytes, void **out);
    void (*release_pinned)(void *at); /**< gives it back; NULL is allowed */
    /** Gives a handle of what allocate gave, and opens one of another process, which keeps the memory until it is closed. */
    riffle_status (*share)(void *at, unsigned char *handle);
    riffle_status (*open)(const unsigned char *handle,
                          void **out); /**< RIFFLE_ERROR_DEVICE where the GPUs are no peers */
    void (*close)(void *at);           /**< closes what open gave */
    /** Queues a copy between any memories; 0 bytes queue nothing. */
    riffle_status (*copy)(void *to, const void *from, size_t bytes, struct CUstream_st *stream);
    riffle_status (*create_event)(struct CUevent_st **out); /**< an event that takes no time */
    void (*destroy_event)(struct CUevent_st *event);        /**< NULL is allowed */
    /** The event is when all that the stream has by now is done. */
    riffle_status (*record)(struct CUevent_st *event, struct CUstream_st *stream);
    riffle_status (*query)(struct CUevent_st *event, bool *done); /**< says whether that is so */
    riffle_status (*wait)(struct CUevent_st *event);              /**< has the host wait until it is */
} riffle_cuda_memory;

/** The functions of libriffle-cuda's, as long as it is loaded. RIFFLE_ERROR_UNSUPPORTED without it, or without a GPU. */
RIFFLE_API riffle_status riffle_cuda_memory_find(const riffle_cuda_memory **out);

/** Moves dst[P(i)] = src[i]. dst and src are as large and as far apart as riffle_execute wants them, or the same array where the
 *  plan is in place. They are aligned to the largest power of two that divides an element's bytes, 16 at most; views into larger
 *  arrays are. BUCKET and AFFINE are fastest where both begin on 16 bytes (cudaMalloc gives 256); docs/affine.md and
 *  docs/arbitrary.md say what other addresses cost. */
RIFFLE_API riffle_status riffle_cuda_execute(const riffle_plan *plan, void *dst, const void *src,
                                             void *workspace, size_t workspace_bytes,
                                             struct CUstream_st *stream);

/** Waits for `stream` and says what the check of the plan's last execution with this workspace (NULL: the plan's own) found:
 *  RIFFLE_ERROR_DAMAGED if dst is not what it should be. RIFFLE_ERROR_INVALID_ARGUMENT for a plan without a check (options.check). To be
 *  called behind riffle_cuda_execute, on its stream. */
RIFFLE_API riffle_status riffle_cuda_check(const riffle_plan *plan, const void *workspace,
                                           struct CUstream_st *stream);

/** riffle_copy_strided between views in the current device's memory, queued on `stream` (NULL: the default stream).
 *  Plans in microseconds, allocates nothing, waits for nothing, and may be captured into a CUDA graph.
 *
 *  dst and src must be aligned to the largest power of two that divides elem_bytes, 16 at most; strides keep that.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT if they are not; RIFFLE_ERROR_UNSUPPORTED without a GPU; RIFFLE_ERROR_DEVICE if the
 *  launch is refused; else as riffle_copy_strided. */
RIFFLE_API riffle_status riffle_cuda_copy_strided(unsigned rank, const uint64_t *shape, size_t elem_bytes,
                                                  void *dst, const int64_t *dst_strides, const void *src,
                                                  const int64_t *src_strides, struct CUstream_st *stream);

/** Most bytes of the device's memory that a plan for a table on the device takes, whatever the table. */
typedef struct riffle_cuda_needs {
    size_t plan_bytes;     /**< kept until riffle_plan_free */
    size_t planning_bytes; /**< in addition, while it is planned */
    /** Allocated with the plan; with options.callers_workspace, the caller brings it. */
    size_t workspace_bytes;
} riffle_cuda_needs;

/** Says what riffle_cuda_plan_table or riffle_cuda_plan_indices will need on the current device for n elements of
 *  elem_bytes. Allocates nothing. `options` may be NULL.
 *
 *  RIFFLE_ERROR_UNSUPPORTED without a GPU, if the algorithm cannot move such elements or so many, and for all
 *  algorithms but AUTO, SCATTER, GATHER and BUCKET: others are planned on the host, from a copy of the table,
 *  and know what they need only then. */
RIFFLE_API riffle_status riffle_cuda_plan_needs(uint64_t n, size_t elem_bytes,
                                                const riffle_plan_options *options, riffle_cuda_needs *out);

/** Plans moving arrays along P(i) = table[i], where `table` is device memory of n unsigned entries of
 *  entry_bytes (4 or 8). Earlier work on `stream` (NULL: the default stream) may still be writing it. It is
 *  read, not kept. `options` may be NULL. Returns when the plan is ready.
 *
 *  All is done on the GPU: the check that it is a permutation (RIFFLE_ERROR_NOT_A_PERMUTATION names two
 *  clashing indices or the one out of range), the recognition of rotations, reflections and affine
 *  permutations, and the schedule.
 *
 *  RIFFLE_ERROR_OUT_OF_MEMORY, with what is needed and what is free, comes before anything is allocated or
 *  launched. Where memory is short for bucket passes but not for a gather, AUTO gathers.
 *  RIFFLE_ERROR_INVALID_ARGUMENT for entries of another size, and for a table that is NULL or not aligned to
 *  its entries; else as riffle_cuda_plan_needs. */
RIFFLE_API riffle_status riffle_cuda_plan_table(uint64_t n, const void *table, size_t entry_bytes,
                                                size_t elem_bytes, const riffle_plan_options *options,
                                                struct CUstream_st *stream, riffle_plan **out);

/** The same for a table that says where elements come from: dst[i] = src[indices[i]], which is x[indices] in
 *  PyTorch and CuPy. So it takes the result of an argument sort. Indices of type int64 have entry_bytes 8. */
RIFFLE_API riffle_status riffle_cuda_plan_indices(uint64_t n, const void *indices, size_t entry_bytes,
                                                  size_t elem_bytes, const riffle_plan_options *options,
                                                  struct CUstream_st *stream, riffle_plan **out);

/** @name Indices used once
 *  A take, a put and a shuffle from indices that are on the device, or from none, with nothing planned. Long ways
 *  sort the indices as they go and move each element two or three times, streamed (docs/once.md). Short arrays and rows
 *  of other lengths than 1, 2, 4, 8 and 16 bytes are moved one by one. The result is the same.
 *
 *  They are queued as executions are, on the current device, but there is no plan whose workspace NULL could be: each call brings one of as
 *  many bytes as its riffle_cuda_..._workspace_bytes says. dst and src may lie at any address that is a multiple of the largest power
 *  of two that divides row_bytes, 16 at most. They are fastest on 16 bytes.
 *
 *  Indices are looked at while rows are moved: riffle_cuda_indices_check says afterwards whether they were right. Where
 *  they were not, dst holds anything, and nothing outside dst was written.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for NULL, overlap, misalignment, entries of another size, and a workspace that is too
 *  small; RIFFLE_ERROR_UNSUPPORTED without a GPU, or for more than 2^31 blocks; RIFFLE_ERROR_DEVICE if a launch is
 *  refused.
 *  @{ */

/** riffle_take on the current device: row i of dst, of m, becomes row entries[i] of src, of n. */
RIFFLE_API riffle_status riffle_cuda_take(const riffle_indices *indices, size_t row_bytes, void *dst,
                                          const void *src, void *workspace, size_t workspace_bytes,
                                          struct CUstream_st *stream);

/** The workspace of riffle_cuda_take with such indices (entries may be NULL): at most
 *  m (6 + 2.4 row_bytes) bytes and 4 MiB; from as many rows some m (6 + 1.2 row_bytes). */
RIFFLE_API riffle_status riffle_cuda_take_workspace_bytes(const riffle_indices *indices, size_t row_bytes,
                                                          size_t *out);

/** riffle_take between arrays in host memory, on the current device: rows and indices are carried to it, and the rows
 *  taken back, by way of memory that is allocated there and freed. Waits, and so cannot be captured into a graph.
 *
 *  As riffle_take, dst is written only if all indices are below n. RIFFLE_ERROR_OUT_OF_MEMORY where the device has not room
 *  for all: n + m rows, the indices and riffle_cuda_take_workspace_bytes. */
RIFFLE_API riffle_status riffle_cuda_take_host(const riffle_indices *indices, size_t row_bytes, void *dst,
                                               const void *src);

/** riffle_put on the current device: row entries[i] of dst, of n, becomes row i of src, of m. */
RIFFLE_API riffle_status riffle_cuda_put(const riffle_indices *indices, size_t row_bytes, void *dst,
                                         const void *src, void *workspace, size_t workspace_bytes,
                                         struct CUstream_st *stream);

/** The workspace of riffle_cuda_put with such indices. */
RIFFLE_API riffle_status riffle_cuda_put_workspace_bytes(const riffle_indices *indices, size_t row_bytes,
                                                         size_t *out);

/** Waits for `stream`, and says whether the indices of the last take or put with this workspace were right:
 *  RIFFLE_ERROR_INVALID_ARGUMENT names the first that is not below n, RIFFLE_ERROR_NOT_A_PERMUTATION a row that two
 *  indices of a put name. Indices and workspace must still be there. */
RIFFLE_API riffle_status riffle_cuda_indices_check(const riffle_indices *indices, const void *workspace,
                                                   struct CUstream_st *stream);

/** Moves n rows along riffle_perm_random(n, seed), dst[P(i)] = src[i], with no table of it: n below 2^32. */
RIFFLE_API riffle_status riffle_cuda_shuffle(uint64_t n, uint64_t seed, size_t row_bytes, void *dst,
                                             const void *src, void *workspace, size_t workspace_bytes,
                                             struct CUstream_st *stream);

/** The workspace of riffle_cuda_shuffle. */
RIFFLE_API riffle_status riffle_cuda_shuffle_workspace_bytes(uint64_t n, size_t row_bytes, size_t *out);

/** @} */

/** riffle_program_execute (riffle/program.h): what the program makes of src goes to dst, all arrays of the plan's batch, one behind the
 *  other. Where riffle_program_plan_in_place says so, dst may be src.
 *
 *  dst and src are aligned to 16 bytes, or to an element where arrays are shorter. A plan with users' operations has a kernel
 *  of its own, so it is freed when all of its executions are done, those of graphs too. */
RIFFLE_API riffle_status riffle_cuda_program_execute(const struct riffle_program_plan *plan, void *dst,
                                                     const void *src, void *workspace, size_t workspace_bytes,
                                                     struct CUstream_st *stream);

/** riffle_group_execute (riffle/group.h). Offsets, counts, places and left_out are in the GPU's memory too. */
RIFFLE_API riffle_status riffle_cuda_group_execute(const struct riffle_group_plan *plan,
                                                   const struct riffle_group_arrays *arrays, void *workspace,
                                                   size_t workspace_bytes, struct CUstream_st *stream);

/** Waits for `stream` and says what the check of the plan's last execution with this workspace (NULL: the plan's own) found:
 *  RIFFLE_ERROR_DAMAGED if the result is not what it should be. RIFFLE_ERROR_INVALID_ARGUMENT for a plan without a check. To be called
 *  behind riffle_cuda_group_execute, on its stream. */
RIFFLE_API riffle_status riffle_cuda_group_check(const struct riffle_group_plan *plan, const void *workspace,
                                                 struct CUstream_st *stream);

/** riffle_ungroup (riffle/group.h) on the current GPU, between arrays in its memory: queued on the stream, allocates nothing, waits for
 *  nothing and may be captured once such a task has been done. A place that is no row's counts as RIFFLE_GROUP_NOWHERE.
 *  RIFFLE_ERROR_UNSUPPORTED without a GPU. */
RIFFLE_API riffle_status riffle_cuda_ungroup(const struct riffle_ungroup_task *task,
                                             const struct riffle_ungroup_arrays *arrays,
                                             struct CUstream_st *stream);

/** riffle_hull_execute (riffle/hull.h).
 *
 *  Where a coordinate is NaN or infinite, or a set does not begin and end among the points, all lengths become 0, hulls
 *  anything, and riffle_cuda_hull_check says why. */
RIFFLE_API riffle_status riffle_cuda_hull_execute(const struct riffle_hull_plan *plan,
                                                  const struct riffle_hull_arrays *arrays, void *workspace,
                                                  size_t workspace_bytes, struct CUstream_st *stream);

/** Waits for `stream` and says whether the plan's last execution with this workspace (NULL: the plan's own) found what it
 *  needs: RIFFLE_ERROR_INVALID_ARGUMENT names the first point that is not finite, or a set that is none. To be called behind
 *  riffle_cuda_hull_execute, on its stream. */
RIFFLE_API riffle_status riffle_cuda_hull_check(const struct riffle_hull_plan *plan, const void *workspace,
                                                struct CUstream_st *stream);

/** riffle_sort_execute (riffle/sort.h).
 *
 *  Plans of this engine do all tasks with up to 2^32 - 1 elements, by fields or by a comparison of the user's. Where `first` descends or goes beyond n, nothing
 *  is sorted and no segment has a result. They merge (RIFFLE_SORT_TASK_MERGE) up to 2^31 - 2^16
 *  unsigned numbers of 4, 8 or 16 bytes, ascending, alone or with indices of 4 bytes; keys are wanted then, and not in the
 *  place of from_keys: else it is RIFFLE_ERROR_UNSUPPORTED. */
RIFFLE_API riffle_status riffle_cuda_sort_execute(const struct riffle_sort_plan *plan,
                                                  const struct riffle_sort_arrays *arrays, void *workspace,
                                                  size_t workspace_bytes, struct CUstream_st *stream);

/** Waits for `stream` and says what the check of the plan's last execution with this workspace (NULL: the plan's own) found:
 *  RIFFLE_ERROR_DAMAGED if the result is not what it should be. RIFFLE_ERROR_INVALID_ARGUMENT for a plan without a check
 *  (options.check). To be called behind riffle_cuda_sort_execute, on its stream. */
RIFFLE_API riffle_status riffle_cuda_sort_check(const struct riffle_sort_plan *plan, const void *workspace,
                                                struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif
#endif
