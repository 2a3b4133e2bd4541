/* SPDX-License-Identifier: Apache-2.0
 *
 * exchange LOG2 COMMIT [REPEATS]: moves 2^LOG2 floats over all ranks, beside MPI_Alltoallv with the same blocks and one local pass. Each case has, as JSON,
 * bytes between ranks as predicted and as sent, the times (medians of the slowest rank's), and their ratio. Elements of dst are looked at first.
 *
 *     mpirun -n 4 exchange 26 "$(git describe --always --dirty)"
 */
#include "document.h" /* first: what it wants of libc */

#include "riffle/mpi.h"

enum { MOST = 64, SPEC = 64, SAMPLES = 4096 };

typedef struct peer {
    int sent[MOST], sent_at[MOST], got[MOST], got_at[MOST]; /* in elements */
    riffle_plan *pass;
    float *packed;
} peer;

static int rank, ranks;

static void stop(const char *what) {
    fprintf(stderr, "exchange: %s: %s\n", what, riffle_error_detail());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void fill_displacements(peer *p) {
    MPI_Alltoall(p->sent, 1, MPI_INT, p->got, 1, MPI_INT, MPI_COMM_WORLD);
    for (int k = 1; k < ranks; k++) {
        p->sent_at[k] = p->sent_at[k - 1] + p->sent[k - 1];
        p->got_at[k] = p->got_at[k - 1] + p->got[k - 1];
    }
}

static double pass_seconds(const riffle_plan *pass, float *dst, const float *src) {
    double seconds = 0;
    for (int turn = 0; turn < 2; turn++) { /* pages are got in the first */
        const double start = MPI_Wtime();
        if (riffle_execute(pass, dst, src) != RIFFLE_OK) stop("the peer");
        seconds = MPI_Wtime() - start;
    }
    return seconds;
}

/* The permutation of riffle's first local step, by the planner's choice or by a scatter, whichever is faster here. */
static riffle_plan *make_pass(const riffle_perm *step, float *dst, const float *src) {
    static const riffle_algorithm choices[] = {RIFFLE_ALGORITHM_AUTO, RIFFLE_ALGORITHM_SCATTER};
    riffle_plan *best = NULL;
    double least = 0;
    for (size_t k = 0; k < sizeof choices / sizeof choices[0]; k++) {
        const riffle_plan_options options = {.algorithm = choices[k], .threads = 1};
        riffle_plan *pass = NULL;
        if (riffle_plan_create(step, sizeof(float), RIFFLE_ENGINE_CPU, &options, &pass) != RIFFLE_OK) stop("the peer");
        const double seconds = pass_seconds(pass, dst, src);
        const bool is_best = best == NULL || seconds < least;
        riffle_plan_free(is_best ? best : pass);
        if (is_best) best = pass, least = seconds;
    }
    return best;
}

/* The same blocks as riffle's. */
static peer make_peer(const riffle_perm *perm, uint64_t own, const float *src) {
    peer p = {.pass = NULL};
    riffle_exchange *x = NULL;
    void *packed = NULL;
    if (riffle_exchange_create(perm, (unsigned)ranks, (unsigned)rank, NULL, &x) != RIFFLE_OK) stop("exchange");
    size_t count;
    const riffle_exchange_message *const list = riffle_exchange_sends(x, &count);
    for (size_t k = 0; k < count; k++) p.sent[list[k].rank] = (int)list[k].count;
    fill_displacements(&p);
    if (riffle_buffer_create(own * sizeof(float), &packed) != RIFFLE_OK) stop("the peer");
    p.packed = packed;
    p.pass = make_pass(riffle_exchange_pack(x), p.packed, src);
    riffle_exchange_free(x);
    return p;
}

static void run_peer(const peer *p, float *dst, const float *src) {
    if (riffle_execute(p->pass, p->packed, src) != RIFFLE_OK) stop("the peer");
    MPI_Alltoallv(p->packed, p->sent, p->sent_at, MPI_FLOAT, dst, p->got, p->got_at, MPI_FLOAT, MPI_COMM_WORLD);
}

static float value_of(uint64_t i) { return (float)(riffle_group_hash(i) >> 40); }

/* Elements all over this rank's part are where they belong. */
static void check(const riffle_perm *perm, riffle_mpi_plan *plan, uint64_t block, float *dst,
                  const float *src) {
    uint64_t got;
    riffle_perm *inverse = NULL;
    riffle_mpi_plan_elements(plan, NULL, &got);
    if (riffle_perm_invert(perm, &inverse) != RIFFLE_OK || riffle_mpi_execute(plan, dst, src) != RIFFLE_OK)
        stop("a move");
    for (uint64_t k = 0; k < SAMPLES && got > 0; k++) {
        const uint64_t at = riffle_group_hash(k) % got;
        if (dst[at] != value_of(riffle_perm_at(inverse, (uint64_t)rank * block + at)))
            stop("an element is in the wrong place");
    }
    riffle_perm_free(inverse);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds of the slowest rank, from when all are there. */
static double take_time(riffle_mpi_plan *plan, const peer *p, float *dst, const float *src) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (plan == NULL)
        run_peer(p, dst, src);
    else if (riffle_mpi_execute(plan, dst, src) != RIFFLE_OK)
        stop("execute");
    double own = MPI_Wtime() - start, most = 0;
    MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static void measure(const char *separator, const char *spec, uint64_t n, unsigned repeats) {
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    riffle_exchange_cost cost;
    uint64_t own, sent, all = 0;
    void *src = NULL, *dst = NULL;
    if (riffle_perm_parse(spec, n, &perm) != RIFFLE_OK) stop(spec);
    const double start = MPI_Wtime();
    if (riffle_mpi_plan_create(perm, sizeof(float), MPI_COMM_WORLD, NULL, &plan) != RIFFLE_OK) stop(spec);
    const double planning = MPI_Wtime() - start;
    riffle_mpi_plan_elements(plan, &own, NULL);
    if (riffle_buffer_create(own * sizeof(float), &src) != RIFFLE_OK ||
        riffle_buffer_create((own + n % (uint64_t)ranks) * sizeof(float), &dst) != RIFFLE_OK)
        stop("arrays");
    const uint64_t block = (n + (uint64_t)ranks - 1) / (uint64_t)ranks;
    for (uint64_t i = 0; i < own; i++) ((float *)src)[i] = value_of((uint64_t)rank * block + i);
    check(perm, plan, block, dst, src);
    const peer p = make_peer(perm, own, src);
    double times[2][MOST];
    for (unsigned k = 0; k < repeats + 1; k++) { /* the first is not counted */
        times[0][k > 0 ? k - 1 : 0] = take_time(plan, &p, dst, src);
        times[1][k > 0 ? k - 1 : 0] = take_time(NULL, &p, dst, src);
    }
    for (unsigned k = 0; k < 2; k++) qsort(times[k], repeats, sizeof **times, by_size);
    if (riffle_exchange_cost_of(perm, (unsigned)ranks, NULL, &cost) != RIFFLE_OK) stop("cost");
    sent = riffle_mpi_plan_sent_bytes(plan) / (repeats + 2);
    MPI_Allreduce(&sent, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n  {\"by\": \"%s\", \"n\": %llu, \"elem_bytes\": %zu, \"predicted_bytes\": %llu, "
               "\"is_estimate\": %s, "
               "\"sent_bytes\": %llu, \"planning_seconds\": %.6f, \"seconds\": %.6f, \"alltoallv_seconds\": "
               "%.6f, \"ratio\": %.3f}",
               separator, spec, (unsigned long long)n, sizeof(float),
               (unsigned long long)(cost.volume * sizeof(float)),
               cost.basis == RIFFLE_EXCHANGE_BASIS_SAMPLED ? "true" : "false", (unsigned long long)all,
               planning, times[0][repeats / 2], times[1][repeats / 2],
               times[0][repeats / 2] / times[1][repeats / 2]);
    fflush(stdout);
    riffle_buffer_free(src, own * sizeof(float));
    riffle_buffer_free(dst, (own + n % (uint64_t)ranks) * sizeof(float));
    riffle_buffer_free(p.packed, own * sizeof(float));
    riffle_plan_free(p.pass);
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
}

int main(int argc, char **argv) {
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const unsigned m = argc > 2 ? (unsigned)atoi(argv[1]) : 0, half = m / 2;
    const unsigned repeats = argc > 3 ? (unsigned)atoi(argv[3]) : 5;
    if (ranks > MOST || m < 8 || m > 33 || repeats == 0 || repeats >= MOST) {
        fprintf(stderr, "exchange LOG2 COMMIT [REPEATS]: up to %d ranks, 2^8 to 2^33 floats, 1 to %d repeats\n",
                MOST, MOST - 1);
        MPI_Finalize();
        return 2;
    }
    char transpose[SPEC], axes[SPEC];
    const uint64_t n = (uint64_t)1 << m;
    snprintf(transpose, sizeof transpose, "transpose:%llux%llu", (unsigned long long)1 << half,
             (unsigned long long)1 << (m - half));
    snprintf(axes, sizeof axes, "axes:3x%llux5:2,0,1", (unsigned long long)(n / 15));
    if (rank == 0) document_begin("moves", argv[2], ranks);
    measure("", "bit-reversal", n, repeats);
    measure(",", "random-affine:1", n, repeats);
    measure(",", transpose, n, repeats);
    measure(",", axes, n / 15 * 15, repeats);
    measure(",", "random:1", n, repeats);
    if (rank == 0) document_end();
    MPI_Finalize();
    return 0;
}
