/* SPDX-License-Identifier: Apache-2.0
 *
 * The launch of a BMMC paper's pass: what each part of a thread's place contributes to its indices.
 */
#include "base/arithmetic.h"
#include "move/gpu/launch.h"
#include "papers/schedules/bmmc.h"

static uint64_t bit(unsigned k) { return (uint64_t)1 << k; }

static unsigned size_of(uint64_t set) { return (unsigned)__builtin_popcountll(set); }

static unsigned floor_log2(unsigned v) { return 31 - (unsigned)__builtin_clz(v); }

/* A block of the naive kernel moves 2^lane_bits * 2^warp_bits neighbours. */
typedef struct naive_shape {
    unsigned lane_bits, warp_bits;
} naive_shape;

static naive_shape shape_of_naive(const bmmc_schedule *s, const launch_limits *limits) {
    enum { USUAL_THREADS = 256 };
    const unsigned threads = floor_log2(min(limits->block_threads, USUAL_THREADS));
    const unsigned lane_bits = min(floor_log2(limits->width), s->p.a.m);
    const unsigned warp_bits = min(threads - lane_bits, s->p.a.m - lane_bits);
    return (naive_shape){lane_bits, min(warp_bits, floor_log2(BMMC_TABLE_WARPS))};
}

/* Bit k of the block's number stands for the k-th index bit of `set`. Grids have no more blocks than the table
 * numbers. */
static void fill_write_block(const gf2_matrix *a, uint64_t set, bmmc_table *t) {
    enum { BLOCK_BITS = BMMC_TABLE_GROUPS * BMMC_TABLE_GROUP_BITS };
    for (unsigned k = 0; set != 0 && k < BLOCK_BITS; k++, set &= set - 1) {
        uint64_t *const sums = t->write_block[k / BMMC_TABLE_GROUP_BITS];
        const unsigned half = 1u << k % BMMC_TABLE_GROUP_BITS;
        const uint64_t image = a->column[__builtin_ctzll(set)];
        for (unsigned v = 0; v < half; v++) sums[half + v] = sums[v] ^ image;
    }
}

static void launch_naive(const bmmc_schedule *s, size_t elem_bytes, const launch_limits *limits,
                         launch_list *out) {
    const naive_shape shape = shape_of_naive(s, limits);
    const unsigned warps = 1u << shape.warp_bits;
    const gf2_matrix *a = &s->p.a;
    struct bmmc_arguments arguments = {0};
    bmmc_table *const t = &arguments.table;
    for (unsigned k = 0; k < shape.lane_bits; k++) t->lane_write[k] = a->column[k];
    for (unsigned w = 0; w < warps; w++)
        t->warp[w].write = gf2_apply(a, (uint64_t)w << shape.lane_bits) ^ s->p.c;
    fill_write_block(a, (bit(a->m) - 1) & ~(bit(shape.lane_bits + shape.warp_bits) - 1), t);
    launch *const work = append_bmmc(out, &KERNEL_bmmc_naive, elem_bytes, &arguments);
    work->block_x = 1u << shape.lane_bits;
    work->block_y = warps;
}

/* The index bits that number the tiles of a block, and those that number the blocks. */
static uint64_t tiles_of_block(const bmmc_schedule *s) {
    return bmmc_deposit(bit(s->iteration_bits) - 1, s->block);
}

static uint64_t blocks_of_grid(const bmmc_schedule *s) { return s->block & ~tiles_of_block(s); }

/* Bits of the block's number that go to neighbouring index bits are moved by one product. */
static void fill_runs(uint64_t set, bmmc_table *t) {
    for (unsigned number = 0, r = 0; set != 0; r++) {
        const unsigned from = (unsigned)__builtin_ctzll(set);
        const unsigned length = (unsigned)__builtin_ctzll(~(set >> from));
        t->run_bits[r] = (uint32_t)((bit(length) - 1) << number);
        t->run_factor[r] = (uint32_t)bit(from - number);
        set &= ~((bit(length) - 1) << from);
        number += length;
    }
}

static void fill_warps(const bmmc_schedule *s, unsigned warps, bmmc_table *t) {
    for (unsigned w = 0; w < warps; w++) {
        t->warp[w].read = bmmc_stitch_col(s, 0, 0, w);
        t->warp[w].write = gf2_apply(&s->p.a, bmmc_stitch_row(s, w, 0, 0)) ^ s->p.c;
        t->shift[w] = (uint8_t)bmmc_stitch_tile_row(s, w, 0);
    }
}

/* On the way out a lane stands at a row bit; it reads the tile's row numbered by its bits above the overlap. */
static void fill_lanes(const bmmc_schedule *s, bmmc_table *t) {
    for (unsigned k = 0; k < s->tile_bits; k++) {
        const uint64_t cell = bmmc_stitch_tile_row(s, 0, bit(k));
        const uint64_t shift = bmmc_stitch_tile_row(s, bit(k) >> s->over_bits, 0);
        const uint64_t index = gf2_apply(&s->p.a, bmmc_stitch_row(s, 0, 0, bit(k)));
        t->lane[k] = (uint32_t)(cell | shift << BMMC_TABLE_SHIFT_AT | index << BMMC_TABLE_INDEX_AT);
    }
}

/* A bit permutation takes the bits that number tiles to bits of the write index that are the complement's in
 * the first tile, so that distances are the same wherever that is. */
static void fill_tiles(const bmmc_schedule *s, size_t elem_bytes, bmmc_table *t) {
    const uint64_t first = s->p.c & gf2_apply(&s->p.a, tiles_of_block(s));
    for (uint64_t i = 0; i < bit(s->iteration_bits); i++) {
        const uint64_t here = first ^ gf2_apply(&s->p.a, bmmc_stitch_row(s, 0, i, 0));
        t->tile[i].read = (int64_t)(bmmc_stitch_col(s, 0, i, 0) * elem_bytes);
        t->tile[i].write = ((int64_t)here - (int64_t)first) * (int64_t)elem_bytes;
    }
}

static const bmmc_kernel *kernel_of(const bmmc_schedule *s) {
    const bool several = s->iteration_bits > 0;
    if (s->algorithm == RIFFLE_ALGORITHM_BMMC_TILE_BANKS ||
        s->algorithm == RIFFLE_ALGORITHM_BMMC_TILE_BANKS_ITERS)
        return several ? &KERNEL_bmmc_tile_banks_iters : &KERNEL_bmmc_tile_banks;
    return several ? &KERNEL_bmmc_tile_iters : &KERNEL_bmmc_tile;
}

static void launch_tiles(const bmmc_schedule *s, size_t elem_bytes, launch_list *out) {
    const unsigned lanes = 1u << s->tile_bits, warps = 1u << (s->tile_bits - s->over_bits);
    struct bmmc_arguments arguments = {0};
    bmmc_table *const t = &arguments.table;
    fill_runs(blocks_of_grid(s), t);
    fill_write_block(&s->p.a, blocks_of_grid(s), t);
    fill_warps(s, warps, t);
    fill_lanes(s, t);
    fill_tiles(s, elem_bytes, t);
    launch *const work = append_bmmc(out, kernel_of(s), elem_bytes, &arguments);
    work->block_x = lanes;
    work->block_y = warps;
    work->shared_bytes = ((size_t)lanes * warps * elem_bytes) << s->iteration_bits;
}

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    const bmmc_schedule *const s = &p->bmmc.schedule;
    if (s->algorithm != RIFFLE_ALGORITHM_BMMC_NAIVE) return bit(size_of(blocks_of_grid(s)));
    const naive_shape shape = shape_of_naive(s, limits);
    return bit(s->p.a.m - shape.lane_bits - shape.warp_bits);
}

static void fill(const pass *p, const launch_limits *limits, const void *const *arrays, launch_list *out) {
    (void)arrays;
    const bmmc_schedule *const s = &p->bmmc.schedule;
    if (s->algorithm == RIFFLE_ALGORITHM_BMMC_NAIVE) {
        launch_naive(s, p->bmmc.elem_bytes, limits, out);
    } else {
        launch_tiles(s, p->bmmc.elem_bytes, out);
    }
}

const pass_kind PASS_BMMC = {.name = "bmmc", .blocks = blocks, .launch = fill, .predict = pass_predict};
