/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves between the memories of several GPUs, on the memory machine: P arrays before and P afterwards, of which a launch reads one. All elements arrive, what is
 * stored into other parts' memories is what the plan says, and it is the least possible.
 */
#include "affine_support.h"
#include "device_support.h"
#include "move/kernels/kernel.h"
#include "multigpu/plan.h"
#include "riffle/multigpu.h"

enum {
    CASES = 70,
    CHUNKED = 18,
    MOST = RIFFLE_MULTIGPU_MAX,
    NAME_BYTES = 16,
    LONGEST = 13,
    TRACED = 1 << 22,
    LAUNCHES = 1 << 12,
    SMALL_TILE = 256
};

static uint64_t seed;

typedef struct parts_case {
    perm_affine map;
    riffle_perm *perm;
    size_t elem_bytes, part_bytes;
    unsigned gpus;
    riffle_multigpu_options options;
    riffle_machine_options machine;
    size_t tile_bytes; /* at most, where arrays are to have many tiles; else 0 */
    riffle_multigpu_cost cost;
    unsigned char *before; /* all parts, as they were */
} parts_case;

typedef struct memories {
    machine *m;
    riffle_trace *trace;
    riffle_multigpu_plan *plan;
    void *src[MOST], *dst[MOST], *workspace[MOST];
    unsigned launches, part[LAUNCHES]; /* whose each is */
    uint64_t copied[MOST][MOST];       /* bytes, from part to part */
} memories;

/* -------------------------------------------------------------- cases */

/* Ranks are often exchanged with bits that are not the lowest, as state vectors have it. */
static perm_affine random_map(rng *r, unsigned m, unsigned k) {
    perm_affine map = rng_below(r, 4) == 0 ? random_affine(r, m) : random_bits(r, m);
    if (rng_below(r, 2) == 0 || k == 0 || m < k + 6) return map;
    map = (perm_affine){.a = gf2_identity(m), .c = random_index(r, m)};
    for (unsigned j = 0; j < k; j++) {
        const unsigned other = m - k - 1 - (unsigned)rng_below(r, m - k - 5);
        const uint64_t held = map.a.column[m - 1 - j];
        map.a.column[m - 1 - j] = map.a.column[other];
        map.a.column[other] = held;
    }
    return map;
}

static parts_case case_of(rng *r, const perm_affine *map, unsigned k, unsigned elem_bits) {
    parts_case c = {.map = *map, .elem_bytes = (size_t)1 << elem_bits, .gpus = 1u << k};
    c.machine = (riffle_machine_options){.width = 32};
    c.perm = perm_of(&c.map);
    c.part_bytes = ((size_t)1 << (map->a.m - k)) * c.elem_bytes;
    c.before = malloc(c.part_bytes << k);
    assert_non_null(c.before);
    fill_random(r, c.before, c.part_bytes << k);
    return c;
}

static void find_cost(parts_case *c) {
    assert_int_equal(riffle_multigpu_cost_of(c->perm, c->elem_bytes, c->gpus, &c->options, &c->cost),
                     RIFFLE_OK);
}

static parts_case random_case(rng *r) {
    static const unsigned widths[] = {32, 32, 4, 16};
    const unsigned k = (unsigned)rng_below(r, 5), elem_bits = (unsigned)rng_below(r, 7);
    const unsigned m = k + (unsigned)rng_below(r, LONGEST - elem_bits / 2 - k);
    const perm_affine map = random_map(r, m, k);
    parts_case c = case_of(r, &map, k, elem_bits);
    c.machine.width = widths[rng_below(r, 4)];
    c.options.in_place = rng_below(r, 3) == 0;
    c.options.transport = (riffle_multigpu_transport)rng_below(r, 3);
    find_cost(&c);
    return c;
}

static void free_case(parts_case *c) {
    riffle_perm_free(c->perm);
    free(c->before);
}

static void *memory_of(machine *m, const char *name, unsigned p, size_t bytes) {
    char text[NAME_BYTES];
    void *out;
    snprintf(text, sizeof text, "%s %u", name, p);
    if (machine_buffer(m, text, bytes, &out) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    return out;
}

static memories memories_of(const parts_case *c) {
    memories all = {.trace = NULL};
    const riffle_trace_options kept = {.limit = TRACED};
    riffle_machine_options options = c->machine;
    device_limits limits;
    assert_int_equal(riffle_trace_create(&kept, &all.trace), RIFFLE_OK);
    options.trace = all.trace;
    all.m = machine_or_fail(options);
    const device on = device_of_machine(all.m);
    assert_int_equal(on.ops->describe(&on, &limits), RIFFLE_OK);
    plan_target target = plan_target_of(TARGET_MACHINE, "machine", &limits);
    if (c->tile_bytes > 0) target.shared_bytes = c->tile_bytes;
    assert_int_equal(multigpu_plan_of(c->perm, c->elem_bytes, c->gpus, &c->options, &target, &all.plan),
                     RIFFLE_OK);
    for (unsigned p = 0; p < c->gpus; p++) {
        all.src[p] = memory_of(all.m, "src", p, c->part_bytes);
        memcpy(all.src[p], c->before + p * c->part_bytes, c->part_bytes);
        machine_written(all.m, all.src[p], c->part_bytes);
        all.dst[p] = c->options.in_place ? all.src[p] : memory_of(all.m, "dst", p, c->part_bytes);
        if (c->cost.passes > 1) all.workspace[p] = memory_of(all.m, "workspace", p, c->cost.workspace_bytes);
    }
    return all;
}

static void free_memories(memories *all) {
    riffle_multigpu_plan_free(all->plan);
    machine_free(all->m);
    riffle_trace_free(all->trace);
}

static unsigned count_launches(const launch_list *list) {
    unsigned count = 0;
    for (const launch *work = list->first; work != NULL; work = work->next) count++;
    return count;
}

static bool is_by_copies(const parts_case *c) { return c->cost.transport == RIFFLE_MULTIGPU_TRANSPORT_COPIES; }

static void run_step(const parts_case *c, memories *all, unsigned step, unsigned chunk) {
    for (unsigned p = 0; p < c->gpus; p++) {
        const bool is_first = step == 0, is_last = step + 1 == c->cost.passes;
        void *packed[MOST], **to = is_last ? all->dst : all->workspace;
        launch_list list;
        if (is_first && is_by_copies(c)) {
            multigpu_pack_into(&all->plan->steps, c->part_bytes, p, all->workspace[p], packed);
            to = packed;
        }
        launch_list_begin(&list);
        multigpu_append(all->plan, step, chunk, p, to, is_first ? all->src[p] : all->workspace[p], &list);
        for (unsigned k = count_launches(&list); k > 0; k--) {
            assert_true(all->launches < LAUNCHES);
            all->part[all->launches++] = p;
        }
        run_list_or_fail(all->m, &list);
    }
}

/* All messages, and what they leave behind is poison. */
static void copy_messages(const parts_case *c, memories *all) {
    for (unsigned p = 0; p < c->gpus; p++)
        for (uint64_t s = 0; s < (uint64_t)1 << all->plan->steps.cosets.r; s++) {
            const multigpu_message m = multigpu_message_of(&all->plan->steps, c->part_bytes, p, s);
            if (m.to == p) continue;
            assert_true(m.at + m.bytes <= c->part_bytes);
            assert_true(m.packed_at + m.bytes <= c->cost.workspace_bytes);
            memcpy((char *)all->workspace[m.to] + m.at, (char *)all->workspace[p] + m.packed_at, m.bytes);
            memset((char *)all->workspace[p] + m.packed_at, POISON_VALUE, m.bytes);
            machine_written(all->m, (char *)all->workspace[m.to] + m.at, m.bytes);
            all->copied[p][m.to] += m.bytes;
        }
}

/* Each chunk is moved as soon as it has been sent: before the next one is. */
static void run(const parts_case *c, memories *all) {
    for (unsigned chunk = 0; chunk < all->plan->chunks.count; chunk++)
        for (unsigned step = 0; step < c->cost.passes; step++) {
            run_step(c, all, step, chunk);
            if (step == 0 && is_by_copies(c)) copy_messages(c, all);
        }
    assert_no_hazards(all->m);
}

/* -------------------------------------------------------------- what is looked at */

static void assert_moved(const parts_case *c, const memories *all) {
    const uint64_t part = c->part_bytes / c->elem_bytes;
    for (uint64_t i = 0; i < part * c->gpus; i++) {
        const uint64_t to = affine_at(&c->map, i);
        const unsigned char *const there = (unsigned char *)all->dst[to / part] + to % part * c->elem_bytes;
        if (memcmp(there, c->before + i * c->elem_bytes, c->elem_bytes) != 0)
            fail_msg("seed %llu: %u GPUs, %zu bytes, passes %u: element %llu did not arrive at %llu",
                     (unsigned long long)seed, c->gpus, c->elem_bytes, c->cost.passes, (unsigned long long)i,
                     (unsigned long long)to);
    }
}

/* Bytes that part p's launches store into the memory of part q, or that are copied there. */
typedef uint64_t traffic[MOST][MOST];

static void count_traffic(const parts_case *c, const memories *all, traffic out) {
    const uint64_t events = riffle_trace_events(all->trace);
    assert_true(events <= TRACED);
    memcpy(out, all->copied, sizeof(traffic));
    for (uint64_t k = 0; k < events; k++) {
        riffle_trace_event e;
        assert_int_equal(riffle_trace_event_at(all->trace, k, &e), RIFFLE_OK);
        if (e.is_shared) continue;
        const unsigned p = all->part[e.launch], q = (unsigned)strtoul(strchr(e.array, ' '), NULL, 10);
        if (e.op == RIFFLE_TRACE_OP_WRITE) out[p][q] += e.bytes;
        if (e.op != RIFFLE_TRACE_OP_WRITE || is_by_copies(c))
            assert_int_equal(p, q); /* a GPU reads its own memory, and without access it also stores there */
    }
}

/* A thread stores 8 units of 16 bytes, the same again where a part has fewer. */
static bool stores_again(const parts_case *c) { return c->elem_bytes >= 16 && c->part_bytes < 8 * 16; }

static void assert_traffic(const parts_case *c, const memories *all) {
    traffic stored;
    if (stores_again(c)) return;
    uint64_t volume = 0, messages = 0, most = 0;
    count_traffic(c, all, stored);
    for (unsigned p = 0; p < c->gpus; p++) {
        uint64_t sent = 0;
        for (unsigned q = 0; q < c->gpus; q++) {
            if (q == p) continue;
            sent += stored[p][q];
            messages += stored[p][q] > 0;
        }
        volume += sent;
        if (sent > most) most = sent;
    }
    assert_int_equal(volume, c->cost.exchange.volume * c->elem_bytes);
    assert_int_equal(messages, c->cost.exchange.messages);
    assert_int_equal(most, c->cost.exchange.most_sent * c->elem_bytes);
}

/* The elements that change their part, one by one. */
static void assert_least(const parts_case *c) {
    const uint64_t part = c->part_bytes / c->elem_bytes;
    uint64_t volume = 0;
    for (uint64_t i = 0; i < part * c->gpus; i++) volume += affine_at(&c->map, i) / part != i / part;
    assert_int_equal(volume, c->cost.exchange.volume);
}

/* As many accesses as full segments take, and no bank conflict. */
static void assert_coalesced(const memories *all) {
    const riffle_report *const report = machine_report(all->m);
    assert_int_equal(riffle_report_conflicts(report, 1), 0);
    for (report_op op = OP_READ; op <= OP_WRITE; op++) {
        const report_line sum = sum_of(report, SPACE_GLOBAL, op);
        assert_int_equal(sum.requests, sum.ideal_requests);
    }
}

/* -------------------------------------------------------------- tests */

static void elements_arrive_and_links_carry_the_least(void **state) {
    rng r = {seed};
    unsigned in_one = 0, in_two = 0, units = 0, copied = 0;
    (void)state;
    for (unsigned k = 0; k < test_rounds(CASES); k++) {
        parts_case c = random_case(&r);
        memories all = memories_of(&c);
        run(&c, &all);
        assert_moved(&c, &all);
        assert_traffic(&c, &all);
        assert_least(&c);
        in_one += c.cost.passes == 1;
        in_two += c.cost.passes == 2;
        units += !all.plan->tiles[0].by_vectors;
        copied += is_by_copies(&c);
        free_memories(&all);
        free_case(&c);
    }
    if (!is_sanitized() && (in_one == 0 || in_two == 0 || units == 0 || copied == 0)) /* which has few rounds */
        fail_msg("seed %llu: cases of one pass %u, of two %u, by units %u, by copies %u",
                 (unsigned long long)seed, in_one, in_two, units, copied);
}

static perm_affine reversal_of_bits(unsigned m, uint64_t constant) {
    perm_affine map = {.a = gf2_identity(m), .c = constant};
    for (unsigned j = 0; j < m; j++) map.a.column[j] = (uint64_t)1 << (m - 1 - j);
    return map;
}

/* Maps that mix rank bits with the lowest ones, in enough tiles for several chunks. */
static void chunks_are_moved_while_others_are_sent(void **state) {
    rng r = {seed};
    unsigned chunks = 0, in_place = 0;
    (void)state;
    for (unsigned k = 0; k < test_rounds(CHUNKED); k++) {
        const unsigned ranks = 1 + k % 3, m = 12 + ranks, elem_bits = 2 + (unsigned)rng_below(&r, 2);
        const perm_affine map = k % 2 == 0 ? random_affine(&r, m) : reversal_of_bits(m, random_index(&r, m));
        parts_case c = case_of(&r, &map, ranks, elem_bits);
        c.tile_bytes = SMALL_TILE;
        c.options.in_place = k / 3 % 2 == 0;
        find_cost(&c);
        memories all = memories_of(&c);
        run(&c, &all);
        assert_moved(&c, &all);
        assert_traffic(&c, &all);
        chunks += all.plan->chunks.count > 2 && !c.options.in_place;
        in_place += all.plan->chunks.count > 2 && c.options.in_place;
        free_memories(&all);
        free_case(&c);
    }
    if (!is_sanitized() && (chunks == 0 || in_place == 0))
        fail_msg("seed %llu: %u moves in chunks, %u of them in place", (unsigned long long)seed, chunks,
                 in_place);
}

/* Any affine map of long elements, and ranks that change places with bits above 512 bytes: in one pass, and in place. */
static void long_runs_are_coalesced(void **state) {
    rng r = {seed};
    (void)state;
    for (unsigned kind = 0; kind < 8; kind++) {
        const unsigned k = 1 + kind % 2, elem_bits = kind / 2 % 2 == 0 ? 9 : 2, m = 15 + k - elem_bits;
        perm_affine map = random_affine(&r, m);
        if (elem_bits == 2) map = (perm_affine){.a = gf2_identity(m), .c = random_index(&r, m)};
        for (unsigned j = 0; elem_bits == 2 && j < k; j++) {
            map.a.column[m - 1 - j] = (uint64_t)1 << (8 + j);
            map.a.column[8 + j] = (uint64_t)1 << (m - 1 - j);
        }
        parts_case c = case_of(&r, &map, k, elem_bits);
        c.options.in_place = kind / 4 == 1;
        find_cost(&c);
        memories all = memories_of(&c);
        run(&c, &all);
        assert_moved(&c, &all);
        assert_coalesced(&all);
        assert_int_equal(c.cost.passes, c.options.in_place ? 2 : 1);
        free_memories(&all);
        free_case(&c);
    }
}

static void assert_passes(const char *spec, uint64_t n, size_t elem_bytes, unsigned gpus, bool in_place,
                          unsigned passes) {
    const riffle_multigpu_options options = {.in_place = in_place};
    riffle_multigpu_cost cost;
    riffle_perm *const perm = parse_or_fail(spec, n);
    assert_int_equal(riffle_multigpu_cost_of(perm, elem_bytes, gpus, &options, &cost), RIFFLE_OK);
    if (cost.passes != passes)
        fail_msg("%s over %u GPUs by %zu bytes: %u passes, %u wanted", spec, gpus, elem_bytes, cost.passes,
                 passes);
    riffle_perm_free(perm);
}

static void long_runs_take_one_pass(void **state) {
    const uint64_t n = (uint64_t)1 << 30;
    (void)state;
    assert_passes("identity", n, 4, 1, false, 1);
    assert_passes("bit-reversal", n, 4, 1, false, 1);
    assert_passes("bit-reversal", n, 4, 2, false, 2);
    assert_passes("bit-reversal", n, 64, 2, false, 1);
    assert_passes("reverse", n, 1, 8, false, 1);
    assert_passes("reverse", n, 1, 8, true, 2);
    assert_passes("axes:2x32768x16384:1,0,2", n, 4, 2, false, 1);
    assert_passes("transpose:32768x32768", n, 4, 4, false, 1);
    assert_passes("transpose:4x268435456", n, 4, 4, false, 2);
    assert_passes("identity", 0, 4, 4, false, 0);
    assert_passes("identity", 16, 4, 16, false, 1);
}

static void tables_are_recognized(void **state) {
    rng r = {seed};
    (void)state;
    enum { M = 10, N = 1 << M };
    const perm_affine map = random_affine(&r, M);
    riffle_multigpu_cost of_table, of_map;
    uint64_t entries[N];
    riffle_perm *table = NULL, *const perm = perm_of(&map);
    for (uint64_t i = 0; i < N; i++) entries[i] = affine_at(&map, i);
    assert_int_equal(riffle_perm_table_u64(N, entries, &table), RIFFLE_OK);
    assert_int_equal(riffle_multigpu_cost_of(table, 8, 4, NULL, &of_table), RIFFLE_OK);
    assert_int_equal(riffle_multigpu_cost_of(perm, 8, 4, NULL, &of_map), RIFFLE_OK);
    assert_memory_equal(&of_table, &of_map, sizeof of_map);
    riffle_perm_free(table);
    riffle_perm_free(perm);
}

static void assert_refused(const char *spec, uint64_t n, size_t elem_bytes, unsigned gpus, riffle_status wanted,
                           const char *words) {
    riffle_multigpu_cost cost;
    riffle_perm *const perm = parse_or_fail(spec, n);
    assert_int_equal(riffle_multigpu_cost_of(perm, elem_bytes, gpus, NULL, &cost), wanted);
    if (strstr(riffle_error_detail(), words) == NULL) fail_msg("'%s' lacks '%s'", riffle_error_detail(), words);
    riffle_perm_free(perm);
}

static void what_they_do_not_move_is_refused(void **state) {
    (void)state;
    assert_refused("identity", 64, 4, 0, RIFFLE_ERROR_INVALID_ARGUMENT, "1 to 16 GPUs");
    assert_refused("identity", 64, 4, 32, RIFFLE_ERROR_INVALID_ARGUMENT, "1 to 16 GPUs");
    assert_refused("identity", 64, 4, 3, RIFFLE_ERROR_UNSUPPORTED, "power of two");
    assert_refused("identity", 64, 0, 2, RIFFLE_ERROR_INVALID_ARGUMENT, "at least 1 byte");
    assert_refused("identity", 64, 12, 2, RIFFLE_ERROR_UNSUPPORTED, "power of two of bytes");
    assert_refused("identity", 4, 4, 8, RIFFLE_ERROR_INVALID_ARGUMENT, "more than the array's 4 elements");
    assert_refused("rotate:1", 64, 4, 2, RIFFLE_ERROR_UNSUPPORTED, "affine");
    assert_refused("reverse", 60, 4, 2, RIFFLE_ERROR_UNSUPPORTED, "affine");
    assert_refused("identity", (uint64_t)1 << 39, 64, 2, RIFFLE_ERROR_UNSUPPORTED, "2^40");
}

static void transports_cost_workspaces(void **state) {
    riffle_multigpu_options options = {.transport = RIFFLE_MULTIGPU_TRANSPORT_COPIES};
    riffle_multigpu_cost cost;
    riffle_perm *const perm = parse_or_fail("axes:2x2x1024:1,0,2", 4096), *const same =
                                                                              parse_or_fail("identity", 4096);
    (void)state;
    assert_int_equal(riffle_multigpu_cost_of(perm, 4, 2, &options, &cost), RIFFLE_OK);
    assert_int_equal(cost.transport, RIFFLE_MULTIGPU_TRANSPORT_COPIES);
    assert_int_equal(cost.passes, 2);
    assert_int_equal(cost.chunks, 1);
    assert_int_equal(cost.workspace_bytes, 16384);
    assert_int_equal(cost.exchange.volume, 2048);
    assert_int_equal(riffle_multigpu_cost_of(same, 4, 2, &options, &cost), RIFFLE_OK); /* nothing to copy */
    assert_int_equal(cost.transport, RIFFLE_MULTIGPU_TRANSPORT_PEERS);
    assert_int_equal(cost.workspace_bytes, 0);
    options.transport = (riffle_multigpu_transport)3;
    assert_int_equal(riffle_multigpu_cost_of(perm, 4, 2, &options, &cost), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "options.transport: there is none of number 3"));
    riffle_perm_free(perm);
    riffle_perm_free(same);
}

/* Two hosts' worth of GPUs: 0 and 1 have access to each other, and 2 and 3; there is no GPU 4. */
static riffle_status can_access_neighbour(int from, int to, bool *out) {
    if (from > 3 || to > 3) return RIFFLE_ERROR_DEVICE;
    *out = from / 2 == to / 2;
    return RIFFLE_OK;
}

static void assert_transport(const char *spec, const int *numbers, riffle_status wanted,
                             riffle_multigpu_transport transport) {
    const cuda_peers peers = {.can_access = can_access_neighbour};
    riffle_multigpu_transport chosen;
    device on[4] = {
        {.number = numbers[0]}, {.number = numbers[1]}, {.number = numbers[2]}, {.number = numbers[3]}};
    multigpu_steps steps;
    riffle_perm *const perm = parse_or_fail(spec, 4096);
    assert_int_equal(multigpu_steps_of(perm, 4, 4, NULL, &steps), RIFFLE_OK);
    assert_int_equal(multigpu_choose_transport(&peers, &steps.cosets, on, &chosen), wanted);
    if (wanted == RIFFLE_OK) assert_int_equal(chosen, transport);
    riffle_perm_free(perm);
}

static void copies_are_taken_where_access_is_needed_and_missing(void **state) {
    static const int all[] = {0, 1, 2, 3}, pairs[] = {0, 0, 1, 1}, none[] = {0, 1, 2, 4};
    (void)state;
    assert_transport("identity", all, RIFFLE_OK, RIFFLE_MULTIGPU_TRANSPORT_PEERS);
    assert_transport("axes:2x2x2x512:0,2,1,3", all, RIFFLE_OK, RIFFLE_MULTIGPU_TRANSPORT_PEERS);
    assert_transport("axes:2x2x2x512:2,1,0,3", all, RIFFLE_OK, RIFFLE_MULTIGPU_TRANSPORT_COPIES);
    assert_transport("reverse", all, RIFFLE_OK, RIFFLE_MULTIGPU_TRANSPORT_COPIES);
    assert_transport("bit-reversal", pairs, RIFFLE_OK, RIFFLE_MULTIGPU_TRANSPORT_PEERS);
    assert_transport("bit-reversal", none, RIFFLE_ERROR_DEVICE, RIFFLE_MULTIGPU_TRANSPORT_AUTO);
}

static void explanations_have_the_cost(void **state) {
    char *text = NULL;
    size_t bytes = 0;
    riffle_perm *const perm = parse_or_fail("axes:2x2x1024:1,0,2", 4096);
    FILE *const stream = open_memstream(&text, &bytes);
    (void)state;
    assert_non_null(stream);
    assert_int_equal(riffle_multigpu_explain(perm, 4, 2, NULL, 4096, stream), RIFFLE_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "several GPUs: 2, each with 2048 elements of 4 bytes"));
    assert_non_null(strstr(text, "passes:    1: each GPU"));
    assert_non_null(strstr(text, "runs:      4096 bytes"));
    assert_non_null(strstr(text, "volume:    8192 bytes, 50.00 %"));
    assert_non_null(strstr(text, "messages:  2 between GPUs, up to 1 of one"));
    assert_non_null(strstr(text, "time:      1000 ms"));
    assert_non_null(
        strstr(text, "no access: 2 passes, with copies by CUDA between them; workspaces of 16384 bytes"));
    free(text);
    riffle_perm_free(perm);
}

/* Long arrays have them, where something crosses links. */
static void assert_chunks(const char *spec, unsigned log2, bool in_place, bool wanted) {
    const riffle_multigpu_options options = {.in_place = in_place};
    riffle_multigpu_cost cost;
    char *text = NULL;
    size_t bytes = 0;
    riffle_perm *const perm = parse_or_fail(spec, (uint64_t)1 << log2);
    FILE *const stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    assert_int_equal(riffle_multigpu_cost_of(perm, 4, 2, &options, &cost), RIFFLE_OK);
    assert_int_equal(riffle_multigpu_explain(perm, 4, 2, &options, 0, stream), RIFFLE_OK);
    assert_int_equal(fclose(stream), 0);
    if ((cost.chunks > 1) != wanted || (strstr(text, "chunks:    ") != NULL) != wanted)
        fail_msg("%s of 2^%u: %u chunks", spec, log2, cost.chunks);
    free(text);
    riffle_perm_free(perm);
}

static void long_arrays_are_moved_in_chunks(void **state) {
    (void)state;
    for (unsigned in_place = 0; in_place < 2; in_place++) {
        assert_chunks("bit-reversal", 31, in_place != 0, true);
        assert_chunks("random-affine:1", 31, in_place != 0, true);
        assert_chunks("bit-reversal", 16, in_place != 0, false);
        assert_chunks("identity", 31, in_place != 0, false);
    }
    assert_chunks("axes:2x2x536870912:1,0,2", 31, false, false);
}

/* Where there is no GPU, planning says so. */
static void planning_wants_gpus(void **state) {
    static const unsigned devices[] = {0, 0};
    riffle_multigpu_plan *plan = NULL;
    riffle_perm *const perm = parse_or_fail("identity", 64);
    (void)state;
    const riffle_status status = riffle_multigpu_plan_create(perm, 4, 2, devices, NULL, &plan);
    if (status == RIFFLE_OK)
        riffle_multigpu_plan_free(plan);
    else
        assert_int_equal(status, RIFFLE_ERROR_UNSUPPORTED);
    riffle_multigpu_plan_free(NULL);
    riffle_perm_free(perm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_arrive_and_links_carry_the_least),
        cmocka_unit_test(chunks_are_moved_while_others_are_sent),
        cmocka_unit_test(long_runs_are_coalesced),
        cmocka_unit_test(long_runs_take_one_pass),
        cmocka_unit_test(tables_are_recognized),
        cmocka_unit_test(what_they_do_not_move_is_refused),
        cmocka_unit_test(transports_cost_workspaces),
        cmocka_unit_test(copies_are_taken_where_access_is_needed_and_missing),
        cmocka_unit_test(explanations_have_the_cost),
        cmocka_unit_test(long_arrays_are_moved_in_chunks),
        cmocka_unit_test(planning_wants_gpus),
    };
    seed = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
