/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of the BMMC paper's kernels (papers/kernels/bmmc.cu). Their places are sums (XOR), so all blocks access alike
 * where arrays begin on an address group.
 */
#include "base/arithmetic.h"
#include "move/predict/predict.h"

enum { SITE_READ, SITE_PUT, SITE_GET, SITE_WRITE };

/* A block of a launch, whose kernel moves so many tiles. */
typedef struct bmmc_view {
    const launch *work;
    const bmmc_table *table;
    uint64_t block;
    uint32_t tiles;
    bool is_shifted;
} bmmc_view;

static uint64_t read_block(const bmmc_view *v) {
    uint64_t index = 0;
    for (unsigned r = 0; r < BMMC_TABLE_RUNS; r++)
        index += (v->block & v->table->run_bits[r]) * v->table->run_factor[r];
    return index;
}

static uint64_t write_block(const bmmc_view *v) {
    uint64_t index = 0;
    for (unsigned g = 0; g < BMMC_TABLE_GROUPS; g++)
        index ^=
            v->table
                ->write_block[g][v->block >> BMMC_TABLE_GROUP_BITS * g & ((1 << BMMC_TABLE_GROUP_BITS) - 1)];
    return index;
}

/* Threads first .. end - 1. */
static void naive_warp(const bmmc_view *v, uint64_t first, uint64_t end, pattern *out) {
    const uint64_t bytes = v->work->elem_bytes, lanes = v->work->block_x, threads = lanes * v->work->block_y;
    pattern_lanes to = {0};
    for (uint64_t thread = first; thread < end; thread++) {
        uint64_t index = write_block(v) ^ v->table->warp[thread / lanes].write;
        for (unsigned k = 0; k < BMMC_TABLE_LANE_BITS; k++)
            if (thread % lanes >> k & 1) index ^= v->table->lane_write[k];
        pattern_lane(&to, (uintptr_t)v->work->to + index * bytes);
    }
    pattern_run(out, SITE_READ, 0, (uintptr_t)v->work->from + (v->block * threads + first) * bytes,
                end - first);
    pattern_access(out, SITE_WRITE, 0, &to);
}

/* A thread's places: in both arrays and in the tile, of the block's first tile. */
typedef struct tile_places {
    uint64_t from, in, out, to;
} tile_places;

static tile_places places_of(const bmmc_view *v, uint64_t thread) {
    const bmmc_table *const t = v->table;
    const uint64_t bytes = v->work->elem_bytes, lanes = v->work->block_x, lane = thread % lanes;
    const uint64_t warp = thread / lanes, last = lanes - 1;
    uint32_t packed = t->shift[warp];
    for (unsigned k = 0; k < BMMC_TABLE_LANE_BITS; k++)
        if (lane >> k & 1) packed ^= t->lane[k];
    const uint64_t cell = packed & ((1u << BMMC_TABLE_SHIFT_AT) - 1);
    const uint64_t in_shift = v->is_shifted ? t->shift[warp] : 0;
    const uint64_t out_shift = v->is_shifted ? packed >> BMMC_TABLE_SHIFT_AT : 0;
    const uint64_t index = write_block(v) ^ t->warp[warp].write ^ packed >> BMMC_TABLE_INDEX_AT;
    return (tile_places){.from = (uintptr_t)v->work->from + (read_block(v) + t->warp[warp].read + lane) * bytes,
                         .in = (warp * lanes + ((lane + in_shift) & last)) * bytes,
                         .out = ((cell & ~last) | ((cell + out_shift) & last)) * bytes,
                         .to = (uintptr_t)v->work->to + index * bytes};
}

static void tile_warp(const bmmc_view *v, uint64_t first, uint64_t end, pattern *out) {
    const uint64_t tile_bytes = (uint64_t)v->work->block_x * v->work->block_y * v->work->elem_bytes;
    for (uint32_t i = 0; i < v->tiles; i++) {
        const uint64_t read = i > 0 ? (uint64_t)v->table->tile[i].read : 0;
        const uint64_t write = i > 0 ? (uint64_t)v->table->tile[i].write : 0;
        pattern_lanes at[4] = {{0}};
        for (uint64_t thread = first; thread < end; thread++) {
            const tile_places p = places_of(v, thread);
            pattern_lane(&at[SITE_READ], p.from + read);
            pattern_lane(&at[SITE_PUT], p.in + i * tile_bytes);
            pattern_lane(&at[SITE_GET], p.out + i * tile_bytes);
            pattern_lane(&at[SITE_WRITE], p.to + write);
        }
        for (unsigned site = SITE_READ; site <= SITE_WRITE; site++) pattern_access(out, site, i, &at[site]);
    }
}

static void describe_block(bmmc_view *v, uint64_t block, pattern *out) {
    const uint64_t threads = (uint64_t)v->work->block_x * v->work->block_y, width = out->machine->width;
    v->block = block;
    for (uint64_t first = 0; first < threads; first += width)
        (v->tiles == 0 ? naive_warp : tile_warp)(v, first, min(first + width, threads), out);
}

static bmmc_view view_of(const launch *work) {
    static const struct {
        const kernel_record *kernel;
        uint32_t tiles;
        bool is_shifted;
    } kernels[] = {{&KERNEL_bmmc_naive.record, 0, false},
                   {&KERNEL_bmmc_tile.record, 1, false},
                   {&KERNEL_bmmc_tile_banks.record, 1, true},
                   {&KERNEL_bmmc_tile_iters.record, BMMC_TABLE_TILES, false},
                   {&KERNEL_bmmc_tile_banks_iters.record, BMMC_TABLE_TILES, true}};
    unsigned k = 0;
    while (kernels[k].kernel != work->kernel) k++;
    return (bmmc_view){.work = work,
                       .table = &((const struct bmmc_arguments *)work->arguments)->table,
                       .tiles = kernels[k].tiles,
                       .is_shifted = kernels[k].is_shifted};
}

void pattern_of_bmmc(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    bmmc_view v = view_of(work);
    const uint64_t elements = (uint64_t)work->block_x * work->block_y * (v.tiles > 0 ? v.tiles : 1);
    (void)p;
    pattern_declare(out, SITE_READ, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, work->elem_bytes);
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, work->elem_bytes);
    if (((uintptr_t)work->to | (uintptr_t)work->from) % (work->elem_bytes * out->machine->width) == 0) {
        pattern_alike(out, 0, out->grid);
        describe_block(&v, 0, out);
        return;
    }
    const uint64_t samples = pattern_samples(out, elements);
    for (uint64_t k = 0; k < samples; k++) describe_block(&v, pattern_sample(out, samples, k), out);
}
