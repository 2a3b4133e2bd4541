/* SPDX-License-Identifier: Apache-2.0
 *
 * ranks moves|faults: run by mpirun on any number of ranks. Every rank knows the whole array, and compares its own part with the plain
 * definition; what MPI was given is compared with the exchange's cost. Faults: unlike arguments, one rank's memory, misuse.
 */
#include <unistd.h>

#include "world.h"

enum { ELEM_MOST = 24, PATH = 64, CUT = 1 << 18 };

/* The bytes of element i. */
static void element(uint64_t i, size_t bytes, unsigned char *out) {
    uint64_t state = i;
    for (size_t k = 0; k < bytes; k++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        out[k] = (unsigned char)(state >> 56);
    }
}

static unsigned owner_of(const riffle_exchange_layout *l, uint64_t n, uint64_t i) {
    const uint64_t count = (uint64_t)ranks;
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_OWNERS) return l->owner[i / ((n + l->chunks - 1) / l->chunks)];
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_BLOCKS) return (unsigned)(i / ((n + count - 1) / count));
    uint64_t inner = 1;
    for (unsigned k = l->axis + 1; k < l->rank; k++) inner *= l->shape[k];
    const uint64_t along = l->shape[l->axis];
    return (unsigned)(i / inner % along / ((along + count - 1) / count));
}

/* The elements that a part has in the end, by the definition, or had before, where perm is NULL. */
static size_t part(const riffle_exchange_layout *l, uint64_t n, unsigned of, const riffle_perm *inverse,
                   size_t bytes, unsigned char *out) {
    size_t count = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (owner_of(l, n, i) != of) continue;
        element(inverse != NULL ? riffle_perm_at(inverse, i) : i, bytes, out + count++ * bytes);
    }
    return count;
}

/* Once by execute, once by start and test: other bytes each time would be found in dst. */
static void execute(riffle_mpi_plan *plan, unsigned char *dst, const unsigned char *src, bool at_once) {
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

static void expect_volume(const riffle_mpi_plan *plan, const riffle_perm *perm, size_t bytes,
                          const riffle_mpi_options *options) {
    riffle_exchange_cost cost;
    uint64_t volume, messages, sent = riffle_mpi_plan_sent_bytes(plan), all = 0;
    riffle_mpi_plan_volume(plan, &volume, &messages);
    CHECK(riffle_exchange_cost_of(perm, (unsigned)ranks, &options->exchange, &cost) == RIFFLE_OK, "cost");
    CHECK(volume == cost.volume * bytes, "%llu bytes", (unsigned long long)volume);
    const bool may_be_cut = riffle_perm_length(perm) >= CUT; /* at pages, into two */
    CHECK(messages == cost.messages || (may_be_cut && messages <= 2 * cost.messages), "%llu messages",
          (unsigned long long)messages);
    MPI_Allreduce(&sent, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == 2 * volume, "two executions have sent %llu bytes", (unsigned long long)all);
}

static void move(const char *spec, uint64_t n, size_t bytes, const riffle_mpi_options *options) {
    riffle_perm *perm = NULL, *inverse = NULL;
    riffle_mpi_plan *plan = NULL;
    CHECK(riffle_perm_parse(spec, n, &perm) == RIFFLE_OK, "%s", spec);
    CHECK(riffle_perm_invert(perm, &inverse) == RIFFLE_OK, "%s", spec);
    CHECK(riffle_mpi_plan_create(perm, bytes, MPI_COMM_WORLD, options, &plan) == RIFFLE_OK, "%s of %llu", spec,
          (unsigned long long)n);
    unsigned char *const src = room(n * bytes), *const wanted = room(n * bytes);
    uint64_t src_count, dst_count;
    riffle_mpi_plan_elements(plan, &src_count, &dst_count);
    CHECK(part(&options->exchange.src, n, (unsigned)rank, NULL, bytes, src) == src_count, "%s", spec);
    CHECK(part(&options->exchange.dst, n, riffle_mpi_plan_block(plan), inverse, bytes, wanted) == dst_count,
          "%s", spec);
    unsigned char *const dst = room(dst_count * bytes);
    for (unsigned time = 0; time < 2; time++) {
        memset(dst, 0xa5, dst_count * bytes + 1);
        execute(plan, dst, src, time == 0);
        CHECK(memcmp(dst, wanted, dst_count * bytes) == 0, "%s of %llu elements of %zu bytes", spec,
              (unsigned long long)n, bytes);
        CHECK(dst[dst_count * bytes] == 0xa5, "beyond dst");
    }
    expect_volume(plan, perm, bytes, options);
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
    riffle_perm_free(inverse);
    free(src);
    free(dst);
    free(wanted);
}

/* Messages in the order of pieces of dst: those of rooms are cut at pages, and what is over is copied. */
static void by_pieces(void) {
    const uint64_t n = (uint64_t)ranks * ((uint64_t)CUT + 777) + 5;
    const riffle_mpi_options rooms = {.transport = RIFFLE_MPI_TRANSPORT_PEERS},
                             messages = {.transport = RIFFLE_MPI_TRANSPORT_AWARE};
    move("random:5", n, 4, &rooms);
    if (ranks <= 4) move("random:6", n, ranks == 3 ? 12 : 1, &rooms);
    if (ranks <= 4) move("random:7", n, 4, &messages);
}

static void moves(void) {
    static const struct {
        const char *spec;
        uint64_t n;
    } cases[] = {{"identity", 0},
                 {"identity", 1001},
                 {"reverse", 1000},
                 {"rotate:37", 997},
                 {"bit-reversal", 4096},
                 {"transpose:30x41", 1230},
                 {"random:7", 1009},
                 {"random-affine:9", 4096},
                 {"axes:3x5x7x11:2,0,3,1", 1155},
                 {"shuffle", 2},
                 {"table:[3,1,2,0,4]", 5},
                 {"bits:11,1,2,3,4,5,6,7,8,9,10,0", 4096},
                 {"bit-reversal|rotate:3", 1024},
                 {"axes:8x4x16:2,0,1", 512},
                 {"unshuffle", 2048},
                 {"affine:1,3,6,c,18,30,60,c0^a5", 256},
                 {"~(rotate:9|random:5)", 1013},
                 {"transpose:1x13", 13}};
    static const size_t sizes[] = {1, 4, 8, ELEM_MOST};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t b = ranks > 3 ? k % 3 : 0; b<sizeof sizes / sizeof *sizes; b += ranks> 3 ? 3 : 1) {
            /* One of three cases is by rooms that ranks read, and one by messages of derived types where they are longer than 37 bytes. */
            const riffle_mpi_options options = {.exchange.relabel = b % 2 == 1,
                                                .plain_bytes = (k + b) % 3 == 1 ? 37 : 0,
                                                .transport = (k + b) % 3 == 2 ? RIFFLE_MPI_TRANSPORT_PEERS
                                                                              : RIFFLE_MPI_TRANSPORT_AWARE,
                                                .threads = b == 3 ? 2 : 0};
            move(cases[k].spec, cases[k].n, sizes[b], &options);
        }
    /* Messages of whole pages over up to 16 ranks, and of some pages and a bit. */
    const riffle_mpi_options rooms = {.transport = RIFFLE_MPI_TRANSPORT_PEERS};
    move("bit-reversal", 1 << 17, 8, &rooms);
    move("random:3", 100003, 8, &rooms);
    by_pieces();
}

static void layouts(void) {
    static const uint64_t shape[] = {6, 8, 10}, turned[] = {10, 6, 8};
    uint32_t owner[48];
    for (unsigned k = 0; k < 48; k++) owner[k] = k * k % (unsigned)ranks;
    const riffle_exchange_layout of[] = {{.kind = RIFFLE_EXCHANGE_LAYOUT_BLOCKS},
                                         {RIFFLE_EXCHANGE_LAYOUT_AXIS, 3, shape, 1, 0, NULL},
                                         {RIFFLE_EXCHANGE_LAYOUT_AXIS, 3, turned, 2, 0, NULL},
                                         {.kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = 48, .owner = owner}};
    for (size_t a = 0; a < sizeof of / sizeof *of; a++)
        for (size_t b = 0; b < sizeof of / sizeof *of; b++) {
            const riffle_mpi_options options = {.exchange = {.src = of[a], .dst = of[b]},
                                                .transport = (a + b) % 2 == 0 ? RIFFLE_MPI_TRANSPORT_AWARE
                                                                              : RIFFLE_MPI_TRANSPORT_PEERS};
            move("axes:6x8x10:2,0,1", 480, 8, &options);
        }
}

/* Rank 0 begins its second move while the others have yet to take what it packed for the first, and waits for them by other means: they end their second
 * without another call of its. */
static void ahead(riffle_mpi_transport transport) {
    enum { EACH = 512 };
    const size_t n = (size_t)ranks * EACH;
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    const riffle_mpi_options options = {.transport = transport};
    CHECK(riffle_perm_random(n, 5, &perm) == RIFFLE_OK, "random");
    CHECK(riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, &options, &plan) == RIFFLE_OK, "plan");
    uint32_t src[2][EACH], dst[2][EACH], *const wanted = room(n * sizeof *wanted);
    bool done = false;
    int word = 0;
    for (uint32_t i = 0; i < n; i++) wanted[riffle_perm_at(perm, i)] = i;
    for (uint32_t i = 0; i < EACH; i++) {
        src[0][i] = (uint32_t)rank * EACH + i;
        src[1][i] = ~src[0][i];
    }
    CHECK(riffle_mpi_start(plan, dst[0], src[0]) == RIFFLE_OK, "start");
    if (rank == 0) {
        CHECK(riffle_mpi_wait(plan) == RIFFLE_OK, "wait");
        CHECK(riffle_mpi_start(plan, dst[1], src[1]) == RIFFLE_OK, "the second start");
        CHECK(riffle_mpi_test(plan, &done) == RIFFLE_OK && done == (ranks == 1), "others have not begun");
        for (int k = 1; k < ranks; k++) MPI_Send(&word, 1, MPI_INT, k, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(riffle_mpi_wait(plan) == RIFFLE_OK, "wait");
        CHECK(riffle_mpi_start(plan, dst[1], src[1]) == RIFFLE_OK, "the second start");
    }
    for (int k = 1; rank == 0 && k < ranks; k++) MPI_Recv(&word, 1, MPI_INT, k, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(riffle_mpi_wait(plan) == RIFFLE_OK, "the second wait");
    if (rank != 0) MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (size_t i = 0; i < EACH; i++) {
        const uint32_t from = wanted[(size_t)rank * EACH + i];
        CHECK(dst[0][i] == from && dst[1][i] == ~from, "element %zu", i);
    }
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
    free(wanted);
}

/* A plan explained. */
static char *words_of(const riffle_mpi_plan *plan) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *const stream = open_memstream(&text, &bytes);
    CHECK(stream != NULL && riffle_mpi_plan_explain(plan, stream) == RIFFLE_OK && fclose(stream) == 0,
          "explain");
    return text;
}

static void expect_words(const char *spec, uint64_t n, const char *words) {
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    CHECK(riffle_perm_parse(spec, n, &perm) == RIFFLE_OK, "%s", spec);
    CHECK(riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, NULL, &plan) == RIFFLE_OK, "%s", spec);
    char *const text = words_of(plan);
    CHECK(strstr(text, words) != NULL, "'%s' was wanted: %s", words, text);
    free(text);
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
}

/* A rank may have no files as long as its room, which would end it by a signal. */
static void short_files(uint64_t n) {
    struct rlimit before;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0, "getrlimit");
    const struct rlimit few = {PATH, before.rlim_max};
    if (rank == ranks - 1) CHECK(setrlimit(RLIMIT_FSIZE, &few) == 0, "setrlimit");
    expect_words("random:1", n, "are not allowed here (ulimit -f)");
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0, "setrlimit");
}

static int lowest_descriptor(void) {
    const int file = dup(STDERR_FILENO);
    CHECK(file >= 0 && close(file) == 0, "dup");
    return file;
}

/* Plans that are kept keep no descriptors. */
static void descriptors(uint64_t n) {
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    const riffle_mpi_options options = {.transport = RIFFLE_MPI_TRANSPORT_PEERS};
    const int before = lowest_descriptor();
    CHECK(riffle_perm_random(n, 1, &perm) == RIFFLE_OK, "random");
    CHECK(riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, &options, &plan) == RIFFLE_OK, "plan");
    CHECK(lowest_descriptor() == before, "a plan keeps descriptor %d", before);
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
}

/* Rooms are shared where that pays, and where all ranks can. */
static void choices(void) {
    const uint64_t n = (uint64_t)ranks * (uint64_t)ranks * 8192;
    expect_words("random:1", 1001, ranks > 1 ? "not by shared memory: " : "messages by ");
    if (ranks == 1) return;
    expect_words("random:1", n, "messages by shared memory");
    descriptors(n);
    char rotation[PATH];
    snprintf(rotation, sizeof rotation, "rotate:%llu", (unsigned long long)(n / (uint64_t)ranks));
    expect_words(rotation, n, "messages go from src to dst as they are");
    struct rlimit before;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0, "getrlimit");
    const struct rlimit none = {0, before.rlim_max};
    if (rank == ranks - 1) CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0, "setrlimit");
    expect_words("random:1", n, "memory that ranks share: memfd_create");
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0, "setrlimit");
    short_files(n);
    if (rank == ranks - 1) CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0, "setrlimit");
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    const riffle_mpi_options options = {.transport = RIFFLE_MPI_TRANSPORT_PEERS};
    CHECK(riffle_perm_reverse(n, &perm) == RIFFLE_OK, "reverse");
    CHECK(riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, &options, &plan) == RIFFLE_ERROR_UNSUPPORTED,
          "peers");
    CHECK(strstr(riffle_error_detail(), "memfd_create") != NULL && plan == NULL, "peers");
    riffle_perm_free(perm);
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0, "setrlimit");
}

/* The communicator may be any: here the odd ranks and the even ones have one each. */
static void halves(void) {
    MPI_Comm half;
    const int all = ranks, own = rank;
    CHECK(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half) == MPI_SUCCESS, "split");
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    CHECK(riffle_perm_reverse(10, &perm) == RIFFLE_OK, "reverse");
    CHECK(riffle_mpi_plan_create(perm, 4, half, NULL, &plan) == RIFFLE_OK, "of a half");
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
    MPI_Comm_free(&half);
    CHECK(all == ranks && own == rank, "nothing changed");
}

/* ------------------------------------------------------------------ faults */

static void expect_failure(riffle_status status, riffle_status wanted, const riffle_mpi_plan *plan,
                           const char *words) {
    CHECK(status == wanted, "'%s' was wanted and the status is %s", words, riffle_status_string(status));
    CHECK(strstr(riffle_error_detail(), words) != NULL, "'%s' was wanted", words);
    CHECK(plan == NULL, "%s", words);
}

/* A table that is said to be longer than the array is not read. */
static void long_table(void) {
    const uint32_t owner[] = {0, 0};
    const riffle_exchange_layout layout = {
        .kind = RIFFLE_EXCHANGE_LAYOUT_OWNERS, .chunks = (uint64_t)1 << 40, .owner = owner};
    const riffle_mpi_options options = {.exchange = {.src = layout}};
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    CHECK(riffle_perm_reverse(10, &perm) == RIFFLE_OK, "reverse");
    const riffle_status status = riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, &options, &plan);
    expect_failure(status, RIFFLE_ERROR_INVALID_ARGUMENT, plan, "chunks");
    riffle_perm_free(perm);
}

/* The last rank asks for other things than the rest. All are told, and all go on. */
static void unlike_arguments(void) {
    static const uint64_t shape[] = {5, 2};
    const bool is_last = rank == ranks - 1;
    riffle_perm *perm = NULL, *longer = NULL, *other = NULL;
    riffle_mpi_plan *plan = NULL;
    const riffle_mpi_options cut = {.exchange.src = {RIFFLE_EXCHANGE_LAYOUT_AXIS, 2, shape, 1, 0, NULL}};
    CHECK(riffle_perm_reverse(10, &perm) == RIFFLE_OK && riffle_perm_reverse(11, &longer) == RIFFLE_OK &&
              riffle_perm_rotate(10, 1, &other) == RIFFLE_OK,
          "permutations");
    if (ranks > 1) {
        expect_failure(riffle_mpi_plan_create(is_last ? longer : perm, 4, MPI_COMM_WORLD, NULL, &plan),
                       RIFFLE_ERROR_INVALID_ARGUMENT, plan,
                       "number of elements: it is 10 on rank 0 and 11 on rank ");
        expect_failure(riffle_mpi_plan_create(perm, is_last ? 8 : 4, MPI_COMM_WORLD, NULL, &plan),
                       RIFFLE_ERROR_INVALID_ARGUMENT, plan,
                       "bytes of an element: it is 4 on rank 0 and 8 on rank ");
        expect_failure(riffle_mpi_plan_create(is_last ? other : perm, 4, MPI_COMM_WORLD, NULL, &plan),
                       RIFFLE_ERROR_INVALID_ARGUMENT, plan, "do not agree on the permutation");
        expect_failure(riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, is_last ? &cut : NULL, &plan),
                       RIFFLE_ERROR_INVALID_ARGUMENT, plan, "do not agree on the layouts");
    }
    char words[PATH];
    snprintf(words, sizeof words, is_last ? "perm is NULL" : "rank %d: perm is NULL", ranks - 1);
    expect_failure(riffle_mpi_plan_create(is_last ? NULL : perm, 4, MPI_COMM_WORLD, NULL, &plan),
                   RIFFLE_ERROR_INVALID_ARGUMENT, plan, words);
    expect_failure(riffle_mpi_plan_create(perm, 0, MPI_COMM_WORLD, NULL, &plan), RIFFLE_ERROR_INVALID_ARGUMENT,
                   plan, "at least 1 byte");
    expect_failure(riffle_mpi_plan_create(perm, 4, MPI_COMM_NULL, NULL, &plan), RIFFLE_ERROR_INVALID_ARGUMENT,
                   plan, "MPI_COMM_NULL");
    expect_failure(riffle_mpi_plan_create(perm, SIZE_MAX / 4, MPI_COMM_WORLD, NULL, &plan), RIFFLE_ERROR_LENGTH,
                   plan, "more bytes than there are addresses");
    riffle_perm_free(perm);
    riffle_perm_free(longer);
    riffle_perm_free(other);
}

/* Tables that differ where no sample looks are found when their places meet. */
static void unlike_tables(void) {
    enum { N = 1 << 20 };
    uint32_t *const table = room(N * sizeof *table);
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    for (uint32_t i = 0; i < N; i++) table[i] = i;
    if (rank == 0 && ranks > 1) {
        table[12345] = N - 54321;
        table[N - 54321] = 12345;
    }
    CHECK(riffle_perm_table_u32(N, table, &perm) == RIFFLE_OK, "table");
    const riffle_status status = riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, NULL, &plan);
    if (ranks > 1) expect_failure(status, RIFFLE_ERROR_NOT_A_PERMUTATION, plan, "");
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
    free(table);
}

/* Rank 0 gets no workspace; the others hear so, and free theirs. */
static void short_memory(void) {
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    CHECK(riffle_perm_bit_reversal((uint64_t)ranks << 24, &perm) == RIFFLE_OK, "bit-reversal");
    const struct rlimit before = limit_memory(rank == 0);
    const riffle_status status = riffle_mpi_plan_create(perm, 8, MPI_COMM_WORLD, NULL, &plan);
    CHECK(setrlimit(RLIMIT_AS, &before) == 0, "setrlimit");
    expect_failure(status, RIFFLE_ERROR_OUT_OF_MEMORY, plan, rank == 0 ? "no memory" : "rank 0: no memory");
    riffle_perm_free(perm);
}

static void misuse(void) {
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    bool done = false;
    char array[64], other[64];
    CHECK(riffle_perm_reverse((uint64_t)ranks * 4, &perm) == RIFFLE_OK, "reverse");
    CHECK(riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, NULL, &plan) == RIFFLE_OK, "plan");
    expect_failure(riffle_mpi_execute(NULL, array, other), RIFFLE_ERROR_INVALID_ARGUMENT, NULL, "plan is NULL");
    expect_failure(riffle_mpi_execute(plan, NULL, other), RIFFLE_ERROR_INVALID_ARGUMENT, NULL, "dst is NULL");
    expect_failure(riffle_mpi_execute(plan, array, NULL), RIFFLE_ERROR_INVALID_ARGUMENT, NULL, "src is NULL");
    expect_failure(riffle_mpi_execute(plan, array, array + 4), RIFFLE_ERROR_INVALID_ARGUMENT, NULL, "overlap");
    expect_failure(riffle_mpi_test(NULL, &done), RIFFLE_ERROR_INVALID_ARGUMENT, NULL, "plan is NULL");
    expect_failure(riffle_mpi_test(plan, NULL), RIFFLE_ERROR_INVALID_ARGUMENT, NULL, "done is NULL");
    expect_failure(riffle_mpi_wait(NULL), RIFFLE_ERROR_INVALID_ARGUMENT, NULL, "plan is NULL");
    expect_failure(riffle_mpi_plan_explain(NULL, stdout), RIFFLE_ERROR_INVALID_ARGUMENT, NULL, "plan is NULL");
    expect_failure(riffle_mpi_plan_explain(plan, NULL), RIFFLE_ERROR_INVALID_ARGUMENT, NULL, "stream is NULL");
    CHECK(riffle_mpi_test(plan, &done) == RIFFLE_OK && done, "nothing is under way");
    CHECK(riffle_mpi_wait(plan) == RIFFLE_OK, "nothing is under way");
    char *const text = words_of(plan);
    CHECK(strstr(text, "the least possible") != NULL && strstr(text, "in the memory of hosts") != NULL, "%s",
          text);
    free(text);
    CHECK(riffle_mpi_plan_block(NULL) == 0 && riffle_mpi_plan_sent_bytes(NULL) == 0, "no plan");
    riffle_mpi_plan_free(NULL);
    riffle_mpi_plan_free(plan);
    riffle_perm_free(perm);
}

/* A build of libriffle-mpi is beside another one: this program has one of its own where it is compiled so. */
static void unlike_builds(void) {
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    CHECK(riffle_perm_reverse(10, &perm) == RIFFLE_OK, "reverse");
    expect_failure(riffle_mpi_plan_create(perm, 4, MPI_COMM_WORLD, NULL, &plan), RIFFLE_ERROR_INVALID_ARGUMENT,
                   plan, "do not agree on the build of libriffle-mpi");
    riffle_perm_free(perm);
}

static void faults(void) {
    unlike_arguments();
    unlike_tables();
    long_table();
    short_memory();
    misuse();
}

int main(int argc, char **argv) {
    riffle_mpi_plan *plan = NULL;
    riffle_perm *perm = NULL;
    CHECK(riffle_perm_reverse(10, &perm) == RIFFLE_OK, "reverse");
    expect_failure(riffle_mpi_plan_create(perm, 4, MPI_COMM_SELF, NULL, &plan), RIFFLE_ERROR_INVALID_ARGUMENT,
                   plan, "MPI is not running");
    riffle_perm_free(perm);
    world_begin(&argc, &argv);
    CHECK(argc == 2, "say moves, faults or builds");
    if (strcmp(argv[1], "moves") == 0) {
        moves();
        layouts();
        halves();
        ahead(RIFFLE_MPI_TRANSPORT_AWARE);
        ahead(RIFFLE_MPI_TRANSPORT_PEERS);
        choices();
    } else if (strcmp(argv[1], "faults") == 0) {
        faults();
    } else {
        unlike_builds();
    }
    MPI_Finalize();
    return 0;
}
