/* SPDX-License-Identifier: Apache-2.0
 *
 * A GPU's launches of checks on the memory machine: of rows along places, of groups and of sorts. Right results pass, without a race, and
 * faults that are put into results on purpose are found, all of them.
 */
#include "check/check.h"
#include "device_support.h"
#include "faults.h"
#include "group/gpu/launches.h"
#include "group_support.h"
#include "grouped_faults.h"
#include "moved_faults.h"
#include "perm/perm.h"
#include "riffle/cuda.h"
#include "riffle/sort.h"
#include "sort/gpu/checked/checked.h"

static uint64_t seed;

static uint64_t fault_rounds(void) { return test_is_long() ? 500 : is_sanitized() ? 16 : 40; }

static void found_or_fail(riffle_status status, const char *where, fault what) {
    if (status != RIFFLE_ERROR_DAMAGED)
        fail_msg("seed %llu: %s: %s was not found", (unsigned long long)seed, where, fault_name(what));
}

/* Memory of the machine's, which the host may write to as well, with what stands at `from` or with zeros. */
static void *bring(const device *on, const void *from, size_t bytes) {
    void *there = NULL, *const zeros = calloc(bytes + 1, 1);
    assert_non_null(zeros);
    if (on->ops->allocate(on, "a test's array", bytes, &there) != RIFFLE_OK ||
        (bytes > 0 &&
         on->ops->upload(on, "a test's array", there, from != NULL ? from : zeros, bytes) != RIFFLE_OK))
        fail_msg("%s", riffle_error_detail());
    free(zeros);
    return there;
}

/* -------------------------------------------------------------------------- moves */

enum { ROWS = 2048, ARRAYS = 2, STRIDE = ROWS + 7, MOST_BYTES = 24 };

/* Arrays of a move, whose rows begin anywhere that their alignment allows. */
typedef struct move_room {
    char *src, *dst;
    uint32_t *places;
    void *record;
    riffle_perm *perm;
    perm_affine affine; /* no bits where it is none */
} move_room;

static void move_room_fill(const device *on, const char *spec, move_room *room) {
    enum { ROOM = ARRAYS * STRIDE * MOST_BYTES + 16 };
    *room = (move_room){.src = bring(on, NULL, ROOM),
                        .dst = bring(on, NULL, ROOM),
                        .places = bring(on, NULL, ROWS * sizeof *room->places),
                        .record = bring(on, NULL, CHECK_RECORD_BYTES),
                        .perm = parse_or_fail(spec, ROWS)};
    if (!perm_as_affine(room->perm, &room->affine)) room->affine.a.m = 0;
    for (uint32_t i = 0; i < ROWS; i++) room->places[i] = (uint32_t)riffle_perm_at(room->perm, i);
}

/* The first n rows, n a power of two or all, moved as the definition has it, with a fault or, FAULTS, without. */
static void look_at_a_move(machine *m, const device *on, rng *r, const move_room *room, uint64_t n,
                           size_t bytes, unsigned what) {
    const size_t lead = rng_below(r, 3) * array_alignment(bytes);
    const bool is_affine = room->affine.a.m > 0 && array_alignment(bytes) == bytes;
    const check_map affine = {room->affine.a.m, room->affine.c, room->affine.a.column};
    char *const src = room->src + lead, *const dst = room->dst + lead;
    launch_list list;
    fill_random(r, src, ARRAYS * STRIDE * bytes);
    for (uint32_t a = 0; a < ARRAYS; a++)
        for (uint32_t i = 0; i < n; i++)
            memcpy(dst + (a * STRIDE + room->places[i]) * bytes, src + (a * STRIDE + i) * bytes, bytes);
    if (what < FAULTS && !fault_put(r, (fault)what, dst + rng_below(r, ARRAYS) * STRIDE * bytes, n, bytes))
        return;
    const check_there read = {.rows = src,
                              .row_bytes = bytes,
                              .n = n,
                              .arrays = ARRAYS,
                              .stride = STRIDE,
                              .affine = is_affine ? &affine : NULL,
                              .places = room->places,
                              .index_bytes = 4,
                              .keys_per_row = 1},
                      written = {.rows = dst, .row_bytes = bytes, .n = n, .arrays = ARRAYS, .stride = STRIDE};
    launch_list_begin(&list);
    check_append_begin(room->record, &list);
    check_append_read(&read, room->record, &list);
    check_append_written(&written, room->record, &list);
    for (launch *l = list.first; l != NULL && rng_below(r, 2) == 0; l = l->next)
        if (l->kind == LAUNCH_KERNEL && l->grid > 2) l->grid /= 2;
    run_list_or_fail(m, &list);
    const riffle_status status = check_ask(on, room->record, "the move", NULL);
    if (what < FAULTS)
        found_or_fail(status, "a move", (fault)what);
    else if (status != RIFFLE_OK)
        fail_msg("seed %llu: a right move of %llu elements of %zu bytes: %s", (unsigned long long)seed,
                 (unsigned long long)n, bytes, riffle_error_detail());
}

/* Rows of two arrays that lie apart, along a table and along affine maps. */
static void faults_in_moves_are_found(void **state) {
    static const size_t row_bytes[] = {1, 2, 4, 8, 16, 3, 12, 24};
    static const char *const specs[] = {"random:9", "random-affine:5", "bit-reversal"};
    rng r = {seed};
    machine *const m = machine_or_fail((riffle_machine_options){0});
    const device on = device_of_machine(m);
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        move_room room;
        move_room_fill(&on, specs[k], &room);
        for (uint64_t round = 0; round < fault_rounds() / (k == 0 ? 1 : 2); round++)
            look_at_a_move(m, &on, &r, &room, ROWS, row_bytes[round % 8], (unsigned)(round / 8 % (FAULTS + 1)));
        riffle_perm_free(room.perm);
    }
    assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
    machine_free(m);
}

/* Moves that add up what they read; between arrays that do not begin on a vector they read it once more. */
static void faults_are_found_where_moves_read(void **state) {
    rng r = {seed + 4};
    machine *const m = machine_or_fail((riffle_machine_options){0});
    const device on = device_of_machine(m);
    moved_counts counts = {0};
    (void)state;
    for (unsigned k = 0; k < MOVED_CASE_COUNT; k++)
        moved_faults(&on, &r, &MOVED_CASES[k], fault_rounds() / 4, &counts);
    if (counts.missed + counts.refused > 0)
        fail_msg("seed %llu: of %llu faults %llu were missed, and %llu calls failed: %s",
                 (unsigned long long)seed, (unsigned long long)counts.faults, (unsigned long long)counts.missed,
                 (unsigned long long)counts.refused, riffle_error_detail());
    assert_true(counts.faults > MOVED_CASE_COUNT * fault_rounds() / 8);
    assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
    machine_free(m);
}

/* More arrays than a launch has blocks: each block has several of them. */
static void many_arrays_are_read(void **state) {
    enum { MANY = 50, N = 3 };
    rng r = {seed + 3};
    machine *const m = machine_or_fail((riffle_machine_options){0});
    const device on = device_of_machine(m);
    uint32_t *const rows = bring(&on, NULL, MANY * N * sizeof *rows);
    void *const record = bring(&on, NULL, CHECK_RECORD_BYTES);
    (void)state;
    fill_random(&r, rows, MANY * N * sizeof *rows);
    for (unsigned is_wrong = 0; is_wrong < 2; is_wrong++) {
        const check_there side = {.rows = rows, .row_bytes = sizeof *rows, .n = N, .arrays = MANY, .stride = N};
        launch_list read, written;
        launch_list_begin(&read);
        check_append_begin(record, &read);
        check_append_read(&side, record, &read);
        assert_int_equal(read.last->grid, MANY);
        read.last->grid = 7;
        run_list_or_fail(m, &read);
        rows[(MANY - 1) * N + N - 1] ^= is_wrong;
        launch_list_begin(&written);
        check_append_written(&side, record, &written);
        run_list_or_fail(m, &written);
        assert_int_equal(check_ask(&on, record, "the move", NULL), is_wrong ? RIFFLE_ERROR_DAMAGED : RIFFLE_OK);
    }
    const check_there most = {
        .rows = rows, .row_bytes = 4, .n = 1, .arrays = UINT64_C(0x100000007), .stride = 1};
    launch_list list;
    launch_list_begin(&list);
    check_append_read(&most, record, &list);
    assert_int_equal(list.last->grid, INT32_MAX);
    launch_list_free(&list);
    machine_free(m);
}

/* -------------------------------------------------------------------------- groups */

static riffle_status look_at_groups(const riffle_group_plan *plan, const riffle_group_arrays *arrays,
                                    void *workspace) {
    launch_list list;
    launch_list_begin(&list);
    group_append_check(plan, arrays, workspace, &list);
    const riffle_status status = device_run(&plan->base.on, "a check", &list, NULL);
    return status == RIFFLE_OK ? riffle_cuda_group_check(plan, workspace, NULL) : status;
}

static void faults_of_a_group_case(rng *r, group_case *c) {
    machine *const m = machine_or_fail((riffle_machine_options){0});
    device on = device_of_machine(m);
    riffle_group_plan *plan = NULL;
    on.multiprocessors = 4;
    if (group_plan_create(c->n, c->row_bytes, c->key_type, c->groups, RIFFLE_ENGINE_CUDA, &on, &c->options,
                          &plan) != RIFFLE_OK)
        group_fail(c, seed, riffle_error_detail());
    const uint64_t entries = group_case_entries(c);
    const riffle_group_arrays arrays = {.rows = bring(&on, NULL, plan->room * c->row_bytes),
                                        .from_rows = bring(&on, c->rows.data, c->rows.bytes),
                                        .keys = bring(&on, c->keys.data, c->keys.bytes),
                                        .offsets = bring(&on, NULL, (c->groups + 1) * sizeof(uint64_t)),
                                        .counts = bring(&on, NULL, c->groups * sizeof(uint64_t)),
                                        .places = bring(&on, NULL, entries * c->options.index_bytes)};
    void *const workspace = plan->base.workspace;
    if (riffle_cuda_group_execute(plan, &arrays, NULL, 0, NULL) != RIFFLE_OK ||
        riffle_cuda_group_check(plan, NULL, NULL) != RIFFLE_OK)
        group_fail(c, seed, riffle_error_detail());
    const uint64_t rows = arrays.offsets[c->groups];
    for (unsigned what = 0; what < FAULTS && rows > 0; what++) {
        char *const good = malloc(rows * c->row_bytes);
        assert_non_null(good);
        memcpy(good, arrays.rows, rows * c->row_bytes);
        if (fault_put(r, (fault)what, arrays.rows, rows, c->row_bytes))
            found_or_fail(look_at_groups(plan, &arrays, workspace), "rows of groups", (fault)what);
        memcpy(arrays.rows, good, rows * c->row_bytes);
        free(good);
    }
    if (arrays.places != NULL && fault_put(r, FAULT_BIT, arrays.places, entries, c->options.index_bytes))
        found_or_fail(look_at_groups(plan, &arrays, workspace), "places of groups", FAULT_BIT);
    assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
    riffle_group_plan_free(plan);
    machine_free(m);
}

static void faults_in_groups_are_found(void **state) {
    static const size_t row_bytes[] = {1, 3, 8, 12, 16, 48, 4, 2};
    rng r = {seed + 1};
    (void)state;
    for (uint64_t round = 0; round < fault_rounds() / 2; round++) {
        group_case c = {.n = 1 + rng_below(&r, 700),
                        .groups = 1 + rng_below(&r, round % 5 == 4 ? 3000 : 60),
                        .row_bytes = row_bytes[round % 8],
                        .key_type = RIFFLE_TYPE_I32,
                        .options = {.check = RIFFLE_CHECK_FULL,
                                    .keys_per_row = 1 + round % 2,
                                    .multiple = rng_below(&r, 2) * 5,
                                    .capacity = rng_below(&r, 2) * 9,
                                    .index_bytes = 4 * (round % 3)}};
        group_case_fill(&r, &c, (group_spread)rng_below(&r, SPREADS));
        faults_of_a_group_case(&r, &c);
        group_case_free(&c);
    }
}

/* As on a GPU (tests/cuda/moves/test_faults.c): in any column, and in places. */
static void faults_in_columns_are_found(void **state) {
    rng r = {seed + 4};
    grouped_counts counts = {0};
    machine *const m = machine_or_fail((riffle_machine_options){0});
    device on = device_of_machine(m);
    (void)state;
    on.multiprocessors = 4;
    for (unsigned k = 0; k < GROUPED_CASE_COUNT; k++)
        grouped_faults(&on, &r, &GROUPED_CASES[k], fault_rounds() / 3, &counts);
    if (counts.missed + counts.refused > 0)
        fail_msg("seed %llu: of %llu faults %llu were missed, and %llu calls failed: %s",
                 (unsigned long long)seed, (unsigned long long)counts.faults, (unsigned long long)counts.missed,
                 (unsigned long long)counts.refused, riffle_error_detail());
    assert_true(counts.faults > GROUPED_CASE_COUNT * fault_rounds() / 12);
    assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
    machine_free(m);
}

/* By these seeds the second fault exchanges the places of two keys of one row that name the same group: it is none, and not counted. */
static void keys_of_one_row_change_places(void **state) {
    static const struct {
        uint64_t seed;
        unsigned which;
    } of[] = {{UINT64_C(9186) * UINT64_C(0x9e3779b97f4a7c15) | 1, 3},
              {UINT64_C(27853) * UINT64_C(0x9e3779b97f4a7c15) | 1, 8}};
    machine *const m = machine_or_fail((riffle_machine_options){0});
    const device on = device_of_machine(m);
    (void)state;
    for (unsigned k = 0; k < sizeof of / sizeof *of; k++) {
        grouped_counts counts = {0};
        rng r = {of[k].seed};
        assert_int_equal(GROUPED_CASES[of[k].which].options.keys_per_row, 2);
        grouped_faults(&on, &r, &GROUPED_CASES[of[k].which], FAULTS, &counts);
        assert_int_equal(counts.refused, 0);
        assert_int_equal(counts.missed, 0);
        assert_int_equal(counts.faults, 1);
    }
    machine_free(m);
}

/* --------------------------------------------------------------------------- sorts */

enum { SORTED = 900, SORT_WORDS = 2 * SORTED };

typedef struct sort_case {
    riffle_sort_key key;
    riffle_sort_options options;
    bool has_first, has_no_keys;
} sort_case;

static const uint64_t uneven[] = {3, 3, 500, 890};

/* Elements of 12 bytes, of which 8 are the key, or numbers of any type. */
static sort_case random_sort(rng *r) {
    static const riffle_type types[] = {RIFFLE_TYPE_U8,  RIFFLE_TYPE_I16, RIFFLE_TYPE_F32,
                                        RIFFLE_TYPE_U32, RIFFLE_TYPE_I64, RIFFLE_TYPE_F64};
    sort_case c = {.options = {.check = RIFFLE_CHECK_FULL}};
    if (rng_below(r, 4) == 0)
        c.key = (riffle_sort_key){.elem_bytes = 12,
                                  .fields = 1,
                                  .field = {{.kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 8, .offset = 4}}};
    else
        assert_int_equal(riffle_sort_key_of_type(types[rng_below(r, 6)], rng_below(r, 2) == 0, &c.key),
                         RIFFLE_OK);
    c.options.index_bytes = rng_below(r, 3) == 0 ? 4 + 4 * rng_below(r, 2) : 0;
    if (c.options.index_bytes == 0) c.options.value_bytes = rng_below(r, 2) == 0 ? 4 + 4 * rng_below(r, 2) : 0;
    c.options.segments = rng_below(r, 2) == 0 ? 3 : 0;
    c.has_first = c.options.segments == 3 && rng_below(r, 2) == 0;
    c.has_no_keys = c.options.index_bytes > 0 && rng_below(r, 2) == 0;
    return c;
}

typedef struct sort_room {
    uint64_t from[SORT_WORDS], keys[SORT_WORDS], values[SORTED], from_values[SORTED], indices[SORTED];
} sort_room;

static bool put_in_sort(rng *r, const sort_case *c, fault what, sort_room *room) {
    const size_t tag_bytes = c->options.index_bytes + c->options.value_bytes;
    const uint64_t first = c->has_first ? uneven[0] : 0, n = c->has_first ? uneven[3] - first : SORTED;
    const bool in_tags = c->has_no_keys || (tag_bytes > 0 && rng_below(r, 2) == 0);
    uint64_t *const tags = c->options.index_bytes > 0 ? room->indices : room->values;
    if (in_tags) return fault_put(r, what, (char *)tags + first * tag_bytes, n, tag_bytes);
    return fault_put(r, what, (char *)room->keys + first * c->key.elem_bytes, n, c->key.elem_bytes);
}

static void faults_of_a_sort(rng *r, const sort_case *c) {
    machine *const m = machine_or_fail((riffle_machine_options){0});
    const device on = device_of_machine(m);
    sort_room *const room = bring(&on, NULL, sizeof *room);
    void *const record = bring(&on, NULL, CHECK_RECORD_BYTES);
    riffle_sort_plan *plan = NULL;
    fill_random(r, room, sizeof *room);
    if (sort_plan_create(SORTED, &c->key, RIFFLE_ENGINE_CUDA, &on, &c->options, &plan) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    const riffle_sort_arrays arrays = {.from_keys = room->from,
                                       .keys = c->has_no_keys ? NULL : room->keys,
                                       .from_values = c->options.value_bytes > 0 ? room->from_values : NULL,
                                       .values = c->options.value_bytes > 0 ? room->values : NULL,
                                       .indices = c->options.index_bytes > 0 ? room->indices : NULL,
                                       .first = c->has_first ? bring(&on, uneven, sizeof uneven) : NULL};
    if (riffle_cuda_sort_execute(plan, &arrays, NULL, 0, NULL) != RIFFLE_OK ||
        riffle_cuda_sort_check(plan, NULL, NULL) != RIFFLE_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, riffle_error_detail());
    sort_room *const good = malloc(sizeof *good);
    assert_non_null(good);
    *good = *room;
    for (unsigned what = 0; what < FAULTS; what++) {
        launch_list list;
        if (!put_in_sort(r, c, (fault)what, room)) continue;
        launch_list_begin(&list);
        sort_check_append_read(plan, &arrays, record, &list);
        sort_check_append_written(plan, &arrays, record, &list);
        run_list_or_fail(m, &list);
        found_or_fail(check_ask(&on, record, "the sort", NULL), "a sort", (fault)what);
        *room = *good;
    }
    free(good);
    assert_int_equal(riffle_report_hazards(machine_report(m)), 0);
    riffle_sort_plan_free(plan);
    machine_free(m);
}

static void faults_in_sorts_are_found(void **state) {
    rng r = {seed + 2};
    (void)state;
    for (uint64_t round = 0; round < fault_rounds(); round++) {
        const sort_case c = random_sort(&r);
        faults_of_a_sort(&r, &c);
    }
}

/* Streams that become one, which pass as one. */
static void a_merge_is_one_segment(void **state) {
    enum { STREAMS = 3 };
    static const uint64_t first[STREAMS + 1] = {0, 100, 101, SORTED};
    machine *const m = machine_or_fail((riffle_machine_options){0});
    const device on = device_of_machine(m);
    uint32_t *const from = bring(&on, NULL, SORTED * sizeof *from), *const keys =
                                                                        bring(&on, NULL, SORTED * sizeof *keys);
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        const riffle_sort_options options = {
            .check = RIFFLE_CHECK_FULL, .task = RIFFLE_SORT_TASK_MERGE, .segments = STREAMS};
        riffle_sort_key key;
        riffle_sort_plan *plan = NULL;
        for (uint32_t i = 0; i < SORTED; i++)
            from[i] = k == 0 ? i % (SORTED / STREAMS) : i >= 101 ? i - 101 : 7 * i;
        from[100] = k == 0 ? from[100] : 5;
        assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, false, &key), RIFFLE_OK);
        assert_int_equal(sort_plan_create(SORTED, &key, RIFFLE_ENGINE_CUDA, &on, &options, &plan), RIFFLE_OK);
        const riffle_sort_arrays arrays = {
            .from_keys = from, .keys = keys, .first = k == 0 ? NULL : bring(&on, first, sizeof first)};
        if (riffle_cuda_sort_execute(plan, &arrays, NULL, 0, NULL) != RIFFLE_OK ||
            riffle_cuda_sort_check(plan, NULL, NULL) != RIFFLE_OK)
            fail_msg("%s", riffle_error_detail());
        riffle_sort_plan_free(plan);
    }
    machine_free(m);
}

static void plans_without_a_check_have_found_nothing(void **state) {
    machine *const m = machine_or_fail((riffle_machine_options){0});
    const device on = device_of_machine(m);
    riffle_group_plan *groups = NULL;
    riffle_sort_plan *sort = NULL;
    riffle_sort_key key;
    (void)state;
    assert_int_equal(group_plan_create(4, 4, RIFFLE_TYPE_U8, 2, RIFFLE_ENGINE_CUDA, &on, NULL, &groups),
                     RIFFLE_OK);
    assert_int_equal(riffle_cuda_group_check(groups, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "the plan has no check; create it with options.check");
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, false, &key), RIFFLE_OK);
    assert_int_equal(sort_plan_create(4, &key, RIFFLE_ENGINE_CUDA, &on, NULL, &sort), RIFFLE_OK);
    assert_int_equal(riffle_cuda_sort_check(sort, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    riffle_group_plan_free(groups);
    riffle_sort_plan_free(sort);
    machine_free(m);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_in_moves_are_found),
        cmocka_unit_test(faults_are_found_where_moves_read),
        cmocka_unit_test(many_arrays_are_read),
        cmocka_unit_test(faults_in_groups_are_found),
        cmocka_unit_test(faults_in_columns_are_found),
        cmocka_unit_test(keys_of_one_row_change_places),
        cmocka_unit_test(faults_in_sorts_are_found),
        cmocka_unit_test(a_merge_is_one_segment),
        cmocka_unit_test(plans_without_a_check_have_found_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
