/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"
#include "move/gpu/rows.h"

static void release(pass *p) {
    riffle_perm_free(p->indexed.map);
    riffle_perm_free(p->indexed.of);
}

static void arrays(const pass *p, launch_array *out) {
    const riffle_perm *const map = p->indexed.map;
    out[0] = (launch_array){"map", map->table.entries, (size_t)map->n * map->table.entry_bytes};
}

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    if (launch_moves_rows(&p->indexed)) return launch_rows_blocks(&p->indexed, limits);
    const uint64_t each = (uint64_t)launch_flat_threads(limits) * limits->moves;
    return (p->indexed.map->n + each - 1) / each;
}

static void fill(const pass *p, const launch_limits *limits, const void *const *maps, launch_list *out) {
    if (launch_moves_rows(&p->indexed)) {
        launch_rows(p, limits, maps[0], out);
        return;
    }
    const map_kernel *const kernel = p->kind == &PASS_SCATTER ? &KERNEL_scatter : &KERNEL_gather;
    const struct map_arguments arguments = {maps[0], p->indexed.map->n, limits->moves};
    append_map(out, kernel, p->indexed.elem_bytes, &arguments)->block_x = launch_flat_threads(limits);
}

static size_t alignment(const pass *p) { return launch_unit_bytes(p->indexed.elem_bytes); }

const pass_kind PASS_SCATTER = {.name = "scatter",
                                .free = release,
                                .run = cpu_scatter,
                                .arrays = arrays,
                                .blocks = blocks,
                                .launch = fill,
                                .alignment = alignment,
                                .predict = pass_predict};

const pass_kind PASS_GATHER = {.name = "gather",
                               .free = release,
                               .run = cpu_gather,
                               .arrays = arrays,
                               .blocks = blocks,
                               .launch = fill,
                               .alignment = alignment,
                               .predict = pass_predict};
