/* SPDX-License-Identifier: Apache-2.0
 *
 * Where walks and groups begin: once a range or a group, so every set of instructions calls the same functions.
 */
#include "move/cpu/passes/affine_lines/affine_lines_walk.h"

#include "move/cpu/passes/affine_lines/affine_lines_group.h"

affine_lines_walk affine_lines_walk_from(const affine_lines_schedule *s, uint64_t number) {
    const uint64_t steps = number ^ number >> 1; /* a Gray code: step j is the sum of what bits 0 to j add */
    return (affine_lines_walk){.s = s,
                               .number = number,
                               .x = affine_combine(s->read_step, s->tile_bits, steps),
                               .y = s->complement ^ affine_combine(s->write_step, s->tile_bits, steps)};
}

affine_group_steps affine_group_steps_of(const affine_lines_schedule *s) {
    affine_group_steps steps;
    for (unsigned j = 0; j < s->group_bits;
         j++) { /* step j of the schedule is the sum of what bits 0 to j add */
        steps.read[j] = s->read_step[j] ^ (j > 0 ? s->read_step[j - 1] : 0);
        steps.write[j] = s->write_step[j] ^ (j > 0 ? s->write_step[j - 1] : 0);
    }
    return steps;
}

uint64_t affine_group_write(const affine_lines_schedule *s, const affine_group_steps *steps, unsigned tile) {
    const unsigned far_bits = s->group_bits - s->run_bits;
    return affine_combine(steps->write + s->run_bits, far_bits, tile) ^
           affine_combine(steps->write, s->run_bits, tile >> far_bits);
}

void affine_group_make(const affine_lines_schedule *s, affine_group *g) {
    const affine_group_steps steps = affine_group_steps_of(s);
    const unsigned run_bits = s->run_bits, far_bits = s->group_bits - run_bits;
    g->lines = 1u << (s->width + s->group_bits);
    g->width = s->width, g->run_bits = run_bits, g->far_bits = far_bits;
    for (unsigned row = 0; row < 1u << (s->width + far_bits); row++)
        g->row[row] = s->read_offset[row & ((1u << s->width) - 1)] ^
                      affine_combine(steps.read + run_bits, far_bits, row >> s->width);
    for (unsigned k = 0; k < 1u << run_bits; k++) g->place[k] = affine_combine(steps.read, run_bits, k);
    for (unsigned tile = 0; tile < 1u << s->group_bits; tile++)
        g->write[tile] = affine_group_write(s, &steps, tile);
}
