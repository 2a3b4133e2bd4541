/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_cuda_permute_in_blocks: the host's side of papers/kernels/in_block.cu.
 */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/cuda_library.h"
#include "move/cuda/engine.h"
#include "papers/schedules/row_wise.h"
#include "riffle/papers.h"

enum { MAX_TABLES = 2 };

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

/* A move, made ready. */
typedef struct in_block_move {
    device gpu;
    riffle_algorithm algorithm;
    size_t elem_bytes;
    unsigned tables, blocks, threads;
    uint32_t n, cells; /* cells: n in whole warps */
    size_t shared_bytes;
    void *dst;
    const void *src;
    uint16_t *table[MAX_TABLES]; /* on the device; the first stands for the allocation */
} in_block_move;

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

static riffle_status upload_tables(const riffle_perm *perm, riffle_algorithm algorithm, unsigned width,
                                   in_block_move *work) {
    if (work->tables == 0) return RIFFLE_OK;
    const size_t bytes = (size_t)work->cells * sizeof(uint16_t), all = (1 + MAX_TABLES) * bytes;
    uint16_t *scratch = malloc(all);
    if (scratch == NULL) return fail_memory("the order of the moves", all);
    uint16_t *tables = scratch + work->cells;
    void *start = NULL;
    riffle_status status = fill_tables(perm, algorithm, work->cells, width, scratch, tables);
    if (status == RIFFLE_OK)
        status = device_bring(&work->gpu, "the order of the moves", tables, work->tables * bytes, &start);
    free(scratch);
    work->table[0] = start;
    work->table[1] = work->tables > 1 ? work->table[0] + work->cells : NULL;
    return status;
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

static void append_move(const in_block_move *w, uint64_t repetitions, launch_list *out) {
    launch *const work = append_kernel(w, repetitions, out);
    work->grid = w->blocks;
    work->block_x = w->threads;
    work->shared_bytes = w->shared_bytes;
    launch_between(work, w->dst, w->src);
}

static riffle_status run(const in_block_move *w, uint64_t repetitions) {
    launch_list list;
    launch_list_begin(&list);
    append_move(w, repetitions, &list);
    return device_run(&w->gpu, "launching the move in blocks", &list, NULL);
}

static riffle_status load(const in_block_move *w) {
    launch_list list;
    launch_list_begin(&list);
    append_move(w, 1, &list);
    return device_load(&w->gpu, "the move in blocks", &list);
}

static riffle_status time_run(const in_block_move *w, uint64_t repetitions, double *seconds) {
    launch_list list;
    riffle_status status = run(w, 1 + repetitions / 16); /* warms up */
    if (status != RIFFLE_OK) return status;
    launch_list_begin(&list);
    append_move(w, repetitions, &list);
    status = cuda_library_loaded()->time(&w->gpu, "moving in blocks", &list, seconds);
    launch_list_free(&list);
    return status;
}

static riffle_status check_arguments(const riffle_perm *perm, size_t elem_bytes, const in_block_kind *kind,
                                     unsigned blocks, uint64_t repetitions, const void *dst, const void *src) {
    if (kind == NULL) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "in blocks there are the algorithms copy, scatter, gather and conflict-free");
    }
    if (elem_bytes != 4 && elem_bytes != 8)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "in blocks elements have 4 or 8 bytes, not %zu", elem_bytes);
    if (blocks == 0 || blocks > LAUNCH_MAX_BLOCKS || repetitions == 0) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "from 1 to %d blocks move arrays once or more",
                    LAUNCH_MAX_BLOCKS);
    }
    if (perm->n > 0 && (dst == NULL || src == NULL))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL", dst == NULL ? "dst" : "src");
    return RIFFLE_OK;
}

/* The launch's shape; its tables come later. */
static riffle_status shape_launch(const riffle_perm *perm, size_t elem_bytes, const in_block_kind *kind,
                                  const plan_target *limits, in_block_move *out) {
    const uint64_t cells = (perm->n + limits->width - 1) / limits->width * limits->width;
    const uint64_t shared_bytes = cells * (2 * elem_bytes + kind->tables * sizeof(uint16_t));
    if (shared_bytes > limits->shared_bytes || cells > ROW_WISE_MAX_COLS) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "arrays of %llu elements of %zu bytes take %llu bytes of a block's shared memory and this "
                    "GPU gives %zu",
                    (unsigned long long)perm->n, elem_bytes, (unsigned long long)shared_bytes,
                    limits->shared_bytes);
    }
    *out = (in_block_move){.algorithm = kind->algorithm,
                           .elem_bytes = elem_bytes,
                           .tables = kind->tables,
                           .threads = cells < limits->block_threads ? (unsigned)cells : limits->block_threads,
                           .n = (uint32_t)perm->n,
                           .cells = (uint32_t)cells,
                           .shared_bytes = (size_t)shared_bytes};
    const riffle_status status = device_of_cuda(&out->gpu);
    return status == RIFFLE_OK ? load(out) : status;
}

riffle_status riffle_cuda_permute_in_blocks(const riffle_perm *perm, size_t elem_bytes,
                                            riffle_algorithm algorithm, unsigned blocks, uint64_t repetitions,
                                            void *dst, const void *src, double *seconds) {
    RETURN_IF_NULL(perm, seconds);
    const in_block_kind *kind = find_kind(algorithm);
    riffle_status status = check_arguments(perm, elem_bytes, kind, blocks, repetitions, dst, src);
    if (status != RIFFLE_OK) return status;
    plan_target limits;
    in_block_move work = {0};
    status = cuda_engine_target(&limits);
    if (status == RIFFLE_OK && perm->n == 0) {
        *seconds = 0;
        return RIFFLE_OK;
    }
    if (status == RIFFLE_OK) status = shape_launch(perm, elem_bytes, kind, &limits, &work);
    if (status != RIFFLE_OK) return status;
    work.dst = dst;
    work.src = src;
    work.blocks = blocks;
    status = upload_tables(perm, algorithm, limits.width, &work);
    if (status == RIFFLE_OK) status = time_run(&work, repetitions, seconds);
    work.gpu.ops->release(&work.gpu, work.table[0]);
    return status;
}
