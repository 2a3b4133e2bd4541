/* SPDX-License-Identifier: Apache-2.0
 *
 * sort LOG2 COMMIT [THREADS]: sorts 2^LOG2 random u64 over all ranks, and on rank 0 alone by THREADS threads (default 2) in one memory, while the other
 * ranks sleep; both by plans that are made before. Each rank has its equal part and checks that it is in order. The first and the best of three times of the slowest rank are
 * printed, as JSON.
 *
 *     mpirun -n 4 sort 26 "$(git describe --always --dirty)"
 */
#include "document.h" /* first: what it wants of libc */

#include "riffle/mpi.h"

enum { TIMES = 3, NAP = 20000 };

static int rank, ranks;

static void stop(const char *what) {
    fprintf(stderr, "sort: %s: %s\n", what, riffle_error_detail());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static uint64_t *room(uint64_t n) {
    void *out = NULL;
    if (riffle_buffer_create(n * sizeof(uint64_t), &out) != RIFFLE_OK) stop("memory");
    return out;
}

static void fill(uint64_t *numbers, uint64_t first, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) numbers[i] = riffle_group_hash(first + i);
}

/* Waiting ranks take no processor from the one that works. */
static void wait_for_all(void) {
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!done) {
        usleep(NAP);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

static double sort_alone(uint64_t n, const riffle_sort_key *key, unsigned threads) {
    double best = 0;
    uint64_t *const from = room(n), *const to = room(n);
    riffle_sort_plan *plan = NULL;
    fill(from, 0, n);
    if (riffle_sort_plan_create(n, key, RIFFLE_ENGINE_CPU, &(riffle_sort_options){.threads = threads}, &plan) !=
        RIFFLE_OK)
        stop("one memory");
    for (unsigned k = 0; k < TIMES; k++) {
        const double start = MPI_Wtime();
        if (riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = to, .from_keys = from}) != RIFFLE_OK)
            stop("one memory");
        const double took = MPI_Wtime() - start;
        if (k == 0 || took < best) best = took;
    }
    riffle_sort_plan_free(plan);
    riffle_buffer_free(from, n * sizeof *from);
    riffle_buffer_free(to, n * sizeof *to);
    return best;
}

/* The first sort gets the plan's memory. */
static double sort_together(uint64_t n, const riffle_sort_key *key, double *first_time,
                            riffle_mpi_sort_report *report) {
    const uint64_t all = (uint64_t)ranks, block = (n + all - 1) / all,
                   first = (uint64_t)rank * block < n ? (uint64_t)rank * block : n,
                   own = n - first < block ? n - first : block;
    uint64_t *const from = room(own), *const to = room(own);
    double best = 0;
    fill(from, first, own);
    const riffle_mpi_sort_arrays arrays = {.from_keys = from, .from_count = own, .keys = to, .count = own};
    riffle_mpi_sort_plan *plan = NULL;
    if (riffle_mpi_sort_plan_create(key, own, own, MPI_COMM_WORLD, NULL, &plan) != RIFFLE_OK) stop("all ranks");
    for (unsigned k = 0; k < TIMES; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        if (riffle_mpi_sort_execute(plan, &arrays, report) != RIFFLE_OK) stop("all ranks");
        double took = MPI_Wtime() - start, most = 0;
        MPI_Allreduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (k == 0) *first_time = most;
        if (k == 0 || most < best) best = most;
    }
    riffle_mpi_sort_plan_free(plan);
    for (uint64_t i = 1; i < own; i++)
        if (to[i - 1] > to[i]) stop("the result is not in order");
    riffle_buffer_free(from, own * sizeof *from);
    riffle_buffer_free(to, own * sizeof *to);
    return best;
}

int main(int argc, char **argv) {
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int log2 = argc > 2 ? atoi(argv[1]) : 0, threads = argc > 3 ? atoi(argv[3]) : 2;
    if (argc > 4 || log2 < 1 || log2 > 40 || threads < 1) stop("usage: sort LOG2 COMMIT [THREADS]");
    const uint64_t n = (uint64_t)1 << log2;
    riffle_sort_key key;
    riffle_mpi_sort_report report;
    if (riffle_sort_key_of_type(RIFFLE_TYPE_U64, false, &key) != RIFFLE_OK) stop("key");
    const double alone = rank == 0 ? sort_alone(n, &key, (unsigned)threads) : 0;
    wait_for_all();
    double first = 0;
    const double together = sort_together(n, &key, &first, &report);
    if (rank == 0) {
        document_begin("sort", argv[2], ranks);
        printf("\n  {\"n\": %llu, \"type\": \"u64\", \"rounds\": %u, \"volume_bytes\": %llu, \"messages\": "
               "%llu, \"first_seconds\": %.6f, \"seconds\": %.6f, "
               "\"threads\": %d, \"alone_seconds\": %.6f, \"ratio\": %.3f}",
               (unsigned long long)n, report.rounds, (unsigned long long)report.volume,
               (unsigned long long)report.messages, first, together, threads, alone, together / alone);
        document_end();
    }
    MPI_Finalize();
    return 0;
}
