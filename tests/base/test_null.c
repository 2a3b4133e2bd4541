/* SPDX-License-Identifier: Apache-2.0
 *
 * One rule for NULL: a call is refused by the name of the argument, and a question about nothing is answered by 0 or NULL.
 * tests/interface.py wants every function of the headers that takes a pointer to be here.
 */
#include "riffle/bits.h"
#include "riffle/cuda.h"
#include "riffle/cycles.h"
#include "riffle/exchange.h"
#include "riffle/group.h"
#include "riffle/histogram.h"
#include "riffle/hull.h"
#include "riffle/indices.h"
#include "riffle/machine.h"
#include "riffle/multigpu.h"
#include "riffle/npy.h"
#include "riffle/papers.h"
#include "riffle/program.h"
#include "riffle/sort.h"
#include "riffle/trace.h"
#include "riffle/vat.h"
#include "support.h"

#include <limits.h>

static void refused(riffle_status status, const char *name) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%s is NULL", name);
    assert_int_equal(status, RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), wanted);
}

/* By a build with CUDA; one without has no such calls. */
static void cuda_refused(riffle_status status, const char *name) {
    if (status != RIFFLE_ERROR_UNSUPPORTED) refused(status, name);
}

static void permutations(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("reverse", 8), *out;
    const uint64_t shape[2] = {2, 4};
    const unsigned order[2] = {1, 0};
    refused(riffle_perm_identity(1, NULL), "out");
    refused(riffle_perm_reverse(1, NULL), "out");
    refused(riffle_perm_rotate(1, 1, NULL), "out");
    refused(riffle_perm_bit_reversal(2, NULL), "out");
    refused(riffle_perm_shuffle(2, NULL), "out");
    refused(riffle_perm_unshuffle(2, NULL), "out");
    refused(riffle_perm_transpose(2, 2, NULL), "out");
    refused(riffle_perm_random(2, 1, NULL), "out");
    refused(riffle_perm_random_affine(2, 1, NULL), "out");
    refused(riffle_perm_axes(2, NULL, order, &out), "shape");
    refused(riffle_perm_axes(2, shape, NULL, &out), "order");
    refused(riffle_perm_axes(2, shape, order, NULL), "out");
    refused(riffle_perm_bits(2, NULL, &out), "to");
    refused(riffle_perm_affine(2, NULL, 0, &out), "rows");
    refused(riffle_perm_table_u32(2, NULL, &out), "table");
    refused(riffle_perm_table_u64(2, NULL, &out), "table");
    refused(riffle_perm_table_u64(0, NULL, NULL), "out");
    refused(riffle_perm_parse(NULL, 8, &out), "spec");
    refused(riffle_perm_parse("reverse", 8, NULL), "out");
    refused(riffle_perm_compose(NULL, perm, &out), "first");
    refused(riffle_perm_compose(perm, NULL, &out), "then");
    refused(riffle_perm_invert(NULL, &out), "perm");
    refused(riffle_perm_recognize(perm, NULL), "out");
    refused(riffle_perm_print(NULL, NULL, 0, NULL), "perm");
    refused(riffle_perm_print(perm, NULL, 3, NULL), "buffer");
    refused(riffle_perm_map(perm, 0, 2, NULL), "out");
    refused(riffle_perm_distribution(perm, 2, NULL), "out");
    assert_int_equal(riffle_exchange_fail(RIFFLE_ERROR_IO, "no\nline"), RIFFLE_ERROR_IO);
    assert_string_equal(riffle_error_detail(), "no\\x0aline");
    assert_int_equal(riffle_exchange_fail(RIFFLE_ERROR_IO, NULL), RIFFLE_ERROR_IO);
    assert_string_equal(riffle_error_detail(), "");
    assert_int_equal(riffle_perm_length(NULL), 0);
    assert_int_equal(riffle_perm_at(NULL, 0), UINT64_MAX);
    assert_int_equal(riffle_perm_output_shape(NULL, NULL), 0);
    assert_null(riffle_perm_retain(NULL));
    riffle_perm_free(NULL);
    riffle_perm_free(perm);
}

static void plans(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("reverse", 8);
    riffle_plan *plan;
    riffle_cpu cpu;
    char room[8] = "as was";
    assert_int_equal(riffle_cpu_describe(&cpu), RIFFLE_OK);
    refused(riffle_cpu_describe(NULL), "out");
    refused(riffle_plan_create(NULL, 4, RIFFLE_ENGINE_CPU, NULL, &plan), "perm");
    refused(riffle_plan_create(perm, 4, RIFFLE_ENGINE_CPU, NULL, NULL), "out");
    refused(riffle_execute(NULL, room, room), "plan");
    refused(riffle_plan_explain(NULL, stderr), "plan");
    refused(riffle_explain(NULL, 4, RIFFLE_ENGINE_CPU, NULL, stderr), "perm");
    refused(riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, NULL, NULL), "stream");
    refused(riffle_explain_as(NULL, 4, RIFFLE_ENGINE_CPU, NULL, NULL, stderr), "perm");
    refused(riffle_explain_as(perm, 4, RIFFLE_ENGINE_CPU, NULL, NULL, NULL), "stream");
    refused(riffle_explain_sort(4, NULL, RIFFLE_ENGINE_CPU, NULL, NULL, stderr), "key");
    refused(riffle_explain_group(4, 4, RIFFLE_TYPE_U8, 2, RIFFLE_ENGINE_CPU, NULL, NULL, NULL), "stream");
    refused(riffle_explain_ungroup(NULL, false, RIFFLE_ENGINE_CPU, NULL, stdout), "task");
    refused(
        riffle_explain_ungroup(&(riffle_ungroup_task){.index_bytes = 4}, false, RIFFLE_ENGINE_CPU, NULL, NULL),
        "stream");
    refused(riffle_explain_hull(4, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, NULL, NULL, NULL), "stream");
    refused(riffle_explain_program(NULL, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, NULL, NULL, stderr), "program");
    refused(riffle_cuda_device_named(NULL, &(riffle_cuda_device){0}, NULL), "name");
    refused(riffle_cuda_device_named("h200", NULL, NULL), "out");
    refused(riffle_wisdom_load(NULL), "path");
    refused(riffle_wisdom_save(NULL), "path");
    refused(riffle_buffer_create(4, NULL), "out");
    riffle_buffer_free(NULL, 0);
    refused(riffle_take(NULL, 4, room, room, NULL), "indices");
    refused(riffle_put(NULL, 4, room, room, NULL), "indices");
    assert_int_equal(riffle_histogram(2, 1, "ab", NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_copy_strided(1, (uint64_t[]){2}, 1, NULL, NULL, "ab", NULL, NULL),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_plan_algorithm(NULL), RIFFLE_ALGORITHM_AUTO);
    assert_int_equal(riffle_plan_passes(NULL), 0);
    assert_int_equal(riffle_plan_threads(NULL), 0);
    assert_int_equal(riffle_plan_bytes(NULL), 0);
    assert_int_equal(riffle_plan_workspace_bytes(NULL), 0);
    assert_null(riffle_printable("text", NULL, 0));
    assert_string_equal(riffle_printable(NULL, room, sizeof room), "");
    riffle_plan_free(NULL);
    riffle_perm_free(perm);
}

static void programs(void **state) {
    (void)state;
    riffle_program *out, *sort;
    const riffle_op op = {.kind = RIFFLE_OP_SWAP};
    assert_int_equal(riffle_program_parse("sort n", NULL, 3, &sort), RIFFLE_OK);
    refused(riffle_program_move(NULL, &out), "perm");
    refused(riffle_program_apply(1, 1, NULL, &out), "op");
    refused(riffle_program_apply(1, 1, &op, NULL), "out");
    refused(riffle_program_parm(1, sort, NULL, &out), "second");
    refused(riffle_program_then(NULL, sort, &out), "first");
    refused(riffle_program_parse(NULL, NULL, 3, &out), "text");
    refused(riffle_program_evaluate(sort, RIFFLE_TYPE_U8, NULL), "data");
    refused(riffle_program_plan_create(NULL, RIFFLE_TYPE_U8, RIFFLE_ENGINE_CPU, NULL, NULL), "program");
    refused(riffle_program_plan_create(sort, RIFFLE_TYPE_U8, RIFFLE_ENGINE_CPU, NULL, NULL), "out");
    refused(riffle_program_execute(NULL, NULL, NULL), "plan");
    refused(riffle_program_plan_explain(NULL, stderr), "plan");
    refused(riffle_program_plan_explain_json(NULL, stderr), "plan");
    assert_int_equal(riffle_program_bits(NULL), 0);
    assert_false(riffle_program_plan_in_place(NULL));
    assert_int_equal(riffle_program_plan_workspace_bytes(NULL), 0);
    assert_int_equal(riffle_program_plan_passes(NULL), 0);
    assert_int_equal(riffle_program_plan_stages(NULL), 0);
    assert_int_equal(riffle_program_plan_bound(NULL), 0);
    assert_int_equal(riffle_program_plan_algorithm(NULL), RIFFLE_PROGRAM_ALGORITHM_AUTO);
    assert_int_equal(riffle_program_plan_threads(NULL), 0);
    assert_null(riffle_program_retain(NULL));
    riffle_program_free(NULL);
    riffle_program_plan_free(NULL);
    riffle_program_free(sort);
}

static void hulls_and_sorts(void **state) {
    (void)state;
    const riffle_hull_arrays hull_arrays = {0};
    const riffle_sort_arrays sort_arrays = {0};
    riffle_sort_key key;
    riffle_sort_plan *plan;
    refused(riffle_hull_plan_create(1, RIFFLE_TYPE_F32, RIFFLE_ENGINE_CPU, NULL, NULL), "out");
    refused(riffle_hull_execute(NULL, &hull_arrays), "plan");
    refused(riffle_hull_plan_explain(NULL, stderr), "plan");
    refused(riffle_hull_measure(0, RIFFLE_TYPE_F32, NULL, NULL), "out");
    assert_int_equal(riffle_hull_plan_result_bytes(NULL), 0);
    assert_int_equal(riffle_hull_plan_workspace_bytes(NULL), 0);
    assert_int_equal(riffle_hull_plan_threads(NULL), 0);
    riffle_hull_plan_free(NULL);
    const riffle_group_arrays group_arrays = {0};
    refused(riffle_group_plan_create(1, 1, RIFFLE_TYPE_U8, 1, RIFFLE_ENGINE_CPU, NULL, NULL), "out");
    refused(riffle_group_execute(NULL, &group_arrays), "plan");
    assert_int_equal(riffle_group_plan_room(NULL), 0);
    assert_int_equal(riffle_group_plan_workspace_bytes(NULL), 0);
    assert_int_equal(riffle_group_plan_threads(NULL), 0);
    riffle_group_plan_free(NULL);
    const riffle_ungroup_task ungroup_task = {0};
    const riffle_ungroup_arrays ungroup_arrays = {0};
    refused(riffle_ungroup(NULL, &ungroup_arrays, NULL), "task");
    refused(riffle_ungroup(&ungroup_task, NULL, NULL), "arrays");
    refused(riffle_cuda_ungroup(NULL, &ungroup_arrays, NULL), "task");
    refused(riffle_sort_key_of_type(RIFFLE_TYPE_U32, false, NULL), "out");
    assert_int_equal(riffle_sort_key_of_type(RIFFLE_TYPE_U32, false, &key), RIFFLE_OK);
    refused(riffle_sort_plan_create(1, NULL, RIFFLE_ENGINE_CPU, NULL, &plan), "key");
    refused(riffle_sort_plan_create(1, &key, RIFFLE_ENGINE_CPU, NULL, NULL), "out");
    refused(riffle_sort_execute(NULL, &sort_arrays), "plan");
    refused(riffle_sort_check(NULL, NULL, NULL), "plan");
    refused(riffle_sort_search(NULL, NULL, 0, NULL, 0, RIFFLE_SORT_SIDE_LEFT, NULL), "plan");
    refused(riffle_sort_plan_explain(NULL, stderr), "plan");
    assert_int_equal(riffle_sort_plan_algorithm(NULL), RIFFLE_SORT_ALGORITHM_AUTO);
    assert_int_equal(riffle_sort_plan_workspace_bytes(NULL), 0);
    assert_int_equal(riffle_sort_plan_threads(NULL), 0);
    riffle_sort_plan_free(NULL);
}

static void files(void **state) {
    (void)state;
    const riffle_npy_header header = {.descr = "'<f4'", .elem_bytes = 4};
    riffle_npy_output *output;
    size_t count;
    refused(riffle_npy_header_fields(NULL, NULL, 0, &count), "header");
    refused(riffle_npy_header_fields(&header, NULL, 1, &count), "out");
    refused(riffle_npy_input_open(NULL, NULL), "path");
    refused(riffle_npy_input_check(NULL), "input");
    refused(riffle_npy_output_create(NULL, &header, NULL, &output), "path");
    refused(riffle_npy_output_create("x.npy", NULL, NULL, &output), "header");
    refused(riffle_npy_output_create_bare("x.txt", 1, NULL, NULL), "out");
    size_t length;
    refused(riffle_npy_output_hidden(NULL, NULL, 0, &length), "output");
    refused(riffle_npy_output_sync(NULL), "output");
    refused(riffle_npy_output_commit(NULL), "output");
    assert_null(riffle_npy_input_header(NULL));
    assert_int_equal(riffle_npy_input_length(NULL), 0);
    assert_null(riffle_npy_input_data(NULL));
    assert_null(riffle_npy_output_data(NULL));
    assert_false(riffle_npy_output_changes_owner(NULL));
    riffle_npy_output_unlink(NULL);
    riffle_npy_output_abort(NULL);
    riffle_npy_input_close(NULL);
}

static void reports(void **state) {
    (void)state;
    riffle_perm *perm = parse_or_fail("identity", 1024);
    riffle_report *report;
    assert_int_equal(riffle_simulate(perm, 4, NULL, NULL, &report), RIFFLE_OK);
    refused(riffle_simulate(NULL, 4, NULL, NULL, &report), "perm");
    refused(riffle_predict(NULL, 4, NULL, NULL, NULL), "perm");
    refused(riffle_predict(perm, 4, NULL, NULL, NULL), "out");
    refused(riffle_simulate_program(NULL, RIFFLE_TYPE_U8, NULL, NULL, &report), "program");
    refused(riffle_simulate_hull(2, RIFFLE_TYPE_F32, NULL, NULL, NULL, NULL, &report), "points");
    refused(riffle_simulate_sort(2, NULL, NULL, RIFFLE_SIMULATED_KEYS_RANDOM, NULL, &report), "key");
    refused(riffle_simulate_histogram(2, 1, "ab", NULL, NULL), "out");
    refused(riffle_simulate_group(2, 1, RIFFLE_TYPE_U8, 2, NULL, NULL, NULL, &report), "keys");
    refused(riffle_simulate_group(2, 1, RIFFLE_TYPE_U8, 2, "ab", NULL, NULL, NULL), "out");
    const riffle_ungroup_task bring = {.n = 2, .rows = 1, .row_bytes = 1, .index_bytes = 4};
    refused(riffle_simulate_ungroup(NULL, "abcdefg", false, NULL, &report), "task");
    refused(riffle_simulate_ungroup(&bring, NULL, false, NULL, &report), "places");
    refused(riffle_simulate_ungroup(&bring, "abcdefg", false, NULL, NULL), "out");
    assert_int_equal(riffle_simulate_histogram(2, 1, NULL, NULL, &report), RIFFLE_ERROR_INVALID_ARGUMENT);
    refused(riffle_lint(NULL, NULL, &report), "job");
    riffle_claims *claims = NULL;
    refused(riffle_lint_for_all(NULL, NULL, &claims), "job");
    refused(riffle_claims_print(NULL, stderr), "claims");
    refused(riffle_claims_print_json(NULL, stderr), "claims");
    refused(riffle_claims_print_sarif(NULL, "k.cu", stderr), "claims");
    assert_int_equal(riffle_claims_refuted(NULL, "conflict"), 0);
    riffle_claims_free(NULL);
    refused(riffle_report_print(NULL, stderr), "report");
    refused(riffle_report_print_json(report, NULL), "stream");
    refused(riffle_report_print_sarif(report, NULL, stderr), "path");
    refused(riffle_report_print_html(NULL, "k.cu", NULL, stderr), "report");
    refused(riffle_report_compare(report, "before", NULL, stderr, &report), "json");
    refused(riffle_report_compare(report, "before", "{}", stderr, NULL), "out");
    assert_int_equal(riffle_report_time_units(NULL), 0);
    assert_int_equal(riffle_report_predicted_time_units(NULL), 0);
    assert_int_equal(riffle_report_casual_rounds(NULL), 0);
    assert_int_equal(riffle_report_uncoalesced(NULL, 0), 0);
    assert_int_equal(riffle_report_conflicts(NULL, 0), 0);
    assert_int_equal(riffle_report_hazards(NULL), 0);
    assert_int_equal(riffle_report_hazards_of(report, NULL), 0);
    assert_false(riffle_report_is_partial(NULL));
    assert_int_equal(riffle_report_not_done_after(NULL), 0);
    assert_null(riffle_report_left_out(NULL));
    assert_int_equal(riffle_report_not_run(NULL), 0);
    assert_int_equal(riffle_report_not_checked(NULL), 0);
    assert_true(riffle_report_is_empty(NULL));
    assert_false(riffle_report_is_idle(NULL));
    riffle_report_free(NULL);
    riffle_report_free(report);
    riffle_perm_free(perm);
}

static void traces(void **state) {
    (void)state;
    riffle_trace *trace;
    riffle_trace_event event;
    assert_int_equal(riffle_trace_create(NULL, &trace), RIFFLE_OK);
    refused(riffle_trace_create(NULL, NULL), "out");
    refused(riffle_trace_add(trace, NULL), "access");
    refused(riffle_trace_event_at(NULL, 0, &event), "trace");
    refused(riffle_trace_write(trace, RIFFLE_TRACE_FORMAT_CSV, NULL), "stream");
    assert_int_equal(riffle_trace_events(NULL), 0);
    assert_int_equal(riffle_trace_time_units(NULL), 0);
    riffle_trace_free(NULL);
    riffle_trace_free(trace);
}

static void translations(void **state) {
    (void)state;
    riffle_vat *vat;
    uint64_t array[8] = {0}, checksum;
    double share;
    assert_int_equal(riffle_vat_create(RIFFLE_VAT_POLICY_LRU, NULL, &vat), RIFFLE_OK);
    refused(riffle_vat_create(RIFFLE_VAT_POLICY_LRU, NULL, NULL), "out");
    refused(riffle_vat_access(NULL, array, 1), "vat");
    refused(riffle_vat_access(vat, NULL, 1), "addresses");
    refused(riffle_vat_count(vat, NULL), "out");
    refused(riffle_vat_count_layers(vat, NULL, 1), "faults");
    refused(riffle_vat_count_host(NULL, NULL, NULL, 0), "vat");
    refused(riffle_vat_create_nested(RIFFLE_VAT_POLICY_LRU, NULL, NULL, NULL), "out");
    refused(riffle_vat_program_feed(RIFFLE_VAT_PROGRAM_HEAPIFY, 8, 1, array, NULL, NULL, &checksum), "sink");
    refused(riffle_vat_program_prepare(RIFFLE_VAT_PROGRAM_HEAPSORT, 8, 1, NULL), "array");
    refused(riffle_vat_program_run(RIFFLE_VAT_PROGRAM_HEAPIFY, 8, 1, array, NULL), "checksum");
    refused(riffle_vat_program_sample(RIFFLE_VAT_PROGRAM_HEAPIFY, 8, 8, 1, NULL, &checksum, &share), "array");
    refused(riffle_vat_program_replay(RIFFLE_VAT_PROGRAM_HEAPIFY, 8, 1, array, NULL, &checksum), "vat");
    refused(riffle_vat_program_cost(RIFFLE_VAT_PROGRAM_HEAPIFY, 8, NULL, 64, 8, NULL), "out");
    refused(riffle_vat_program_cost_nested(RIFFLE_VAT_PROGRAM_HEAPIFY, 8, NULL, NULL, 64, 8, NULL), "out");
    refused(riffle_vat_program_transfers(RIFFLE_VAT_PROGRAM_HEAPIFY, 8, NULL, NULL, 2), "transfers");
    refused(riffle_vat_em_time(8, 0, NULL, NULL, &share), "times");
    refused(riffle_vat_pattern_create(NULL, NULL), "out");
    refused(riffle_vat_pattern_access(NULL, array, 1), "pattern");
    refused(riffle_vat_pattern_count(NULL, NULL), "pattern");
    riffle_vat_pattern_free(NULL);
    refused(riffle_vat_detect(NULL), "out");
    riffle_vat_free(NULL);
    riffle_vat_free(vat);
}

static void calls_of_gpus(void **state) {
    (void)state;
    const riffle_sort_arrays sort_arrays = {0};
    const riffle_hull_arrays hull_arrays = {0};
    const riffle_group_arrays group_arrays = {0};
    char room[8] = {0};
    size_t bytes;
    double seconds;
    riffle_plan *plan;
    refused(riffle_cuda_program_execute(NULL, room, room, NULL, 0, NULL), "plan");
    refused(riffle_cuda_hull_execute(NULL, &hull_arrays, NULL, 0, NULL), "plan");
    refused(riffle_cuda_hull_check(NULL, NULL, NULL), "plan");
    refused(riffle_cuda_group_execute(NULL, &group_arrays, NULL, 0, NULL), "plan");
    refused(riffle_cuda_sort_execute(NULL, &sort_arrays, NULL, 0, NULL), "plan");
    refused(riffle_cuda_check(NULL, NULL, NULL), "plan");
    refused(riffle_cuda_sort_check(NULL, NULL, NULL), "plan");
    refused(riffle_cuda_group_check(NULL, NULL, NULL), "plan");
    cuda_refused(riffle_cuda_describe(NULL), "out");
    cuda_refused(riffle_cuda_memory_find(NULL), "out");
    cuda_refused(riffle_cuda_execute(NULL, room, room, NULL, 0, NULL), "plan");
    cuda_refused(riffle_cuda_plan_needs(1, 4, NULL, NULL), "out");
    cuda_refused(riffle_cuda_plan_table(1, room, 4, 4, NULL, NULL, NULL), "out");
    cuda_refused(riffle_cuda_plan_indices(1, room, 4, 4, NULL, NULL, NULL), "out");
    cuda_refused(riffle_cuda_take(NULL, 4, room, room, NULL, 0, NULL), "indices");
    cuda_refused(riffle_cuda_take_host(NULL, 4, room, room), "indices");
    cuda_refused(riffle_cuda_take_workspace_bytes(NULL, 4, &bytes), "indices");
    cuda_refused(riffle_cuda_put(NULL, 4, room, room, NULL, 0, NULL), "indices");
    cuda_refused(riffle_cuda_put_workspace_bytes(NULL, 4, &bytes), "indices");
    cuda_refused(riffle_cuda_indices_check(NULL, room, NULL), "indices");
    cuda_refused(riffle_cuda_shuffle_workspace_bytes(1, 4, NULL), "out");
    refused(riffle_merge_by_blocks(NULL, NULL, 1, 1, NULL), "plan");
    refused(riffle_simulate_in_blocks(NULL, 4, RIFFLE_ALGORITHM_COPY, 1, NULL, NULL), "perm");
    cuda_refused(riffle_cuda_permute_in_blocks(NULL, 4, RIFFLE_ALGORITHM_COPY, 1, 1, room, room, &seconds),
                 "perm");
    assert_int_not_equal(riffle_cuda_histogram(2, 1, room, NULL, NULL), RIFFLE_OK);
    assert_int_not_equal(riffle_cuda_shuffle(1, 1, 4, NULL, NULL, NULL, 0, NULL), RIFFLE_OK);
    assert_int_not_equal(riffle_cuda_copy_strided(1, (uint64_t[]){2}, 1, NULL, NULL, NULL, NULL, NULL),
                         RIFFLE_OK);
    assert_int_not_equal(riffle_cuda_plan_table(1, NULL, 4, 4, NULL, NULL, &plan), RIFFLE_OK);
}

static void exchanges(void **state) {
    riffle_perm *perm = parse_or_fail("rotate:1", 8);
    riffle_exchange *exchange;
    riffle_exchange_cost cost;
    riffle_exchange_sort_cost sort_cost;
    const uint64_t counts[2] = {3, 1};
    size_t count = 7;
    (void)state;
    refused(riffle_exchange_create(NULL, 2, 0, NULL, &exchange), "perm");
    refused(riffle_exchange_create(perm, 2, 0, NULL, NULL), "out");
    refused(riffle_exchange_cost_of(NULL, 2, NULL, &cost), "perm");
    refused(riffle_exchange_cost_of(perm, 2, NULL, NULL), "out");
    refused(riffle_exchange_explain(NULL, 4, 2, NULL, NULL, stdout), "perm");
    refused(riffle_exchange_explain(perm, 4, 2, NULL, NULL, NULL), "stream");
    refused(riffle_exchange_sort_cost_of(9, 4, 0, 2, NULL), "out");
    assert_int_equal(riffle_exchange_sort_cost_of(9, 0, 0, 2, &sort_cost), RIFFLE_ERROR_INVALID_ARGUMENT);
    refused(riffle_exchange_explain_sort(9, 4, 0, 2, NULL, NULL), "stream");
    assert_int_equal(riffle_exchange_create(perm, 2, 0, NULL, &exchange), RIFFLE_OK);
    refused(riffle_exchange_finish(NULL, counts, counts), "exchange");
    refused(riffle_exchange_finish(exchange, NULL, counts), "counts");
    refused(riffle_exchange_finish(exchange, counts, NULL), "places");
    assert_null(riffle_exchange_unpack(exchange));
    riffle_exchange_free(exchange);
    assert_null(riffle_exchange_sends(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(riffle_exchange_receives(NULL, NULL));
    assert_null(riffle_exchange_pack(NULL));
    assert_null(riffle_exchange_unpack(NULL));
    assert_null(riffle_exchange_places(NULL));
    assert_int_equal(riffle_exchange_place_bytes(NULL), 0);
    assert_int_equal(riffle_exchange_block(NULL), 0);
    assert_int_equal(riffle_exchange_coset_bits(NULL), UINT_MAX);
    riffle_exchange_free(NULL);
    riffle_perm_free(perm);
}

static void several_gpus(void **state) {
    riffle_perm *perm = parse_or_fail("identity", 8);
    const unsigned devices[] = {0, 0};
    riffle_multigpu_plan *plan;
    riffle_multigpu_cost cost;
    (void)state;
    refused(riffle_multigpu_cost_of(NULL, 4, 2, NULL, &cost), "perm");
    refused(riffle_multigpu_cost_of(perm, 4, 2, NULL, NULL), "out");
    refused(riffle_multigpu_explain(NULL, 4, 2, NULL, 0, stdout), "perm");
    refused(riffle_multigpu_explain(perm, 4, 2, NULL, 0, NULL), "stream");
    refused(riffle_multigpu_plan_create(NULL, 4, 2, devices, NULL, &plan), "perm");
    refused(riffle_multigpu_plan_create(perm, 4, 2, NULL, NULL, &plan), "devices");
    refused(riffle_multigpu_plan_create(perm, 4, 2, devices, NULL, NULL), "out");
    refused(riffle_multigpu_execute(NULL, (void *[]){NULL}, (const void *[]){NULL}, NULL, 0, NULL), "plan");
    assert_int_equal(riffle_multigpu_plan_workspace_bytes(NULL), 0);
    assert_int_equal(riffle_multigpu_plan_transport(NULL), RIFFLE_MULTIGPU_TRANSPORT_AUTO);
    riffle_multigpu_plan_free(NULL);
    riffle_perm_free(perm);
}

static void matrices_and_cycles(void **state) {
    (void)state;
    uint64_t word = 1, other = 0, rank;
    const riffle_f2_matrix a = {1, 1, 1, &word}, to = {1, 1, 1, &other};
    const riffle_cycles_graph graph = {0};
    riffle_cycles *cycles;
    refused(riffle_f2_transpose(NULL, &a, NULL), "to");
    refused(riffle_f2_product(&to, &a, NULL, NULL), "b");
    refused(riffle_f2_rank_profile(&a, NULL, NULL, NULL, NULL), "rank");
    refused(riffle_f2_rank_profile(NULL, &rank, NULL, NULL, NULL), "a");
    refused(riffle_f2_solve(&to, NULL, &a, NULL), "a");
    refused(riffle_f2_inverse(&to, NULL, NULL), "a");
    refused(riffle_cuda_f2_product(&to, NULL, &a, NULL), "a");
    refused(riffle_cuda_f2_transpose(NULL, &a, NULL), "to");
    refused(riffle_simulate_f2_product(&a, &a, NULL, NULL), "out");
    refused(riffle_simulate_f2_transpose(NULL, NULL, NULL), "a");
    refused(riffle_f2_kernel(&to, NULL, &a, NULL), "count");
    refused(riffle_cycles_find(NULL, NULL, &cycles), "graph");
    refused(riffle_cycles_find(&graph, NULL, NULL), "out");
    refused(riffle_cycles_matrix(NULL, &to), "cycles");
    refused(riffle_cycles_check(NULL, 0, NULL, NULL, NULL), "graph");
    assert_null(riffle_cycles_get(NULL));
    riffle_cycles_free(NULL);
}

static void bits(void **state) {
    (void)state;
    unsigned char planes[8] = {0};
    const char *const eight = "elements";
    riffle_perm *perm = parse_or_fail("identity", 64);
    riffle_bits_plan *plan;
    riffle_report *report;
    assert_int_equal(riffle_bitshuffle(8, 8, planes, NULL, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_equal(riffle_bitunshuffle(8, 8, NULL, eight, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_int_not_equal(riffle_cuda_bitshuffle(8, 8, NULL, eight, NULL, NULL), RIFFLE_OK);
    assert_int_not_equal(riffle_cuda_bitunshuffle(8, 8, planes, NULL, NULL, NULL), RIFFLE_OK);
    refused(riffle_simulate_bitshuffle(8, 8, eight, NULL, NULL, NULL), "out");
    assert_int_equal(riffle_simulate_bitunshuffle(8, 8, NULL, NULL, NULL, &report),
                     RIFFLE_ERROR_INVALID_ARGUMENT);
    refused(riffle_cuda_bits_execute(NULL, NULL, NULL, NULL, 0, NULL), "plan");
    refused(riffle_simulate_bits(perm, 1, NULL, NULL, NULL), "out");
    refused(riffle_explain_bits(perm, 1, NULL, NULL, NULL), "stream");
    refused(riffle_bits_plan_create(NULL, 1, NULL, &plan), "perm");
    refused(riffle_bits_plan_create(perm, 1, NULL, NULL), "out");
    assert_int_equal(riffle_bits_plan_create(perm, 1, NULL, &plan), RIFFLE_OK);
    refused(riffle_bits_execute(NULL, planes, eight), "plan");
    assert_int_equal(riffle_bits_execute(plan, planes, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    refused(riffle_bits_plan_explain(NULL, stderr), "plan");
    refused(riffle_bits_plan_explain(plan, NULL), "stream");
    riffle_bits_plan_free(plan);
    riffle_bits_plan_free(NULL);
    riffle_perm_free(perm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutations), cmocka_unit_test(exchanges), cmocka_unit_test(several_gpus),
        cmocka_unit_test(several_gpus),     cmocka_unit_test(matrices_and_cycles),
        cmocka_unit_test(plans),        cmocka_unit_test(programs),      cmocka_unit_test(hulls_and_sorts),
        cmocka_unit_test(files),        cmocka_unit_test(reports),       cmocka_unit_test(traces),
        cmocka_unit_test(translations), cmocka_unit_test(calls_of_gpus), cmocka_unit_test(bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
