/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory machine counts the list that a GPU gets: for every algorithm of sorts, hulls and programs a plan of a GPU,
 * which only notes what is queued, and a plan of the machine, which runs it, queue the same launches in the same order; and
 * the report of `simulate` has their kernels.
 */
#include "device/carry.h"
#include "device_support.h"
#include "hull/gpu/plan.h"
#include "program/gpu/plan.h"
#include "program_support.h"
#include "riffle/cuda.h"
#include "sort/gpu/plan.h"

enum { MULTIPROCESSORS = 132, NOTES = 4000 };

/* -------------------------------------------------------------- two devices */

/* The queue: words for each launch. */
typedef struct notes {
    size_t count;
    struct note {
        launch_kind kind;
        const char *kernel;
        size_t elem_bytes, shared_bytes, bytes;
        unsigned grid, block_x, block_y;
        bool follows;
    } note[NOTES];
} notes;

static notes of_gpu, of_machine;
static device_ops gpu_ops, machine_ops;

static void take_notes(notes *out, const launch_list *list) {
    for (const launch *l = list->first; l != NULL; l = l->next) {
        const bool is_kernel = l->kind == LAUNCH_KERNEL || l->kind == LAUNCH_COOPERATIVE;
        assert_true(out->count < NOTES);
        out->note[out->count++] = (struct note){.kind = l->kind,
                                                .kernel = is_kernel ? l->kernel->name : "",
                                                .elem_bytes = l->elem_bytes,
                                                .shared_bytes = l->shared_bytes,
                                                .bytes = l->bytes,
                                                .grid = l->grid,
                                                .block_x = l->block_x,
                                                .block_y = l->block_y,
                                                .follows = l->follows};
    }
}

static riffle_status queue_on_gpu(const device *d, const char *what, const launch_list *list,
                                  struct CUstream_st *stream) {
    (void)d, (void)what, (void)stream;
    take_notes(&of_gpu, list);
    return list->status;
}

static riffle_status (*run_list)(const device *, const char *, const launch_list *, struct CUstream_st *);

static riffle_status queue_on_machine(const device *d, const char *what, const launch_list *list,
                                      struct CUstream_st *stream) {
    take_notes(&of_machine, list);
    return run_list(d, what, list, stream);
}

/* A GPU describes itself as the machine does, and runs nothing: it has the machine's memory. */
static device device_that_notes(machine *m, bool is_gpu) {
    device out = device_of_machine(m);
    device_ops *const ops = is_gpu ? &gpu_ops : &machine_ops;
    *ops = *out.ops;
    run_list = out.ops->queue;
    ops->queue = is_gpu ? queue_on_gpu : queue_on_machine;
    out.ops = ops;
    out.multiprocessors = MULTIPROCESSORS;
    return out;
}

typedef struct devices {
    machine *m[2];
    device gpu, machine;
} devices;

static devices begin(void) {
    devices d = {.m = {machine_or_fail((riffle_machine_options){.width = 32}),
                       machine_or_fail((riffle_machine_options){.width = 32})}};
    d.gpu = device_that_notes(d.m[0], true);
    d.machine = device_that_notes(d.m[1], false);
    of_gpu.count = of_machine.count = 0;
    return d;
}

static void or_fail(riffle_status status) {
    if (status != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
}

static void expect_same_notes(const char *name) {
    if (of_gpu.count != of_machine.count || of_gpu.count == 0)
        fail_msg("%s: %zu launches on a GPU, %zu on the machine", name, of_gpu.count, of_machine.count);
    for (size_t k = 0; k < of_gpu.count; k++) {
        const struct note *const a = &of_gpu.note[k], *const b = &of_machine.note[k];
        if (strcmp(a->kernel, b->kernel) != 0 || a->kind != b->kind || a->elem_bytes != b->elem_bytes ||
            a->shared_bytes != b->shared_bytes || a->bytes != b->bytes || a->grid != b->grid ||
            a->block_x != b->block_x || a->block_y != b->block_y || a->follows != b->follows)
            fail_msg("%s: launch %zu is %s of %u blocks on a GPU, %s of %u on the machine", name, k, a->kernel,
                     a->grid, b->kernel, b->grid);
    }
}

/* The report's kernels, of which those without an access are none, are the machine's in their order; steps of a cooperative kernel
 * are a launch each. */
static void expect_reported(const char *name, riffle_report *report) {
    size_t at = 0;
    assert_int_equal(riffle_report_hazards(report), 0);
    assert_true(report->lines > 0);
    for (size_t k = 0; k < report->lines; k++) {
        const char *const kernel = report->line[k].kernel;
        if (k > 0 && report->line[k].launch == report->line[k - 1].launch) continue;
        if (at > 0 && of_gpu.note[at - 1].kind == LAUNCH_COOPERATIVE &&
            strcmp(of_gpu.note[at - 1].kernel, kernel) == 0)
            continue;
        while (at < of_gpu.count && strcmp(of_gpu.note[at].kernel, kernel) != 0) at++;
        if (at++ == of_gpu.count) fail_msg("%s: %s is counted, and no GPU launches it there", name, kernel);
    }
    riffle_report_free(report);
}

static void end(devices *d) {
    machine_free(d->m[0]);
    machine_free(d->m[1]);
}

/* -------------------------------------------------------------------- sorts */

typedef struct sort_case {
    const char *name;
    uint64_t n;
    riffle_type type;
    riffle_sort_options options;
    bool is_apart; /* results are, where the host's door has them apart */
    const char *before;
} sort_case;

static const sort_case sorts[] = {
    {"numbers", 3000, RIFFLE_TYPE_U32, {0}, false, NULL},
    {"many numbers", 20000, RIFFLE_TYPE_F64, {0}, false, NULL},
    {"by k-partition", 12000, RIFFLE_TYPE_I32, {.algorithm = RIFFLE_SORT_ALGORITHM_K_PARTITION}, false, NULL},
    {"bytes", 9000, RIFFLE_TYPE_U8, {0}, false, NULL},
    {"indices", 12000, RIFFLE_TYPE_U64, {.index_bytes = 4}, false, NULL},
    {"values", 9000, RIFFLE_TYPE_F32, {.value_bytes = 8}, false, NULL},
    {"segments", 6000, RIFFLE_TYPE_U32, {.segments = 30}, false, NULL},
    {"the first", 9000, RIFFLE_TYPE_U32, {.task = RIFFLE_SORT_TASK_TOP, .count = 100}, true, NULL},
    {"each once", 9000, RIFFLE_TYPE_U8, {.task = RIFFLE_SORT_TASK_UNIQUE, .segments = 3}, false, NULL},
    {"merged", 9000, RIFFLE_TYPE_U32, {.task = RIFFLE_SORT_TASK_MERGE, .segments = 40}, true, NULL},
    {"merged with indices",
     9000,
     RIFFLE_TYPE_U64,
     {.task = RIFFLE_SORT_TASK_MERGE, .segments = 4, .index_bytes = 4},
     true,
     NULL},
    {"merged in pairs",
     9000,
     RIFFLE_TYPE_U32,
     {.task = RIFFLE_SORT_TASK_MERGE, .segments = 5, .algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE},
     true,
     NULL},
    {"by two-phase",
     40000,
     RIFFLE_TYPE_U32,
     {.algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE, .index_bytes = 4},
     true,
     NULL},
    {"by pairwise", 9000, RIFFLE_TYPE_U64, {.algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE}, true, NULL},
    {"by a comparison", 5000, RIFFLE_TYPE_I32, {.index_bytes = 4}, false, "a % 100 < b % 100"},
};

/* Room for any array of a case, aligned as a device's. */
static void *room(const device *on, const char *name) {
    void *out;
    or_fail(on->ops->allocate(on, name, (size_t)1 << 20, &out));
    return out;
}

/* A GPU's door, for arrays of the device. */
static void sort_on_gpu(const device *on, const riffle_sort_key *key, const sort_case *c) {
    riffle_sort_plan *plan;
    or_fail(sort_plan_create(c->n, key, RIFFLE_ENGINE_CUDA, on, &c->options, &plan));
    void *const from = room(on, "from"), *const values = room(on, "from_values");
    const bool has_values = c->options.value_bytes > 0;
    const riffle_sort_arrays arrays = {
        .keys = c->is_apart ? room(on, "keys") : from,
        .from_keys = from,
        .values = !has_values   ? NULL
                  : c->is_apart ? room(on, "values")
                                : values,
        .from_values = has_values ? values : NULL,
        .indices = c->options.index_bytes > 0 ? room(on, "indices") : NULL,
        .lengths = c->options.task == RIFFLE_SORT_TASK_UNIQUE ? room(on, "lengths") : NULL};
    or_fail(riffle_cuda_sort_execute(plan, &arrays, NULL, 0, NULL));
    riffle_sort_plan_free(plan);
}

/* The host's door, to a machine. */
static void sort_on_machine(const device *on, const riffle_sort_key *key, const sort_case *c) {
    riffle_sort_plan *plan;
    or_fail(sort_plan_create(c->n, key, RIFFLE_ENGINE_CUDA, on, &c->options, &plan));
    const size_t bytes = c->n * 16;
    char *const all = calloc(6, bytes);
    assert_non_null(all);
    for (size_t i = 0; i < c->n; i++) all[i * key->elem_bytes] = (char)(i % 100);
    if (c->options.task == RIFFLE_SORT_TASK_MERGE) memset(all, 0, bytes);
    const riffle_sort_arrays arrays = {
        .keys = all + bytes,
        .from_keys = all,
        .values = c->options.value_bytes > 0 ? all + 2 * bytes : NULL,
        .from_values = c->options.value_bytes > 0 ? all + 3 * bytes : NULL,
        .indices = c->options.index_bytes > 0 ? all + 4 * bytes : NULL,
        .lengths = c->options.task == RIFFLE_SORT_TASK_UNIQUE ? (uint64_t *)(void *)(all + 5 * bytes) : NULL};
    or_fail(riffle_sort_execute(plan, &arrays));
    riffle_sort_plan_free(plan);
    free(all);
}

static void sorts_are_counted_as_launched(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++) {
        const sort_case *const c = &sorts[k];
        devices d = begin();
        riffle_sort_key key;
        riffle_report *report;
        assert_int_equal(riffle_sort_key_of_type(c->type, 0, &key), RIFFLE_OK);
        key.before = c->before;
        sort_on_gpu(&d.gpu, &key, c);
        sort_on_machine(&d.machine, &key, c);
        expect_same_notes(c->name);
        or_fail(riffle_simulate_sort(c->n, &key, &c->options, RIFFLE_SIMULATED_KEYS_RANDOM, NULL, &report));
        expect_reported(c->name, report);
        end(&d);
    }
}

/* A sort by merging may come into its own place; what merges streams may not. */
static void sorts_by_merging_in_place(void **state) {
    (void)state;
    static const riffle_sort_algorithm ways[] = {RIFFLE_SORT_ALGORITHM_TWO_PHASE,
                                                 RIFFLE_SORT_ALGORITHM_PAIRWISE};
    for (unsigned k = 0; k < 8; k++) {
        const uint64_t n = 100 + 1500 * (k / 2);
        machine *const m = machine_or_fail((riffle_machine_options){.width = 32});
        const device on = device_of_machine(m);
        const riffle_sort_options options = {.algorithm = ways[k % 2]};
        riffle_sort_key key;
        riffle_sort_plan *plan;
        void *keys;
        assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, 0, &key), RIFFLE_OK);
        or_fail(sort_plan_create(n, &key, RIFFLE_ENGINE_CUDA, &on, &options, &plan));
        assert_int_equal(riffle_sort_plan_algorithm(plan), ways[k % 2]);
        or_fail(on.ops->allocate(&on, "keys", n * 4, &keys));
        for (uint64_t i = 0; i < n; i++) ((uint32_t *)keys)[i] = (uint32_t)(i * 2654435761U);
        machine_written(m, keys, n * 4);
        const riffle_sort_arrays in_place = {.keys = keys, .from_keys = keys};
        or_fail(riffle_cuda_sort_execute(plan, &in_place, NULL, 0, NULL));
        assert_int_equal(machine_report(m)->hazards, 0);
        for (uint64_t i = 1; i < n; i++) assert_true(((uint32_t *)keys)[i - 1] < ((uint32_t *)keys)[i]);
        uint64_t first[2] = {0, n};
        const riffle_sort_arrays some = {.keys = keys, .from_keys = keys, .first = first};
        assert_int_equal(riffle_cuda_sort_execute(plan, &some, NULL, 0, NULL), RIFFLE_ERROR_UNSUPPORTED);
        assert_string_equal(riffle_error_detail(), "a GPU sorts all elements by merging; first is not NULL");
        riffle_sort_plan_free(plan);
        machine_free(m);
    }
}

static void sorts_are_refused(void **state) {
    (void)state;
    static const struct {
        riffle_type type;
        riffle_sort_options options;
        const char *message;
    } all[] = {
        {RIFFLE_TYPE_F32,
         {.algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE},
         "a GPU sorts by two-phase unsigned numbers of 4, 8 and 16"},
        {RIFFLE_TYPE_U32,
         {.algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE, .value_bytes = 4},
         "a GPU sorts by pairwise numbers alone, or with indices of 4 bytes; use k-partition for others"},
        {RIFFLE_TYPE_F32,
         {.task = RIFFLE_SORT_TASK_MERGE},
         "a GPU merges unsigned numbers of 4, 8 and 16 bytes, ascending; use the cpu engine for others"},
        {RIFFLE_TYPE_U32,
         {.algorithm = RIFFLE_SORT_ALGORITHM_TWO_PHASE, .segments = 2},
         "a GPU sorts one array, and all of it, by two-phase; use k-partition"},
        {RIFFLE_TYPE_U32,
         {.algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE, .index_bytes = 4},
         "pairwise merging is for numbers of 4 and 8 bytes, without indices; use two-phase"},
        {RIFFLE_TYPE_U32,
         {.algorithm = RIFFLE_SORT_ALGORITHM_K_PARTITION, .task = RIFFLE_SORT_TASK_MERGE},
         "a GPU merges by two-phase or pairwise, and not by k-partition"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        riffle_sort_key key;
        riffle_report *report = NULL;
        assert_int_equal(riffle_sort_key_of_type(all[k].type, 0, &key), RIFFLE_OK);
        assert_int_equal(
            riffle_simulate_sort(100, &key, &all[k].options, RIFFLE_SIMULATED_KEYS_RANDOM, NULL, &report),
            RIFFLE_ERROR_UNSUPPORTED);
        if (strstr(riffle_error_detail(), all[k].message) == NULL) fail_msg("%s", riffle_error_detail());
        assert_null(report);
    }
}

/* -------------------------------------------------------------------- hulls */

static void hulls_are_counted_as_launched(void **state) {
    (void)state;
    enum { MOST = 9000 };
    static const struct {
        const char *name;
        uint64_t n;
        riffle_hull_options options;
    } all[] = {{"few", 900, {0}},
               {"many", MOST, {0}},
               {"all that lie between corners", MOST, {.all = true}},
               {"small sets", 600, {.segments = 60}},
               {"sets", 4000, {.segments = 4}},
               {"the dissertation's", 900, {.algorithm = RIFFLE_HULL_ALGORITHM_PAPER}}};
    static double points[2 * MOST];
    static uint32_t hulls[MOST];
    static uint64_t lengths[60];
    for (size_t i = 0; i < MOST; i++)
        points[2 * i] = (double)(i * 7919 % 1009), points[2 * i + 1] = (double)(i * i % 997);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        devices d = begin();
        riffle_hull_plan *gpu, *here;
        riffle_report *report;
        const riffle_hull_options *const options = &all[k].options;
        or_fail(hull_plan_create(all[k].n, RIFFLE_TYPE_F64, RIFFLE_ENGINE_CUDA, &d.gpu, options, &gpu));
        or_fail(riffle_cuda_hull_execute(gpu,
                                         &(riffle_hull_arrays){.hulls = room(&d.gpu, "hulls"),
                                                               .lengths = room(&d.gpu, "lengths"),
                                                               .points = room(&d.gpu, "points")},
                                         NULL, 0, NULL));
        riffle_hull_plan_free(gpu);
        or_fail(hull_plan_create(all[k].n, RIFFLE_TYPE_F64, RIFFLE_ENGINE_CUDA, &d.machine, options, &here));
        or_fail(riffle_hull_execute(
            here, &(riffle_hull_arrays){.hulls = hulls, .lengths = lengths, .points = points}));
        riffle_hull_plan_free(here);
        if (options->segments > 1) { /* the places behind hulls are cleared first */
            assert_int_equal(of_machine.note[0].kind, LAUNCH_FILL);
            memmove(of_machine.note, of_machine.note + 1, --of_machine.count * sizeof *of_machine.note);
        }
        expect_same_notes(all[k].name);
        or_fail(riffle_simulate_hull(all[k].n, RIFFLE_TYPE_F64, points, options, NULL, NULL, &report));
        expect_reported(all[k].name, report);
        end(&d);
    }
}

/* ----------------------------------------------------------------- programs */

static void programs_are_counted_as_launched(void **state) {
    (void)state;
    static const struct {
        const char *text;
        riffle_type type;
        riffle_program_options options;
    } all[] = {{"sort n", RIFFLE_TYPE_U32, {.batch = 3}},
               {"sort n", RIFFLE_TYPE_U32, {.algorithm = RIFFLE_PROGRAM_ALGORITHM_PAPER}},
               {"fft n", RIFFLE_TYPE_C64, {.batch = 2}},
               {"reverse | gray n", RIFFLE_TYPE_I16, {0}},
               {"pair {a + b, a ^ b} | hadamard n", RIFFLE_TYPE_I32, {0}}};
    enum { BITS = 10 };
    static _Alignas(16) char src[3 * 8 << BITS], dst[3 * 8 << BITS];
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        devices d = begin();
        riffle_program *const program = program_or_fail(all[k].text, NULL, BITS);
        riffle_program_plan *gpu, *here;
        riffle_report *report;
        or_fail(program_plan_create(program, all[k].type, RIFFLE_ENGINE_CUDA, &d.gpu, &all[k].options, &gpu));
        void *const from = room(&d.gpu, "src");
        void *const to = riffle_program_plan_in_place(gpu) ? from : room(&d.gpu, "dst");
        or_fail(riffle_cuda_program_execute(gpu, to, from, NULL, 0, NULL));
        riffle_program_plan_free(gpu);
        or_fail(
            program_plan_create(program, all[k].type, RIFFLE_ENGINE_CUDA, &d.machine, &all[k].options, &here));
        or_fail(riffle_program_execute(here, dst, src));
        riffle_program_plan_free(here);
        expect_same_notes(all[k].text);
        or_fail(riffle_simulate_program(program, all[k].type, &all[k].options, NULL, &report));
        expect_reported(all[k].text, report);
        riffle_program_free(program);
        end(&d);
    }
}

/* --------------------------------------------------------------- host arrays */

static riffle_status copy_there(const void *context, call_array *a) {
    const device *const on = context;
    launch_list list;
    launch_list_begin(&list);
    launch_append_copy(&list, a[1].there, a[0].there, call_array_bytes(&a[0]));
    a[1].kept_before = 4;
    return device_run(on, "a test", &list, NULL);
}

/* The first half alone is written. */
static riffle_status copy_half_there(const void *context, call_array *a) {
    launch_list list;
    launch_list_begin(&list);
    launch_append_copy(&list, a[1].there, a[0].there, 4);
    return device_run(context, "a test", &list, NULL);
}

static riffle_status fail_there(const void *context, call_array *a) {
    (void)context, (void)a;
    return RIFFLE_ERROR_DEVICE;
}

static riffle_status turn_there(const void *context, call_array *a) {
    launch_list list;
    launch_list_begin(&list);
    assert_ptr_equal(a[0].there, a[1].there);
    launch_append_copy(&list, a[2].there, a[1].there, 4);
    launch_append_copy(&list, a[1].there, (char *)a[1].there + 4, 4);
    launch_append_copy(&list, (char *)a[1].there + 4, a[2].there, 4);
    return device_run(context, "a test", &list, NULL);
}

/* Some is brought, some fetched; after a failure nothing is. */
static void arrays_are_carried(void **state) {
    (void)state;
    machine *const m = machine_or_fail((riffle_machine_options){.width = 32});
    const device on = device_of_machine(m);
    const char from[9] = "abcdefgh";
    char to[9] = "........";
    call_array all[] = {call_array_of_bytes("from", from, 8, ARRAY_READ),
                        call_array_of_bytes("to", to, 8, ARRAY_WRITTEN),
                        call_array_of_bytes("nothing", NULL, 0, ARRAY_SCRATCH),
                        call_array_of_bytes("left out", NULL, 8, ARRAY_READ)};
    all[1].kept_behind = 1;
    or_fail(device_carry(&on, "a test", all, 4, copy_there, &on));
    assert_string_equal(to, "....efg.");
    assert_null(all[2].there);
    assert_null(all[3].there);
    assert_int_equal(device_carry(&on, "a test", all, 4, fail_there, &on), RIFFLE_ERROR_DEVICE);
    assert_string_equal(to, "....efg.");
    machine_free(m);
}

/* A changed array stays as it was where the call leaves it alone. */
static void a_changed_array_is_brought_too(void **state) {
    (void)state;
    machine *const m = machine_or_fail((riffle_machine_options){.width = 32});
    const device on = device_of_machine(m);
    const char from[9] = "abcdefgh";
    char to[9] = "01234567";
    call_array all[] = {call_array_of_bytes("from", from, 8, ARRAY_READ),
                        call_array_of_bytes("to", to, 8, ARRAY_CHANGED)};
    or_fail(device_carry(&on, "a test", all, 2, copy_half_there, &on));
    assert_string_equal(to, "abcd4567");
    machine_free(m);
}

static void joined_arrays_are_one_there(void **state) {
    (void)state;
    machine *const m = machine_or_fail((riffle_machine_options){.width = 32});
    const device on = device_of_machine(m);
    const char from[9] = "abcdefgh";
    char to[9] = "........";
    call_array all[] = {call_array_of_bytes("to", to, 8, ARRAY_WRITTEN),
                        call_array_of_bytes("from", from, 8, ARRAY_READ),
                        call_array_of_bytes("spare", NULL, 4, ARRAY_SCRATCH)};
    all[0].joined_to = &all[1];
    or_fail(device_carry(&on, "a test", all, 3, turn_there, &on));
    assert_string_equal(to, "efghabcd");
    assert_string_equal(from, "abcdefgh");
    machine_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_are_counted_as_launched),
        cmocka_unit_test(sorts_by_merging_in_place),
        cmocka_unit_test(sorts_are_refused),
        cmocka_unit_test(hulls_are_counted_as_launched),
        cmocka_unit_test(programs_are_counted_as_launched),
        cmocka_unit_test(arrays_are_carried),
        cmocka_unit_test(a_changed_array_is_brought_too),
        cmocka_unit_test(joined_arrays_are_one_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
