/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/plans.h"

#include <stdio.h>

#include "arrays/program_text.h"
#include "arrays/table_files.h"
#include "arrays/wisdom.h"
#include "frame/command.h"
#include "frame/message.h"
#include "subjects/sort_task.h"
#include "riffle/cuda.h"
#include "riffle/group.h"
#include "riffle/hull.h"
#include "riffle/sort.h"
#include "system/gpu_file.h"

enum { DEFAULT_BYTES = 4 /* bytes of an element */ };

static bool find_device(const char *name, riffle_cuda_device *out, uint64_t *bytes_per_second) {
    return riffle_cuda_device_named(name, out, bytes_per_second) == RIFFLE_OK ||
           gpu_file_read(name, out, bytes_per_second);
}

/* How to explain; *gpu is to outlive it. False after a complaint of --device. */
static bool explanation_of(const request *ask, riffle_explanation *out, riffle_cuda_device *gpu) {
    *out = ask->how;
    out->json = ask->wants_json;
    if (ask->device == NULL) return true;
    out->gpu = gpu;
    return find_device(ask->device, gpu, &out->bytes_per_second);
}

static int finish(riffle_status status) {
    return status == RIFFLE_OK ? finish_stdout(EXIT_DONE) : complain_status("explain", status);
}

static int explain_program_plan(const request *ask, const program_text *text, const riffle_program *program) {
    const riffle_type type = ask->type > 0 ? (riffle_type)(ask->type - 1) : RIFFLE_TYPE_F32;
    const riffle_program_options options = {.batch = ask->options.batch, .algorithm = ask->algorithm.program};
    riffle_explanation how;
    riffle_cuda_device gpu;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    const riffle_status status = riffle_explain_program(program, type, ask->engine, &options, &how, stdout);
    return status == RIFFLE_OK ? EXIT_DONE : complain_program(text, "explain", status);
}

static int explain_program(const request *ask) {
    program_text text = {.by = ask->by, .file = ask->definitions};
    const permutation_options unfit = {.algorithm = ask->algorithm.moves != RIFFLE_ALGORITHM_AUTO,
                                       .elem_bytes = ask->elem_bytes != 0,
                                       .elem_bits = ask->elem_bits != 0,
                                       .stride = ask->options.stride != 0,
                                       .in_place = ask->in_place,
                                       .once = ask->once,
                                       .check = ask->check != RIFFLE_CHECK_NONE,
                                       .ranks = ask->among.ranks > 0,
                                       .gpus = ask->among.gpus > 0};
    const char *const of_models = option_of_models(ask);
    riffle_program *program = NULL;
    int exit_status = program_refuse_options(&unfit);
    if (exit_status == EXIT_DONE && of_models != NULL && ask->engine != RIFFLE_ENGINE_CUDA) {
        complain("explain: a program has no --%s; leave it out, or add --engine cuda, whose launches are "
                 "predicted",
                 of_models);
        exit_status = EXIT_USAGE;
    }
    if (exit_status == EXIT_DONE) exit_status = program_read_for(&text, ask->n, &program);
    if (exit_status == EXIT_DONE) exit_status = explain_program_plan(ask, &text, program);
    riffle_program_free(program);
    program_text_free(&text);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}

/* Explains a sort of numbers, or with --order a search for their stable order as indices; a GPU's indices have 4 bytes. */
int explain_sort(const request *ask) {
    riffle_sort_options options = sort_options_of(ask->streams, ask->top, ask->partition);
    riffle_explanation how;
    riffle_cuda_device gpu;
    riffle_sort_key key;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    options.algorithm = ask->algorithm.sort;
    options.check = ask->check;
    if (ask->order) options.index_bytes = ask->engine == RIFFLE_ENGINE_CUDA ? 4 : 8;
    riffle_status status = riffle_sort_key_of_type((riffle_type)(ask->sort - 1), 0, &key);
    if (status == RIFFLE_OK && ask->among.ranks > 0)
        status = riffle_exchange_explain_sort(ask->n, key.elem_bytes, options.index_bytes, ask->among.ranks,
                                              &ask->among.link, stdout);
    else if (status == RIFFLE_OK)
        status = riffle_explain_sort(ask->n, &key, ask->engine, &options, &how, stdout);
    return finish(status);
}

int explain_hull(const request *ask) {
    const riffle_hull_options options = {.algorithm = ask->algorithm.hull};
    riffle_explanation how;
    riffle_cuda_device gpu;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    const riffle_status status =
        riffle_explain_hull(ask->n, (riffle_type)(ask->hull - 1), ask->engine, &options, &how, stdout);
    return finish(status);
}

int explain_group(const request *ask) {
    const riffle_group_options options = {.keys_per_row = ask->keys,
                                          .check = ask->check,
                                          .columns = ask->columns.count,
                                          .column_bytes = ask->columns.of};
    const size_t row_bytes = ask->elem_bytes > 0 ? (size_t)ask->elem_bytes : DEFAULT_BYTES;
    riffle_explanation how;
    riffle_cuda_device gpu;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    const riffle_status status = riffle_explain_group(ask->n, row_bytes, (riffle_type)(ask->group - 1),
                                                      ask->groups, ask->engine, &options, &how, stdout);
    return finish(status);
}

/* Places have 4 bytes on a GPU, and 8 in files. */
int explain_ungroup(const request *ask) {
    const riffle_ungroup_task task =
        rows_back_task(&ask->back, ask->n, ask->keys, ask->elem_bytes > 0 ? ask->elem_bytes : DEFAULT_BYTES,
                       ask->engine == RIFFLE_ENGINE_CUDA ? 4 : 8);
    riffle_explanation how;
    riffle_cuda_device gpu;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    const riffle_status status = riffle_explain_ungroup(&task, ask->back.weights, ask->engine, &how, stdout);
    return finish(status);
}

/* Plans, with trials, and says what they found. */
static riffle_status explain_measured(const request *ask, const riffle_perm *perm, size_t elem_bytes) {
    riffle_plan *plan = NULL;
    riffle_status status = wisdom_take(ask->wisdom);
    if (status == RIFFLE_OK) status = riffle_plan_create(perm, elem_bytes, ask->engine, &ask->options, &plan);
    if (status == RIFFLE_OK) status = wisdom_put(ask->wisdom);
    if (status == RIFFLE_OK) status = riffle_plan_explain(plan, stdout);
    riffle_plan_free(plan);
    return status;
}

static riffle_status explain_packed(const request *ask, const riffle_explanation *how,
                                    const riffle_perm *perm) {
    const riffle_bits_options options = {
        .order = ask->bit_order, .batch = ask->options.batch, .engine = ask->engine};
    return riffle_explain_bits(perm, ask->elem_bits, &options, how, stdout);
}

/* True where there is none, and one that is named would do. */
static bool wants_gpu(const request *ask) {
    riffle_cuda_device here;
    return ask->engine == RIFFLE_ENGINE_CUDA && ask->device == NULL && !ask->how.measure &&
           ask->options.effort == RIFFLE_EFFORT_ESTIMATE && riffle_cuda_describe(&here) != RIFFLE_OK;
}

static int explain_moves(const request *ask, const riffle_perm *perm) {
    const size_t elem_bytes = ask->elem_bytes > 0 ? (size_t)ask->elem_bytes : DEFAULT_BYTES;
    riffle_explanation how;
    riffle_cuda_device gpu;
    riffle_status status;
    if (!explanation_of(ask, &how, &gpu)) return EXIT_FAILED;
    if (memories_are_given(&ask->among))
        status = memories_explain(&ask->among, perm, elem_bytes, ask->in_place);
    else if (ask->elem_bits > 0)
        status = explain_packed(ask, &how, perm);
    else if (ask->options.effort == RIFFLE_EFFORT_MEASURE)
        status = explain_measured(ask, perm, elem_bytes);
    else
        status = riffle_explain_as(perm, elem_bytes, ask->engine, &ask->options, &how, stdout);
    if (status == RIFFLE_ERROR_UNSUPPORTED && !memories_are_given(&ask->among) && wants_gpu(ask)) {
        complain("explain: %s, or name with --device one that need not be here", riffle_error_detail());
        return EXIT_FAILED;
    }
    return status == RIFFLE_OK ? EXIT_DONE : complain_status("explain", status);
}

int explain_by(request *ask) {
    ask->options.in_place = ask->in_place;
    ask->options.executions = ask->once;
    ask->options.check = ask->check;
    ask->options.algorithm = ask->algorithm.moves;
    riffle_perm *perm;
    int exit_status = permutation_unless_program(
        ask->by, ask->n, program_has_options(ask->type, ask->definitions, &ask->algorithm), &perm);
    if (exit_status != EXIT_DONE) return exit_status;
    if (perm == NULL) return explain_program(ask);
    exit_status = explain_moves(ask, perm);
    riffle_perm_free(perm);
    return exit_status == EXIT_DONE ? finish_stdout(EXIT_DONE) : exit_status;
}
