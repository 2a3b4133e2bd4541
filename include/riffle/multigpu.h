/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  An array in the memories of several GPUs of one host, moved along an affine permutation by one process: kernels read their GPU's own
 *  memory and store to the others'. GPU number p of P = 2^k has elements p n / P and the next n / P - 1, before and afterwards.
 *
 *      src of GPU 0 --kernel--> dst of GPU 0, dst of GPU 1, ...
 *      src of GPU 1 --kernel--> dst of GPU 0, dst of GPU 1, ...
 *
 *  Elements that change their GPU cross a link once, no other does, and between peers nothing passes the host: no exchange has less volume
 *  (riffle/exchange.h). One pass does it where neighbours in dst come from one GPU, for 64 bytes at least: then no array is written but dst.
 *  Else, and in place, elements are first sent in long runs into a workspace of as many bytes as a part, and each GPU moves what it got by itself: a long
 *  array in chunks, of which one is moved while the next are on the links. GPUs that have no access to each other's memory pack messages in a
 *  second workspace, and CUDA copies them, by way of the host where it has to.
 *
 *  @code{.c}
 *  const unsigned devices[] = {0, 1};
 *  riffle_multigpu_plan_create(perm, sizeof(float), 2, devices, NULL, &plan);
 *  riffle_multigpu_execute(plan, dst, src, NULL, 0, streams);  // dst[p], src[p] and streams[p] are of devices[p]
 *  @endcode
 *
 *  docs/beyond.md has the algebra. libriffle-cuda does it, as everything of riffle/cuda.h; without it, or without a GPU, planning returns
 *  RIFFLE_ERROR_UNSUPPORTED. */
#ifndef RIFFLE_MULTIGPU_H
#define RIFFLE_MULTIGPU_H

#include "riffle/exchange.h"

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st; /* CUDA's cudaStream_t is a pointer to it */

/** Most GPUs. */
#define RIFFLE_MULTIGPU_MAX 16u

/** How elements come into another GPU's memory. */
typedef enum riffle_multigpu_transport {
    /** PEERS where all GPUs have access to the memory of those that they send to, else COPIES. Costs and explanations, which ask no GPU, take it for PEERS. */
    RIFFLE_MULTIGPU_TRANSPORT_AUTO = 0,
    /** Kernels store into it (NVLink, PCIe). */
    RIFFLE_MULTIGPU_TRANSPORT_PEERS,
    /** Kernels pack messages in their GPU's own memory, and cudaMemcpyPeerAsync copies them, through the host where there is no access. */
    RIFFLE_MULTIGPU_TRANSPORT_COPIES,
} riffle_multigpu_transport;

/** A caller's wishes; NULL, or zero in every field, gives the defaults. */
typedef struct riffle_multigpu_options {
    bool in_place;          /**< dst is src, part for part */
    bool callers_workspace; /**< the plan allocates no workspaces, and each execution brings them */
    riffle_multigpu_transport transport; /**< PEERS opens access, and COPIES none that there is not */
} riffle_multigpu_options;

/** How an array will be moved, and what goes over links. */
typedef struct riffle_multigpu_cost {
    unsigned
        passes; /**< 1: all is stored where it belongs; 2: sent into a workspace, and moved on each GPU; 0: there is no element */
    unsigned
        chunks; /**< 1, or of two passes, on an H200, how many chunks: each is moved while the next ones cross links */
    uint64_t part;                       /**< elements of each GPU */
    size_t run_bytes;                    /**< that a GPU can store side by side into another's memory */
    size_t workspace_bytes;              /**< on each GPU; the plan has it, or each execution brings it */
    riffle_multigpu_transport transport; /**< COPIES or PEERS, which it also is where nothing changes its GPU */
    riffle_exchange_cost exchange;       /**< elements and messages between GPUs, exact */
} riffle_multigpu_cost;

/** Says how `gpus` GPUs would move elements of elem_bytes, without any. `options` may be NULL.
 *
 *  RIFFLE_ERROR_UNSUPPORTED for permutations that are not affine over n = 2^m elements, elements that are no power of two of bytes long, more than
 *  2^40 units of 16 bytes (or of shorter elements), and a number of GPUs that is no power of two; RIFFLE_ERROR_INVALID_ARGUMENT for none,
 *  for more than RIFFLE_MULTIGPU_MAX, and for more than elements, and for a transport that is none; RIFFLE_ERROR_OUT_OF_MEMORY. */
RIFFLE_API riffle_status riffle_multigpu_cost_of(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                                 const riffle_multigpu_options *options,
                                                 riffle_multigpu_cost *out);

/** Prints passes, runs, volume and messages, the workspaces that AUTO takes where there is no access, and the time that links need by which each GPU sends so many bytes a second and gets as many
 *  meanwhile; 0: not known, and no time is said. Errors as riffle_multigpu_cost_of; RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_multigpu_explain(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                                 const riffle_multigpu_options *options,
                                                 double bytes_per_second, FILE *stream);

/** A move between the memories of GPUs, planned. */
typedef struct riffle_multigpu_plan riffle_multigpu_plan;

/** Plans it for these GPUs, as cudaGetDevice counts them; one may be named several times, for several parts of its memory. Kernels are made
 *  ready, GPUs that send to others get access to their memory, which stays so (cudaDeviceEnablePeerAccess), and workspaces and events are made. GPU 0's
 *  limits shape the tiles: GPUs are meant to be alike. The current device is the same afterwards.
 *
 *  RIFFLE_ERROR_UNSUPPORTED for PEERS between GPUs that cannot access each other's memory, with what to do; RIFFLE_ERROR_INVALID_ARGUMENT for numbers
 *  that no GPU has, and while a stream that waits for the default stream is being captured; RIFFLE_ERROR_OUT_OF_MEMORY;
 *  RIFFLE_ERROR_DEVICE; else as riffle_multigpu_cost_of. */
RIFFLE_API riffle_status riffle_multigpu_plan_create(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                                     const unsigned *devices,
                                                     const riffle_multigpu_options *options,
                                                     riffle_multigpu_plan **out);

/** Bytes of a workspace, one on each GPU; 0 for moves in one pass. COPIES take a second part, for what is packed. */
RIFFLE_API size_t riffle_multigpu_plan_workspace_bytes(const riffle_multigpu_plan *plan);

/** How the plan moves elements between GPUs, as riffle_multigpu_cost has it: with it in the options the costs are the plan's. NULL: AUTO. */
RIFFLE_API riffle_multigpu_transport riffle_multigpu_plan_transport(const riffle_multigpu_plan *plan);

/** Queues dst[P(i)] = src[i] and returns; the host waits for nothing. dst[p] and src[p] are parts in the memory of the plan's GPU p, by
 *  cudaMalloc or another way that lets its peers in, aligned to 16 bytes; in place dst[p] is src[p]. streams[p] is a stream of that GPU; NULL,
 *  for one or for all, is its default stream.
 *
 *  No GPU reads src[p] or writes dst[p] before all is done that streams[p] has by now, and its work from now on begins when dst[p] is whole
 *  and src[p] has been read. Streams of one capture may be captured into a CUDA graph (COPIES: with workspaces of cudaMalloc). Executions of one plan are called one after the
 *  other, and on the same streams, or on some that wait for those, if the plan has two passes.
 *
 *  workspaces[p] is memory of the same kind of at least riffle_multigpu_plan_workspace_bytes, aligned to 256, apart from all parts and workspaces. NULL
 *  is the plan's own, which a plan with options.callers_workspace lacks; workspace_bytes, those of each, are not looked at then.
 *
 *  RIFFLE_ERROR_INVALID_ARGUMENT for NULL, overlap, misalignment, a workspace that is too small or missing, or memory of another GPU; RIFFLE_ERROR_DEVICE if a launch is refused: dst
 *  holds anything then. */
RIFFLE_API riffle_status riffle_multigpu_execute(const riffle_multigpu_plan *plan, void *const *dst,
                                                 const void *const *src, void *const *workspaces,
                                                 size_t workspace_bytes, struct CUstream_st *const *streams);

/** Frees the plan when all of its executions are done. Access between GPUs stays. */
RIFFLE_API void riffle_multigpu_plan_free(riffle_multigpu_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
