/* SPDX-License-Identifier: Apache-2.0
 *
 * A libnccl.so.2 for GPUs that are not there (stand_in.h): a group is one piece of work on the stream, and MPI carries it.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "stand_in.h"

enum { MOST = 64 };

typedef struct nccl_id {
    char bytes[128];
} nccl_id;

typedef struct group {
    int count;
    struct {
        void *at;
        size_t bytes;
        int rank, is_sent;
    } of[MOST];
    MPI_Comm comm;
} group;

static group open_group;

int ncclGetUniqueId(nccl_id *out) {
    memset(out, 7, sizeof *out);
    return 0;
}

int ncclCommInitRank(MPI_Comm **out, int ranks, nccl_id id, int rank) {
    int own;
    (void)ranks;
    *out = malloc(sizeof **out);
    MPI_Comm_dup(MPI_COMM_WORLD, *out);
    MPI_Comm_rank(**out, &own);
    return own == rank && id.bytes[127] == 7 ? 0 : 4;
}

int ncclCommDestroy(MPI_Comm *comm) {
    MPI_Comm_free(comm);
    free(comm);
    return 0;
}

int ncclGroupStart(void) {
    open_group.count = 0;
    return 0;
}

static int add(void *at, size_t bytes, int rank, int is_sent, MPI_Comm comm) {
    if (open_group.count == MOST) return 3;
    open_group.of[open_group.count].at = at;
    open_group.of[open_group.count].bytes = bytes;
    open_group.of[open_group.count].rank = rank;
    open_group.of[open_group.count++].is_sent = is_sent;
    open_group.comm = comm;
    return 0;
}

int ncclSend(const void *from, size_t bytes, int type, int rank, MPI_Comm *comm, void *stream) {
    (void)stream;
    return type == 1 ? add(stand_in_reach(from), bytes, rank, 1, *comm) : 4;
}

int ncclRecv(void *to, size_t bytes, int type, int rank, MPI_Comm *comm, void *stream) {
    (void)stream;
    return type == 1 ? add(stand_in_reach(to), bytes, rank, 0, *comm) : 4;
}

static void carry(void *argument) {
    group g;
    MPI_Request requests[MOST];
    memcpy(&g, argument, sizeof g);
    for (int k = 0; k < g.count; k++) {
        if (g.of[k].is_sent)
            MPI_Isend(g.of[k].at, (int)g.of[k].bytes, MPI_BYTE, g.of[k].rank, 1, g.comm, &requests[k]);
        else
            MPI_Irecv(g.of[k].at, (int)g.of[k].bytes, MPI_BYTE, g.of[k].rank, 1, g.comm, &requests[k]);
    }
    MPI_Waitall(g.count, requests, MPI_STATUSES_IGNORE);
}

int ncclGroupEnd(void) {
    if (open_group.count > 0) stand_in_queue(carry, &open_group, sizeof open_group);
    return 0;
}

const char *ncclGetErrorString(int code) { return code == 4 ? "invalid argument" : "internal error"; }
