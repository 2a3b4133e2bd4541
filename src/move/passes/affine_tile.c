/* SPDX-License-Identifier: Apache-2.0 */
#include "move/passes/affine_tile.h"

#include <string.h>

#include "move/cpu/passes/loops.h"

#include "plan/affine/cells.h"

_Static_assert((int)AFFINE_THREAD_BITS == (int)AFFINE_THREADS_LOG2 && 1 << AFFINE_MOVE_BITS == AFFINE_MOVES &&
                   (int)AFFINE_VECTOR_BITS == (int)AFFINE_UNITS_LOG2,
               "the kernels' tables hold what schedules have");

static const uint64_t ONE = 1;

static void fill_side(const affine_tile_schedule *s, const affine_tile_side *side, affine_side_64 *out) {
    const unsigned scale = s->arrays.unit_bits, moves_from = s->vector_bits + s->thread_bits;
    unsigned lanes = 0;
    while (lanes < s->thread_bits && side->index[s->vector_bits + lanes] == ONE << (s->vector_bits + lanes))
        lanes++;
    out->lanes = (1u << lanes) - 1;
    out->origin = side->origin << scale;
    for (unsigned k = 0; k < s->block_bits && k < AFFINE_TILES_LOG2_64; k++)
        out->tile[k] = side->block[k] << scale;
    for (unsigned k = 0; k < s->thread_bits; k++) {
        out->thread[k] = side->index[s->vector_bits + k] << scale;
        out->thread_cell[k] = side->cell[s->vector_bits + k] << scale;
    }
    for (unsigned k = 0; k < 1u << (s->tile_bits - moves_from); k++) {
        out->move[k] = affine_tile_sum(side->index + moves_from, k) << scale;
        out->move_cell[k] = affine_cell_of(side->cell + moves_from, k) << scale;
    }
    for (unsigned k = 0; k < 1u << s->vector_bits; k++)
        out->unit_cell[k] = affine_cell_of(side->cell, k) << scale;
}

/* And the number of a tile. */
bool affine_tile_fits_32(const affine_tile_schedule *s) {
    return s->arrays.run_bits + s->arrays.unit_bits <= 32 && s->block_bits <= AFFINE_TILES_LOG2_32;
}

static bool moves_vectors(const affine_tile_schedule *s) {
    return s->vector_bits + s->arrays.unit_bits == AFFINE_VECTOR_BITS;
}

/* By vectors; of arrays that do not begin on one; by units. */
typedef enum affine_access { BY_VECTORS, BY_SHIFTED_VECTORS, BY_UNITS } affine_access;

static affine_access access_of(const affine_tile_schedule *s, const launch_limits *limits) {
    if (!moves_vectors(s)) return BY_UNITS;
    return s->vector_bits > 0 && limits->access_bytes < LAUNCH_VECTOR_BYTES ? BY_SHIFTED_VECTORS : BY_VECTORS;
}

static void fill_orbits(const affine_tile_schedule *s, affine_table_64 *t) {
    t->blocks = (uint32_t)s->run_blocks;
    t->coset_bits = s->orbits.bits;
    t->moved_bits = s->orbits.moved;
    t->plain_bits = s->orbits.plain;
    t->fixed = (uint32_t)s->orbits.fixed;
    t->far = (uint32_t)s->orbits.far;
}

void affine_tile_table(const affine_tile_schedule *s, affine_table_64 *t) {
    *t = (affine_table_64){.stride = s->arrays.stride << s->arrays.unit_bits, .tile_bits = s->block_bits};
    t->moves = 1u << (s->tile_bits - s->vector_bits - s->thread_bits);
    t->tile_bytes = 1u << s->tile_bits << s->arrays.unit_bits;
    fill_side(s, &s->read, &t->read);
    fill_side(s, &s->write, &t->write);
    if (s->in_place) fill_orbits(s, t);
}

static void narrow_all(const uint64_t *from, uint32_t *to, unsigned count) {
    for (unsigned k = 0; k < count; k++) to[k] = (uint32_t)from[k];
}

static void narrow_side(const affine_side_64 *from, affine_side_32 *to) {
    to->origin = (uint32_t)from->origin;
    to->lanes = from->lanes;
    narrow_all(from->thread, to->thread, AFFINE_THREADS_LOG2);
    narrow_all(from->move, to->move, AFFINE_MOVES);
    narrow_all(from->tile, to->tile, AFFINE_TILES_LOG2_32);
    memcpy(to->thread_cell, from->thread_cell, sizeof to->thread_cell);
    memcpy(to->move_cell, from->move_cell, sizeof to->move_cell);
    memcpy(to->unit_cell, from->unit_cell, sizeof to->unit_cell);
}

void affine_tile_narrow(const affine_table_64 *from, affine_table_32 *to) {
    *to = (affine_table_32){.stride = from->stride,
                            .tile_bits = from->tile_bits,
                            .moves = from->moves,
                            .tile_bytes = from->tile_bytes,
                            .blocks = from->blocks,
                            .coset_bits = from->coset_bits,
                            .moved_bits = from->moved_bits,
                            .plain_bits = from->plain_bits,
                            .fixed = from->fixed,
                            .far = from->far};
    narrow_side(&from->read, &to->read);
    narrow_side(&from->write, &to->write);
}

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    (void)limits;
    return affine_tile_blocks(&p->affine_tile);
}

void affine_tile_print(const affine_tile_schedule *s, FILE *stream) {
    fprintf(stream, ": %llu blocks of %u threads, %s of %u bytes", (unsigned long long)affine_tile_blocks(s),
            1u << s->thread_bits, s->in_place ? "pairs of tiles" : "tiles",
            1u << s->tile_bits << s->arrays.unit_bits);
}

static void print(const pass *p, FILE *stream) { affine_tile_print(&p->affine_tile, stream); }

/* In place one for each of the block's tiles, if each is of whole warps. */
static unsigned rows_of_threads(const affine_tile_schedule *s, const launch_limits *limits) {
    const unsigned row = 1u << s->thread_bits;
    return s->in_place && row >= limits->width && 2 * row <= limits->block_threads ? 2 : 1;
}

static launch *append_32(const affine_tile_schedule *s, affine_access access, size_t unit_bytes,
                         const affine_table_64 *table, launch_list *out) {
    static const affine_32_kernel *const kernels[][2] = {
        [BY_VECTORS] = {&KERNEL_affine_tile_32, &KERNEL_affine_tile_pair_32},
        [BY_SHIFTED_VECTORS] = {&KERNEL_affine_shifted_32, &KERNEL_affine_shifted_pair_32},
    };
    struct affine_32_arguments arguments;
    affine_tile_narrow(table, &arguments.table);
    return append_affine_32(out, kernels[access][s->in_place], unit_bytes, &arguments);
}

static launch *append_64(const affine_tile_schedule *s, affine_access access, size_t unit_bytes,
                         const affine_table_64 *table, launch_list *out) {
    static const affine_64_kernel *const kernels[][2] = {
        [BY_VECTORS] = {&KERNEL_affine_tile_64, &KERNEL_affine_tile_pair_64},
        [BY_SHIFTED_VECTORS] = {&KERNEL_affine_shifted_64, &KERNEL_affine_shifted_pair_64},
        [BY_UNITS] = {&KERNEL_affine_units, &KERNEL_affine_units_pair},
    };
    return append_affine_64(out, kernels[access][s->in_place], unit_bytes,
                            &(struct affine_64_arguments){*table});
}

/* The schedule's vectors by thread and by move. */
launch *affine_tile_launch(const affine_tile_schedule *s, const launch_limits *limits, launch_list *out) {
    const size_t unit_bytes = (size_t)1 << s->arrays.unit_bits, tile_bytes = unit_bytes << s->tile_bits;
    const affine_access access = access_of(s, limits);
    affine_table_64 table;
    affine_tile_table(s, &table);
    launch *const work = (access != BY_UNITS && affine_tile_fits_32(s) ? append_32 : append_64)(
        s, access, unit_bytes, &table, out);
    work->block_x = 1u << s->thread_bits;
    work->block_y = rows_of_threads(s, limits);
    work->shared_bytes = s->in_place ? 2 * tile_bytes : tile_bytes;
    return work;
}

static void fill_launch(const pass *p, const launch_limits *limits, const void *const *arrays,
                        launch_list *out) {
    (void)arrays;
    affine_tile_launch(&p->affine_tile, limits, out);
}

/* Alignment to a unit, wherever vectors begin. */
static size_t alignment(const pass *p) { return (size_t)1 << p->affine_tile.arrays.unit_bits; }

const pass_kind PASS_AFFINE_TILE = {.name = "affine_tile",
                                    .print = print,
                                    .run = cpu_affine_tile,
                                    .blocks = blocks,
                                    .launch = fill_launch,
                                    .alignment = alignment,
                                    .predict = pass_predict};
