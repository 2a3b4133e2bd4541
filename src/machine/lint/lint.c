/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_lint: a user's kernel, from its text to its report.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "machine/lint/arguments.h"
#include "machine/lint/compile.h"
#include "machine/lint/folder.h"
#include "machine/lint/members.h"
#include "machine/lint/object.h"
#include "machine/lint/program.h"
#include "machine/lint/sass.h"
#include "machine/runtime/machine.h"
#include "riffle/npy.h"

enum { MAX_ARGUMENTS = 64 };

typedef struct lint_arrays {
    char name[MAX_ARGUMENTS][32];
    void *data[MAX_ARGUMENTS]; /* of arrays; an array's argument is the address of its entry here */
    void *args[MAX_ARGUMENTS];
} lint_arrays;

/* ---- what was asked for */

/* CUDA's limits of single dimensions; products of them are the machine's to check. */
static riffle_status check_sides(const riffle_lint_job *job) {
    if (job->block[2] > 64)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a block of %u threads in z; 64 are the most", job->block[2]);
    for (int k = 1; k < 3; k++) {
        if (job->grid[k] > 65535)
            return fail(RIFFLE_ERROR_UNSUPPORTED, "a grid of %u blocks in %c; 65535 are the most", job->grid[k],
                        "xyz"[k]);
    }
    return RIFFLE_OK;
}

static riffle_status check_job(const riffle_lint_job *job) {
    if (job->file != NULL && job->is_program) return RIFFLE_OK;
    if (job->file == NULL || job->kernel == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a job has a file and a kernel's name; give both");
    if (job->argument_count > MAX_ARGUMENTS)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "%zu arguments; %d are the most", job->argument_count,
                    MAX_ARGUMENTS);
    if (*job->kernel == '\0') return fail(RIFFLE_ERROR_SYNTAX, "the kernel has no name; write transpose, say");
    for (const char *c = job->kernel; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("_:<>, *&()+-", *c) == NULL)
            return fail(RIFFLE_ERROR_SYNTAX, "kernel '%s': '%c' is in no name; write transpose<float, 32>, say",
                        job->kernel, *c);
    }
    return check_sides(job);
}

static riffle_status parse_arguments(const riffle_lint_job *job, lint_argument *out) {
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < job->argument_count && status == RIFFLE_OK; k++)
        status = lint_argument_parse((unsigned)k + 1, job->arguments[k], &out[k]);
    return status;
}

/* "int" of "... [with T = int]" or of "... [T = int]" */
static void name_of_type(const char *text, char out[static 128]) {
    const char *start = strstr(text, "T = ");
    start = start != NULL ? start + 4 : text;
    snprintf(out, 128, "%.*s", (int)strcspn(start, "]"), start);
}

/* Compares the arguments with the kernel's parameters. */
static riffle_status check_arguments(const riffle_lint_job *job, const lint_object *object) {
    lint_parameter parameters[MAX_ARGUMENTS];
    const unsigned count = object->describe(parameters, MAX_ARGUMENTS);
    if (count != job->argument_count) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "kernel '%s' has %u parameter%s, but %zu argument%s given",
                    job->kernel, count, count == 1 ? "" : "s", job->argument_count,
                    job->argument_count == 1 ? " is" : "s are");
    }
    for (unsigned k = 0; k < count; k++) {
        if (parameters[k].fits) continue;
        char type[128];
        name_of_type(parameters[k].type, type);
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "argument %u, '%s': the kernel's parameter is '%s'; give that type", k + 1,
                    job->arguments[k], type);
    }
    return RIFFLE_OK;
}

static riffle_status check_shared(const riffle_lint_job *job, const lint_object *object, const machine *m) {
    const size_t fixed = lint_object_static_shared(object, object->kernel());
    const size_t most = machine_options(m)->shared_bytes;
    if (job->shared_bytes <= most && fixed <= most - job->shared_bytes) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "kernel '%s': %zu bytes of static and %zu of dynamic shared memory; %zu in all are the most",
                job->kernel, fixed, job->shared_bytes, most);
}

/* ---- arrays */

/* The letter and bytes that a NumPy dtype has after its byte order. */
static bool is_dtype_of(const lint_type *type, const char *descr) {
    static const char letters[] = {
        [NUMBER_BOOL] = 'b', [NUMBER_SIGNED] = 'i', [NUMBER_UNSIGNED] = 'u', [NUMBER_FLOAT] = 'f'};
    char expected[16];
    snprintf(expected, sizeof expected, "%c%u'", letters[type->number], type->number_bytes);
    if (*descr != '\'' || strlen(descr) < 2 || strcmp(descr + 2, expected) != 0) return false;
    return descr[1] == '<' || descr[1] == '|' || descr[1] == '=';
}

/* A buffer of the machine with the elements of a file. */
static riffle_status load_array(machine *m, const char *name, const lint_argument *argument, void **out) {
    riffle_npy_input *input;
    riffle_status status = riffle_npy_open(argument->file, &input);
    if (status != RIFFLE_OK) return status;
    const riffle_npy_header *header = riffle_npy_get_header(input);
    const uint64_t count = riffle_npy_length(input);
    const lint_type *type = &argument->type;
    if (!is_dtype_of(type, header->descr)) {
        status = fail(RIFFLE_ERROR_FORMAT, "%s: its dtype %s is not that of %s; convert it with astype",
                      argument->file, header->descr, type->name);
    } else if (header->fortran_order && header->rank > 1) {
        status = fail(RIFFLE_ERROR_FORMAT, "%s: is in Fortran's order; save numpy.ascontiguousarray of it",
                      argument->file);
    } else if (count == 0 || count % type->components != 0) {
        status = fail(RIFFLE_ERROR_FORMAT, "%s: %llu numbers are no array of %s; give it another file",
                      argument->file, (unsigned long long)count, type->name);
    } else {
        status = machine_buffer(m, name, count * type->number_bytes, out);
    }
    if (status == RIFFLE_OK) {
        memcpy(*out, riffle_npy_data(input), count * type->number_bytes);
        machine_written(m, *out, count * type->number_bytes);
    }
    riffle_npy_close(input);
    return status;
}

static riffle_status make_array(machine *m, const char *name, const lint_argument *argument, uint64_t *random,
                                void **out) {
    if (argument->fill == FILL_FILE) return load_array(m, name, argument, out);
    size_t bytes;
    if (!multiply_sizes(argument->length, lint_type_bytes(&argument->type), 1, &bytes))
        return fail_memory("an argument", UINT64_MAX);
    const riffle_status status = machine_buffer(m, name, bytes, out);
    if (status != RIFFLE_OK || argument->fill == FILL_NONE) return status;
    lint_fill_array(argument, *out, random);
    machine_written(m, *out, bytes);
    return RIFFLE_OK;
}

static riffle_status make_arguments(const riffle_lint_job *job, lint_argument *arguments, machine *m,
                                    lint_arrays *arrays) {
    riffle_status status = RIFFLE_OK;
    uint64_t random = job->seed;
    for (size_t k = 0; k < job->argument_count && status == RIFFLE_OK; k++) {
        snprintf(arrays->name[k], sizeof arrays->name[k], "argument %zu", k + 1);
        arrays->args[k] = arguments[k].value;
        if (!arguments[k].is_array) continue;
        if (arguments[k].fill != FILL_NULL)
            status = make_array(m, arrays->name[k], &arguments[k], &random, &arrays->data[k]);
        arrays->args[k] = &arrays->data[k];
    }
    return status;
}

/* ---- all of it */

static machine_shape shape_of(const unsigned sides[3]) {
    return (machine_shape){sides[0] > 0 ? sides[0] : 1, sides[1] > 0 ? sides[1] : 1,
                           sides[2] > 0 ? sides[2] : 1};
}

static riffle_status launch(const riffle_lint_job *job, lint_argument *arguments, const lint_object *object,
                            machine *m) {
    lint_arrays *arrays = calloc(1, sizeof *arrays);
    if (arrays == NULL) return fail_memory("the kernel's arguments", sizeof *arrays);
    riffle_status status = make_arguments(job, arguments, m, arrays);
    if (status == RIFFLE_OK) {
        const machine_launch request = {.kernel = job->kernel,
                                        .entry = object->entry,
                                        .args = arrays->args,
                                        .grid = shape_of(job->grid),
                                        .block = shape_of(job->block),
                                        .shared_bytes = job->shared_bytes};
        status = machine_run(m, &request);
    }
    free(arrays);
    return status;
}

/* What the machine wants to know of the text, where ".x" can only be a component of CUDA's own vectors. */
static riffle_status know_components(const lint_folder *folder, machine *m) {
    char *text;
    size_t length;
    riffle_status status = lint_folder_read(folder, LINT_TEXT, &text, &length);
    if (status != RIFFLE_OK) return status;
    if (!lint_declares_member_x(text)) status = machine_know_components(m, text);
    free(text);
    return status;
}

static riffle_status know_widths(const riffle_lint_job *job, const lint_folder *folder, machine *m) {
    line_widths widths;
    const riffle_status status = lint_sass_widths(job, folder, &widths);
    if (status == RIFFLE_OK) machine_know_widths(m, widths);
    return status;
}

/* The object keeps the path. */
static riffle_status load(const lint_folder *folder, const char *path, machine *m, lint_object *out) {
    char *constants;
    size_t length;
    riffle_status status = lint_folder_read(folder, LINT_CONSTANTS, &constants, &length);
    if (status != RIFFLE_OK) return status;
    status = lint_object_load(path, constants, m, out);
    free(constants);
    return status;
}

static riffle_status compile_and_run(const riffle_lint_job *job, lint_argument *arguments, machine *m) {
    lint_folder folder;
    char path[LINT_PATH];
    lint_object object;
    riffle_status status = lint_folder_create(&folder);
    if (status != RIFFLE_OK) return status;
    machine_attribute(m);
    status = lint_compile(job, arguments, machine_options(m)->shared_bytes, &folder);
    if (status == RIFFLE_OK) status = know_components(&folder, m);
    if (status == RIFFLE_OK && job->nvcc != NULL) status = know_widths(job, &folder, m);
    lint_folder_path(&folder, LINT_OBJECT, path);
    if (status == RIFFLE_OK) status = load(&folder, path, m, &object);
    if (status == RIFFLE_OK && job->is_program && !object.has_main) {
        status = fail(
            RIFFLE_ERROR_FORMAT,
            "%s: has no main; give the files that have it too, or run one kernel with --kernel and --block",
            job->file);
        lint_object_unload(&object);
    } else if (status == RIFFLE_OK && job->is_program) {
        lint_object_connect(&object);
        int exit_status = 0;
        status = lint_program_run(job, &object, m, &exit_status);
        machine_note_program(m, exit_status);
        lint_object_unload(&object);
    } else if (status == RIFFLE_OK) {
        status = check_arguments(job, &object);
        if (status == RIFFLE_OK) status = check_shared(job, &object, m);
        lint_object_connect(&object);
        if (status == RIFFLE_OK) status = launch(job, arguments, &object, m);
        lint_object_unload(&object);
    }
    lint_folder_remove(&folder);
    return status;
}

riffle_status riffle_lint(const riffle_lint_job *job, const riffle_machine_options *options,
                          riffle_report **out) {
    lint_argument arguments[MAX_ARGUMENTS];
    machine *m;
    riffle_status status = check_job(job);
    if (status == RIFFLE_OK && !job->is_program) status = parse_arguments(job, arguments);
    if (status == RIFFLE_OK) status = machine_create(options, &m);
    if (status != RIFFLE_OK) return status;
    status = compile_and_run(job, arguments, m);
    if (status == RIFFLE_OK) *out = machine_take_report(m);
    machine_free(m);
    return status;
}
