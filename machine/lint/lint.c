/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_lint: a user's kernel, from its text to its report.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder/folder.h"
#include "base/memory.h"
#include "base/status.h"
#include "machine/library.h"
#include "machine/lint/apart.h"
#include "machine/lint/architecture/architecture.h"
#include "machine/lint/architecture/beyond.h"
#include "machine/lint/arguments/arguments.h"
#include "machine/lint/compiler/compile.h"
#include "machine/lint/compiler/sass/sass.h"
#include "machine/lint/object/object.h"
#include "machine/lint/object/undefined.h"
#include "machine/lint/program.h"
#include "machine/lint/source/members.h"
#include "machine/runtime/division.h"
#include "machine/runtime/machine.h"
#include "riffle/npy.h"

enum { MAX_ARGUMENTS = 64, MAX_SETTING_ARRAYS = 256 };

typedef struct lint_arrays {
    char name[MAX_ARGUMENTS][32];
    void *data[MAX_ARGUMENTS]; /* contents of arrays; an array's argument is the address of its entry here */
    void *args[MAX_ARGUMENTS];
    void *set[MAX_SETTING_ARRAYS]; /* contents of structures' fields, then of constants */
    unsigned sets;
} lint_arrays;

/* ---- what was asked for */

static riffle_status check_job(const riffle_lint_job *job) {
    if (job->file != NULL && job->is_program) return RIFFLE_OK;
    if (job->file == NULL || job->kernel == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a job has a file and a kernel's name; give both");
    if (job->argument_count > MAX_ARGUMENTS)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "%zu arguments; %d are the most", job->argument_count,
                    MAX_ARGUMENTS);
    if (job->constant_count > MAX_ARGUMENTS)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "%zu constants; %d are the most", job->constant_count,
                    MAX_ARGUMENTS);
    if (*job->kernel == '\0') return fail(RIFFLE_ERROR_SYNTAX, "the kernel has no name; write transpose, say");
    for (const char *c = job->kernel; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && strchr("_:<>, *&()+-", *c) == NULL)
            return fail(RIFFLE_ERROR_SYNTAX, "kernel '%s': '%c' is in no name; write transpose<float, 32>, say",
                        job->kernel, *c);
    }
    return lint_program_check_sides(job->grid, job->block);
}

static riffle_status look_for_twice(const lint_constant *constants, size_t count) {
    for (size_t k = 0; k < count; k++) {
        for (size_t l = 0; l < k; l++) {
            if (strcmp(constants[k].name, constants[l].name) == 0)
                return fail(RIFFLE_ERROR_SYNTAX, "constant '%s' is given twice; leave one out",
                            constants[k].name);
        }
    }
    return RIFFLE_OK;
}

static riffle_status parse_arguments(const riffle_lint_job *job, lint_argument *out, lint_constant *constants) {
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < job->argument_count && status == RIFFLE_OK; k++)
        status = lint_argument_parse((unsigned)k + 1, job->arguments[k], &out[k]);
    for (size_t k = 0; k < job->constant_count && status == RIFFLE_OK; k++)
        status = lint_constant_parse(job->constants[k], &constants[k]);
    return status == RIFFLE_OK ? look_for_twice(constants, job->constant_count) : status;
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
    riffle_status status = riffle_npy_input_open(argument->file, &input);
    if (status != RIFFLE_OK) return status;
    const riffle_npy_header *header = riffle_npy_input_header(input);
    const uint64_t count = riffle_npy_input_length(input);
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
        memcpy(*out, riffle_npy_input_data(input), count * type->number_bytes);
        machine_written(m, *out, count * type->number_bytes);
    }
    riffle_npy_input_close(input);
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

/* The arrays that settings name, "argument 2.data". */
static riffle_status make_set_arrays(const char *name, const lint_settings *settings, machine *m,
                                     uint64_t *random, lint_arrays *arrays) {
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < settings->count && status == RIFFLE_OK; k++) {
        const lint_setting *one = &settings->setting[k];
        if (one->array == NULL) continue;
        char whole[2 * LINT_PLACE];
        snprintf(whole, sizeof whole, "%s%s%s", name, *one->place != '\0' ? "." : "", one->place);
        if (arrays->sets == MAX_SETTING_ARRAYS)
            return fail(RIFFLE_ERROR_UNSUPPORTED, "more than %d arrays in fields", MAX_SETTING_ARRAYS);
        if (one->array->fill != FILL_NULL)
            status = make_array(m, whole, one->array, random, &arrays->set[arrays->sets]);
        arrays->sets++;
    }
    return status;
}

static riffle_status make_argument(const lint_argument *argument, const lint_object *object, size_t k,
                                   machine *m, uint64_t *random, lint_arrays *arrays) {
    if (argument->is_structure) {
        const riffle_status status = make_set_arrays(arrays->name[k], &argument->fields, m, random, arrays);
        if (status != RIFFLE_OK) return status;
        arrays->args[k] = (void *)(uintptr_t)object->structure((unsigned)k, arrays->set);
        return RIFFLE_OK;
    }
    arrays->args[k] = argument->is_array ? (void *)&arrays->data[k] : (void *)(uintptr_t)argument->value;
    if (!argument->is_array || argument->fill == FILL_NULL) return RIFFLE_OK;
    return make_array(m, arrays->name[k], argument, random, &arrays->data[k]);
}

static void tell_written(void *m, const void *start, unsigned long bytes) { machine_written(m, start, bytes); }

static riffle_status make_arguments(const riffle_lint_job *job, const lint_argument *arguments,
                                    const lint_constant *constants, const lint_object *object, machine *m,
                                    lint_arrays *arrays) {
    riffle_status status = RIFFLE_OK;
    uint64_t random = job->seed;
    for (size_t k = 0; k < job->argument_count && status == RIFFLE_OK; k++) {
        snprintf(arrays->name[k], sizeof arrays->name[k], "argument %zu", k + 1);
        status = make_argument(&arguments[k], object, k, m, &random, arrays);
    }
    for (size_t k = 0; k < job->constant_count && status == RIFFLE_OK; k++)
        status = make_set_arrays(constants[k].name, &constants[k].settings, m, &random, arrays);
    if (status == RIFFLE_OK) object->set_constants(arrays->set, tell_written, m);
    return status;
}

/* ---- all of it */

static machine_shape shape_of(const unsigned sides[3]) {
    return (machine_shape){sides[0] > 0 ? sides[0] : 1, sides[1] > 0 ? sides[1] : 1,
                           sides[2] > 0 ? sides[2] : 1};
}

/* A job on its way: what its code may still want when nobody waits for it any more. */
typedef struct lint_work {
    const riffle_lint_job *job;
    lint_argument arguments[MAX_ARGUMENTS];
    lint_constant constants[MAX_ARGUMENTS];
    lint_arrays arrays;
    private_folder folder;
    char path[FOLDER_PATH]; /* path of the object */
    lint_object object;
    machine *m;
    struct timespec deadline;
} lint_work;

static riffle_status launch(lint_work *work) {
    const riffle_lint_job *job = work->job;
    const riffle_status status =
        make_arguments(job, work->arguments, work->constants, &work->object, work->m, &work->arrays);
    if (status != RIFFLE_OK) return status;
    const machine_launch request = {.kernel = job->kernel,
                                    .entry = work->object.entry,
                                    .args = work->arrays.args,
                                    .grid = shape_of(job->grid),
                                    .block = shape_of(job->block),
                                    .shared_bytes = job->shared_bytes,
                                    .cooperative = true};
    machine_move_shared(work->m, work->object.dynamic_start());
    return lint_program_run_kernel(&work->object, work->m, &request);
}

/* Tells the machine whether ".x" in the text can only be a component of CUDA's own vectors. */
static riffle_status know_components(const private_folder *folder, machine *m) {
    char *text;
    size_t length;
    riffle_status status = folder_read(folder, LINT_TEXT, &text, &length);
    if (status != RIFFLE_OK) return status;
    if (!lint_declares_member_x(text)) status = machine_know_components(m, text);
    free(text);
    return status;
}

static riffle_status know_widths(const riffle_lint_job *job, const private_folder *folder, machine *m) {
    line_widths widths;
    const riffle_status status = lint_sass_widths(job, folder, &widths);
    if (status == RIFFLE_OK) machine_know_widths(m, widths);
    return status;
}

/* The object keeps the path. Loading runs constructors of global objects, which may call what the file with main has: that is asked for first. */
static riffle_status load(lint_work *work) {
    char *constants = NULL, *preprocessed = NULL;
    size_t length;
    folder_path(&work->folder, LINT_OBJECT, work->path);
    riffle_status status = work->job->is_program ? undefined_main(work->path, work->job->file) : RIFFLE_OK;
    if (status == RIFFLE_OK) status = folder_read(&work->folder, LINT_CONSTANTS, &constants, &length);
    if (status == RIFFLE_OK) status = folder_read(&work->folder, LINT_TEXT, &preprocessed, &length);
    if (status == RIFFLE_OK) {
        const lint_text text = {constants, preprocessed};
        status = lint_object_load(work->path, &text, work->m, &work->object);
    }
    free(constants);
    free(preprocessed);
    return status;
}

static riffle_status make_object(lint_work *work) {
    const riffle_lint_job *job = work->job;
    machine_attribute(work->m);
    riffle_status status = lint_compile(job, work->arguments, work->constants,
                                        machine_options(work->m)->shared_bytes, &work->folder);
    if (status == RIFFLE_OK) status = know_components(&work->folder, work->m);
    if (status == RIFFLE_OK && job->nvcc != NULL) status = know_widths(job, &work->folder, work->m);
    return status == RIFFLE_OK ? load(work) : status;
}

static riffle_status check_object(const lint_work *work) {
    const riffle_lint_job *job = work->job;
    if (job->is_program) return undefined_check(work->object.path, work->object.handle);
    const riffle_status status = check_arguments(job, &work->object);
    return status == RIFFLE_OK ? check_shared(job, &work->object, work->m) : status;
}

/* On a thread of its own. */
static riffle_status run_code(void *context) {
    lint_work *work = context;
    if (!work->job->is_program) return launch(work);
    return lint_program_run(work->job, &work->object, work->m);
}

/* True if the code has ended, so that its object may be closed. */
static bool run(lint_work *work, riffle_status *status) {
    const riffle_lint_job *job = work->job;
    lint_object_connect(&work->object);
    division_watch();
    const lint_end end = lint_apart(run_code, work, job->seconds > 0 ? &work->deadline : NULL, status);
    if (end != LINT_RETURNED) machine_close(work->m);
    if (end == LINT_RETURNED) division_unwatch();
    if (job->is_program) {
        const machine_program program = lint_program_summary();
        const riffle_status noted = machine_note_program(work->m, &program);
        if (*status == RIFFLE_OK) *status = noted;
    }
    if (end == LINT_NOT_DONE) machine_note_not_done(work->m, job->seconds);
    return end == LINT_RETURNED;
}

/* The same. */
static bool compile_and_run(lint_work *work, riffle_status *status) {
    bool ended = true;
    *status = folder_create(&work->folder);
    if (*status != RIFFLE_OK) return ended;
    *status = make_object(work);
    if (*status == RIFFLE_OK) {
        *status = check_object(work);
        if (*status == RIFFLE_OK) ended = run(work, status);
        if (ended) lint_object_unload(&work->object);
    }
    folder_remove(&work->folder);
    return ended;
}

/* A program that asked the device, and found it too old, has launched nothing. */
static riffle_status check_launches(const riffle_lint_job *job, const riffle_report *report) {
    beyond_name found;
    if (!report_is_idle(report) || report->refused > 0 || report->others != NULL) return RIFFLE_OK;
    for (size_t k = 0; k <= job->more_count; k++) {
        const char *file = k == 0 ? job->file : job->more[k - 1];
        if (beyond_find_in_file(file, 0, &found))
            return fail(RIFFLE_ERROR_UNSUPPORTED,
                        "%s:%u: %s is " ARCHITECTURE_BEYOND "; the program ended with status %d and launched no kernel",
                        file, found.line, found.word, report->exit_status);
    }
    return RIFFLE_OK;
}

static riffle_status take_report(const lint_work *work, riffle_report **out) {
    *out = machine_take_report(work->m);
    const riffle_status status = check_launches(work->job, *out);
    if (status == RIFFLE_OK) return RIFFLE_OK;
    report_free(*out);
    *out = NULL;
    return status;
}

static riffle_status begin(const riffle_lint_job *job, const riffle_machine_options *options, lint_work *work) {
    work->job = job;
    clock_gettime(CLOCK_MONOTONIC, &work->deadline);
    work->deadline.tv_sec += job->seconds;
    const riffle_status status =
        job->is_program ? RIFFLE_OK : parse_arguments(job, work->arguments, work->constants);
    return status == RIFFLE_OK ? machine_create(options, &work->m) : status;
}

static void work_free(lint_work *work) {
    for (size_t k = 0; k < MAX_ARGUMENTS; k++) {
        lint_settings_free(&work->arguments[k].fields);
        lint_settings_free(&work->constants[k].settings);
    }
    free(work);
}

riffle_status lint(const riffle_lint_job *job, const riffle_machine_options *options, riffle_report **out) {
    RETURN_IF_NULL(job, out);
    riffle_status status = check_job(job);
    if (status != RIFFLE_OK) return status;
    lint_work *work = calloc(1, sizeof *work);
    if (work == NULL) return fail_memory("a job", sizeof *work);
    bool ended = true;
    status = begin(job, options, work);
    if (status == RIFFLE_OK) ended = compile_and_run(work, &status);
    if (status == RIFFLE_OK) status = take_report(work, out);
    if (!ended) return status; /* its code may go on, on what it has */
    machine_free(work->m);
    work_free(work);
    return status;
}
