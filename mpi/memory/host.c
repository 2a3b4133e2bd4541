/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "plan.h"

static riffle_status allocate(const riffle_mpi_plan *plan, size_t bytes, void **out) {
    (void)plan;
    return riffle_buffer_create(bytes, out);
}

static void release(const riffle_mpi_plan *plan, void *at, size_t bytes) {
    (void)plan;
    riffle_buffer_free(at, bytes);
}

static riffle_status run(const riffle_mpi_plan *plan, const riffle_plan *step, void *to, const void *from) {
    (void)plan;
    return riffle_execute(step, to, from);
}

static riffle_status copy(const riffle_mpi_plan *plan, void *to, const void *from, size_t bytes) {
    (void)plan;
    memcpy(to, from, bytes);
    return RIFFLE_OK;
}

const place place_host = {.engine = RIFFLE_ENGINE_CPU,
                          .words = "in the memory of hosts",
                          .allocate = allocate,
                          .release = release,
                          .run = run,
                          .copy = copy};
