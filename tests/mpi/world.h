/* SPDX-License-Identifier: Apache-2.0
 *
 * For programs that mpirun runs on any number of ranks: every rank knows the whole array, and compares its own part with the plain definition.
 */
#ifndef RIFFLE_TESTS_MPI_WORLD_H
#define RIFFLE_TESTS_MPI_WORLD_H

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "riffle/mpi.h"

static int rank, ranks;

/* Ends all ranks after a complaint where a condition does not hold. */
#define CHECK(condition, ...)                                                                                  \
    do {                                                                                                       \
        if (condition) break;                                                                                  \
        fprintf(stderr, "rank %d of %d: %s: ", rank, ranks, #condition);                                       \
        fprintf(stderr, __VA_ARGS__);                                                                          \
        fprintf(stderr, " (%s)\n", riffle_error_detail());                                                     \
        MPI_Abort(MPI_COMM_WORLD, 1);                                                                          \
    } while (0)

/* Memory that holds a byte of poison behind its end. */
static inline void *room(size_t bytes) {
    void *const out = malloc(bytes + 1);
    CHECK(out != NULL, "no memory");
    memset(out, 0xa5, bytes + 1);
    return out;
}

/* Leaves this process 64 MiB more than it has, if it is to be short of memory; setrlimit of what it returns ends that. */
static inline struct rlimit limit_memory(bool is_short) {
    struct rlimit before;
    size_t pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%zu", &pages) == 1, "statm");
    fclose(file);
    CHECK(getrlimit(RLIMIT_AS, &before) == 0, "getrlimit");
    const struct rlimit tight = {pages * 4096 + (64 << 20), before.rlim_max};
    if (is_short) CHECK(setrlimit(RLIMIT_AS, &tight) == 0, "setrlimit");
    return before;
}

static inline void world_begin(int *argc, char ***argv) {
    if (MPI_Init(argc, argv) != MPI_SUCCESS) exit(1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

#endif
