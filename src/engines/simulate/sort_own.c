/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_simulate_sort_before: elements sorted on a machine by a comparison of the user's, and compared with what the host makes
 * of them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/device.h"
#include "engines/launch/sort_task.h"
#include "engines/simulate/elements.h"
#include "engines/simulate/own.h"
#include "engines/sort.h"
#include "machine/count/report.h"

enum { WARP = 32, MULTIPROCESSORS = 132 /* no launch depends on it */ };

static const uint64_t most_elements = (uint64_t)1 << 31;

typedef struct own_simulation {
    riffle_sort_plan *plan; /* of the host */
    riffle_sort_arrays host, there;
    size_t bytes, index_bytes; /* of all elements, and indices */
    machine *m;
    lint_object own;
} own_simulation;

/* ----------------------------------------------------------------- requests */

static riffle_status check_request(uint64_t n, const char *before, const riffle_sort_options *options) {
    if (before == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "before is NULL");
    if (n > most_elements) return fail(RIFFLE_ERROR_LENGTH, "%" PRIu64 " elements; there are at most 2^31", n);
    if (options->task != RIFFLE_SORT_ALL || options->segments > 1)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "the machine sorts one array by a comparison, and has no other task");
    if (options->value_bytes != 0 || options->index_bytes == 8)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "the machine sorts keys alone, or with indices of 4 bytes");
    if (options->algorithm == RIFFLE_SORT_AUTO || options->algorithm == RIFFLE_SORT_PAIRWISE) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "the machine sorts with a comparison of yours by pairwise, and not by %s",
                riffle_sort_algorithm_string(options->algorithm));
}

static riffle_status check_machine(const riffle_machine_options *options) {
    if (options->width == WARP && options->block_threads >= SORT_OWN_THREADS) return RIFFLE_OK;
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "sorts' kernels exchange numbers within warps of %d, in blocks of %d; this machine has width %u and "
        "blocks of %u threads",
        WARP, SORT_OWN_THREADS, options->width, options->block_threads);
}

/* ------------------------------------------------------------------ the host */

static riffle_status allocate(size_t bytes, void **out) {
    *out = malloc(bytes + 1);
    return *out != NULL ? RIFFLE_OK : fail_memory("simulated elements", bytes);
}

/* What is wanted. A comparison that is no order is refused: what then comes out depends on the way. */
static riffle_status sort_on_host(own_simulation *sim, riffle_type type) {
    void *from = NULL;
    riffle_status status = allocate(sim->bytes, &from);
    sim->host.from_keys = from;
    if (status == RIFFLE_OK) status = allocate(sim->bytes, &sim->host.keys);
    if (status == RIFFLE_OK && sim->index_bytes > 0) status = allocate(sim->index_bytes, &sim->host.indices);
    if (status != RIFFLE_OK) return status;
    elements_fill(type, sim->plan->n, from);
    status = riffle_sort_check(sim->plan, from, NULL);
    return status == RIFFLE_OK ? riffle_sort_execute(sim->plan, &sim->host) : status;
}

/* --------------------------------------------------------------- the machine */

static riffle_status bring(own_simulation *sim) {
    void *from;
    riffle_status status = machine_buffer(sim->m, "from_keys", sim->bytes, &from);
    if (status == RIFFLE_OK) status = machine_buffer(sim->m, "keys", sim->bytes, &sim->there.keys);
    if (status == RIFFLE_OK && sim->index_bytes > 0)
        status = machine_buffer(sim->m, "indices", sim->index_bytes, &sim->there.indices);
    if (status != RIFFLE_OK) return status;
    memcpy(from, sim->host.from_keys, sim->bytes);
    machine_written(sim->m, from, sim->bytes);
    sim->there.from_keys = from;
    return RIFFLE_OK;
}

static riffle_status sort_on_machine(own_simulation *sim) {
    const device on = device_of_machine(sim->m);
    const sort_task task = sort_task_of(sim->plan, false, MULTIPROCESSORS);
    users_kernel users;
    launch_list list;
    void *workspace;
    riffle_status status = bring(sim);
    if (status == RIFFLE_OK) status = machine_buffer(sim->m, "workspace", task.bytes, &workspace);
    if (status == RIFFLE_OK) status = simulate_own_load_sort(sim->m, &sim->plan->key, &sim->own, &users);
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    launch_sort_task(&task, &sim->there, workspace, &users, &list);
    return device_run(&on, "a step of a sort", &list, NULL);
}

/* Its host's and its GPU's words are not the same language: signed integers may overflow on the one alone. */
static riffle_status check_result(const own_simulation *sim) {
    const size_t e = sim->plan->layout.elem_bytes;
    for (uint64_t i = 0; i < sim->plan->n; i++) {
        const uint32_t *const mine = sim->there.indices, *const wanted = sim->host.indices;
        if (memcmp((const char *)sim->there.keys + i * e, (const char *)sim->host.keys + i * e, e) == 0 &&
            (mine == NULL || mine[i] == wanted[i]))
            continue;
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "element %" PRIu64
                    " of the result is not the host's; is the comparison an order, and does no "
                    "signed integer of it overflow?",
                    i);
    }
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------- the door */

static riffle_status simulate(own_simulation *sim, riffle_type type, riffle_report **out) {
    riffle_status status = check_machine(machine_options(sim->m));
    if (status == RIFFLE_OK) status = sort_on_host(sim, type);
    if (status == RIFFLE_OK && sim->plan->n > 0) status = sort_on_machine(sim);
    if (status == RIFFLE_OK) status = check_result(sim);
    if (status != RIFFLE_OK) return status;
    *out = machine_take_report(sim->m);
    (*out)->n = sim->plan->n;
    (*out)->algorithm = riffle_sort_algorithm_string(RIFFLE_SORT_PAIRWISE);
    return RIFFLE_OK;
}

static riffle_status plan_on_host(uint64_t n, riffle_type type, const char *before, size_t index_bytes,
                                  riffle_sort_plan **out) {
    const riffle_sort_options options = {.index_bytes = index_bytes};
    riffle_sort_key key;
    const riffle_status status = riffle_sort_key_of_type(type, 0, &key);
    key.before = before;
    return status == RIFFLE_OK ? riffle_sort_plan_create(n, &key, RIFFLE_ENGINE_CPU, &options, out) : status;
}

riffle_status riffle_simulate_sort_before(uint64_t n, riffle_type type, const char *before,
                                          const riffle_sort_options *options,
                                          const riffle_machine_options *machine_options, riffle_report **out) {
    const riffle_sort_options defaults = {0};
    own_simulation sim = {.plan = NULL};
    if (options == NULL) options = &defaults;
    riffle_status status = check_request(n, before, options);
    if (status == RIFFLE_OK) status = plan_on_host(n, type, before, options->index_bytes, &sim.plan);
    if (status != RIFFLE_OK) return status;
    sim.bytes = (size_t)n * sim.plan->layout.elem_bytes;
    sim.index_bytes = (size_t)n * options->index_bytes;
    status = machine_create(machine_options, &sim.m);
    if (status == RIFFLE_OK) {
        status = simulate(&sim, type, out);
        machine_free(sim.m);
        lint_object_unload(&sim.own);
    }
    free((void *)(uintptr_t)sim.host.from_keys);
    free(sim.host.keys);
    free(sim.host.indices);
    riffle_sort_plan_free(sim.plan);
    return status;
}
