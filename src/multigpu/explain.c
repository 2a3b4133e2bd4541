/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of a move between GPUs, as numbers and in words. No GPU is asked.
 */
#include <inttypes.h>

#include "base/status.h"
#include "multigpu/plan.h"

/* An H100's, and an H200's: the multiprocessors and the shared memory, by which tiles and chunks are cut. */
static const plan_target usual = {.kind = TARGET_CUDA,
                                  .name = "cuda",
                                  .width = 32,
                                  .shared_bytes = 227 << 10,
                                  .block_threads = 1024,
                                  .multiprocessors = 132,
                                  .capability = 90,
                                  .memory_bytes = UINT64_MAX};

riffle_status riffle_multigpu_cost_of(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                      const riffle_multigpu_options *options, riffle_multigpu_cost *out) {
    RETURN_IF_NULL(perm, out);
    riffle_multigpu_plan plan = {.gpus = 0};
    const riffle_status status = multigpu_plan_fill(perm, elem_bytes, gpus, options, &usual, &plan);
    if (status != RIFFLE_OK) return status;
    *out = multigpu_steps_cost(&plan.steps, riffle_perm_length(perm), elem_bytes, gpus);
    out->chunks = plan.chunks.count;
    return RIFFLE_OK;
}

static void print_passes(const riffle_multigpu_cost *cost, FILE *stream) {
    if (cost->passes == 0)
        fprintf(stream, "  passes:    none: there is no element\n");
    else if (cost->passes == 1)
        fprintf(stream, "  passes:    1: each GPU reads its part and stores into all of dst\n");
    else if (cost->transport == RIFFLE_MULTIGPU_TRANSPORT_COPIES)
        fprintf(stream, "  passes:    2: each GPU packs its messages, and moves what it got by itself\n"
                        "  copies:    of messages, by CUDA, through the host where there is no access\n");
    else if (cost->chunks == 1)
        fprintf(stream,
                "  passes:    2: each GPU stores into workspaces, and then moves what it got by itself\n");
    else
        fprintf(stream,
                "  passes:    2: each GPU stores into workspaces, and moves what it got by itself\n"
                "  chunks:    %u on an H200: each is moved while the next ones cross the links\n",
                cost->chunks);
}

static void print_cost(const riffle_multigpu_cost *cost, size_t elem_bytes, unsigned gpus, FILE *stream) {
    const double bytes = (double)elem_bytes, all = (double)cost->part * gpus;
    const double volume = (double)cost->exchange.volume;
    fprintf(stream, "several GPUs: %u, each with %" PRIu64 " elements of %zu bytes\n", gpus, cost->part,
            elem_bytes);
    print_passes(cost, stream);
    fprintf(stream, "  runs:      %zu bytes or more that a GPU stores side by side\n", cost->run_bytes);
    fprintf(stream, "  workspace: %zu bytes on each\n", cost->workspace_bytes);
    fprintf(stream, "  volume:    %.0f bytes, %.2f %% of the array, the least possible\n", volume * bytes,
            all > 0 ? 100 * volume / all : 0);
    fprintf(stream, "  messages:  %" PRIu64 " between GPUs, up to %u of one\n", cost->exchange.messages,
            cost->exchange.most_messages);
    fprintf(stream, "  of a GPU:  up to %.0f bytes sent or got\n", (double)cost->exchange.most_sent * bytes);
}

/* AUTO's other way. */
static void print_without_access(const riffle_multigpu_cost *cost, size_t elem_bytes,
                                 const riffle_multigpu_options *options, FILE *stream) {
    const multigpu_steps copied = {.count = 2, .by_copies = true};
    if (options != NULL && options->transport != RIFFLE_MULTIGPU_TRANSPORT_AUTO) return;
    if (cost->exchange.volume == 0) return;
    fprintf(stream, "  no access: 2 passes, with copies by CUDA between them; workspaces of %zu bytes\n",
            multigpu_steps_workspace(&copied, (size_t)cost->part * elem_bytes));
}

riffle_status riffle_multigpu_explain(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                      const riffle_multigpu_options *options, double bytes_per_second,
                                      FILE *stream) {
    RETURN_IF_NULL(perm, stream);
    riffle_multigpu_cost cost;
    const riffle_status status = riffle_multigpu_cost_of(perm, elem_bytes, gpus, options, &cost);
    if (status != RIFFLE_OK) return status;
    print_cost(&cost, elem_bytes, gpus, stream);
    print_without_access(&cost, elem_bytes, options, stream);
    if (bytes_per_second > 0)
        fprintf(stream, "  time:      %.4g ms at %.4g GB/s of a GPU each way, at least\n",
                1e3 * (double)cost.exchange.most_sent * (double)elem_bytes / bytes_per_second,
                bytes_per_second / 1e9);
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}
