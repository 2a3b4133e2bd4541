/* SPDX-License-Identifier: Apache-2.0 */
#include "agree.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

extern const char build_id[]; /* CMake writes it: the version and a hash of the sources */

enum { CLAIMS = 8, WORDS = 512 };

uint64_t hash_add(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

uint64_t hash_text(uint64_t hash, const char *text) {
    for (; text != NULL && *text != '\0'; text++) hash = hash_add(hash, (unsigned char)*text);
    return hash_add(hash, 0);
}

const char *riffle_mpi_build(void) { return build_id; }

claim claim_of_build(void) { return (claim){"the build of libriffle-mpi", hash_text(1, build_id), false}; }

/* The first failing rank tells its status and words to all. */
static riffle_status tell(MPI_Comm comm, int teller, int rank, riffle_status own) {
    struct {
        int status;
        char words[WORDS];
    } told = {.status = (int)own};
    snprintf(told.words, sizeof told.words, "%s", riffle_error_detail());
    const riffle_status status =
        mpi_result(MPI_Bcast(&told, (int)sizeof told, MPI_BYTE, teller, comm), "MPI_Bcast");
    if (status != RIFFLE_OK) return status;
    if (rank == teller) return own;
    told.words[WORDS - 1] = '\0';
    return mpi_fail((riffle_status)told.status, "rank %d: %s", teller, told.words);
}

/* On all ranks. */
static riffle_status fail_unlike_numbers(MPI_Comm comm, int rank, const claim *of, uint64_t least,
                                         uint64_t most) {
    const int mine[2] = {of->value == least ? rank : INT_MAX, of->value == most ? rank : INT_MAX};
    int first[2];
    const riffle_status status =
        mpi_result(MPI_Allreduce(mine, first, 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    if (status != RIFFLE_OK) return status;
    return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the ranks do not agree on %s: it is %" PRIu64 " on rank %d and %" PRIu64
                    " on rank %d; give all of them the same",
                    of->name, least, first[0], most, first[1]);
}

/* No message more: a rank of another build may wait for none. */
static riffle_status fail_unlike(const claim *of) {
    return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the ranks do not agree on %s; give all of them the same",
                    of->name);
}

/* A greatest value v and a greatest ~v show whether all are alike. The first entry has the first failing rank. */
riffle_status agree_on(MPI_Comm comm, riffle_status own, const claim *claims, unsigned count) {
    uint64_t mine[1 + 2 * CLAIMS] = {0}, all[1 + 2 * CLAIMS];
    int rank, ranks;
    riffle_status status = mpi_result(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    if (status == RIFFLE_OK) status = mpi_result(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    if (status != RIFFLE_OK) return status;
    mine[0] = own != RIFFLE_OK ? (uint64_t)(ranks - rank) : 0;
    for (unsigned k = 0; k < count; k++) {
        mine[1 + 2 * k] = claims[k].value;
        mine[2 + 2 * k] = ~claims[k].value;
    }
    status =
        mpi_result(MPI_Allreduce(mine, all, 1 + 2 * (int)count, MPI_UINT64_T, MPI_MAX, comm), "MPI_Allreduce");
    if (status != RIFFLE_OK) return status;
    if (all[0] != 0) return tell(comm, ranks - (int)all[0], rank, own);
    for (unsigned k = 0; k < count; k++) {
        const uint64_t most = all[1 + 2 * k], least = ~all[2 + 2 * k];
        if (most == least) continue;
        return claims[k].is_number ? fail_unlike_numbers(comm, rank, &claims[k], least, most)
                                   : fail_unlike(&claims[k]);
    }
    return RIFFLE_OK;
}

riffle_status riffle_mpi_agree(MPI_Comm comm, riffle_status own) { return agree_on(comm, own, NULL, 0); }
