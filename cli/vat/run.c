/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle vat run: one of the chapter's programs on a machine of the model, its faults by layer beside the chapter's bounds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/progress.h"
#include "trace/traces.h"
#include "vat/counts.h"
#include "vat/export.h"
#include "vat/theorems.h"
#include "vat/vat.h"

typedef struct request {
    vat_model model;
    const char *name;
    riffle_vat_program program;
    uint64_t n, seed;
    traces trace;
    bool wants_json, theorems;
} request;

/* A run: what takes the accesses, and what came out. */
typedef struct run_work {
    riffle_vat_options tree;
    riffle_vat *vat;
    riffle_trace *trace; /* NULL: none */
    vat_export export;
    const vat_theorems *shown; /* NULL: not wanted */
    vat_theorems theorems;
    uint64_t elements, stores, checksum;
    vat_counted counted;
    riffle_vat_cost cost;
    bool has_bounds;
} run_work;

static riffle_status take(void *context, const uint64_t *addresses, const bool *stores, size_t count) {
    run_work *work = context;
    for (size_t k = 0; k < count; ++k) work->stores += stores[k];
    riffle_status status = riffle_vat_access(work->vat, addresses, count);
    if (status == RIFFLE_OK && work->trace != NULL)
        status = vat_export_add(&work->export, work->trace, addresses, stores, count);
    if (status == RIFFLE_OK && work->shown != NULL)
        status = vat_theorems_take(&work->theorems, addresses, count);
    return status;
}

static riffle_status replay(const request *ask, run_work *work, uint64_t *array) {
    riffle_status status = riffle_vat_program_prepare(ask->program, ask->n, ask->seed, array);
    if (status == RIFFLE_OK)
        status = riffle_vat_program_feed(ask->program, ask->n, ask->seed, array, take, work, &work->checksum);
    if (status == RIFFLE_OK) status = vat_counted_take(&ask->model, &work->tree, work->vat, &work->counted);
    if (status == RIFFLE_OK && work->shown != NULL)
        status = vat_theorems_end(&work->theorems, ask->program, ask->n);
    return status;
}

static int run_program(const request *ask, run_work *work) {
    uint64_t *array = calloc(work->elements + 1, sizeof *array);
    if (array == NULL) {
        complain("vat run: no memory for %llu elements of 8 bytes; choose a smaller --n",
                 (unsigned long long)work->elements);
        return EXIT_FAILED;
    }
    progress line;
    progress_start(&line, "running");
    const riffle_status status = replay(ask, work, array);
    progress_stop(&line);
    free(array);
    return status == RIFFLE_OK ? EXIT_DONE : complain_status("vat run", status);
}

/* Without a path in a cache there are none. */
static void find_bounds(const request *ask, run_work *work) {
    work->has_bounds = vat_model_cost(&ask->model, &work->tree, ask->program, ask->n, &work->cost) == RIFFLE_OK;
}

/* --------------------------------------------------------------------------------------- the report */

static void print_bounds(const run_work *work) {
    if (!work->has_bounds) {
        printf("bounds    none: %s\n", riffle_error_detail());
        return;
    }
    printf("RAM       %14.0f   operations\n", work->cost.ram);
    printf("bounds    %14.6g   to %.6g faults, the chapter's: least for lru, most for min, up to constants%s\n",
           work->cost.vat_least, work->cost.vat_most, work->counted.is_nested ? ", both translations" : "");
}

static void print_layers(const vat_counted *counted) {
    const unsigned height = counted->tree.height, host = counted->host_tree.height;
    printf("\nlayer          faults%s\n", counted->is_nested ? "     of the host" : "");
    for (unsigned layer = height > host ? height : host;; --layer) {
        printf("%5u  %14llu", layer, (unsigned long long)counted->layer[layer]);
        if (counted->is_nested) printf("  %14llu", (unsigned long long)counted->host_layer[layer]);
        printf("%s\n", layer == height ? "  the root" : layer == 0 ? "  pages" : "");
        if (layer == 0) break;
    }
}

static void print_text(const request *ask, const run_work *work) {
    printf("%s of %llu: %llu elements, seed %llu\n", ask->name, (unsigned long long)ask->n,
           (unsigned long long)work->elements, (unsigned long long)ask->seed);
    vat_counted_print_model(&work->counted);
    printf("\nstores    %14llu\n", (unsigned long long)work->stores);
    vat_counted_print(&work->counted);
    print_bounds(work);
    print_layers(&work->counted);
    if (work->shown != NULL) vat_theorems_print(work->shown);
}

static void print_json(const request *ask, const run_work *work) {
    printf("{\"program\": \"%s\", \"n\": %llu, \"elements\": %llu, \"seed\": %llu, \"stores\": %llu, ",
           ask->name, (unsigned long long)ask->n, (unsigned long long)work->elements,
           (unsigned long long)ask->seed, (unsigned long long)work->stores);
    vat_counted_print_json(&work->counted);
    vat_counted_print_json_layers(&work->counted);
    if (work->has_bounds)
        printf(", \"ram\": %.15g, \"vat_least\": %.15g, \"vat_most\": %.15g", work->cost.ram,
               work->cost.vat_least, work->cost.vat_most);
    else
        printf(", \"ram\": null, \"vat_least\": null, \"vat_most\": null");
    if (work->shown != NULL) vat_theorems_print_json(work->shown);
    printf("}\n");
}

static int report(const request *ask, run_work *work) {
    if (work->trace != NULL && !traces_write(&ask->trace, work->trace)) return EXIT_FAILED;
    find_bounds(ask, work);
    if (ask->wants_json) {
        print_json(ask, work);
    } else {
        print_text(ask, work);
    }
    return finish_stdout(EXIT_DONE);
}

/* ------------------------------------------------------------------------------------------ the command */

static bool find_program(request *ask) {
    const char *words[RIFFLE_VAT_PROGRAM_COUNT + 1] = {NULL};
    for (int k = 0; k < RIFFLE_VAT_PROGRAM_COUNT; ++k)
        words[k] = riffle_vat_program_string((riffle_vat_program)k);
    if (riffle_vat_program_parse(ask->name, &ask->program) == RIFFLE_OK) return true;
    complain_unknown("program", ask->name, words);
    return false;
}

static int create(const request *ask, run_work *work) {
    work->tree = vat_model_options(&ask->model, 0);
    work->elements = riffle_vat_program_elements(ask->program, ask->n);
    riffle_status status = vat_model_create(&ask->model, &work->tree, &work->vat);
    if (status == RIFFLE_OK && ask->theorems) {
        if (work->tree.cache <= work->tree.height) {
            complain("vat run: --theorems divides the cache among %u layers; give --cache more nodes",
                     work->tree.height);
            return EXIT_USAGE;
        }
        status = vat_theorems_begin(&work->tree, &work->theorems);
        work->shown = &work->theorems;
    }
    if (status == RIFFLE_OK) return traces_begin(&ask->trace, &work->trace) ? EXIT_DONE : EXIT_FAILED;
    complain_status("vat run", status);
    return status == RIFFLE_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

static int run(int argc, char **argv) {
    request ask = {.n = 1 << 16, .seed = 1};
    int status;
    if (!options_read(&vat_run_command, argc, argv, &ask, &status)) return status;
    if (!find_program(&ask) || !vat_model_check(&ask.model, "vat run")) return EXIT_USAGE;
    status = traces_check(&ask.trace);
    if (status != EXIT_DONE) return status;
    run_work work = {.stores = 0};
    status = create(&ask, &work);
    work.export = vat_export_of(ask.name, work.tree.page);
    if (status == EXIT_DONE) status = run_program(&ask, &work);
    if (status == EXIT_DONE) status = report(&ask, &work);
    vat_theorems_free(&work.theorems);
    riffle_vat_free(work.vat);
    riffle_trace_free(work.trace);
    return status;
}

static const command_option options[] = {
    {.help = "The program and the report:"},
    {"n", "N", NUMBER(n), .help = "its size, in decimal or as 2^K; 2^16 by default",
     RANGE(1, RIFFLE_MAX_LENGTH)},
    {"seed", "N", NUMBER(seed), .help = "of its random numbers; 1 by default", RANGE(0, UINT64_MAX)},
    {"trace", "FILE", FILE_NAME(trace.file),
     .help = "write its accesses: FILE.csv, FILE.npy (a structure), or FILE.json (for ui.perfetto.dev)"},
    {"trace-limit", "N", NUMBER(trace.options.limit),
     .help = "write no trace of more than N accesses; 2^18 by default", RANGE(1, (uint64_t)1 << 32)},
    {"theorems", NULL, SWITCH(theorems),
     .help = "say what Theorem 2.32 and Lemmas 2.34 and 2.36 make of its accesses: block transfers by layer, "
             "C(M, B, n) and "
             "counted, CAT and RAT; keeps them all in memory"},
    {"json", NULL, SWITCH(wants_json), .help = "print one JSON document"},
    VAT_MODEL_OPTIONS(model),
    {0},
};

const command vat_run_command = {
    .name = "vat run",
    .summary = "count the faults of one of the model's programs, by layer, beside its bounds",
    .usage = "PROGRAM [OPTION]...",
    .about = "Runs PROGRAM on an array of 8-byte elements at address 0, translates each of\n"
             "its accesses, and prints the faults by layer of the tree, and between which\n"
             "bounds the chapter has them, up to constants. PROGRAM is one of\n"
             "  sequential-scan  random-scan  permute  binary-search  van-emde-boas\n"
             "  heapify  heapsort  introsort  transpose-rows  transpose-recursive\n"
             "  multiply-rows  multiply-recursive\n",
    .options = options,
    .notes = "N, K, P and W are decimal numbers or 2^K. lru and islru count while the program\n"
             "runs; the other policies keep all accesses in memory, 4 bytes each.\n",
    .operands = 1,
    .operand_field = offsetof(request, name),
    .run = run,
};
