/* SPDX-License-Identifier: Apache-2.0 */
#include "multigpu/plan.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "move/passes/affine_tile.h"
#include "plan/affine/policy.h"

enum {
    LEAST_TILES = 4, /* a chunk has, for each multiprocessor */
    SENDERS = 7,     /* blocks that send chunks, for 8 multiprocessors; they leave room for the second step's */
};

static affine_arrays arrays_of(const perm_affine *map, size_t elem_bytes, unsigned rank_bits) {
    const unsigned elem_bits = (unsigned)__builtin_ctzll(elem_bytes);
    affine_arrays out = {.unit_bits = min(elem_bits, AFFINE_VECTOR_BITS), .count = 1, .rank_bits = rank_bits};
    out.element_bits = elem_bits - out.unit_bits;
    out.run_bits = map->a.m + out.element_bits;
    out.stride = (uint64_t)1 << out.run_bits;
    return out;
}

/* Units that lie side by side in dst come from one part, as far as an access is long. */
static bool has_whole_accesses(const perm_affine *units, const affine_arrays *arrays) {
    const unsigned run = affine_run_bits(&units->a, arrays->run_bits - arrays->rank_bits);
    return run + arrays->unit_bits >= AFFINE_VECTOR_BITS;
}

static void plan_tiles(const perm_affine *map, size_t elem_bytes, unsigned rank_bits, const plan_target *target,
                       multigpu_tiles *out) {
    const affine_arrays arrays = arrays_of(map, elem_bytes, rank_bits);
    out->units = affine_on_units(map, &arrays);
    affine_tile_policy policy = affine_policy_for(target, &arrays, false);
    if (!has_whole_accesses(&out->units, &arrays)) policy = affine_policy_by_units(target, &arrays);
    out->by_vectors = policy.vector_bits == AFFINE_VECTOR_BITS;
    affine_tile_plan(map, &arrays, &policy, false, &out->schedule);
}

/* Where part p's tiles begin to write. */
static uint64_t origin_of(const riffle_multigpu_plan *plan, unsigned step, unsigned p) {
    const multigpu_tiles *const tiles = &plan->tiles[step];
    const unsigned part_bits = tiles->schedule.arrays.run_bits - tiles->schedule.arrays.rank_bits;
    return gf2_apply(&tiles->units.a, (uint64_t)p << part_bits) ^ tiles->units.c;
}

static void plan_chunks(riffle_multigpu_plan *plan, const plan_target *target) {
    affine_tile_schedule schedule[MULTIGPU_MOST_STEPS] = {plan->tiles[0].schedule, plan->tiles[1].schedule};
    multigpu_cells cells[MULTIGPU_MOST_STEPS];
    const uint64_t least = (uint64_t)LEAST_TILES * target->multiprocessors;
    multigpu_chunks_plan(&plan->tiles[0].units, plan->steps.cosets.r, least, plan->in_place, schedule, cells,
                         &plan->chunks);
    for (unsigned step = 0; step < MULTIGPU_MOST_STEPS; step++) {
        plan->tiles[step].schedule = schedule[step];
        plan->tiles[step].cells = cells[step];
    }
    if (plan->chunks.count > 1) plan->senders = max(SENDERS * target->multiprocessors / 8, 1u);
}

/* In place what part p's tiles write was at a time of its own in src, before tiles add to it. */
static unsigned write_time_of(const riffle_multigpu_plan *plan, unsigned step, unsigned p) {
    const multigpu_tiles *const tiles = &plan->tiles[0];
    const unsigned part_bits = tiles->schedule.arrays.run_bits - tiles->schedule.arrays.rank_bits;
    const uint64_t within = ((uint64_t)1 << part_bits) - 1;
    if (!plan->in_place || step == 0 || plan->chunks.count == 1) return 0;
    return multigpu_time_of(&plan->chunks,
                            gf2_apply(&tiles->units.a, origin_of(plan, step, p) & within) & within);
}

riffle_status multigpu_plan_fill(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                 const riffle_multigpu_options *options, const plan_target *target,
                                 riffle_multigpu_plan *plan) {
    plan->gpus = gpus;
    plan->elem_bytes = elem_bytes;
    plan->in_place = options != NULL && options->in_place;
    plan->callers_workspace = options != NULL && options->callers_workspace;
    const riffle_status status = multigpu_steps_of(perm, elem_bytes, gpus, options, &plan->steps);
    if (status != RIFFLE_OK) return status;
    plan->part_bytes = (size_t)riffle_perm_length(perm) / gpus * elem_bytes;
    plan->workspace_bytes = multigpu_steps_workspace(&plan->steps, plan->part_bytes);
    for (unsigned k = 0; k < plan->steps.count; k++)
        plan_tiles(&plan->steps.map[k], elem_bytes, plan->steps.cosets.k, target, &plan->tiles[k]);
    plan->chunks = (multigpu_chunks){.count = 1, .end = {1}};
    if (plan->steps.count > 1 && !plan->steps.by_copies && cosets_cost(&plan->steps.cosets).volume > 0)
        plan_chunks(plan, target);
    return RIFFLE_OK;
}

riffle_status multigpu_plan_of(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                               const riffle_multigpu_options *options, const plan_target *target,
                               riffle_multigpu_plan **out) {
    riffle_multigpu_plan *const plan = calloc(1, sizeof *plan);
    if (plan == NULL) return fail_memory("a plan of several GPUs", sizeof *plan);
    const riffle_status status = multigpu_plan_fill(perm, elem_bytes, gpus, options, target, plan);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        free(plan);
    }
    return status;
}

/* Tiles of a step, a block each or, where blocks are few, in turn. */
typedef struct tile_range {
    uint64_t first, end;
} tile_range;

static const affine_parts_kernel *kernel_of(const multigpu_tiles *tiles, bool in_turn) {
    if (in_turn) return tiles->by_vectors ? &KERNEL_affine_send : &KERNEL_affine_units_send;
    return tiles->by_vectors ? &KERNEL_affine_to_parts : &KERNEL_affine_units_to_parts;
}

static void append_tiles(const riffle_multigpu_plan *plan, unsigned step, unsigned p, tile_range range,
                         void *const *to, const void *from, launch_list *out) {
    const multigpu_tiles *const tiles = &plan->tiles[step];
    const affine_tile_schedule *const s = &tiles->schedule;
    const unsigned unit_bits = s->arrays.unit_bits, part_bits = s->arrays.run_bits - s->arrays.rank_bits;
    const size_t unit_bytes = (size_t)1 << unit_bits;
    const bool in_turn = step == 0 && plan->senders > 0;
    const uint64_t count = range.end - range.first;
    struct affine_parts_arguments arguments = {.table = {.first = (uint32_t)range.first,
                                                         .end = (uint32_t)range.end,
                                                         .to.bits = part_bits + unit_bits}};
    affine_tile_table(s, &arguments.table.tiles);
    arguments.table.tiles.write.origin = origin_of(plan, step, p) << unit_bits;
    for (unsigned q = 0; q < plan->gpus; q++) arguments.table.to.part[q] = to[q];
    launch *const work = append_affine_parts(out, kernel_of(tiles, in_turn), unit_bytes, &arguments);
    launch_set(work, (unsigned)(in_turn ? min(plan->senders, count) : count), 1u << s->thread_bits,
               unit_bytes << s->tile_bits, to[p], from);
}

void multigpu_append(const riffle_multigpu_plan *plan, unsigned step, unsigned chunk, unsigned p,
                     void *const *to, const void *from, launch_list *out) {
    const multigpu_tiles *const tiles = &plan->tiles[step];
    const unsigned cell_bits = tiles->schedule.block_bits - tiles->cells.bits;
    const uint64_t cells = (uint64_t)1 << tiles->cells.bits;
    const unsigned time = write_time_of(plan, step, p);
    for (uint64_t end, cell = 0; cell < cells; cell = end) {
        const bool is_now = multigpu_chunk_of(&plan->chunks, &tiles->cells, cell, time) == chunk;
        end = cell + 1;
        if (!is_now) continue;
        while (end < cells && multigpu_chunk_of(&plan->chunks, &tiles->cells, end, time) == chunk) end++;
        append_tiles(plan, step, p, (tile_range){cell << cell_bits, end << cell_bits}, to, from, out);
    }
}
