/* SPDX-License-Identifier: Apache-2.0
 *
 * gpus TRANSPORT...: run by mpirun on any number of ranks. The same move between the memories of GPUs and between those of hosts leaves the same
 * bytes. GPUs are stand-ins (stand_in.h), or the machine's own.
 */
#include "riffle/cuda.h"
#include "stand_in.h"
#include "world.h"

static const riffle_cuda_memory *gpu;

typedef struct part {
    unsigned char *host;
    void *gpu;
    size_t bytes;
} part;

/* Bytes that depend on the rank, and poison behind them. */
static part make_part(size_t bytes, unsigned seed) {
    part p = {.host = room(bytes), .bytes = bytes};
    for (size_t k = 0; k < bytes; k++)
        p.host[k] = (unsigned char)((k + seed) * UINT64_C(0x9E3779B97F4A7C15) >> 56);
    CHECK(gpu->allocate("a test", bytes + 1, &p.gpu) == RIFFLE_OK, "memory");
    return p;
}

static void free_part(part *p) {
    free(p->host);
    gpu->release(p->gpu);
}

static void carry(void *to, const void *from, size_t bytes) {
    struct CUevent_st *event;
    CHECK(gpu->create_event(&event) == RIFFLE_OK && gpu->copy(to, from, bytes, NULL) == RIFFLE_OK &&
              gpu->record(event, NULL) == RIFFLE_OK && gpu->wait(event) == RIFFLE_OK,
          "a copy");
    gpu->destroy_event(event);
}

static void execute(riffle_mpi_plan *plan, void *dst, const void *src, bool at_once) {
    if (at_once) {
        CHECK(riffle_mpi_execute(plan, dst, src) == RIFFLE_OK, "execute");
        return;
    }
    bool done = false;
    CHECK(riffle_mpi_start(plan, dst, src) == RIFFLE_OK, "start");
    CHECK(riffle_mpi_start(plan, dst, src) == RIFFLE_ERROR_INVALID_ARGUMENT, "a second start");
    while (!done) CHECK(riffle_mpi_test(plan, &done) == RIFFLE_OK, "test");
    CHECK(riffle_mpi_wait(plan) == RIFFLE_OK, "wait");
}

static void move(const char *spec, uint64_t n, size_t elem_bytes, const riffle_mpi_options *options) {
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL, *on_hosts = NULL;
    uint64_t src_count, dst_count;
    const riffle_mpi_options hosts = {.exchange = options->exchange};
    CHECK(riffle_perm_parse(spec, n, &perm) == RIFFLE_OK, "%s", spec);
    CHECK(riffle_mpi_plan_create(perm, elem_bytes, MPI_COMM_WORLD, &hosts, &on_hosts) == RIFFLE_OK, "%s", spec);
    CHECK(riffle_mpi_plan_create(perm, elem_bytes, MPI_COMM_WORLD, options, &plan) == RIFFLE_OK, "%s", spec);
    riffle_mpi_plan_elements(plan, &src_count, &dst_count);
    part src = make_part(src_count * elem_bytes, (unsigned)rank * 77),
         dst = make_part(dst_count * elem_bytes, 0);
    unsigned char *const got = room(dst.bytes + 1);
    carry(src.gpu, src.host, src.bytes);
    memset(got, 0x3c, dst.bytes + 1);
    CHECK(riffle_mpi_execute(on_hosts, dst.host, src.host) == RIFFLE_OK, "%s on hosts", spec);
    for (unsigned time = 0; time < 2; time++) {
        memset(got, 0x3c, dst.bytes + 1);
        carry(dst.gpu, got, dst.bytes + 1);
        execute(plan, dst.gpu, src.gpu, time == 0);
        carry(got, dst.gpu, dst.bytes + 1);
        CHECK(memcmp(got, dst.host, dst.bytes) == 0, "%s of %llu elements of %zu bytes, transport %u", spec,
              (unsigned long long)n, elem_bytes, (unsigned)options->transport);
        CHECK(got[dst.bytes] == 0x3c, "beyond dst");
    }
    free(got);
    free_part(&src);
    free_part(&dst);
    riffle_mpi_plan_free(plan);
    riffle_mpi_plan_free(on_hosts);
    riffle_perm_free(perm);
}

static void moves(riffle_mpi_transport transport) {
    static const struct {
        const char *spec;
        uint64_t n;
    } cases[] = {{"identity", 0},
                 {"identity", 1001},
                 {"rotate:37", 997},
                 {"bit-reversal", 4096},
                 {"transpose:30x41", 1230},
                 {"random:7", 1009},
                 {"random-affine:9", 4096},
                 {"axes:3x5x7x11:2,0,3,1", 1155},
                 {"shuffle", 2},
                 {"bits:11,1,2,3,4,5,6,7,8,9,10,0", 4096}};
    static const size_t sizes[] = {1, 4, 16, 24};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        move(cases[k].spec, cases[k].n, sizes[(k + (unsigned)transport) % 4],
             &(riffle_mpi_options){.exchange.relabel = k % 4 == 3,
                                   .engine = RIFFLE_ENGINE_CUDA,
                                   .transport = transport,
                                   .plain_bytes = k % 3 == 0 ? 37 : 0});
}

/* A plan's words, which the caller frees. */
static char *explained(const riffle_mpi_plan *plan) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *const stream = open_memstream(&text, &bytes);
    CHECK(stream != NULL && riffle_mpi_plan_explain(plan, stream) == RIFFLE_OK && fclose(stream) == 0,
          "explain");
    return text;
}

/* All ranks plan alike, and are told alike: the status, and words of the explanation or of the failure. */
static void plan_alike(riffle_mpi_transport transport, riffle_status wanted, const char *words) {
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    const riffle_mpi_options options = {.engine = RIFFLE_ENGINE_CUDA, .transport = transport};
    CHECK(riffle_perm_bit_reversal(4096, &perm) == RIFFLE_OK, "bit-reversal");
    const riffle_status status = riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, &options, &plan);
    CHECK(status == wanted, "'%s' was wanted and the status is %s", words, riffle_status_string(status));
    char *const text = plan != NULL ? explained(plan) : NULL;
    CHECK(strstr(text != NULL ? text : riffle_error_detail(), words) != NULL, "'%s' was wanted: %s", words,
          text != NULL ? text : "");
    free(text);
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
}

#ifdef RIFFLE_STAND_IN
/* The last rank's GPU is not as the others'. All are told, and all go on. */
static void faults(void) {
    const stand_in good = stand_in_gpu;
    const bool is_last = rank == ranks - 1;
    char words[64];
    stand_in_gpu.is_missing = is_last;
    snprintf(words, sizeof words, is_last ? "there is no GPU" : "rank %d: there is no GPU", ranks - 1);
    plan_alike(RIFFLE_MPI_TRANSPORT_AUTO, RIFFLE_ERROR_UNSUPPORTED, words);
    stand_in_gpu = good;
    if (is_last) stand_in_gpu.left = 100;
    plan_alike(RIFFLE_MPI_TRANSPORT_AUTO, RIFFLE_ERROR_OUT_OF_MEMORY, "messages of a move between ranks");
    stand_in_gpu = good;
    if (is_last) stand_in_gpu.pinned = 0;
    if (ranks > 1)
        plan_alike(RIFFLE_MPI_TRANSPORT_STAGED, RIFFLE_ERROR_OUT_OF_MEMORY, "messages that a rank sends");
    stand_in_gpu = good;
    plan_alike(RIFFLE_MPI_TRANSPORT_AUTO, RIFFLE_OK, "messages by NCCL");
    stand_in_gpu.number = 0;
    if (ranks > 1) {
        plan_alike(RIFFLE_MPI_TRANSPORT_NCCL, RIFFLE_ERROR_UNSUPPORTED, "ranks 0 and 1 have one GPU");
        plan_alike(RIFFLE_MPI_TRANSPORT_AUTO, RIFFLE_OK, "not by NCCL: ranks 0 and 1 have one GPU");
        plan_alike(RIFFLE_MPI_TRANSPORT_AUTO, RIFFLE_OK, "messages by peers");
        stand_in_gpu.is_alone = is_last;
        plan_alike(RIFFLE_MPI_TRANSPORT_AUTO, RIFFLE_OK, "messages by staging");
        plan_alike(RIFFLE_MPI_TRANSPORT_PEERS, RIFFLE_ERROR_DEVICE, "the GPUs are no peers");
    }
    stand_in_gpu = good;
}
#endif

static void refuse(const riffle_mpi_options *options, const char *words) {
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    CHECK(riffle_perm_reverse(10, &perm) == RIFFLE_OK, "reverse");
    const riffle_status status = riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, options, &plan);
    CHECK(status == RIFFLE_ERROR_INVALID_ARGUMENT && plan == NULL, "%s", words);
    CHECK(strstr(riffle_error_detail(), words) != NULL, "'%s' was wanted", words);
    riffle_perm_free(perm);
}

static void misuse(void) {
    refuse(&(riffle_mpi_options){.engine = (riffle_engine)9}, "options.engine: there is none of number 9");
    refuse(&(riffle_mpi_options){.engine = RIFFLE_ENGINE_CUDA, .transport = (riffle_mpi_transport)9},
           "options.transport: there is none of number 9");
    refuse(&(riffle_mpi_options){.transport = RIFFLE_MPI_TRANSPORT_STAGED},
           "options.transport: STAGED is for arrays of GPUs; between hosts there are PEERS and AWARE");
    refuse(&(riffle_mpi_options){.transport = RIFFLE_MPI_TRANSPORT_NCCL}, "options.transport: NCCL is for");
    refuse(&(riffle_mpi_options){.stream = (void *)&rank}, "options.stream is for arrays of GPUs");
    if (ranks > 1)
        refuse(&(riffle_mpi_options){.engine = rank == 0 ? RIFFLE_ENGINE_CPU : RIFFLE_ENGINE_CUDA},
               "the ranks do not agree on the layouts and options");
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    char array[64] = {0};
    void *there = NULL;
    const riffle_mpi_options options = {.engine = RIFFLE_ENGINE_CUDA, .transport = RIFFLE_MPI_TRANSPORT_STAGED};
    CHECK(riffle_perm_reverse((uint64_t)ranks * 4, &perm) == RIFFLE_OK, "reverse");
    CHECK(riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, &options, &plan) == RIFFLE_OK, "plan");
    CHECK(gpu->allocate("a test", 64, &there) == RIFFLE_OK, "memory");
    CHECK(riffle_mpi_execute(plan, there, array) == RIFFLE_ERROR_INVALID_ARGUMENT, "src of the host");
    CHECK(strstr(riffle_error_detail(), "src") != NULL, "src");
    CHECK(riffle_mpi_execute(plan, array, there) == RIFFLE_ERROR_INVALID_ARGUMENT, "dst of the host");
    CHECK(strstr(riffle_error_detail(), "dst") != NULL, "dst");
    gpu->release(there);
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        riffle_mpi_transport transport;
    } known[] = {{"auto", RIFFLE_MPI_TRANSPORT_AUTO},
                 {"aware", RIFFLE_MPI_TRANSPORT_AWARE},
                 {"nccl", RIFFLE_MPI_TRANSPORT_NCCL},
                 {"peers", RIFFLE_MPI_TRANSPORT_PEERS},
                 {"staged", RIFFLE_MPI_TRANSPORT_STAGED}};
    world_begin(&argc, &argv);
#ifdef RIFFLE_STAND_IN
    stand_in_gpu.number = rank;
#endif
    CHECK(riffle_cuda_memory_find(&gpu) == RIFFLE_OK, "a GPU");
    for (int k = 1; k < argc; k++)
        for (unsigned t = 0; t < sizeof known / sizeof *known; t++) {
            if (strcmp(argv[k], known[t].name) != 0) continue;
#ifdef RIFFLE_STAND_IN
            stand_in_open(known[t].transport == RIFFLE_MPI_TRANSPORT_AWARE);
#endif
            moves(known[t].transport);
            if (rank == 0) printf("%s over %d ranks: right\n", known[t].name, ranks);
        }
    misuse();
#ifdef RIFFLE_STAND_IN
    faults();
#else
    plan_alike(RIFFLE_MPI_TRANSPORT_STAGED, RIFFLE_OK, "messages by staging");
#endif
    MPI_Finalize();
    return 0;
}
