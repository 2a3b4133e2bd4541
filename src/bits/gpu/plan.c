/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/gpu/plan.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "bits/gpu/affine.h"
#include "bits/kernels/kernel.h"
#include "device/carry.h"
#include "device/kernels/lanes.h"
#include "move/gpu/launch.h"
#include "perm/kind.h"
#include "plan/choose/choose.h"
#include "riffle/cuda.h"

enum { PIECE = 1 << 16 /* entries of the map that are made at a time */ };

/* -------------------------------------------------------------------- maps */

static size_t entry_bytes(const riffle_bits_plan *plan) { return table_entry_bytes(plan->packed.n); }

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
    if (!multiply_sizes(plan->packed.n, entry_bytes(plan), 1, &bytes)) return fail_memory("a map", SIZE_MAX);
    uint64_t *const from = malloc(PIECE * (sizeof(uint64_t) + sizeof(uint32_t)));
    if (from == NULL) return fail_memory("a piece of a map", PIECE * (sizeof(uint64_t) + sizeof(uint32_t)));
    riffle_status status = on->ops->check_free(on, "a plan of bits", bytes);
    if (status == RIFFLE_OK) status = on->ops->allocate(on, "the map of a plan of bits", bytes, &plan->map);
    for (uint64_t first = 0; status == RIFFLE_OK && first < plan->packed.n; first += PIECE)
        status = bring_piece(plan, first, min((uint64_t)PIECE, plan->packed.n - first), from,
                             (uint32_t *)(from + PIECE));
    free(from);
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

/* ------------------------------------------------------------------- boxes */

/* The bytes of an axes permutation, all arrays at a time. */
static riffle_status build_boxes(riffle_bits_plan *plan, const plan_target *target) {
    const riffle_plan_options options = {.algorithm = RIFFLE_ALGORITHM_AXES, .batch = plan->packed.batch};
    plan_request request;
    riffle_status status = plan_request_take(plan->byte_perm, 1, target, &options, &request);
    if (status != RIFFLE_OK) return status;
    status = plan_build(&request, &plan->boxes);
    plan_request_drop(&request);
    if (status == RIFFLE_OK) plan_settle(plan->boxes);
    return status;
}

static launch_limits limits_between(const void *dst, const void *src) {
    return (launch_limits){.width = WARP_LANES, .moves = 1, .access_bytes = launch_access_bytes(dst, src)};
}

riffle_status bits_device_plan_boxes(riffle_bits_plan *plan, const device_limits *limits) {
    const plan_target target = plan_target_of(TARGET_CUDA, "cuda", limits);
    const launch_limits anywhere = {.access_bytes = 1};
    if (plan->boxes != NULL || perm_is_identity(plan->byte_perm)) return RIFFLE_OK;
    const riffle_status status = build_boxes(plan, &target);
    if (status != RIFFLE_OK || launch_blocks(&plan->boxes->passes[0], &anywhere) <= LAUNCH_MAX_BLOCKS)
        return status;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "a move of more than %d boxes is more than a GPU's grid holds",
                LAUNCH_MAX_BLOCKS);
}

/* ---------------------------------------------------------------- launches */

static unsigned grid_of(uint64_t threads, unsigned block) {
    return (unsigned)min(ceil_div(threads, (uint64_t)block), (uint64_t)LAUNCH_MAX_BLOCKS);
}

/* The longest units that rows consist of, and both arrays begin at. */
static void append_exchange(const riffle_bits_plan *plan, void *dst, const void *src, launch_list *out) {
    const bits_rows *const rows = &plan->rows;
    const size_t unit = launch_access_bytes((const void *)((uintptr_t)dst | rows->bytes), src);
    const uint64_t row = rows->bytes / unit;
    const struct bits_exchange_arguments arguments = {.units = rows->groups * row,
                                                      .row = row,
                                                      .elem_bits = plan->packed.elem_bits,
                                                      .is_big = plan->packed.is_big};
    launch_set(append_bits_exchange(out, &KERNEL_bits_exchange, unit, &arguments),
               grid_of(arguments.units, BITS_EXCHANGE_THREADS), BITS_EXCHANGE_THREADS, 0, dst, src);
}

/* Bytes move to dst, and change places there; or do so on their way, where they would stay. */
static void append_axes_of_bits(const riffle_bits_plan *plan, void *dst, const void *src, launch_list *out) {
    static const void *const nothing[LAUNCH_MAX_ARRAYS];
    const launch_limits limits = limits_between(dst, src);
    if (plan->boxes != NULL) launch_pass(&plan->boxes->passes[0], &limits, nothing, dst, src, out);
    append_exchange(plan, dst, plan->boxes != NULL ? dst : src, out);
}

static void append_units(size_t unit, const bits_shift_table *table, void *dst, const void *src,
                         launch_list *out) {
    const struct bits_shift_arguments arguments = {.table = *table};
    if (table->all == 0) return;
    launch_set(append_bits_shift(out, &KERNEL_bits_shift, unit, &arguments),
               grid_of(table->all, BITS_SHIFT_BLOCK), BITS_SHIFT_THREADS, 0, dst, src);
}

/* Words of all arrays; of one alone the last bytes may be less than a word, and have a launch of their own. */
static void append_shift(const riffle_bits_plan *plan, void *dst, const void *src, launch_list *out) {
    const bits_packed *const p = &plan->packed;
    const size_t word = sizeof(uint32_t), rest = p->array_bytes % word;
    const bool by_words = launch_access_bytes(dst, src) >= word && (rest == 0 || p->batch == 1);
    bits_shift_table table = {.bits = p->n * p->elem_bits,
                              .cut = plan->shift.cut * p->elem_bits,
                              .bytes = p->array_bytes,
                              .elem_bits = p->elem_bits,
                              .is_big = p->is_big,
                              .is_reversed = plan->shift.is_reversed};
    table.units = by_words ? p->array_bytes / word : p->array_bytes;
    table.all = table.units * p->batch;
    append_units(by_words ? word : 1, &table, dst, src, out);
    if (!by_words || rest == 0) return;
    table.first = p->array_bytes - rest;
    table.units = table.all = rest;
    append_units(1, &table, dst, src, out);
}

static void append_gather(const riffle_bits_plan *plan, void *dst, const void *src, launch_list *out) {
    const uint64_t all = bits_plan_bytes(plan);
    const struct bits_gather_arguments arguments = {.map = plan->map,
                                                    .n = plan->packed.n,
                                                    .bytes = plan->packed.array_bytes,
                                                    .all = all,
                                                    .elem_bits = plan->packed.elem_bits,
                                                    .is_big = plan->packed.is_big};
    launch_set(append_bits_gather(out, &KERNEL_bits_gather, entry_bytes(plan), &arguments),
               grid_of(all, BITS_GATHER_THREADS), BITS_GATHER_THREADS, 0, dst, src);
}

void bits_device_append(const riffle_bits_plan *plan, void *dst, const void *src, launch_list *out) {
    switch (plan->way) {
    case BITS_GATHER: append_gather(plan, dst, src, out); return;
    case BITS_AFFINE: bits_affine_append(plan->table, dst, src, out); return;
    case BITS_SHIFT: append_shift(plan, dst, src, out); return;
    case BITS_AXES: append_axes_of_bits(plan, dst, src, out); return;
    default: return;
    }
}

/* Launches between arrays that begin at units of all lengths, since no array is known yet. */
static void append_any(const riffle_bits_plan *plan, launch_list *out) {
    for (uintptr_t begin = LAUNCH_VECTOR_BYTES; begin > 0; begin /= 2)
        bits_device_append(plan, (void *)begin, (void *)begin, out);
}

riffle_status bits_device_prepare(riffle_bits_plan *plan) {
    device_limits limits;
    launch_list list;
    int before;
    riffle_status status = plan_base_find_device(&plan->base, &limits, &before);
    if (status != RIFFLE_OK) return status;
    if (plan->way == BITS_GATHER) status = bring_map(plan);
    if (plan->way == BITS_AXES) status = bits_device_plan_boxes(plan, &limits);
    launch_list_begin(&list);
    if (status == RIFFLE_OK) append_any(plan, &list);
    if (status == RIFFLE_OK)
        status = device_load(&plan->base.on, "a move of bits", &list);
    else
        launch_list_free(&list);
    plan->base.on.ops->unguard(&plan->base.on, before);
    return status;
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
    bits_affine_table_of(bits, plan->packed.batch, plan->table);
    return RIFFLE_OK;
}

static void print_axes(const riffle_bits_plan *plan, FILE *stream) {
    const unsigned each = bits_of_byte(&plan->packed);
    fprintf(stream, "way: axes, %s squares of %u x %u elements in rows of %zu bytes\n",
            plan->boxes == NULL ? "one pass:" : "two passes: bytes, and then", each, each, plan->rows.bytes);
    if (plan->boxes == NULL) return;
    fputs("bytes", stream);
    plan->boxes->passes[0].kind->print(&plan->boxes->passes[0], stream);
    fputc('\n', stream);
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
                                        .moves_bytes = true,
                                        .execute = carry,
                                        .print_axes = print_axes,
                                        .print_affine = print_affine,
                                        .release = bits_device_release};
