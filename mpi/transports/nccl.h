/* SPDX-License-Identifier: Apache-2.0
 *
 * NCCL's functions that moves use, found in libnccl.so.2 when they are wanted: nothing is built against NCCL.
 */
#ifndef RIFFLE_MPI_TRANSPORTS_NCCL_H
#define RIFFLE_MPI_TRANSPORTS_NCCL_H

#include "words.h"

/* As nccl.h has them, since NCCL 2.7. */
enum { NCCL_SUCCESS = 0, NCCL_BYTES = 1 /* ncclUint8 */, NCCL_ID_BYTES = 128 };
typedef struct nccl_id {
    char bytes[NCCL_ID_BYTES];
} nccl_id;
struct ncclComm;
struct CUstream_st;

typedef struct nccl_library {
    int (*get_id)(nccl_id *out);
    int (*create)(struct ncclComm **out, int ranks, nccl_id id, int rank);
    int (*destroy)(struct ncclComm *comm);
    int (*begin)(void);
    int (*end)(void);
    int (*send)(const void *from, size_t count, int type, int rank, struct ncclComm *comm,
                struct CUstream_st *stream);
    int (*receive)(void *to, size_t count, int type, int rank, struct ncclComm *comm,
                   struct CUstream_st *stream);
    const char *(*words)(int code);
} nccl_library;

/** RIFFLE_ERROR_UNSUPPORTED where there is no NCCL, or an old one. It is never unloaded. */
riffle_status nccl_find(nccl_library *out);

/** RIFFLE_OK for success, else RIFFLE_ERROR_DEVICE with NCCL's words. */
riffle_status nccl_result(const nccl_library *nccl, int code, const char *what);

#endif
