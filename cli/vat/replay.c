/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle vat replay: feeds a trace of accesses to one translation cache, or with --advise to three at once, and
 * prints the faults.
 */
#include <stdio.h>

#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/progress.h"
#include "riffle/vat.h"
#include "vat/advise.h"
#include "vat/counts.h"
#include "vat/request.h"
#include "vat/trace.h"
#include "vat/vat.h"

/* ---------------------------------------------------------------------------------------- the work */

/* The trace on one cache or, with --advise, three. */
typedef struct replay {
    int caches;
    riffle_vat *vat[VAT_SIZES];
    uint64_t page[VAT_SIZES]; /* bytes of which each is asked for: of the smaller page with a host */
    vat_counted counted[VAT_SIZES];
    vat_advice result;
} replay;

/* Makes the caches; an exit status. */
static int begin(const vat_request *ask, replay *work) {
    work->caches = ask->advise ? VAT_SIZES : 1;
    work->result = (vat_advice){
        .policy = ask->model.policy,
        .preset = ask->model.has_preset && ask->model.options.cache == 0 ? &ask->model.preset : NULL};
    vat_steps_begin(&work->result.steps);
    for (int k = 0; k < work->caches; ++k) {
        riffle_vat_options *tree = &work->result.options[k];
        *tree = vat_model_options(&ask->model, ask->advise ? vat_page_sizes[k] : 0);
        const uint64_t host = ask->model.is_nested ? vat_model_host(&ask->model, tree).page : tree->page;
        work->page[k] = host < tree->page ? host : tree->page;
        const riffle_status status = vat_model_create(&ask->model, tree, &work->vat[k]);
        if (status == RIFFLE_OK) continue;
        complain_status("vat replay", status);
        return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* Translates every page that each access touches. */
static riffle_status feed(riffle_vat *vat, uint64_t page, const vat_accesses *accesses) {
    uint64_t address[VAT_TRACE_CHUNK];
    size_t used = 0;
    for (size_t k = 0; k < accesses->count; ++k) {
        uint64_t next = accesses->first[k];
        for (;;) {
            address[used++] = next;
            if (used == VAT_TRACE_CHUNK) {
                const riffle_status status = riffle_vat_access(vat, address, used);
                if (status != RIFFLE_OK) return status;
                used = 0;
            }
            const uint64_t end = next | (page - 1);
            if (accesses->last[k] <= end) break;
            next = end + 1;
        }
    }
    return riffle_vat_access(vat, address, used);
}

/* Feeds the whole trace to all caches, and counts. RIFFLE_OK also where the trace is wrong. */
static riffle_status feed_trace(const vat_model *model, replay *work, vat_trace *trace, progress *line) {
    riffle_status status = RIFFLE_OK;
    vat_accesses accesses;
    while (status == RIFFLE_OK && vat_trace_next(trace, &accesses)) {
        if (work->caches > 1 && !vat_steps_take(&work->result.steps, &accesses))
            return RIFFLE_ERROR_OUT_OF_MEMORY;
        for (int k = 0; status == RIFFLE_OK && k < work->caches; ++k)
            status = feed(work->vat[k], work->page[k], &accesses);
    }
    if (trace->wrong[0] != '\0') return status;
    progress_phase(line, "counting");
    for (int k = 0; status == RIFFLE_OK && k < work->caches; ++k) {
        status = vat_counted_take(model, &work->result.options[k], work->vat[k], &work->counted[k]);
        work->result.counts[k] = work->counted[k].counts;
    }
    return status;
}

static int replay_trace(const vat_request *ask, replay *work) {
    vat_trace trace;
    riffle_status status = RIFFLE_OK;
    if (vat_trace_open(&trace, ask->path, ask->instructions, vat_last_address(&work->result.options[0]))) {
        progress line;
        progress_start(&line, "replaying");
        status = feed_trace(&ask->model, work, &trace, &line);
        progress_stop(&line);
    }
    int exit_status = EXIT_DONE;
    if (status != RIFFLE_OK) {
        exit_status = complain_status(trace.name, status);
    } else if (trace.wrong[0] != '\0') {
        complain("%s", trace.wrong);
        exit_status = EXIT_FAILED;
    } else if (trace.unended != 0) {
        complain(
            "%s: line %llu: ends without a newline; it counts as it is, but see whether the trace is cut off",
            trace.name, (unsigned long long)trace.unended);
    }
    vat_trace_close(&trace);
    return exit_status;
}

/* --------------------------------------------------------------------------------------- the report */

static void print_json_counts(const vat_counted *counted) {
    printf("{");
    vat_counted_print_json(counted);
    if (counted->is_nested) vat_counted_print_json_layers(counted);
    printf("}");
}

static void print_json(const replay *work) {
    const vat_advice *result = &work->result;
    if (work->caches == 1) {
        print_json_counts(&work->counted[0]);
        printf("\n");
        return;
    }
    printf("{\"touched_pages\": %llu, \"steps\": %llu, \"sequential_steps\": %llu, \"pages\": [",
           (unsigned long long)result->steps.touched.count, (unsigned long long)result->steps.count,
           (unsigned long long)result->steps.sequential);
    for (int k = 0; k < work->caches; ++k) {
        printf("%s\n ", k > 0 ? "," : "");
        print_json_counts(&work->counted[k]);
    }
    printf("]}\n");
}

static void print_text_report(const replay *work) {
    const vat_advice *result = &work->result;
    if (work->caches == 1) {
        vat_counted_print_model(&work->counted[0]);
        printf("\n");
        vat_counted_print(&work->counted[0]);
        return;
    }
    const riffle_vat_options *tree = &result->options[0];
    printf("policy %s, fan-out %llu, caches of %s, tau %g, %llu accesses\n\n",
           riffle_vat_policy_string(result->policy), (unsigned long long)tree->fanout,
           result->preset != NULL ? result->preset->description : "the given size", tree->tau,
           (unsigned long long)result->counts[0].accesses);
    vat_advice_print(result);
}

static int run(int argc, char **argv) {
    vat_request ask = {.model = {.policy = RIFFLE_VAT_POLICY_LRU}};
    int exit_status;
    if (!options_read(&vat_replay_command, argc, argv, &ask, &exit_status)) return exit_status;
    if (!vat_request_complete(&ask)) return EXIT_USAGE;
    replay work = {.caches = 0};
    exit_status = begin(&ask, &work);
    if (exit_status == EXIT_DONE) exit_status = replay_trace(&ask, &work);
    if (exit_status == EXIT_DONE && ask.wants_json) print_json(&work);
    if (exit_status == EXIT_DONE && !ask.wants_json) print_text_report(&work);
    if (exit_status == EXIT_DONE) exit_status = finish_stdout(EXIT_DONE);
    vat_steps_end(&work.result.steps);
    for (int k = 0; k < work.caches; ++k) riffle_vat_free(work.vat[k]);
    return exit_status;
}

const command vat_replay_command = {
    .name = "vat replay",
    .summary = "count the faults of a trace of addresses, and say what larger pages or another order of "
               "accesses would "
               "save",
    .usage = "TRACE [OPTION]...",
    .about = "Translates every address of TRACE (- is standard input) by a tree of page\n"
             "tables and a cache of its nodes, and prints how many nodes had to be fetched\n"
             "into the cache: the faults. TRACE is a text with an address a line, in decimal\n"
             "or as 0x hexadecimal, a .csv of riffle vat run's --trace, or what valgrind's\n"
             "lackey tool prints:\n"
             "  valgrind --tool=lackey --trace-mem=yes --log-file=TRACE PROGRAM\n",
    .options = vat_request_table,
    .notes = "K, P and W are decimal numbers or 2^K. lru and islru read traces of any size;\n"
             "the others keep the whole trace in memory.\n",
    .operands = 1,
    .takes_stdin = true,
    .operand_field = offsetof(vat_request, path),
    .run = run,
};
