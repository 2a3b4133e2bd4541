/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of papers/kernels/in_block.cu.
 */
#include "papers/dmm/in_block.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/status.h"
#include "move/gpu/launch.h"
#include "papers/schedules/row_wise.h"
#include "perm/perm.h"

/* The tables that an algorithm needs beside the arrays. */
typedef struct in_block_kind {
    riffle_algorithm algorithm;
    unsigned tables;
} in_block_kind;

static const in_block_kind kinds[] = {
    {RIFFLE_ALGORITHM_COPY, 0},
    {RIFFLE_ALGORITHM_SCATTER, 1},
    {RIFFLE_ALGORITHM_GATHER, 1},
    {RIFFLE_ALGORITHM_CONFLICT_FREE, 2},
};

static const in_block_kind *find_kind(riffle_algorithm algorithm) {
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (kinds[k].algorithm == algorithm) return &kinds[k];
    return NULL;
}

/* P, the padding staying where it is. */
static riffle_status map_cells(const riffle_perm *perm, uint32_t cells, uint16_t *to) {
    for (uint32_t i = 0; i < cells; i++) {
        uint64_t value = i;
        const riffle_status status = i < perm->n ? riffle_perm_map(perm, i, 1, &value) : RIFFLE_OK;
        if (status != RIFFLE_OK) return status;
        to[i] = (uint16_t)value;
    }
    return RIFFLE_OK;
}

static riffle_status order_moves(const uint16_t *to, uint32_t cells, unsigned width, uint16_t *tables) {
    row_wise_schedule schedule;
    const riffle_status status = row_wise_plan(1, cells, to, width, 1, &schedule);
    if (status != RIFFLE_OK) return status;
    memcpy(tables, schedule.s, cells * sizeof *tables);
    memcpy(tables + cells, schedule.d, cells * sizeof *tables);
    row_wise_free(&schedule);
    return RIFFLE_OK;
}

/* p, q, or s and then d; `to` is scratch of `cells` entries. */
static riffle_status fill_tables(const riffle_perm *perm, riffle_algorithm algorithm, uint32_t cells,
                                 unsigned width, uint16_t *to, uint16_t *tables) {
    const riffle_status status = map_cells(perm, cells, to);
    if (status != RIFFLE_OK) return status;
    switch (algorithm) {
    case RIFFLE_ALGORITHM_SCATTER: memcpy(tables, to, cells * sizeof *to); return RIFFLE_OK;
    case RIFFLE_ALGORITHM_GATHER:
        for (uint32_t i = 0; i < cells; i++) tables[to[i]] = (uint16_t)i;
        return RIFFLE_OK;
    default: return order_moves(to, cells, width, tables);
    }
}

riffle_status in_block_bring(const riffle_perm *perm, unsigned width, in_block_move *work) {
    if (work->tables == 0) return RIFFLE_OK;
    const size_t bytes = (size_t)work->cells * sizeof(uint16_t), all = (1 + IN_BLOCK_TABLES) * bytes;
    uint16_t *const tables = malloc(all); /* and scratch behind them */
    if (tables == NULL) return fail_memory("the order of the moves", all);
    work->host[0] = tables;
    work->host[1] = tables + work->cells;
    void *start = NULL;
    riffle_status status = fill_tables(perm, work->algorithm, work->cells, width,
                                       tables + IN_BLOCK_TABLES * (size_t)work->cells, tables);
    if (status == RIFFLE_OK)
        status = device_bring(&work->on, "the order of the moves", tables, work->tables * bytes, &start);
    work->table[0] = start;
    work->table[1] = work->tables > 1 && start != NULL ? work->table[0] + work->cells : NULL;
    return status;
}

void in_block_end(in_block_move *work) {
    if (work->table[0] != NULL) work->on.ops->release(&work->on, work->table[0]);
    free(work->host[0]);
}

static launch *append_kernel(const in_block_move *w, uint64_t repetitions, launch_list *out) {
    const struct map_in_block_arguments map = {w->table[0], w->n, w->cells, repetitions};
    const struct order_in_block_arguments order = {w->table[0], w->table[1], w->n, w->cells, repetitions};
    const struct copy_in_block_arguments copy = {w->n, w->cells, repetitions};
    switch (w->algorithm) {
    case RIFFLE_ALGORITHM_SCATTER:
        return append_map_in_block(out, &KERNEL_scatter_in_block, w->elem_bytes, &map);
    case RIFFLE_ALGORITHM_GATHER: return append_map_in_block(out, &KERNEL_gather_in_block, w->elem_bytes, &map);
    case RIFFLE_ALGORITHM_CONFLICT_FREE:
        return append_order_in_block(out, &KERNEL_conflict_free_in_block, w->elem_bytes, &order);
    default: return append_copy_in_block(out, &KERNEL_copy_in_block, w->elem_bytes, &copy);
    }
}

void in_block_append(const in_block_move *w, uint64_t repetitions, launch_list *out) {
    launch *const work = append_kernel(w, repetitions, out);
    work->grid = w->blocks;
    work->block_x = w->threads;
    work->shared_bytes = w->shared_bytes;
    launch_between(work, w->dst, w->src);
}

riffle_status in_block_check(riffle_algorithm algorithm, size_t elem_bytes, unsigned blocks) {
    if (find_kind(algorithm) == NULL) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "in blocks there are the algorithms copy, scatter, gather and conflict-free");
    }
    if (elem_bytes != 4 && elem_bytes != 8)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "in blocks elements have 4 or 8 bytes, not %zu", elem_bytes);
    if (blocks == 0 || blocks > LAUNCH_MAX_BLOCKS) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "from 1 to %d blocks move arrays, not %u", LAUNCH_MAX_BLOCKS,
                    blocks);
    }
    return RIFFLE_OK;
}

riffle_status in_block_shape(const riffle_perm *perm, size_t elem_bytes, riffle_algorithm algorithm,
                             const device *on, const device_limits *limits, in_block_move *out) {
    const unsigned tables = find_kind(algorithm)->tables;
    const uint64_t cells = ceil_div(perm->n, (uint64_t)limits->width) * limits->width;
    const uint64_t shared_bytes = cells * (2 * elem_bytes + tables * sizeof(uint16_t));
    if (cells > ROW_WISE_MAX_COLS || shared_bytes > limits->shared_bytes) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "arrays of %llu elements of %zu bytes take %llu bytes of a block's shared memory, of which "
                    "there are %zu",
                    (unsigned long long)perm->n, elem_bytes, (unsigned long long)shared_bytes,
                    limits->shared_bytes);
    }
    *out = (in_block_move){.on = *on,
                           .algorithm = algorithm,
                           .elem_bytes = elem_bytes,
                           .tables = tables,
                           .threads = (unsigned)min(cells, (uint64_t)limits->block_threads),
                           .n = (uint32_t)perm->n,
                           .cells = (uint32_t)cells,
                           .shared_bytes = (size_t)shared_bytes};
    return RIFFLE_OK;
}
