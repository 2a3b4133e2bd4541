/* SPDX-License-Identifier: Apache-2.0
 *
 * One program runs at a time, so what it asks for finds the machine by name. Threads of the program wait for each other: while one
 * launches, another's host code goes on until it asks for something itself.
 */
#define _GNU_SOURCE /* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP */
#include "machine/lint/program.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/lint/apart.h"
#include "machine/lint/source/text.h"
#include "machine/runtime/launch_state.h"
#include "machine/runtime/limits/resident.h"

enum { MAX_OTHERS = 64, OTHERS_TEXT = 256 };

static struct {
    machine *m;
    const lint_object *object;
    const char *kernel; /* the one whose launches are counted; NULL: all */
    uint64_t most, counted;
    unsigned arrays;
    riffle_status failed; /* failure of a launch, for want of memory */
    pid_t process;        /* not one that the program forks */
    volatile int exit_status;
    atomic_uint refused,
        others; /* launches that CUDA would refuse; entries of `other`, which are not changed any more */
    const char *other[MAX_OTHERS]; /* kernels that were launched and not counted */
} program;
/* Recursive for end, which a signal may call in the middle of what the same thread asks for. */
static pthread_mutex_t one_thread = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* The leak sanitizer's switches, where riffle is built with it: leaks of a user's program are not riffle's. */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));

static void *allocate(unsigned long bytes, int shared) {
    char name[48];
    void *start = NULL;
    pthread_mutex_lock(&one_thread);
    snprintf(name, sizeof name, "allocation %u", program.arrays + 1);
    const riffle_status status = shared ? machine_shared_buffer(program.m, name, bytes, &start)
                                        : machine_buffer(program.m, name, bytes, &start);
    program.arrays += status == RIFFLE_OK;
    pthread_mutex_unlock(&one_thread);
    return status == RIFFLE_OK ? start : NULL;
}

static int release(void *start) {
    pthread_mutex_lock(&one_thread);
    const int found = machine_release(program.m, start);
    pthread_mutex_unlock(&one_thread);
    return found;
}

/* False if a page of these bytes is nobody's. */
static bool is_mapped(const void *start, size_t bytes) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)start / page * page;
    return (uintptr_t)start + bytes > (uintptr_t)start &&
           msync((void *)from, (uintptr_t)start + bytes - from, MS_ASYNC) == 0;
}

static int enroll(void *start, unsigned long bytes) {
    char name[48];
    bool had = false;
    if (!is_mapped(start, bytes)) return MACHINE_REGISTER_REFUSED;
    pthread_mutex_lock(&one_thread);
    snprintf(name, sizeof name, "allocation %u", program.arrays + 1);
    const riffle_status status = machine_register(program.m, name, start, bytes, &had);
    program.arrays += status == RIFFLE_OK;
    pthread_mutex_unlock(&one_thread);
    if (had) return MACHINE_REGISTER_HAD;
    return status == RIFFLE_OK ? MACHINE_REGISTER_DONE : MACHINE_REGISTER_REFUSED;
}

static int give_back(void *start) {
    pthread_mutex_lock(&one_thread);
    const int found = machine_unregister(program.m, start);
    pthread_mutex_unlock(&one_thread);
    return found;
}

static void written(const void *start, unsigned long bytes) {
    pthread_mutex_lock(&one_thread);
    machine_written(program.m, start, bytes);
    pthread_mutex_unlock(&one_thread);
}

static int clear(void *start, unsigned long bytes) {
    pthread_mutex_lock(&one_thread);
    const int cleared = machine_clear(program.m, start, bytes);
    pthread_mutex_unlock(&one_thread);
    return cleared;
}

static int holds(const void *start, unsigned long bytes) {
    pthread_mutex_lock(&one_thread);
    const int held = machine_holds(program.m, start, bytes);
    pthread_mutex_unlock(&one_thread);
    return held;
}

static int owns(const void *start) {
    pthread_mutex_lock(&one_thread);
    const int owned = machine_owns_address(program.m, start);
    pthread_mutex_unlock(&one_thread);
    return owned;
}

static int kind(const void *at) {
    static const int kinds[] = {[MACHINE_OWNS_NONE] = MACHINE_MEMORY_HOST,
                                [MACHINE_OWNS_ALONE] = MACHINE_MEMORY_DEVICE,
                                [MACHINE_OWNS_SHARED] = MACHINE_MEMORY_SHARED,
                                [MACHINE_OWNS_FREED] = MACHINE_MEMORY_FREED};
    pthread_mutex_lock(&one_thread);
    const machine_memory whose = machine_owns(program.m, at);
    pthread_mutex_unlock(&one_thread);
    return kinds[whose];
}

static void refuse(const char *call, const char *error, const char *why, const void *pc) {
    char text[512];
    snprintf(text, sizeof text, "%.100s returns %.60s: %.300s", call, error, why);
    pthread_mutex_lock(&one_thread);
    const riffle_status status = machine_note_refusal(program.m, text, pc);
    if (status != RIFFLE_OK) program.failed = status;
    pthread_mutex_unlock(&one_thread);
}

static int in_kernel(void) { return machine_running != NULL; }

/* A launch that is another thread's comes to its end first, and none begins any more: what is reported of it does not depend on how far it
 * was. A process that the program forked just ends; the report is not its. */
static void end(int status) {
    if (getpid() != program.process) _exit(status);
    pthread_mutex_lock(&one_thread);
    program.exit_status = status & 0xff;
    lint_apart_end();
    for (;;) pause();
}

/* "n::transpose<float, 32>" is transpose, n::transpose and itself. */
static bool is_named(const char *name, const char *asked) {
    if (strcmp(name, asked) == 0) return true;
    const size_t plain = strcspn(name, "<"), length = strlen(asked);
    if (length > plain || memcmp(name + plain - length, asked, length) != 0) return false;
    return length == plain || (plain >= length + 2 && memcmp(name + plain - length - 2, "::", 2) == 0);
}

/* Arrays are called as the kernel's parameters are that lead to them, while it runs. */
static void name_arrays(const machine_host_launch *one) {
    const char *name = one->parameters;
    for (unsigned k = 0; k < one->count; k++) {
        const size_t length = strcspn(name, ",");
        if (one->pointers[k] != NULL && length > 0)
            machine_call_array(program.m, one->pointers[k], name, length);
        name += length + (name[length] == ',');
    }
}

/* Their names are constants of the program's. */
static void note_other(const char *kernel) {
    const unsigned count = atomic_load(&program.others);
    for (unsigned k = 0; k < count; k++)
        if (strcmp(program.other[k], kernel) == 0) return;
    if (count == MAX_OTHERS) return;
    program.other[count] = kernel;
    atomic_store(&program.others, count + 1);
}

riffle_status lint_program_check_sides(const unsigned grid[static 3], const unsigned block[static 3]) {
    if (block[2] > 64)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a block of %u threads in z; 64 are the most", block[2]);
    for (int k = 1; k < 3; k++) {
        if (grid[k] > 65535)
            return fail(RIFFLE_ERROR_UNSUPPORTED, "a grid of %u blocks in %c; 65535 are the most", grid[k],
                        "xyz"[k]);
    }
    return RIFFLE_OK;
}

/* With no other thread of the program's at it. */
static riffle_status launch_alone(const machine_host_launch *one) {
    const bool asked = program.kernel == NULL || is_named(one->kernel, program.kernel);
    const bool counted = asked && (program.most == 0 || program.counted < program.most);
    if (!asked) note_other(one->kernel);
    void *const arguments[] = {one->arguments};
    const machine_launch work = {.kernel = one->kernel,
                                 .entry = one->entry,
                                 .args = arguments,
                                 .grid = {one->grid[0], one->grid[1], one->grid[2]},
                                 .block = {one->block[0], one->block[1], one->block[2]},
                                 .shared_bytes = one->shared_bytes,
                                 .cooperative = one->cooperative != 0,
                                 .cluster = {one->cluster[0], one->cluster[1], one->cluster[2]}};
    riffle_status status = lint_program_check_sides(one->grid, one->block);
    if (status != RIFFLE_OK) return status;
    status = machine_adopt_foreign(program.m, one->arguments, one->bytes);
    if (status != RIFFLE_OK) return status;
    machine_move_shared(program.m, program.object->dynamic_start());
    machine_sum_launches(program.m); /* with that of a kernel by hand, once that launches others */
    machine_count_next(program.m, counted);
    name_arrays(one);
    status = machine_run(program.m, &work);
    machine_release(program.m, one->arguments);
    if (status == RIFFLE_OK) program.counted += counted;
    return status;
}

static int resident(unsigned threads, unsigned long shared_bytes) {
    return (int)resident_of_one(threads, shared_bytes);
}

/* A cooperative launch of more blocks than would be under way at once. */
static bool is_too_large(const machine_host_launch *one) {
    const uint64_t threads = (uint64_t)one->block[0] * one->block[1] * one->block[2];
    const double blocks = (double)one->grid[0] * one->grid[1] * one->grid[2];
    return one->cooperative && threads > 0 && threads <= RESIDENT_THREADS &&
           blocks > (double)resident_blocks((unsigned)threads, one->shared_bytes);
}

static riffle_status refuse_too_large(const machine_host_launch *one) {
    const unsigned threads = one->block[0] * one->block[1] * one->block[2];
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "kernel %s: a cooperative launch has all blocks under way at once, and %u x %u x %u blocks of "
                "%u threads "
                "are more than the %llu that an H200 has",
                one->kernel, one->grid[0], one->grid[1], one->grid[2], threads,
                (unsigned long long)resident_blocks(threads, one->shared_bytes));
}

static riffle_status refuse_shared(const machine_host_launch *one) {
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "kernel %s: %lu bytes of dynamic shared memory, and %lu are allowed (48 KiB unless "
                "cudaFuncSetAttribute allows a kernel more)",
                one->kernel, one->shared_bytes, one->most_shared);
}

/* A launch's beginning, and what its call returns, and names as CUDA's error, if it is refused. */
typedef struct launch_way {
    riffle_status (*begin)(const machine_host_launch *one);
    int refused;
    const char *error;
} launch_way;

static launch_way way_of(const machine_host_launch *one) {
    if (one->shared_bytes > one->most_shared)
        return (launch_way){refuse_shared, MACHINE_LAUNCH_NOT_ALLOWED, "cudaErrorInvalidValue"};
    if (is_too_large(one))
        return (launch_way){refuse_too_large, MACHINE_LAUNCH_TOO_LARGE, "cudaErrorCooperativeLaunchTooLarge"};
    return (launch_way){launch_alone, MACHINE_LAUNCH_REFUSED, "cudaErrorInvalidConfiguration"};
}

static int launch(const machine_host_launch *one) {
    const launch_way way = way_of(one);
    pthread_mutex_lock(&one_thread);
    const riffle_status status = way.begin(one);
    if (status == RIFFLE_ERROR_OUT_OF_MEMORY) program.failed = status;
    pthread_mutex_unlock(&one_thread);
    if (status == RIFFLE_OK) return machine_lost(program.m) ? MACHINE_LAUNCH_LOST : MACHINE_LAUNCH_RAN;
    atomic_fetch_add(&program.refused, 1);
    if (one->site != NULL) refuse(one->kernel, way.error, riffle_error_detail(), one->site);
    fprintf(stderr, "riffle: a launch was refused: %s\n", riffle_error_detail());
    return way.refused;
}

static const machine_host_api host = {
    .allocate = allocate,
    .release = release,
    .enroll = enroll,
    .give_back = give_back,
    .written = written,
    .clear = clear,
    .holds = holds,
    .owns = owns,
    .kind = kind,
    .refuse = refuse,
    .resident = resident,
    .in_kernel = in_kernel,
    .end = end,
    .launch = launch,
};

/* The arguments of main; NULL without memory. */
static char **copy_words(const riffle_lint_job *job) {
    char **words = calloc(job->argument_count + 2, sizeof *words);
    if (words == NULL) return NULL;
    words[0] = strdup(job->file);
    bool copied = words[0] != NULL;
    for (size_t k = 0; k < job->argument_count && copied; k++)
        copied = (words[k + 1] = strdup(job->arguments[k])) != NULL;
    return copied ? words : NULL;
}

/* Threads of this process; 0 if the system does not tell. */
static unsigned count_threads(void) {
    unsigned count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) return 0;
    for (const struct dirent *one; (one = readdir(tasks)) != NULL;) count += one->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* True if main has left running threads behind. The system counts joined threads for a moment longer. */
static bool has_left_threads(unsigned before) {
    const struct timespec turn = {.tv_nsec = 2000000};
    for (unsigned turns = 0; count_threads() > before; turns++) {
        if (turns == 50) return true;
        nanosleep(&turn, NULL);
    }
    return false;
}

static riffle_status end_of_launches(void) {
    if (program.failed == RIFFLE_OK) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_OUT_OF_MEMORY, "no memory for a launch of the program");
}

riffle_status lint_program_run_kernel(const lint_object *object, machine *m, const machine_launch *work) {
    program = (__typeof__(program)){.m = m, .object = object, .process = getpid()};
    *object->host = host;
    const riffle_status status = machine_run(m, work);
    if (status != RIFFLE_OK) return status;
    object->run_children();
    return end_of_launches();
}

riffle_status lint_program_run(const riffle_lint_job *job, const lint_object *object, machine *m) {
    char **words = copy_words(job);
    if (words == NULL) return fail_memory("a program's arguments", job->argument_count * sizeof *words);
    program = (__typeof__(program)){
        .m = m, .object = object, .kernel = job->kernel, .most = job->launches, .process = getpid()};
    *object->host = host;
    const unsigned threads = count_threads();
    if (__lsan_disable != NULL) __lsan_disable();
    program.exit_status = 0xff & object->run_main((int)job->argument_count + 1, words);
    if (__lsan_enable != NULL) __lsan_enable();
    fflush(NULL);
    if (getpid() != program.process) _exit(program.exit_status);
    if (has_left_threads(threads)) end(program.exit_status); /* they need the machine and the code as before */
    for (size_t k = 0; k <= job->argument_count; k++) free(words[k]);
    free(words);
    return end_of_launches();
}

/* "scale, count<int> and 3 more"; NULL if there is none. */
static const char *say_others(void) {
    static char text[OTHERS_TEXT];
    const unsigned count = atomic_load(&program.others);
    size_t said = 0;
    for (unsigned k = 0; k < count; k++) {
        if (said + strlen(program.other[k]) + 32 > sizeof text) {
            snprintf(text + said, sizeof text - said, " and %u more", count - k);
            break;
        }
        const char *before = k == 0 ? "" : k + 1 < count ? ", " : " and ";
        said += (size_t)snprintf(text + said, sizeof text - said, "%s%s", before, program.other[k]);
    }
    return count > 0 ? text : NULL;
}

machine_program lint_program_summary(void) {
    return (machine_program){.exit_status = program.exit_status,
                             .asked = program.kernel,
                             .others = say_others(),
                             .refused = atomic_load(&program.refused)};
}
