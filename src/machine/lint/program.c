/* SPDX-License-Identifier: Apache-2.0
 *
 * One program runs at a time, so what it asks for finds the machine by name.
 */
#include "machine/lint/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/lint/text.h"
#include "machine/runtime/launch_state.h"

static struct {
    machine *m;
    const char *kernel; /* the one whose launches are counted; NULL: all */
    uint64_t most, counted;
    unsigned arrays;
    riffle_status failed; /* of a launch, for want of memory */
} program;

/* Of the leak sanitizer, where riffle is built with it: what a user's program leaks is its own affair. */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

static void *allocate(unsigned long bytes, int shared) {
    char name[48];
    void *start;
    snprintf(name, sizeof name, "allocation %u", program.arrays + 1);
    const riffle_status status = shared ? machine_shared_buffer(program.m, name, bytes, &start)
                                        : machine_buffer(program.m, name, bytes, &start);
    if (status != RIFFLE_OK) return NULL;
    program.arrays++;
    return start;
}

static int release(void *start) { return machine_release(program.m, start); }
static void written(const void *start, unsigned long bytes) { machine_written(program.m, start, bytes); }
static int holds(const void *start, unsigned long bytes) { return machine_holds(program.m, start, bytes); }
static int owns(const void *start) { return machine_owns_address(program.m, start); }
static int in_kernel(void) { return machine_running != NULL; }

/* "n::transpose<float, 32>" is transpose, n::transpose and itself. */
static bool is_named(const char *name, const char *asked) {
    if (strcmp(name, asked) == 0) return true;
    const size_t plain = strcspn(name, "<"), length = strlen(asked);
    if (length > plain || memcmp(name + plain - length, asked, length) != 0) return false;
    return length == plain || (plain >= length + 2 && memcmp(name + plain - length - 2, "::", 2) == 0);
}

static int launch(const machine_host_launch *one) {
    const bool counted = (program.kernel == NULL || is_named(one->kernel, program.kernel)) &&
                         (program.most == 0 || program.counted < program.most);
    void *const arguments[] = {one->arguments};
    const machine_launch work = {.kernel = one->kernel,
                                 .entry = one->entry,
                                 .args = arguments,
                                 .grid = {one->grid[0], one->grid[1], one->grid[2]},
                                 .block = {one->block[0], one->block[1], one->block[2]},
                                 .shared_bytes = one->shared_bytes};
    riffle_status status = machine_adopt_foreign(program.m, one->arguments, one->bytes);
    if (status == RIFFLE_OK) {
        machine_count_next(program.m, counted);
        status = machine_run(program.m, &work);
        machine_release(program.m, one->arguments);
    }
    if (status == RIFFLE_OK) program.counted += counted;
    if (status != RIFFLE_OK) fprintf(stderr, "riffle: a launch was refused: %s\n", riffle_error_detail());
    if (status == RIFFLE_ERROR_OUT_OF_MEMORY) program.failed = status;
    return status == RIFFLE_OK;
}

static const machine_host_api host = {allocate, release, written, holds, owns, in_kernel, launch};

riffle_status lint_program_run(const riffle_lint_job *job, const lint_object *object, machine *m,
                               int *exit_status) {
    char **words = calloc(job->argument_count + 2, sizeof *words);
    if (words == NULL) return fail_memory("a program's arguments", job->argument_count * sizeof *words);
    words[0] = strdup(job->file);
    bool copied = words[0] != NULL;
    for (size_t k = 0; k < job->argument_count && copied; k++)
        copied = (words[k + 1] = strdup(job->arguments[k])) != NULL;
    riffle_status status = copied ? RIFFLE_OK : fail_memory("a program's arguments", job->argument_count);
    if (copied) {
        program = (__typeof__(program)){.m = m, .kernel = job->kernel, .most = job->launches};
        machine_sum_launches(m);
        *object->host = host;
        const pid_t own = getpid();
        if (__lsan_disable != NULL) __lsan_disable();
        *exit_status = object->run_main((int)job->argument_count + 1, words);
        if (__lsan_enable != NULL) __lsan_enable();
        fflush(NULL);
        if (getpid() != own) _exit(*exit_status); /* one that it forked; the report is not its */
        status = program.failed;
    }
    for (size_t k = 0; k <= job->argument_count; k++) free(words[k]);
    free(words);
    return status;
}
