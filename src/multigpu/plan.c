/* SPDX-License-Identifier: Apache-2.0 */
#include "multigpu/plan.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "move/passes/affine_tile.h"
#include "plan/affine/policy.h"

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

riffle_status multigpu_plan_of(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                               const riffle_multigpu_options *options, const plan_target *target,
                               riffle_multigpu_plan **out) {
    riffle_multigpu_plan *const plan = calloc(1, sizeof *plan);
    if (plan == NULL) return fail_memory("a plan of several GPUs", sizeof *plan);
    plan->gpus = gpus;
    plan->elem_bytes = elem_bytes;
    plan->in_place = options != NULL && options->in_place;
    const riffle_status status = multigpu_steps_of(perm, elem_bytes, gpus, plan->in_place, &plan->steps);
    if (status != RIFFLE_OK) {
        free(plan);
        return status;
    }
    plan->part_bytes = (size_t)riffle_perm_length(perm) / gpus * elem_bytes;
    for (unsigned k = 0; k < plan->steps.count; k++)
        plan_tiles(&plan->steps.map[k], elem_bytes, plan->steps.cosets.k, target, &plan->tiles[k]);
    *out = plan;
    return RIFFLE_OK;
}

void multigpu_append(const riffle_multigpu_plan *plan, unsigned step, unsigned p, void *const *to,
                     const void *from, launch_list *out) {
    const multigpu_tiles *const tiles = &plan->tiles[step];
    const affine_tile_schedule *const s = &tiles->schedule;
    const unsigned unit_bits = s->arrays.unit_bits, part_bits = s->arrays.run_bits - s->arrays.rank_bits;
    const size_t unit_bytes = (size_t)1 << unit_bits;
    struct affine_parts_arguments arguments = {.table.to.bits = part_bits + unit_bits};
    affine_tile_table(s, &arguments.table.tiles);
    arguments.table.tiles.write.origin = (gf2_apply(&tiles->units.a, (uint64_t)p << part_bits) ^ tiles->units.c)
                                         << unit_bits;
    for (unsigned q = 0; q < plan->gpus; q++) arguments.table.to.part[q] = to[q];
    launch *const work =
        append_affine_parts(out, tiles->by_vectors ? &KERNEL_affine_to_parts : &KERNEL_affine_units_to_parts,
                            unit_bytes, &arguments);
    launch_set(work, (unsigned)s->run_blocks, 1u << s->thread_bits, unit_bytes << s->tile_bits, to[p], from);
}
