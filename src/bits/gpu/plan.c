/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/gpu/plan.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "bits/gpu/affine.h"
#include "bits/kernels/kernel.h"
#include "device/carry.h"
#include "perm/kind.h"
#include "riffle/cuda.h"

enum { PIECE = 1 << 16 /* entries of the map that are made at a time */ };

/* -------------------------------------------------------------------- maps */

static size_t entry_bytes(const riffle_bits_plan *plan) { return table_entry_bytes(plan->n); }

/* A piece of the map, in entries of 4 bytes or 8. */
static riffle_status bring_piece(const riffle_bits_plan *plan, uint64_t first, uint64_t count, uint64_t *from,
                                 uint32_t *shorter) {
    const size_t entry = entry_bytes(plan);
    perm_map(plan->inverse, first, (size_t)count, from);
    for (uint64_t k = 0; entry == sizeof *shorter && k < count; k++) shorter[k] = (uint32_t)from[k];
    return plan->base.on.ops->upload(
        &plan->base.on, "bringing the map of a plan of bits", (char *)plan->map + first * entry,
        entry == sizeof *shorter ? (const void *)shorter : from, (size_t)count * entry);
}

static riffle_status bring_map(riffle_bits_plan *plan) {
    const device *const on = &plan->base.on;
    size_t bytes;
    if (!multiply_sizes(plan->n, entry_bytes(plan), 1, &bytes)) return fail_memory("a map", SIZE_MAX);
    uint64_t *const from = malloc(PIECE * (sizeof(uint64_t) + sizeof(uint32_t)));
    if (from == NULL) return fail_memory("a piece of a map", PIECE * (sizeof(uint64_t) + sizeof(uint32_t)));
    riffle_status status = on->ops->check_free(on, "a plan of bits", bytes);
    if (status == RIFFLE_OK) status = on->ops->allocate(on, "the map of a plan of bits", bytes, &plan->map);
    for (uint64_t first = 0; status == RIFFLE_OK && first < plan->n; first += PIECE)
        status =
            bring_piece(plan, first, min((uint64_t)PIECE, plan->n - first), from, (uint32_t *)(from + PIECE));
    free(from);
    return status;
}

riffle_status bits_device_prepare(riffle_bits_plan *plan) {
    device_limits limits;
    launch_list list;
    int before;
    riffle_status status = plan_base_find_device(&plan->base, &limits, &before);
    if (status != RIFFLE_OK) return status;
    if (plan->way == BITS_GATHER) status = bring_map(plan);
    launch_list_begin(&list);
    if (plan->way != BITS_NOTHING) bits_device_append(plan, NULL, NULL, &list);
    if (status == RIFFLE_OK)
        status = device_load(&plan->base.on, "a move of bits", &list);
    else
        launch_list_free(&list);
    plan->base.on.ops->unguard(&plan->base.on, before);
    return status;
}

void bits_device_release(riffle_bits_plan *plan) {
    const device *const on = &plan->base.on;
    int before;
    if (plan->map == NULL) return;
    on->ops->guard_quietly(on, &before);
    on->ops->release(on, plan->map);
    on->ops->unguard(on, before);
}

/* ---------------------------------------------------------------- launches */

static void append_gather(const riffle_bits_plan *plan, void *dst, const void *src, launch_list *out) {
    const uint64_t all = bits_plan_bytes(plan);
    const struct bits_gather_arguments arguments = {.map = plan->map,
                                                    .n = plan->n,
                                                    .bytes = plan->array_bytes,
                                                    .all = all,
                                                    .elem_bits = plan->elem_bits,
                                                    .is_big = plan->is_big};
    launch *const work = append_bits_gather(out, &KERNEL_bits_gather, entry_bytes(plan), &arguments);
    launch_set(work, (unsigned)min(ceil_div(all, (uint64_t)BITS_GATHER_THREADS), (uint64_t)INT32_MAX),
               BITS_GATHER_THREADS, 0, dst, src);
}

/* Both instances of the kernel are loaded where no array is known. */
void bits_device_append(const riffle_bits_plan *plan, void *dst, const void *src, launch_list *out) {
    if (plan->way == BITS_GATHER) append_gather(plan, dst, src, out);
    if (plan->way != BITS_AFFINE) return;
    bits_affine_append(plan->table, dst, src, out);
    if (dst == NULL) bits_affine_append(plan->table, (void *)(uintptr_t)1, src, out);
}

/* -------------------------------------------------------------- executions */

static riffle_status run(const riffle_bits_plan *plan, void *dst, const void *src, struct CUstream_st *stream) {
    launch_list list;
    if (plan->way == BITS_NOTHING) return RIFFLE_OK;
    launch_list_begin(&list);
    bits_device_append(plan, dst, src, &list);
    return device_run(&plan->base.on, "launching a move of bits", &list, stream);
}

riffle_status riffle_cuda_bits_execute(const riffle_bits_plan *plan, void *dst, const void *src,
                                       void *workspace, size_t workspace_bytes, struct CUstream_st *stream) {
    call_array arrays[BITS_ARRAYS];
    RETURN_IF_NULL(plan);
    if (plan->bytes != NULL)
        return riffle_cuda_execute(plan->bytes, dst, src, workspace, workspace_bytes, stream);
    riffle_status status = plan_base_check_device(&plan->base);
    if (status == RIFFLE_OK) status = bits_check_arrays(plan, dst, src, arrays);
    return status == RIFFLE_OK ? run(plan, dst, src, stream) : status;
}

static riffle_status run_carried(const void *context, call_array *arrays) {
    return run(context, arrays[BITS_DST].there, arrays[BITS_SRC].there, NULL);
}

static riffle_status carry(const riffle_bits_plan *plan, call_array *arrays) {
    return device_carry(&plan->base.on, "a move of bits of the host", arrays, BITS_ARRAYS, run_carried, plan);
}

static riffle_status plan_affine(riffle_bits_plan *plan, const perm_affine *bits) {
    if ((plan->table = malloc(sizeof *plan->table)) == NULL)
        return fail_memory("a plan of bits", sizeof *plan->table);
    bits_affine_table_of(bits, plan->batch, plan->table);
    return RIFFLE_OK;
}

static void print_affine(const riffle_bits_plan *plan, FILE *stream) {
    const bits_affine_table *const t = plan->table;
    unsigned across = 0;
    for (unsigned k = 0; k < t->steps; k++) across += t->step[k].lane != 0;
    fprintf(
        stream,
        "way: affine, one pass: tiles of %zu bytes, whole lines of 64 on both sides; 32 words of a warp become "
        "32 in %u steps, %u of them across lanes\n",
        bits_affine_tile_bytes(t), t->steps, across);
}

const bits_engine bits_device_engine = {.plan_affine = plan_affine,
                                        .prepare = bits_device_prepare,
                                        .execute = carry,
                                        .print_affine = print_affine,
                                        .release = bits_device_release};
