/* SPDX-License-Identifier: Apache-2.0
 *
 * The rank's GPU as a place: riffle's cuda engine moves, and libriffle-cuda has the memory.
 */
#include "plan.h"

static riffle_status open_gpu(riffle_mpi_plan *plan) {
    const riffle_status status = riffle_cuda_memory_find(&plan->gpu.memory);
    return status == RIFFLE_OK ? plan->gpu.memory->create_event(&plan->gpu.ready) : status;
}

static void close_gpu(riffle_mpi_plan *plan) {
    if (plan->gpu.memory != NULL) plan->gpu.memory->destroy_event(plan->gpu.ready);
}

/* A stream that fails is a failure of the work on it, which its owner hears of. */
static void settle(const riffle_mpi_plan *plan) {
    const gpu_state *const gpu = &plan->gpu;
    if (gpu->ready != NULL && gpu->memory->record(gpu->ready, gpu->stream) == RIFFLE_OK)
        gpu->memory->wait(gpu->ready);
}

static riffle_status allocate(const riffle_mpi_plan *plan, size_t bytes, void **out) {
    return plan->gpu.memory->allocate("messages of a move between ranks", bytes, out);
}

static void release(const riffle_mpi_plan *plan, void *at, size_t bytes) {
    (void)bytes;
    if (at != NULL) plan->gpu.memory->release(at);
}

static riffle_status check(const riffle_mpi_plan *plan, const char *what, const void *at) {
    return plan->gpu.memory->check(what, at);
}

static riffle_status run(const riffle_mpi_plan *plan, const riffle_plan *step, void *to, const void *from) {
    return riffle_cuda_execute(step, to, from, NULL, 0, plan->gpu.stream);
}

static riffle_status copy(const riffle_mpi_plan *plan, void *to, const void *from, size_t bytes) {
    return plan->gpu.memory->copy(to, from, bytes, plan->gpu.stream);
}

const place place_gpu = {.engine = RIFFLE_ENGINE_CUDA,
                         .words = "in the memory of GPUs",
                         .open = open_gpu,
                         .close = close_gpu,
                         .settle = settle,
                         .allocate = allocate,
                         .release = release,
                         .check = check,
                         .run = run,
                         .copy = copy};
