/* SPDX-License-Identifier: Apache-2.0
 *
 * sorts: run by mpirun on any number of ranks. Sorts and groups of all ranks against those of one memory, byte for byte; unlike arguments.
 */
#include "world.h"

enum { ELEM = 24, MOST = 5000, KINDS = 5 };

static uint64_t state;

static uint64_t draw(void) {
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = state;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* The same on all ranks: how n elements lie over them. */
typedef enum spread { EVEN, DRAWN, ALL_ON_LAST, SPREADS } spread;

static void spread_over(spread how, uint64_t n, uint64_t *counts) {
    const uint64_t all = (uint64_t)ranks, block = (n + all - 1) / all;
    uint64_t left = n;
    for (uint64_t k = 0; k < all; k++) {
        const uint64_t drawn = left > 0 ? draw() % (left + 1) : 0;
        uint64_t mine = how == EVEN ? block : how == DRAWN ? drawn : 0;
        if (mine > left || k + 1 == all) mine = left;
        counts[k] = mine;
        left -= mine;
    }
}

static uint64_t before(const uint64_t *counts) {
    uint64_t n = 0;
    for (int k = 0; k < rank; k++) n += counts[k];
    return n;
}

/* Kinds of numbers: any bits, few, all alike, sorted, descending; the first bytes of an element. */
static void draw_elements(unsigned kind, uint64_t n, size_t bytes, unsigned char *out) {
    for (uint64_t i = 0; i < n; i++) {
        uint64_t words[ELEM / 8] = {draw(), draw(), draw()};
        if (kind == 1) words[0] = draw() % 5 * UINT64_C(0x4080000041000041);
        if (kind == 2) words[0] = 7;
        if (kind == 3) words[0] = i;
        if (kind == 4) words[0] = n - i;
        memcpy(out + i * bytes, words, bytes);
    }
}

/* Zeros of both signs and NaNs of many kinds among floats. */
static void draw_floats(uint64_t n, unsigned char *out) {
    static const uint32_t odd[] = {0,          0x80000000, 0x7fc00000, 0xffc00000,
                                   0x7fc00001, 0xff800001, 0x7f800000, 0xff800000};
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t number = draw() % 2 == 0 ? odd[draw() % 8] : (uint32_t)draw();
        memcpy(out + 4 * i, &number, sizeof number);
    }
}

typedef struct sort_case {
    const char *name;
    riffle_sort_key key;
    bool are_floats;
} sort_case;

#define UNSIGNED(bytes, offset, turned)                                                                        \
    { RIFFLE_SORT_KEY_UNSIGNED, bytes, offset, turned, NULL }

static const sort_case cases[] = {
    {"u64", {8, 1, {UNSIGNED(8, 0, false)}, NULL}, false},
    {"u8", {1, 1, {UNSIGNED(1, 0, false)}, NULL}, false},
    {"u16 descending", {2, 1, {UNSIGNED(2, 0, true)}, NULL}, false},
    {"f32", {4, 1, {{RIFFLE_SORT_KEY_FLOAT, 4, 0, false, NULL}}, NULL}, true},
    {"f32 descending", {4, 1, {{RIFFLE_SORT_KEY_FLOAT, 4, 0, true, NULL}}, NULL}, true},
    {"rows", {ELEM, 2, {{RIFFLE_SORT_KEY_SIGNED, 2, 0, true, NULL}, UNSIGNED(1, 9, false)}, NULL}, false},
    {"bytes", {11, 1, {{RIFFLE_SORT_KEY_BYTES, 10, 0, false, NULL}}, NULL}, false},
    {"by a comparison", {8, 1, {UNSIGNED(8, 0, false)}, "a % 1000 < b % 1000"}, false},
};

/* Tags that elements have. */
typedef struct tagged {
    size_t value_bytes;
    bool indices;
} tagged;

static void compare_sort(const sort_case *c, uint64_t n, unsigned kind, spread from, spread to, tagged with) {
    const size_t bytes = c->key.elem_bytes, tag = with.indices ? 8 : with.value_bytes;
    uint64_t *const brought = room((size_t)ranks * 8), *const shares = room((size_t)ranks * 8);
    unsigned char *const all = room(n * bytes), *const wanted = room(n * bytes), *const tags = room(n * 8),
                         *const wanted_tags = room(n * 8);
    if (c->are_floats) {
        draw_floats(n, all);
    } else {
        draw_elements(kind, n, bytes, all);
    }
    for (uint64_t i = 0; i < n; i++) memcpy(tags + i * tag, &(uint64_t){i * 3}, tag);
    spread_over(from, n, brought);
    spread_over(to, n, shares);
    riffle_sort_plan *plan = NULL;
    const riffle_sort_options options = {.value_bytes = with.value_bytes, .index_bytes = with.indices ? 8 : 0};
    CHECK(riffle_sort_plan_create(n, &c->key, RIFFLE_ENGINE_CPU, &options, &plan) == RIFFLE_OK, "%s", c->name);
    CHECK(riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = wanted,
                                                          .values = with.value_bytes ? wanted_tags : NULL,
                                                          .indices = with.indices ? wanted_tags : NULL,
                                                          .from_keys = all,
                                                          .from_values = with.value_bytes ? tags : NULL}) ==
              RIFFLE_OK,
          "%s", c->name);
    riffle_sort_plan_free(plan);
    const uint64_t mine = brought[rank], share = shares[rank], at = before(brought), to_at = before(shares);
    unsigned char *const own = room(mine * bytes), *const own_tags = room(mine * 8),
                         *const got = room(share * bytes), *const got_tags = room(share * 8);
    memcpy(own, all + at * bytes, mine * bytes);
    memcpy(own_tags, tags + at * tag, mine * tag);
    const riffle_mpi_sort_arrays arrays = {.from_keys = own,
                                           .from_count = mine,
                                           .keys = got,
                                           .count = share,
                                           .from_values = own_tags,
                                           .values = got_tags,
                                           .indices = (void *)got_tags};
    riffle_mpi_sort_report report;
    const riffle_status status = riffle_mpi_sort(
        &c->key, &arrays, MPI_COMM_WORLD,
        &(riffle_mpi_sort_options){with.value_bytes, with.indices, .plain_bytes = kind % 2 ? 37 : 0}, &report);
    CHECK(status == RIFFLE_OK, "%s of %llu, kind %u", c->name, (unsigned long long)n, kind);
    CHECK(memcmp(got, wanted + to_at * bytes, share * bytes) == 0, "%s of %llu, kind %u, %d to %d, tags %zu",
          c->name, (unsigned long long)n, kind, from, to, tag);
    CHECK(memcmp(got_tags, wanted_tags + to_at * tag, share * tag) == 0, "tags of %s of %llu", c->name,
          (unsigned long long)n);
    CHECK(got[share * bytes] == 0xa5 && got_tags[share * 8] == 0xa5, "beyond the share");
    CHECK(memcmp(own, all + at * bytes, mine * bytes) == 0, "from_keys");
    CHECK(report.volume <= n * (bytes + tag) && report.rounds <= 130, "%u rounds", report.rounds);
    free(brought), free(shares), free(all), free(wanted), free(tags), free(wanted_tags);
    free(own), free(own_tags), free(got), free(got_tags);
}

static void sorts(void) {
    static const uint64_t lengths[] = {0, 1, 7, 997, MOST};
    static const tagged tags[] = {{0, false}, {0, true}, {4, false}, {8, false}};
    const bool is_long = getenv("RIFFLE_TEST_LONG") != NULL;
    unsigned turn = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
            for (unsigned kind = is_long ? 0 : (unsigned)(k + l) % KINDS; kind < KINDS;
                 kind += is_long ? 1 : KINDS, turn++)
                compare_sort(&cases[k], lengths[l], kind, (spread)(turn % SPREADS),
                             (spread)(turn / 3 % SPREADS), tags[(turn + turn / 4) % 4]);
}

static void expect(riffle_status status, riffle_status wanted, const char *words) {
    CHECK(status == wanted, "'%s' was wanted and the status is %s", words, riffle_status_string(status));
    CHECK(strstr(riffle_error_detail(), words) != NULL, "'%s' was wanted", words);
}

/* A plan sorts again and again, arrays of its counts alone; what it reports is of one sort. */
static void sorts_by_a_plan(void) {
    enum { TIMES = 3, OWN = 400 };
    const uint64_t n = (uint64_t)OWN * (uint64_t)ranks, more = rank == 0 && ranks > 1 ? 100 : 0,
                   share = rank == 1 ? OWN - 100 : OWN + more;
    uint64_t *const all = room(n * 8), *const wanted = room(n * 8), *const got = room(share * 8), sent = 0;
    riffle_sort_plan *alone = NULL;
    riffle_mpi_sort_plan *plan = NULL;
    riffle_sort_key key = cases[0].key;
    CHECK(riffle_sort_plan_create(n, &key, RIFFLE_ENGINE_CPU, NULL, &alone) == RIFFLE_OK, "alone");
    CHECK(riffle_mpi_sort_plan_create(&key, OWN, share, MPI_COMM_WORLD, NULL, &plan) == RIFFLE_OK, "a plan");
    key.field[0].descending = true; /* the plan has a copy */
    const riffle_mpi_sort_arrays arrays = {
        .from_keys = all + rank * OWN, .from_count = OWN, .keys = got, .count = share};
    for (unsigned k = 0; k < TIMES; k++) {
        riffle_mpi_sort_report report;
        draw_elements(k, n, 8, (unsigned char *)all);
        CHECK(riffle_sort_execute(alone, &(riffle_sort_arrays){.keys = wanted, .from_keys = all}) == RIFFLE_OK,
              "alone");
        CHECK(riffle_mpi_sort_execute(plan, &arrays, &report) == RIFFLE_OK, "time %u", k);
        const uint64_t at = rank < 2 ? (uint64_t)rank * (OWN + 100) : (uint64_t)rank * OWN;
        CHECK(memcmp(got, wanted + at, share * 8) == 0, "time %u", k);
        CHECK(report.volume <= n * 8, "%llu bytes", (unsigned long long)report.volume);
        sent += report.volume;
    }
    CHECK(ranks == 1 || sent > n * 8, "three sorts sent %llu bytes", (unsigned long long)sent);
    riffle_mpi_sort_arrays other = arrays;
    other.count = rank == ranks - 1 ? share - 1 : share;
    memset(got, 9, share * 8);
    expect(riffle_mpi_sort_execute(plan, &other, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
           "and the plan is for 400");
    expect(riffle_mpi_sort_execute(NULL, &arrays, NULL), RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    expect(riffle_mpi_sort_plan_create(&key, OWN, OWN, MPI_COMM_WORLD, NULL, rank == 0 ? NULL : &plan),
           RIFFLE_ERROR_INVALID_ARGUMENT, "out is NULL");
    CHECK(got[0] == UINT64_C(0x0909090909090909), "nothing was written");
    CHECK(riffle_mpi_sort_execute(plan, &arrays, NULL) == RIFFLE_OK, "and all go on");
    riffle_mpi_sort_plan_free(plan);
    riffle_mpi_sort_plan_free(NULL);
    riffle_sort_plan_free(alone);
    free(all), free(wanted), free(got);
}

/* Numbers in random order cost what was told before. */
static void costs(void) {
    const uint64_t n = 1 << 15, p = (uint64_t)rank, block = (n + (uint64_t)ranks - 1) / (uint64_t)ranks,
                   first = p * block < n ? p * block : n, own = n - first < block ? n - first : block;
    uint64_t *const from = room(own * 8), *const to = room(own * 8), *const indices = room(own * 8);
    for (uint64_t i = 0; i < own; i++) from[i] = riffle_group_hash(first + i);
    for (size_t tag = 0; tag <= 8; tag += 8) {
        riffle_exchange_sort_cost told;
        riffle_mpi_sort_report report;
        CHECK(riffle_exchange_sort_cost_of(n, 8, tag, (unsigned)ranks, &told) == RIFFLE_OK, "cost");
        CHECK(riffle_mpi_sort(
                  &cases[0].key,
                  &(riffle_mpi_sort_arrays){
                      .from_keys = from, .from_count = own, .keys = to, .count = own, .indices = indices},
                  MPI_COMM_WORLD, &(riffle_mpi_sort_options){.indices = tag > 0}, &report) == RIFFLE_OK,
              "sort");
        const double volume = told.volume * (double)(8 + tag), off = (double)report.volume - volume;
        CHECK(off * off <= 0.0025 * volume * volume, "%llu bytes, told %.0f", (unsigned long long)report.volume,
              volume);
        CHECK((double)report.messages > told.messages - 0.5 && (double)report.messages < told.messages + 0.5,
              "%llu messages, told %.1f", (unsigned long long)report.messages, told.messages);
        CHECK(report.rounds <= told.most_rounds && report.rounds + 5 >= told.rounds &&
                  report.rounds <= told.rounds + 5,
              "%u rounds, told %u", report.rounds, told.rounds);
    }
    free(from), free(to), free(indices);
}

/* A comparison that divides by elements is asked of no others, though all ranks but one have none. */
static void sorts_by_a_quotient(void) {
    uint64_t own[100], got[100];
    const uint64_t n = rank == ranks - 1 ? 100 : 0, share = rank > 1 ? 0 : ranks == 1 ? 100 : 50;
    riffle_sort_key key = cases[0].key;
    key.before = "1000 / a < 1000 / b";
    for (uint64_t i = 0; i < n; i++) own[i] = i + 1;
    const riffle_mpi_sort_arrays arrays = {.from_keys = own, .from_count = n, .keys = got, .count = share};
    CHECK(riffle_mpi_sort(&key, &arrays, MPI_COMM_WORLD, NULL, NULL) == RIFFLE_OK, "by a quotient");
    for (uint64_t i = 1; i < share; i++) CHECK(1000 / got[i - 1] <= 1000 / got[i], "by a quotient");
}

/* A rank has what the whole is in one memory, cut between groups. */
static void compare_groups(uint64_t n, size_t bytes, uint64_t groups, riffle_group_by by, spread from,
                           bool some_out) {
    uint64_t *const brought = room((size_t)ranks * 8), *const offsets = room((groups + 1) * 8), left[2];
    unsigned char *const all = room(n * bytes), *const wanted = room(n * bytes);
    uint16_t *const keys = room(n * 2);
    draw_elements(0, n, bytes, all);
    for (uint64_t i = 0; i < n; i++) keys[i] = (uint16_t)(draw() % (groups + (some_out ? 3 : 0)));
    spread_over(from, n, brought);
    riffle_group_plan *plan = NULL;
    const riffle_group_options options = {.by = by};
    CHECK(riffle_group_plan_create(n, bytes, RIFFLE_TYPE_U16, groups, RIFFLE_ENGINE_CPU, &options, &plan) ==
              RIFFLE_OK,
          "groups");
    CHECK(riffle_group_execute(plan, &(riffle_group_arrays){.rows = wanted,
                                                            .from_rows = all,
                                                            .keys = keys,
                                                            .offsets = offsets,
                                                            .left_out = left}) == RIFFLE_OK,
          "groups");
    riffle_group_plan_free(plan);
    const uint64_t mine = brought[rank], at = before(brought);
    unsigned char *const own = room(mine * bytes);
    uint16_t *const own_keys = room(mine * 2);
    memcpy(own, all + at * bytes, mine * bytes);
    memcpy(own_keys, keys + at, mine * 2);
    riffle_mpi_groups got;
    CHECK(riffle_mpi_group(mine, bytes, own, RIFFLE_TYPE_U16, own_keys, groups, MPI_COMM_WORLD,
                           &(riffle_mpi_group_options){.by = by, .plain_bytes = n % 2 ? 37 : 0},
                           &got) == RIFFLE_OK,
          "groups");
    const uint64_t block = (groups + (uint64_t)ranks - 1) / (uint64_t)ranks,
                   first = (uint64_t)rank * block < groups ? (uint64_t)rank * block : groups,
                   end = first + block < groups ? first + block : groups;
    CHECK(got.first_group == first && got.groups == end - first && got.row_bytes == bytes, "%llu groups",
          (unsigned long long)got.groups);
    for (uint64_t g = 0; g <= got.groups; g++)
        CHECK(got.offsets[g] == offsets[first + g] - offsets[first], "group %llu begins at %llu",
              (unsigned long long)g, (unsigned long long)got.offsets[g]);
    CHECK(memcmp(got.rows, wanted + offsets[first] * bytes, got.offsets[got.groups] * bytes) == 0,
          "%llu rows of %zu bytes", (unsigned long long)n, bytes);
    uint64_t all_left = 0;
    MPI_Allreduce(&got.left_out, &all_left, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all_left == left[0] && got.volume <= n * bytes, "left out");
    riffle_mpi_group_free(&got);
    CHECK(got.rows == NULL && got.offsets == NULL, "freed");
    free(brought), free(offsets), free(all), free(wanted), free(keys), free(own), free(own_keys);
}

static void groups(void) {
    static const uint64_t lengths[] = {0, 1, 997, MOST}, counts[] = {1, 2, 5, 64, 1000};
    static const size_t sizes[] = {1, 4, 8, 20};
    unsigned turn = 0;
    for (size_t l = 0; l < 4; l++)
        for (size_t c = 0; c < 5; c++, turn++)
            compare_groups(lengths[l], sizes[(turn + l) % 4], counts[c],
                           turn % 3 == 2 ? RIFFLE_GROUP_BY_HASH : RIFFLE_GROUP_BY_VALUE,
                           (spread)((turn + c) % SPREADS), turn % 3 == 1);
}

/* ------------------------------------------------------------------ faults */

static void unlike_sorts(void) {
    const bool is_last = rank == ranks - 1;
    const uint64_t from[4] = {4, 3, 2, 1};
    uint64_t to[4] = {9, 9, 9, 9};
    const riffle_sort_key up = cases[0].key, rows = cases[5].key;
    riffle_sort_key down = up, none = up;
    down.field[0].descending = true;
    none.field[0].offset = 4;
    const riffle_mpi_sort_arrays arrays = {.from_keys = from, .from_count = 4, .keys = to, .count = 4};
    riffle_mpi_sort_arrays short_one = arrays, missing = arrays;
    short_one.count = 3;
    missing.keys = NULL;
    if (ranks > 1) {
        expect(riffle_mpi_sort(is_last ? &down : &up, &arrays, MPI_COMM_WORLD, NULL, NULL),
               RIFFLE_ERROR_INVALID_ARGUMENT, "do not agree on the key");
        expect(riffle_mpi_sort(is_last ? &rows : &up, &arrays, MPI_COMM_WORLD, NULL, NULL),
               RIFFLE_ERROR_INVALID_ARGUMENT, "bytes of an element: it is 8 on rank 0 and 24 on rank ");
        expect(
            riffle_mpi_sort(&up, &arrays, MPI_COMM_WORLD, &(riffle_mpi_sort_options){.indices = is_last}, NULL),
            RIFFLE_ERROR_INVALID_ARGUMENT, "indices is NULL");
    }
    expect(riffle_mpi_sort(&up, is_last ? &short_one : &arrays, MPI_COMM_WORLD, NULL, NULL),
           RIFFLE_ERROR_INVALID_ARGUMENT, "let counts have the sum");
    expect(riffle_mpi_sort(&up, is_last ? &missing : &arrays, MPI_COMM_WORLD, NULL, NULL),
           RIFFLE_ERROR_INVALID_ARGUMENT, "keys is NULL");
    expect(riffle_mpi_sort(is_last ? NULL : &up, &arrays, MPI_COMM_WORLD, NULL, NULL),
           RIFFLE_ERROR_INVALID_ARGUMENT, "key is NULL");
    expect(riffle_mpi_sort(&none, &arrays, MPI_COMM_WORLD, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT, "");
    expect(riffle_mpi_sort(&up, &arrays, MPI_COMM_NULL, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT,
           "MPI_COMM_NULL");
    CHECK(to[0] == 9 && to[3] == 9, "nothing was written");
    CHECK(riffle_mpi_sort(&up, &arrays, MPI_COMM_WORLD, NULL, NULL) == RIFFLE_OK, "and all go on");
}

static void unlike_groups(void) {
    const bool is_last = rank == ranks - 1;
    const uint64_t rows[2] = {1, 2};
    const uint8_t keys[2] = {0, 1};
    riffle_mpi_groups out = {.groups = 77};
    if (ranks > 1)
        expect(riffle_mpi_group(2, 8, rows, RIFFLE_TYPE_U8, keys, is_last ? 3 : 2, MPI_COMM_WORLD, NULL, &out),
               RIFFLE_ERROR_INVALID_ARGUMENT, "the number of groups: it is 2 on rank 0 and 3 on rank ");
    expect(riffle_mpi_group(2, 8, is_last ? NULL : rows, RIFFLE_TYPE_U8, keys, 2, MPI_COMM_WORLD, NULL, &out),
           RIFFLE_ERROR_INVALID_ARGUMENT, "rows is NULL");
    expect(riffle_mpi_group(2, 8, rows, RIFFLE_TYPE_F32, keys, 2, MPI_COMM_WORLD, NULL, &out),
           RIFFLE_ERROR_UNSUPPORTED, "");
    expect(riffle_mpi_group(2, 8, rows, RIFFLE_TYPE_U8, keys, 0, MPI_COMM_WORLD, NULL, &out),
           RIFFLE_ERROR_INVALID_ARGUMENT, "");
    CHECK(out.groups == 77, "nothing was written");
    riffle_mpi_group_free(NULL);
}

/* Rank 0 has elements, and no room to sort them; the others hear so. */
static void short_memory(void) {
    const uint64_t n = rank == 0 ? (uint64_t)1 << 24 : 0;
    uint64_t *const from = calloc(n + 1, sizeof *from), *const to = calloc(n + 1, sizeof *to);
    uint16_t *const keys = calloc(n + 1, sizeof *keys);
    riffle_mpi_groups out;
    CHECK(from != NULL && to != NULL && keys != NULL, "no memory");
    const struct rlimit before = limit_memory(rank == 0);
    const riffle_mpi_sort_arrays arrays = {.from_keys = from, .from_count = n, .keys = to, .count = n};
    const riffle_status sorted = riffle_mpi_sort(&cases[0].key, &arrays, MPI_COMM_WORLD, NULL, NULL);
    expect(sorted, RIFFLE_ERROR_OUT_OF_MEMORY, rank == 0 ? "no memory" : "rank 0: no memory");
    const riffle_status grouped =
        riffle_mpi_group(n, 8, from, RIFFLE_TYPE_U16, keys, 4, MPI_COMM_WORLD, NULL, &out);
    expect(grouped, RIFFLE_ERROR_OUT_OF_MEMORY, rank == 0 ? "no memory" : "rank 0: no memory");
    CHECK(setrlimit(RLIMIT_AS, &before) == 0, "setrlimit");
    free(from), free(to), free(keys);
}

int main(int argc, char **argv) {
    world_begin(&argc, &argv);
    sorts();
    sorts_by_a_plan();
    costs();
    sorts_by_a_quotient();
    groups();
    unlike_sorts();
    unlike_groups();
    short_memory();
    MPI_Finalize();
    return 0;
}
