/* SPDX-License-Identifier: Apache-2.0
 *
 * NCCL: all messages of a move are one group on its stream, and the host waits for nothing. A communicator has one rank a GPU.
 */
#include <stdlib.h>
#include <string.h>

#include "later.h"
#include "nccl.h"

enum { UUID = 16 };

typedef struct nccl_way {
    nccl_library nccl;
    struct ncclComm *comm;
} nccl_way;

static riffle_status find(riffle_mpi_plan *plan) {
    nccl_way *const way = plan->way = calloc(1, sizeof *way);
    if (way == NULL) return mpi_fail_memory("a transport", sizeof *way);
    return nccl_find(&way->nccl);
}

static riffle_status fail_shared(const unsigned char *all, int ranks) {
    for (int p = 0; p < ranks; p++)
        for (int q = p + 1; q < ranks; q++)
            if (memcmp(all + (size_t)p * UUID, all + (size_t)q * UUID, UUID) == 0)
                return mpi_fail(RIFFLE_ERROR_UNSUPPORTED,
                                "ranks %d and %d have one GPU, and NCCL takes one rank a GPU; start as many "
                                "ranks as GPUs, each with its own, or take another transport",
                                p, q);
    return RIFFLE_OK;
}

/* On all ranks; they see the same. */
static riffle_status check_own_gpus(const riffle_mpi_plan *plan) {
    unsigned char own[UUID] = {0};
    unsigned char *const all = malloc((size_t)plan->all.ranks * UUID);
    riffle_status status = all == NULL ? mpi_fail_memory("the names of GPUs", (size_t)plan->all.ranks * UUID)
                                       : plan->gpu.memory->identify(own);
    status = riffle_mpi_agree(plan->all.comm, status);
    if (status == RIFFLE_OK)
        status = mpi_result(MPI_Allgather(own, UUID, MPI_BYTE, all, UUID, MPI_BYTE, plan->all.comm),
                            "MPI_Allgather");
    if (status == RIFFLE_OK) status = fail_shared(all, plan->all.ranks);
    free(all);
    return status;
}

/* On all ranks: rank 0's id makes them a communicator of NCCL's. */
static riffle_status join(const riffle_mpi_plan *plan, nccl_way *way) {
    nccl_id id = {{0}};
    riffle_status status = RIFFLE_OK;
    if (plan->all.rank == 0) status = nccl_result(&way->nccl, way->nccl.get_id(&id), "ncclGetUniqueId");
    status = riffle_mpi_agree(plan->all.comm, status);
    if (status == RIFFLE_OK)
        status = mpi_result(MPI_Bcast(&id, (int)sizeof id, MPI_BYTE, 0, plan->all.comm), "MPI_Bcast");
    if (status != RIFFLE_OK) return status;
    const int code = way->nccl.create(&way->comm, plan->all.ranks, id, plan->all.rank);
    return riffle_mpi_agree(plan->all.comm, nccl_result(&way->nccl, code, "ncclCommInitRank"));
}

static riffle_status open_nccl(riffle_mpi_plan *plan) {
    riffle_status status = riffle_mpi_agree(plan->all.comm, find(plan));
    if (status == RIFFLE_OK) status = check_own_gpus(plan);
    if (status == RIFFLE_OK) status = join(plan, plan->way);
    return status;
}

static void close_nccl(riffle_mpi_plan *plan) {
    nccl_way *const way = plan->way;
    if (way != NULL && way->comm != NULL) way->nccl.destroy(way->comm);
    free(way);
    plan->way = NULL;
}

static riffle_status queue(const riffle_mpi_plan *plan, const nccl_way *way, char *got, const char *packed) {
    const message_list *const to = &plan->sends, *const from = &plan->receives;
    int code = NCCL_SUCCESS;
    for (size_t k = 0; k < from->count && code == NCCL_SUCCESS; k++)
        code = way->nccl.receive(got + from->of[k].first, from->of[k].bytes, NCCL_BYTES, from->of[k].rank,
                                 way->comm, plan->gpu.stream);
    if (code != NCCL_SUCCESS) return nccl_result(&way->nccl, code, "ncclRecv");
    for (size_t k = 0; k < to->count && code == NCCL_SUCCESS; k++)
        code = way->nccl.send(packed + to->of[k].first, to->of[k].bytes, NCCL_BYTES, to->of[k].rank, way->comm,
                              plan->gpu.stream);
    return nccl_result(&way->nccl, code, "ncclSend");
}

static riffle_status send(riffle_mpi_plan *plan, char *got, const char *packed) {
    const nccl_way *const way = plan->way;
    riffle_status status = nccl_result(&way->nccl, way->nccl.begin(), "ncclGroupStart");
    if (status != RIFFLE_OK) return status;
    status = queue(plan, way, got, packed);
    const int code = way->nccl.end(); /* a group that has begun is ended */
    return status == RIFFLE_OK ? nccl_result(&way->nccl, code, "ncclGroupEnd") : status;
}

static riffle_status test(riffle_mpi_plan *plan, bool *done) {
    (void)plan;
    *done = true;
    return RIFFLE_OK;
}

static riffle_status wait_for(riffle_mpi_plan *plan) {
    (void)plan;
    return RIFFLE_OK;
}

static riffle_status offer(const riffle_mpi_plan *plan) {
    nccl_library nccl;
    (void)plan;
    return nccl_find(&nccl);
}

const transport transport_nccl = {.name = "NCCL",
                                  .words = "from the memory of GPUs, queued on the stream",
                                  .offer = offer,
                                  .open = open_nccl,
                                  .close = close_nccl,
                                  .send = send,
                                  .test = test,
                                  .wait = wait_for};
