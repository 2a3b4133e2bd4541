/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/launch.h"

#include "engines/launch_affine.h"
#include "engines/launch_bmmc.h"
#include "engines/launch_rows.h"

const char *const launch_kernel_names[LAUNCH_KERNELS] = {
    [LAUNCH_COPY] = "copy",
    [LAUNCH_SCATTER] = "scatter",
    [LAUNCH_GATHER] = "gather",
    [LAUNCH_TRANSPOSE] = "transpose",
    [LAUNCH_ROW_WISE] = "row_wise",
    [LAUNCH_AFFINE_TILE_32] = "affine_tile",
    [LAUNCH_AFFINE_TILE_32_PAIR] = "affine_tile_pair",
    [LAUNCH_AFFINE_TILE_64] = "affine_tile",
    [LAUNCH_AFFINE_TILE_64_PAIR] = "affine_tile_pair",
    [LAUNCH_AFFINE_UNITS] = "affine_tile",
    [LAUNCH_AFFINE_UNITS_PAIR] = "affine_tile_pair",
    [LAUNCH_BUCKET_FIRST] = "bucket_first",
    [LAUNCH_BUCKET_NEXT] = "bucket_next",
    [LAUNCH_SCATTER_ROWS] = "scatter_rows",
    [LAUNCH_GATHER_ROWS] = "gather_rows",
    [LAUNCH_SCATTER_ROW_WORDS] = "scatter_row_words",
    [LAUNCH_GATHER_ROW_WORDS] = "gather_row_words",
    [LAUNCH_BMMC_NAIVE] = "bmmc_naive",
    [LAUNCH_BMMC_TILE] = "bmmc_tile",
    [LAUNCH_BMMC_TILE_BANKS] = "bmmc_tile_banks",
    [LAUNCH_BMMC_TILE_ITERS] = "bmmc_tile_iters",
    [LAUNCH_BMMC_TILE_BANKS_ITERS] = "bmmc_tile_banks_iters",
};

static uint64_t divide_up(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

void launch_argument_addresses(launch *work, void *out[LAUNCH_MAX_ARGUMENTS]) {
    for (unsigned k = 0; k < LAUNCH_MAX_ARGUMENTS; k++) out[k] = &work->arguments[k];
    if (work->has_table) out[2] = &work->table;
}

void launch_arrays(const pass *p, launch_array out[LAUNCH_MAX_ARRAYS]) {
    for (unsigned k = 0; k < LAUNCH_MAX_ARRAYS; k++) out[k] = (launch_array){NULL, NULL, 0};
    switch (p->kind) {
    case PASS_SCATTER:
    case PASS_GATHER: {
        const riffle_perm *map = p->indexed.map;
        out[0] = (launch_array){"map", map->table.entries, (size_t)map->n * map->table.entry_bytes};
        break;
    }
    case PASS_ROW_WISE: {
        const size_t bytes = (size_t)(p->row_wise.rows * p->row_wise.cols) * sizeof(uint16_t);
        out[0] = (launch_array){"s", p->row_wise.s, bytes};
        out[1] = (launch_array){"d", p->row_wise.d, bytes};
        break;
    }
    case PASS_BUCKET_TILE: {
        const bucket_tile_schedule *s = &p->bucket_tile;
        out[0] = (launch_array){"order", s->order, bucket_tile_order_bytes(s)};
        out[1] = (launch_array){"chunks", s->chunks, (size_t)s->chunk_count * sizeof *s->chunks};
        out[2] = (launch_array){"first_chunk", s->first_chunk, bucket_tile_first_chunk_bytes(s)};
        break;
    }
    default: break;
    }
}

/* Blocks that are small beside what a multiprocessor holds come and go without leaving it half empty. */
static unsigned flat_threads(const launch_limits *limits) {
    const unsigned usual = 256;
    return limits->block_threads < usual ? limits->block_threads : usual;
}

static launch flat(launch_kernel kernel, size_t elem_bytes, const launch_limits *limits) {
    return (launch){.kernel = kernel, .elem_bytes = elem_bytes, .block_x = flat_threads(limits), .block_y = 1};
}

static launch launch_copy(const copy_schedule *s, const launch_limits *limits) {
    launch out = flat(LAUNCH_COPY, s->elem_bytes, limits);
    out.arguments[2].u64 = s->n;
    out.arguments[3].u64 = s->rotation.offset;
    out.arguments[4].u32 = s->rotation.reflected;
    return out;
}

static uint64_t indexed_blocks(const indexed_schedule *s, const launch_limits *limits) {
    return launch_moves_rows(s) ? launch_rows_blocks(s, limits)
                                : divide_up(s->map->n, (uint64_t)flat_threads(limits) * limits->moves);
}

static void launch_indexed(pass_kind kind, const indexed_schedule *s, const launch_limits *limits,
                           const void *map, launch *out) {
    if (launch_moves_rows(s)) {
        launch_rows(kind, s, limits, map, out);
        return;
    }
    *out = flat(kind == PASS_SCATTER ? LAUNCH_SCATTER : LAUNCH_GATHER, s->elem_bytes, limits);
    out->arguments[4].u32 = limits->moves;
    out->arguments[2].pointer = map;
    out->arguments[3].u64 = s->map->n;
}

/* A tile a block; a column of it, or every h-th of its elements, a thread. */
static launch launch_transpose(const transpose_schedule *s, const launch_limits *limits) {
    const unsigned w = limits->width, most = limits->block_threads / w;
    launch out = {.kernel = LAUNCH_TRANSPOSE, .elem_bytes = s->elem_bytes, .block_x = w};
    out.block_y = most < w ? most : w;
    out.shared_bytes = (size_t)w * w * s->elem_bytes;
    out.arguments[2].u64 = s->rows;
    out.arguments[3].u64 = s->cols;
    return out;
}

/* A row a block, in whole warps. */
static launch launch_row_wise(const row_wise_schedule *s, const launch_limits *limits,
                              const void *const arrays[LAUNCH_MAX_ARRAYS]) {
    const unsigned most = limits->block_threads / limits->width * limits->width;
    launch out = {.kernel = LAUNCH_ROW_WISE, .elem_bytes = s->elem_bytes, .block_y = 1};
    out.block_x = s->cols < most ? (unsigned)s->cols : most;
    out.shared_bytes = 2 * (size_t)s->cols * s->elem_bytes;
    out.arguments[2].pointer = arrays[0];
    out.arguments[3].pointer = arrays[1];
    out.arguments[4].u32 = (uint32_t)s->cols;
    out.arguments[5].u64 = s->readable;
    out.arguments[6].u64 = s->writable;
    return out;
}

/* A piece a block. */
static launch launch_bucket_tile(const bucket_tile_schedule *s, const launch_limits *limits,
                                 const void *const arrays[LAUNCH_MAX_ARRAYS]) {
    const bool is_first = s->chunk_count == 0;
    launch out = {.kernel = is_first ? LAUNCH_BUCKET_FIRST : LAUNCH_BUCKET_NEXT, .elem_bytes = s->elem_bytes};
    out.block_x = limits->block_threads;
    out.block_y = 1;
    out.shared_bytes = bucket_tile_shared_bytes(s);
    out.arguments[2].pointer = arrays[0];
    if (is_first) {
        out.arguments[3].u64 = s->n;
        out.arguments[4].u32 = s->piece;
    } else {
        out.arguments[3].pointer = arrays[1];
        out.arguments[4].pointer = arrays[2];
        out.arguments[5].u64 = s->n;
        out.arguments[6].u32 = s->piece;
    }
    return out;
}

uint64_t launch_blocks(const pass *p, const launch_limits *limits) {
    switch (p->kind) {
    case PASS_COPY: return divide_up(p->copy.n, flat_threads(limits));
    case PASS_SCATTER:
    case PASS_GATHER: return indexed_blocks(&p->indexed, limits);
    case PASS_TRANSPOSE:
        return divide_up(p->transpose.rows, limits->width) * divide_up(p->transpose.cols, limits->width);
    case PASS_ROW_WISE: return p->row_wise.rows;
    case PASS_BUCKET_TILE: return p->bucket_tile.pieces;
    case PASS_AFFINE_TILE: return p->affine_tile.arrays.count * p->affine_tile.run_blocks;
    case PASS_BMMC: return launch_bmmc_blocks(&p->bmmc.schedule, limits);
    default: return 0; /* a pass that devices have no kernel for */
    }
}

void launch_of_pass(const pass *p, const launch_limits *limits, const void *const arrays[LAUNCH_MAX_ARRAYS],
                    launch *out) {
    switch (p->kind) {
    case PASS_COPY: *out = launch_copy(&p->copy, limits); break;
    case PASS_SCATTER:
    case PASS_GATHER: launch_indexed(p->kind, &p->indexed, limits, arrays[0], out); break;
    case PASS_TRANSPOSE: *out = launch_transpose(&p->transpose, limits); break;
    case PASS_ROW_WISE: *out = launch_row_wise(&p->row_wise, limits, arrays); break;
    case PASS_AFFINE_TILE: launch_affine_tile(&p->affine_tile, out); break;
    case PASS_BUCKET_TILE: *out = launch_bucket_tile(&p->bucket_tile, limits, arrays); break;
    case PASS_BMMC: launch_bmmc(&p->bmmc.schedule, p->bmmc.elem_bytes, limits, out); break;
    default: *out = (launch){.block_x = 1, .block_y = 1}; break; /* the planner gives devices no others */
    }
    out->grid = (unsigned)launch_blocks(p, limits);
}
