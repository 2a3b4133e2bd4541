/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces: times as the models have them, looked at from the events alone, and the files.
 */
#include "support.h"

#include "riffle/machine.h"
#include "riffle/papers.h"

static riffle_trace *trace_or_fail(const riffle_trace_options *options) {
    riffle_trace *trace = NULL;
    assert_int_equal(riffle_trace_create(options, &trace), RIFFLE_OK);
    return trace;
}

static riffle_trace_event event_or_fail(const riffle_trace *trace, uint64_t k) {
    riffle_trace_event event;
    assert_int_equal(riffle_trace_event_at(trace, k, &event), RIFFLE_OK);
    return event;
}

/* Runs a move with a trace; the machine's time units. */
static uint64_t simulate(const char *spec, uint64_t n, riffle_algorithm algorithm,
                         riffle_machine_options machine, riffle_trace *trace) {
    riffle_perm *perm = parse_or_fail(spec, n);
    riffle_report *report;
    machine.trace = trace;
    assert_int_equal(
        riffle_simulate(perm, 4, &(riffle_plan_options){.algorithm = algorithm}, &machine, &report), RIFFLE_OK);
    const uint64_t time = riffle_report_time_units(report);
    riffle_report_free(report);
    riffle_perm_free(perm);
    return time;
}

static int by_time(const void *one, const void *other) {
    const riffle_trace_event *a = one, *b = other;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (a->lane > b->lane) - (a->lane < b->lane);
}

static riffle_trace_event *sorted_events(const riffle_trace *trace) {
    const uint64_t count = riffle_trace_events(trace);
    riffle_trace_event *all = calloc(count + 1, sizeof *all);
    assert_non_null(all);
    for (uint64_t k = 0; k < count; k++) all[k] = event_or_fail(trace, k);
    qsort(all, count, sizeof *all, by_time);
    return all;
}

/* In one time unit a memory serves one warp; global memory one address group, a bank of shared memory one cell. */
static void check_pair(const riffle_trace_event *a, const riffle_trace_event *b) {
    assert_int_equal(a->round, b->round);
    assert_int_equal(a->block, b->block);
    assert_int_equal(a->warp, b->warp);
    if (!a->is_shared) assert_int_equal(a->group, b->group);
    if (a->is_shared && a->group == b->group) assert_int_equal(a->address, b->address);
}

/* One DMM: time units follow each other within a round, and rounds after their latency. */
static void check_times(const riffle_trace_event *all, uint64_t count, const riffle_machine_options *machine) {
    assert_int_equal(all[0].time, 0);
    for (uint64_t k = 1; k < count; k++) {
        const unsigned latency = all[k - 1].is_shared ? machine->shared_latency : machine->latency;
        const uint64_t gap = all[k].time - all[k - 1].time;
        if (gap == 0)
            check_pair(&all[k - 1], &all[k]);
        else
            assert_int_equal(gap, all[k].round == all[k - 1].round ? 1 : latency);
    }
}

static void times_are_the_models(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        riffle_algorithm algorithm;
    } all[] = {{"random:1", RIFFLE_ALGORITHM_SCATTER},       {"bit-reversal", RIFFLE_ALGORITHM_GATHER},
               {"random:2", RIFFLE_ALGORITHM_SCHEDULED},     {"transpose:16x16", RIFFLE_ALGORITHM_TRANSPOSE},
               {"random-affine:3", RIFFLE_ALGORITHM_AFFINE}, {"bit-reversal", RIFFLE_ALGORITHM_BMMC_TILE}};
    static const riffle_machine_options machines[] = {{.width = 4, .latency = 5, .shared_latency = 3},
                                                      {.width = 8, .latency = 400, .shared_latency = 1}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (size_t m = 0; m < 2; m++) {
            riffle_trace *trace = trace_or_fail(NULL);
            const uint64_t time = simulate(all[k].spec, 256, all[k].algorithm, machines[m], trace);
            const uint64_t count = riffle_trace_events(trace);
            assert_int_equal(riffle_trace_time_units(trace), time);
            riffle_trace_event *events = sorted_events(trace);
            check_times(events, count, &machines[m]);
            const unsigned last =
                events[count - 1].is_shared ? machines[m].shared_latency : machines[m].latency;
            assert_int_equal(events[count - 1].time + last, time);
            free(events);
            riffle_trace_free(trace);
        }
    }
}

/* Shared memories of several DMMs work at once. */
static void dmms_overlap(void **state) {
    (void)state;
    riffle_trace *trace = trace_or_fail(NULL);
    const riffle_machine_options machine = {.width = 4, .latency = 5, .dmms = 4};
    const uint64_t time = simulate("random:2", 256, RIFFLE_ALGORITHM_SCHEDULED, machine, trace);
    bool overlap = false;
    riffle_trace_event *events = sorted_events(trace);
    for (uint64_t k = 1; k < riffle_trace_events(trace); k++)
        overlap |= events[k].time == events[k - 1].time && events[k].block != events[k - 1].block;
    assert_true(overlap);
    assert_int_equal(riffle_trace_time_units(trace), time);
    free(events);
    riffle_trace_free(trace);
}

static void one_launch_and_one_block(void **state) {
    (void)state;
    riffle_trace *trace = trace_or_fail(&(riffle_trace_options){.launch = 3, .block = 2});
    const riffle_machine_options machine = {.width = 4, .latency = 5};
    const uint64_t time = simulate("random:2", 256, RIFFLE_ALGORITHM_SCHEDULED, machine, trace);
    riffle_trace *whole = trace_or_fail(NULL);
    simulate("random:2", 256, RIFFLE_ALGORITHM_SCHEDULED, machine, whole);
    uint64_t at = 0;
    for (uint64_t k = 0; k < riffle_trace_events(whole); k++) {
        const riffle_trace_event all = event_or_fail(whole, k);
        if (all.launch != 2 || all.block != 1) continue;
        const riffle_trace_event one = event_or_fail(trace, at++);
        assert_int_equal(one.time, all.time);
        assert_int_equal(one.address, all.address);
        assert_int_equal(one.lane, all.lane);
        assert_string_equal(one.array, all.array);
    }
    assert_true(at > 0);
    assert_int_equal(riffle_trace_events(trace), at);
    assert_int_equal(riffle_trace_time_units(trace), time);
    riffle_trace_free(whole);
    riffle_trace_free(trace);
}

static void add(riffle_trace *trace, riffle_trace_access access, const uint64_t *address, uint32_t lanes) {
    access.address = address;
    access.lanes = lanes;
    assert_int_equal(riffle_trace_add(trace, &access), RIFFLE_OK);
}

/* HMM paper, figure 3: 7 time units on the DMM and 9 on the UMM. */
static void the_papers_example(void **state) {
    (void)state;
    static const uint64_t first[] = {28, 20, 60, 0}, second[] = {40, 44, 48, 36};
    static const uint64_t dmm[] = {0, 0, 1, 0, 2, 2, 2, 2}, umm[] = {0, 0, 1, 2, 3, 3, 4, 3};
    for (int shared = 0; shared < 2; shared++) {
        riffle_trace *trace = trace_or_fail(NULL);
        const riffle_trace_access access = {
            .array = "a", .width = 4, .latency = 5, .bytes = 4, .round = 7, .is_shared = shared != 0};
        add(trace, access, first, 4);
        add(trace, access, second, 4);
        for (uint64_t k = 0; k < 8; k++)
            assert_int_equal(event_or_fail(trace, k).time, (shared ? dmm : umm)[k]);
        assert_int_equal(riffle_trace_time_units(trace), shared ? 7 : 9);
        riffle_trace_free(trace);
    }
}

static void atomics_take_turns(void **state) {
    (void)state;
    static const uint64_t address[] = {0, 4, 0, 16, 16, 16};
    static const uint64_t global[] = {0, 0, 1, 2, 3, 4}, shared[] = {0, 0, 1, 2, 3, 4};
    for (int which = 0; which < 2; which++) {
        riffle_trace *trace = trace_or_fail(NULL);
        add(trace,
            (riffle_trace_access){
                .width = 4, .latency = 2, .bytes = 4, .op = RIFFLE_TRACE_OP_ATOMIC, .is_shared = which != 0},
            address, 6);
        for (uint64_t k = 0; k < 6; k++)
            assert_int_equal(event_or_fail(trace, k).time, (which ? shared : global)[k]);
        assert_int_equal(riffle_trace_time_units(trace), 6);
        riffle_trace_free(trace);
    }
}

static char *written(const riffle_trace *trace, riffle_trace_format format, size_t *bytes) {
    static char *text; /* gcc 12 takes a local one's address for what the stream leaves in it */
    FILE *stream = open_memstream(&text, bytes);
    assert_non_null(stream);
    assert_int_equal(riffle_trace_write(trace, format, stream), RIFFLE_OK);
    fclose(stream);
    return text;
}

static riffle_trace *small_trace(void) {
    static const uint64_t address[] = {0, 128};
    static const uint32_t lane[] = {3, 9};
    riffle_trace *trace = trace_or_fail(NULL);
    add(trace,
        (riffle_trace_access){.kernel = "k<1, 2>",
                              .array = "say \"a\"",
                              .file = "k.cu",
                              .line = 12,
                              .lane = lane,
                              .width = 32,
                              .latency = 4,
                              .bytes = 4,
                              .block = 5,
                              .warp = 1,
                              .op = RIFFLE_TRACE_OP_WRITE,
                              .is_shared = true},
        address, 2);
    return trace;
}

static void files(void **state) {
    (void)state;
    size_t bytes;
    riffle_trace *trace = small_trace();
    char *csv = written(trace, RIFFLE_TRACE_FORMAT_CSV, &bytes);
    assert_string_equal(
        csv, "time,launch,round,block,warp,lane,space,group,array,address,bytes,op,kernel,file,line\n"
             "0,0,0,5,1,3,shared,0,\"say \"\"a\"\"\",0,4,write,\"k<1, 2>\",k.cu,12\n"
             "1,0,0,5,1,9,shared,0,\"say \"\"a\"\"\",128,4,write,\"k<1, 2>\",k.cu,12\n");
    char *npy = written(trace, RIFFLE_TRACE_FORMAT_NPY, &bytes);
    assert_memory_equal(npy, "\x93NUMPY\x01\x00", 8);
    assert_int_equal(bytes % 64, (8 + 4 + 4 + 8 + 4 + 4 + 6 + 8 + 7 + 8 + 4 + 6 + 7 + 4 + 4) * 2 % 64);
    char *perfetto = written(trace, RIFFLE_TRACE_FORMAT_PERFETTO, &bytes);
    assert_non_null(strstr(perfetto, "\"ts\":0,\"dur\":5"));
    free(csv);
    free(npy);
    free(perfetto);
    riffle_trace_free(trace);
}

static unsigned count_of(const char *text, const char *word) {
    unsigned count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) count++;
    return count;
}

/* Four rounds, of which the second wastes the most. */
static void pictures(void **state) {
    (void)state;
    size_t bytes;
    for (uint64_t round = 0; round < 2; round++) {
        riffle_trace *trace = trace_or_fail(&(riffle_trace_options){.round = round > 0 ? 4 : 0});
        for (uint64_t k = 0; k < 4; k++) {
            const uint64_t step = k == 1 ? 128 : 4, address[] = {0, step, 2 * step, 3 * step};
            add(trace,
                (riffle_trace_access){
                    .array = "a<b", .round = k, .width = 32, .latency = 1, .bytes = 4, .is_shared = true},
                address, 4);
        }
        char *svg = written(trace, RIFFLE_TRACE_FORMAT_SVG, &bytes);
        assert_non_null(strstr(svg, round > 0 ? "round 3: shared read" : "round 1: shared read"));
        assert_non_null(strstr(svg, round > 0 ? "stages 1, time units 6 to 6" : "stages 4, time units 1 to 4"));
        assert_int_equal(count_of(svg, "<title>lane"), 4);
        assert_int_equal(count_of(svg, "a&lt;b["), 4);
        char *html = written(trace, RIFFLE_TRACE_FORMAT_HTML, &bytes);
        assert_int_equal(count_of(html, "<title>lane"), 16);
        assert_int_equal(count_of(html, "class=\"round shown\""), 1);
        assert_int_equal(count_of(html, "src="), 0);
        free(svg);
        free(html);
        riffle_trace_free(trace);
    }
    riffle_trace *trace = trace_or_fail(&(riffle_trace_options){.round = 9});
    assert_int_equal(riffle_trace_write(trace, RIFFLE_TRACE_FORMAT_SVG, stderr), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "a trace without an access has no picture"));
    add(trace, (riffle_trace_access){.width = 32, .latency = 1, .bytes = 4}, (const uint64_t[]){0}, 1);
    assert_int_equal(riffle_trace_write(trace, RIFFLE_TRACE_FORMAT_HTML, stderr), RIFFLE_ERROR_UNSUPPORTED);
    assert_string_equal(riffle_error_detail(),
                        "round 8 has no access in the trace; choose one of its 1 rounds");
    riffle_trace_free(trace);
}

static void refusals(void **state) {
    (void)state;
    static const uint64_t address[] = {0, 4, 8};
    riffle_trace *trace = trace_or_fail(&(riffle_trace_options){.limit = 2});
    riffle_trace_access access = {.address = address, .lanes = 3, .width = 4, .latency = 1, .bytes = 4};
    assert_int_equal(riffle_trace_add(trace, &access), RIFFLE_OK);
    assert_int_equal(riffle_trace_write(trace, RIFFLE_TRACE_FORMAT_CSV, stderr), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "3 accesses, and 2 are its limit; ask for fewer"));
    riffle_trace_event event;
    assert_int_equal(riffle_trace_event_at(trace, 0, &event), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "a trace of 0 accesses has none of number 0");
    access.lanes = 0;
    assert_int_equal(riffle_trace_add(trace, &access), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(),
                        "an access of a warp has addresses of 1 to 65536 lanes; give them");
    access.lanes = 3;
    access.width = 0;
    assert_int_equal(riffle_trace_add(trace, &access), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(riffle_error_detail(), "not 0, 1 and 4"));
    access.width = 4;
    access.op = (riffle_trace_op)3;
    assert_int_equal(riffle_trace_add(trace, &access), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "no operation has the number 3; use RIFFLE_TRACE_OP_...");
    riffle_trace_free(trace);
    trace = small_trace();
    assert_int_equal(riffle_trace_write(trace, (riffle_trace_format)9, stderr), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(),
                        "no format of traces has the number 9; use RIFFLE_TRACE_FORMAT_...");
    riffle_trace_free(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_the_models),
        cmocka_unit_test(dmms_overlap),
        cmocka_unit_test(one_launch_and_one_block),
        cmocka_unit_test(the_papers_example),
        cmocka_unit_test(atomics_take_turns),
        cmocka_unit_test(files),
        cmocka_unit_test(pictures),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
