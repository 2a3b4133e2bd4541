/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory machine as a device: launches run one after the other, and each access of a kernel is counted. A copy and a
 * fill are the host's: nothing is counted, and their bytes are defined from then on.
 */
#include <string.h>

#include "base/status.h"
#include "device/device.h"
#include "device/machine/compile.h"
#include "device/modelled.h"
#include "machine/device/shared_memory.h"
#include "machine/runtime/machine.h"

static machine *machine_of(const device *d) { return d->machine; }

static riffle_status describe(const device *d, device_limits *out) {
    *out = modelled_limits(d, machine_options(machine_of(d)));
    return RIFFLE_OK;
}

static riffle_status allocate(const device *d, const char *what, size_t bytes, void **out) {
    *out = NULL;
    return bytes > 0 ? machine_buffer(machine_of(d), what, bytes, out) : RIFFLE_OK;
}

static void release(const device *d, void *start) {
    if (start != NULL) machine_release(machine_of(d), start);
}

static riffle_status check_free(const device *d, const char *what, size_t bytes) {
    (void)d, (void)what, (void)bytes;
    return RIFFLE_OK;
}

static riffle_status upload(const device *d, const char *what, void *to, const void *from, size_t bytes) {
    (void)what;
    if (bytes == 0) return RIFFLE_OK;
    memcpy(to, from, bytes);
    machine_written(machine_of(d), to, bytes);
    return RIFFLE_OK;
}

static riffle_status download(const device *d, const char *what, void *to, const void *from, size_t bytes,
                              struct CUstream_st *stream) {
    (void)d, (void)what, (void)stream;
    if (bytes > 0) memcpy(to, from, bytes);
    return RIFFLE_OK;
}

static riffle_status load(const device *d, const char *what, const launch_list *list) {
    (void)d, (void)what;
    return list->status; /* each launch is checked when it runs */
}

static machine_entry entry_of(const launch *work) {
    static machine_entry (*const families[KERNEL_FAMILIES])(unsigned, size_t) = {
#define FAMILY(name) [FAMILY_##name] = machine_##name##_kernel,
        EACH_FAMILY(FAMILY)
#undef FAMILY
    };
    if (work->users != NULL) return work->users->entry;
    return families[work->kernel->family](work->kernel->number, work->elem_bytes);
}

static riffle_status run(machine *m, launch *work, uint32_t *cursor) {
    void *arguments[KERNEL_MAX_ARGUMENTS + 1];
    const unsigned count = launch_addresses(work, arguments);
    arguments[count] = cursor;
    machine_place_dynamic_shared(m, work->users != NULL ? work->users->shared : riffle_machine_shared_memory,
                                 0);
    const riffle_status status = machine_run(m, &(machine_launch){.kernel = work->kernel->name,
                                                                  .entry = entry_of(work),
                                                                  .args = arguments,
                                                                  .grid = {work->grid, 1, 1},
                                                                  .block = {work->block_x, work->block_y, 1},
                                                                  .shared_bytes = work->shared_bytes});
    if (status == RIFFLE_OK && machine_stopped(m))
        return fail(RIFFLE_ERROR_INTERNAL, "the machine stopped a kernel of riffle's own; please report this");
    return status;
}

/* A launch a step. */
static riffle_status run_steps(machine *m, launch *work) {
    const kernel_steps *const steps = work->kernel->steps;
    uint32_t cursor[KERNEL_CURSOR_WORDS];
    riffle_status status = RIFFLE_OK;
    uint64_t *const length = steps->begin(work->arguments, cursor);
    if (length != NULL) machine_written(m, length, sizeof *length);
    while (status == RIFFLE_OK && *cursor != steps->last) {
        status = run(m, work, cursor);
        steps->next(work->arguments, cursor);
    }
    return status;
}

static riffle_status queue_one(machine *m, launch *work) {
    switch (work->kind) {
    case LAUNCH_KERNEL: return run(m, work, NULL);
    case LAUNCH_COOPERATIVE: return run_steps(m, work);
    case LAUNCH_COPY: memmove(work->to, work->from, work->bytes); break;
    case LAUNCH_FILL: memset(work->to, work->value, work->bytes); break;
    }
    machine_written(m, work->to, work->bytes);
    return RIFFLE_OK;
}

static riffle_status queue(const device *d, const char *what, const launch_list *list,
                           struct CUstream_st *stream) {
    (void)what, (void)stream;
    riffle_status status = list->status;
    for (const launch *l = list->first; status == RIFFLE_OK && l != NULL; l = l->next) {
        launch work = *l;
        status = queue_one(machine_of(d), &work);
    }
    return status;
}

static const device_ops machine_ops = {.name = "machine",
                                       .compiler = "the compiler",
                                       .compile = machine_compile,
                                       .describe = describe,
                                       .allocate = allocate,
                                       .release = release,
                                       .check_free = check_free,
                                       .upload = upload,
                                       .download = download,
                                       .load = load,
                                       .fit = modelled_fit,
                                       .queue = queue,
                                       .guard = modelled_guard,
                                       .guard_quietly = modelled_guard_quietly,
                                       .unguard = modelled_unguard,
                                       .check = modelled_check};

device device_of_machine(struct machine *m) {
    return (device){
        .ops = &machine_ops, .machine = m, .machine_options = machine_options(m), .multiprocessors = 1};
}
