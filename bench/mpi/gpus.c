/* SPDX-License-Identifier: Apache-2.0
 *
 * gpus LOG2 COMMIT TRANSPORT...: moves arrays of 2^LOG2 bytes a rank between the memories of the ranks' GPUs, by each transport that is named, beside a
 * copy of as many bytes in a GPU's own memory. Prints one JSON document, by rank 0; COMMIT is named in it. Each result is looked at in some places
 * first. Times are the slowest rank's, medians, from when all are there until all streams are done.
 *
 *     mpirun -n 2 gpus 32 abc123 staged nccl > results.json
 */
#include <stdlib.h>
#include <string.h>

#include "riffle/cuda.h"
#include "riffle/mpi.h"

enum { TIMES = 5, SAMPLES = 500, KINDS = 5 };

static const char *const kinds[KINDS] = {"auto", "aware", "nccl", "peers", "staged"};

static const riffle_cuda_memory *gpu;
static int rank, ranks;
static size_t part_bytes;
static char *src, *dst;
static struct CUevent_st *event;

static void stop(const char *what) {
    fprintf(stderr, "gpus: rank %d: %s: %s\n", rank, what, riffle_error_detail());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void riffle(riffle_status status, const char *what) {
    if (status != RIFFLE_OK) stop(what);
}

static void wait_for_stream(void) {
    riffle(gpu->record(event, NULL), "a stream");
    riffle(gpu->wait(event), "a stream");
}

static void copy(void *to, const void *from, size_t bytes) {
    riffle(gpu->copy(to, from, bytes, NULL), "a copy");
    wait_for_stream();
}

/* ------------------------------------------------------------------ right first */

static uint64_t sample(uint64_t k, uint64_t n) { return (k + 1) * UINT64_C(0x9E3779B97F4A7C15) % n; }

/* Each check has its own values: none is there from the one before. */
static unsigned checks;

static uint32_t value_of(uint64_t i) { return (uint32_t)((i + checks) * UINT64_C(0x9E3779B97F4A7C15) >> 32); }

/* Each rank writes the samples that it has, moves, and looks at those that came. */
static void check_samples(const riffle_perm *perm, size_t elem_bytes, riffle_mpi_plan *plan) {
    const uint64_t n = riffle_perm_length(perm), part = n / (uint64_t)ranks, first = part * (uint64_t)rank;
    const size_t bytes = elem_bytes < sizeof(uint32_t) ? elem_bytes : sizeof(uint32_t);
    checks++;
    for (uint64_t k = 0; k < SAMPLES; k++) {
        const uint64_t i = sample(k, n);
        const uint32_t value = value_of(i);
        if (i >= first && i < first + part) copy(src + (i - first) * elem_bytes, &value, bytes);
    }
    riffle(riffle_mpi_execute(plan, dst, src), "a move");
    wait_for_stream();
    for (uint64_t k = 0; k < SAMPLES; k++) {
        const uint64_t i = sample(k, n), at = riffle_perm_at(perm, i);
        const uint32_t value = value_of(i);
        uint32_t got = 0;
        if (at < first || at >= first + part) continue;
        copy(&got, dst + (at - first) * elem_bytes, bytes);
        if (memcmp(&got, &value, bytes) != 0) stop("an element is in the wrong place");
    }
}

/* ------------------------------------------------------------------ times */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* plan NULL: the copy. */
static double seconds_of(riffle_mpi_plan *plan) {
    double taken[TIMES];
    for (int k = -1; k < TIMES; k++) {
        wait_for_stream();
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        riffle(plan != NULL ? riffle_mpi_execute(plan, dst, src) : gpu->copy(dst, src, part_bytes, NULL),
               "a move");
        wait_for_stream();
        const double own = MPI_Wtime() - start;
        MPI_Allreduce(&own, &taken[k < 0 ? 0 : k], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(taken, TIMES, sizeof *taken, by_size);
    return taken[TIMES / 2];
}

static void measure(const char *name, const char *by, size_t elem_bytes, unsigned kind, double copy_seconds,
                    bool is_first) {
    const riffle_mpi_options options = {.engine = RIFFLE_ENGINE_CUDA, .transport = (riffle_mpi_transport)kind};
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    uint64_t volume, messages;
    riffle(riffle_perm_parse(by, part_bytes / elem_bytes * (uint64_t)ranks, &perm), by);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    riffle(riffle_mpi_plan_create(perm, elem_bytes, MPI_COMM_WORLD, &options, &plan), by);
    const double planning = MPI_Wtime() - start;
    check_samples(perm, elem_bytes, plan);
    const double seconds = seconds_of(plan);
    riffle_mpi_plan_volume(plan, &volume, &messages);
    if (rank == 0)
        printf("%s\n  {\"case\": \"%s\", \"by\": \"%s\", \"elem_bytes\": %zu, \"transport\": \"%s\", "
               "\"part_bytes\": %zu, \"volume_bytes\": %llu, \"messages\": %llu, \"planning_seconds\": %.6f, "
               "\"seconds\": %.9f, \"copy_seconds\": %.9f, \"ratio\": %.3f}",
               is_first ? "" : ",", name, by, elem_bytes, kinds[kind], part_bytes, (unsigned long long)volume,
               (unsigned long long)messages, planning, seconds, copy_seconds, seconds / copy_seconds);
    fflush(stdout);
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
}

static void begin(unsigned log2, const char *commit) {
    riffle_cuda_device is;
    char words[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    part_bytes = (size_t)1 << log2;
    riffle(riffle_cuda_memory_find(&gpu), "a GPU");
    riffle(riffle_cuda_describe(&is), "a GPU");
    void *arrays[2];
    for (unsigned k = 0; k < 2; k++) riffle(gpu->allocate("an array", part_bytes, &arrays[k]), "arrays");
    src = arrays[0];
    dst = arrays[1];
    riffle(gpu->create_event(&event), "an event");
    MPI_Get_library_version(words, &length);
    words[strcspn(words, ",\n\t\"")] = '\0';
    if (rank == 0)
        printf("{\"engine\": \"mpi\", \"device\": \"%s\", \"driver\": \"CUDA %u.%u\", \"mpi\": \"%s\", "
               "\"version\": "
               "\"%s\", \"commit\": \"%s\", \"ranks\": %d,\n \"results\": [",
               is.name, is.driver / 1000, is.driver % 1000 / 10, words, riffle_version(), commit, ranks);
}

int main(int argc, char **argv) {
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const unsigned log2 = argc > 3 ? (unsigned)atoi(argv[1]) : 0;
    if (log2 < 16 || log2 > 36 || (ranks & (ranks - 1)) != 0) {
        fprintf(stderr, "gpus LOG2 COMMIT TRANSPORT...: 2^16 to 2^36 bytes a rank, ranks a power of two\n");
        MPI_Finalize();
        return 2;
    }
    begin(log2, argv[2]);
    const double copy_seconds = seconds_of(NULL);
    bool is_first = true;
    for (int k = 3; k < argc; k++)
        for (unsigned kind = 0; kind < KINDS; kind++) {
            if (strcmp(argv[k], kinds[kind]) != 0) continue;
            measure("any affine map of 128 bytes", "random-affine:1", 128, kind, copy_seconds, is_first);
            measure("any affine map of 4 bytes", "random-affine:1", 4, kind, copy_seconds, false);
            measure("bit reversal of 4 bytes", "bit-reversal", 4, kind, copy_seconds, false);
            is_first = false;
        }
    if (rank == 0) printf("\n ]}\n");
    gpu->destroy_event(event);
    gpu->release(src);
    gpu->release(dst);
    MPI_Finalize();
    return 0;
}
