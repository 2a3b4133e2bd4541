/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan of one rank: its part of the exchange, a riffle plan for each local step, and room for what is packed and for what comes, all where its
 * arrays lie. A step that moves nothing has neither: messages then leave src, or land in dst, themselves.
 */
#ifndef RIFFLE_MPI_PLAN_H
#define RIFFLE_MPI_PLAN_H

#include "communicator.h"
#include "messages.h"
#include "place.h"
#include "riffle/cuda.h"
#include "transport.h"

enum { REFUSAL = 256 };

/* Of a plan between GPUs. */
typedef struct gpu_state {
    const riffle_cuda_memory *memory;
    struct CUstream_st *stream;
    struct CUevent_st *ready;
    bool is_queued; /* messages wait for the event */
    char *to;       /* then */
    const char *from;
} gpu_state;

struct riffle_mpi_plan {
    communicator all; /* the plan's own */
    const place *place;
    gpu_state gpu;
    const transport *by; /* NULL: none is open */
    void *way;           /* the transport's own */
    char refusals[RIFFLE_MPI_TRANSPORT_STAGED + 1]
                 [REFUSAL]; /* of transports that were not taken, in the order of trying */
    size_t elem_bytes;
    riffle_exchange *exchange;
    uint64_t src_count, dst_count;
    riffle_plan *pack, *unpack; /* NULL: nothing moves */
    void *packed, *got;         /* NULL then */
    message_list sends, receives;
    MPI_Request *requests; /* of the receives, then of the sends */
    uint64_t volume, messages, sent;
    bool is_under_way;
    void *dst; /* then */
};

/** The places that a rank's elements have in the others' parts go there, and complete the exchange. On all ranks. */
riffle_status plan_tell_places(riffle_mpi_plan *plan, size_t plain_bytes);

#endif
