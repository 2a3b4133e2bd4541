/* SPDX-License-Identifier: Apache-2.0 */
#include "group/gpu/launches.h"

#include "base/arithmetic.h"
#include "base/reciprocal.h"
#include "check/check.h"
#include "check/kernels/block.h"
#include "device/kernels/lanes.h"
#include "device/workspace.h"
#include "group/kernels/kernel.h"

enum {
    COUNT_WAVES = 2,    /* chunks of tiles for each block that counts at a time */
    WIDE_CHUNKS = 32,   /* chunks of a multiprocessor, at most */
    LEAST_CHUNK = 256,  /* entries of a chunk whose places are found */
    GROUPS_A_CHUNK = 2, /* a chunk has an entry for so many groups: counts take 8 bytes an entry at most */
};

/* Rows are short and lie one behind the other, and that is all that is asked for. */
static bool is_dense(const riffle_group_plan *plan) {
    return group_rows_are_short(plan) && plan->columns == 1 && plan->index_bytes == 0 &&
           plan->check != RIFFLE_CHECK_FULL && plan->multiple == 1 && plan->capacity == UINT64_MAX;
}

/* Entries of a tile of the first short column; 0: there is none. */
static uint32_t tile_of(const riffle_group_plan *plan) {
    for (unsigned k = 0; k < plan->columns; k++)
        if (group_is_short(group_column_bytes(plan, k)))
            return group_tile_entries((uint32_t)group_column_bytes(plan, k));
    return 0;
}

static bool goes_by_tiles(uint32_t tile, size_t row_bytes) {
    return tile > 0 && group_is_short(row_bytes) && group_tile_entries((uint32_t)row_bytes) == tile;
}

static bool any_goes_along_places(const riffle_group_plan *plan, uint32_t tile) {
    for (unsigned k = 0; k < plan->columns; k++)
        if (group_column_bytes(plan, k) > 0 && !goes_by_tiles(tile, group_column_bytes(plan, k))) return true;
    return false;
}

static group_way way_of(const riffle_group_plan *plan) {
    const uint32_t tile = tile_of(plan);
    const bool are_few = plan->entries <= group_tile_entries(0);
    if (plan->rule.groups > GROUP_STAGED_GROUPS) return is_dense(plan) ? GROUP_TWICE : GROUP_WIDE;
    if (are_few && (tile == 0 || any_goes_along_places(plan, tile))) return GROUP_ONE;
    return tile > 0 ? GROUP_STAGED : GROUP_WIDE;
}

static size_t tiles_of(const riffle_group_plan *plan, uint32_t tile) {
    return (size_t)ceil_div(plan->entries, (uint64_t)tile);
}

/* A staged chunk is a number of tiles. */
static uint64_t staged_chunk(const riffle_group_plan *plan, uint64_t tile, unsigned multiprocessors) {
    const uint64_t most = (uint64_t)multiprocessors * GROUP_COUNT_BLOCKS * COUNT_WAVES;
    return ceil_div(ceil_div(plan->entries, tile), most) * tile;
}

static uint64_t wide_chunk(const riffle_group_plan *plan, unsigned multiprocessors) {
    const uint64_t few = ceil_div(plan->entries, (uint64_t)multiprocessors * WIDE_CHUNKS);
    const uint64_t least = max((uint64_t)plan->rule.groups / GROUPS_A_CHUNK, (uint64_t)LEAST_CHUNK);
    return round_up(max(few, least), (uint64_t)LEAST_CHUNK);
}

/* Columns of a pass: where each begins, and where it ends. */
enum { PASS_LONGS = 2 * GROUP_LOW + 1 };

group_layout group_lay_out(const riffle_group_plan *plan, unsigned multiprocessors) {
    group_layout out = {.way = way_of(plan), .columns = plan->rule.groups};
    const bool is_twice = out.way == GROUP_TWICE, is_tiled = is_twice || out.way == GROUP_STAGED;
    const size_t groups = plan->rule.groups, words = sizeof(uint32_t), longs = sizeof(uint64_t);
    if (plan->entries == 0) return out;
    if (is_tiled) out.tile_entries = tile_of(plan);
    out.has_places = plan->index_bytes == 0 &&
                     (plan->check == RIFFLE_CHECK_FULL || any_goes_along_places(plan, out.tile_entries));
    out.chunk_entries =
        is_tiled ? staged_chunk(plan, out.tile_entries, multiprocessors) : wide_chunk(plan, multiprocessors);
    if (is_twice) out.columns = GROUP_LOW;
    out.chunks = (uint32_t)ceil_div(plan->entries, out.chunk_entries);
    out.stride = round_up(out.columns + 1, (uint32_t)GROUP_LINE);
    out.counts = launch_lay(&out.bytes, (size_t)out.chunks * out.stride * words);
    out.tiles = launch_lay(&out.bytes, is_tiled ? tiles_of(plan, out.tile_entries) * out.stride * words : 0);
    out.totals = launch_lay(&out.bytes, out.stride * words);
    out.first = launch_lay(&out.bytes, (groups + 1) * longs);
    out.end = launch_lay(&out.bytes, groups * longs);
    out.places = launch_lay(&out.bytes, out.has_places ? (size_t)plan->entries * words : 0);
    out.passes = launch_lay(&out.bytes, is_twice ? 2 * PASS_LONGS * longs : 0);
    out.rows = launch_lay(&out.bytes, is_twice ? (size_t)plan->entries * plan->row_bytes : 0);
    out.names = launch_lay(&out.bytes, is_twice ? (size_t)plan->entries * sizeof(uint16_t) : 0);
    out.record = launch_lay(&out.bytes,
                            plan->check != RIFFLE_CHECK_NONE ? plan->columns * (size_t)CHECK_RECORD_BYTES : 0);
    return out;
}

/* --------------------------------------------------------------------- launches */

typedef struct launches {
    const riffle_group_plan *plan;
    const riffle_group_arrays *arrays;
    group_layout layout;
    group_table table;
    void *workspace;
    launch_list *out;
} launches;

static uint32_t bits_of(uint32_t groups) {
    uint32_t bits = 0;
    while (bits < 17 && (uint32_t)1 << bits < groups) bits++;
    return bits;
}

static group_table table_of(const riffle_group_plan *plan, const riffle_group_arrays *arrays,
                            const group_layout *layout, char *workspace) {
    group_table t = {.rule = plan->rule,
                     .key_bytes = (uint32_t)riffle_type_bytes(plan->key_type),
                     .keys_are_signed = plan->rule.bias != 0,
                     .columns = layout->columns,
                     .column_mask = layout->way == GROUP_TWICE ? GROUP_LOW - 1 : UINT32_MAX,
                     .bits = bits_of(layout->columns),
                     .stride = layout->stride,
                     .chunks = layout->chunks,
                     .tile_entries = layout->tile_entries,
                     .index_bytes = (uint32_t)(layout->has_places ? sizeof(uint32_t) : plan->index_bytes),
                     .keys_per_row = (uint32_t)plan->keys_per_row,
                     .entries = plan->entries,
                     .chunk_entries = layout->chunk_entries,
                     .multiple = plan->multiple,
                     .capacity = plan->capacity,
                     .keys = arrays->keys,
                     .counts = (uint32_t *)(void *)(workspace + layout->counts),
                     .tiles = (uint32_t *)(void *)(workspace + layout->tiles),
                     .totals = (uint32_t *)(void *)(workspace + layout->totals),
                     .first = (uint64_t *)(void *)(workspace + layout->first),
                     .end = (uint64_t *)(void *)(workspace + layout->end),
                     .places = layout->has_places ? workspace + layout->places : arrays->places,
                     .offsets = arrays->offsets,
                     .kept = arrays->counts,
                     .left_out = arrays->left_out};
    if (t.tile_entries > 0) t.chunk_tiles = (uint32_t)ceil_div(t.chunk_entries, (uint64_t)t.tile_entries);
    t.row_reciprocal = reciprocal_of(plan->keys_per_row, &t.row_shift);
    return t;
}

static void add_without_rows(const launches *l, const group_kernel *kernel, uint64_t grid, unsigned threads,
                             size_t shared_bytes) {
    const struct group_arguments arguments = {l->table};
    launch *const work = append_group(l->out, kernel, sizeof(uint32_t), &arguments);
    launch_set(work, (unsigned)grid, threads, shared_bytes, NULL, NULL);
}

static void add_offsets(const launches *l) {
    add_without_rows(l, &KERNEL_group_scan, l->table.stride / GROUP_LINE, GROUP_SCAN_THREADS,
                     GROUP_SCAN_THREADS * sizeof(uint32_t));
    add_without_rows(l, &KERNEL_group_offsets, 1, GROUP_SCAN_THREADS, GROUP_SCAN_WARPS * sizeof(uint64_t));
}

/* Two groups a word, and one for entries outside. */
static size_t cells_bytes(size_t groups) { return (groups / 2 + 1) * GROUP_WARPS * sizeof(uint32_t); }

static size_t tile_bytes(const group_layout *layout, size_t row_bytes) {
    const size_t groups = layout->columns, cells = cells_bytes(groups), entries = layout->tile_entries,
                 order = entries * sizeof(uint32_t);
    return entries * row_bytes + GROUP_WARPS * sizeof(uint32_t) + groups * sizeof(group_span) +
           (cells > order ? cells : order);
}

static void add_counts(const launches *l) {
    add_without_rows(l, &KERNEL_group_count, l->layout.chunks, GROUP_THREADS,
                     l->layout.stride * sizeof(uint32_t));
    add_offsets(l);
}

static void set_tiles(const launches *l, launch *work, const group_column *c) {
    launch_set(work, (unsigned)tiles_of(l->plan, l->layout.tile_entries), GROUP_THREADS,
               tile_bytes(&l->layout, c->row_bytes), c->rows, c->from_rows);
}

static void add_move(const launches *l, const group_column *c) {
    const struct group_arguments arguments = {l->table};
    const group_kernel *const kernel =
        l->table.compared != NULL ? &KERNEL_group_summed_move : &KERNEL_group_move;
    set_tiles(l, append_group(l->out, kernel, c->row_bytes, &arguments), c);
}

/* The first pass's results, which are the second one's rows and keys. */
static void add_low(const launches *l, void *rows, uint16_t *names) {
    const struct group_low_arguments arguments = {l->table, names};
    const group_low_kernel *const kernel =
        l->table.compared != NULL ? &KERNEL_group_summed_low : &KERNEL_group_low;
    add_counts(l);
    set_tiles(l, append_group_low(l->out, kernel, l->plan->row_bytes, &arguments),
              &(group_column){l->plan->row_bytes, rows, l->arrays->from_rows});
}

/* The second pass has counted. */
static void add_begins(const launches *l, const uint64_t *low_first) {
    launches told = *l;
    uint64_t *const begins = told.table.first = (uint64_t *)(void *)((char *)l->workspace + l->layout.first);
    const struct group_begin_arguments arguments = {l->table, low_first, begins, l->plan->rule.groups};
    told.table.offsets = l->arrays->offsets;
    told.table.kept = l->arrays->counts;
    told.table.rule = l->plan->rule;
    if (told.table.offsets == NULL && told.table.kept == NULL) return;
    launch *const work = append_group_begin(l->out, &KERNEL_group_begin, sizeof(uint32_t), &arguments);
    launch_set(work, GROUP_LOW, GROUP_LOW, GROUP_LOW * sizeof(uint32_t), NULL, NULL);
    add_without_rows(&told, &KERNEL_group_tell,
                     ceil_div(l->plan->rule.groups + (uint32_t)1, (uint32_t)GROUP_FEW_THREADS),
                     GROUP_FEW_THREADS, 0);
}

static void add_twice(const launches *l) {
    char *const workspace = l->workspace;
    void *const rows = workspace + l->layout.rows;
    uint16_t *const names = (uint16_t *)(void *)(workspace + l->layout.names);
    uint64_t *const low_first = (uint64_t *)(void *)(workspace + l->layout.passes);
    launches pass = *l;
    pass.table.offsets = pass.table.kept = NULL;
    pass.table.first = low_first;
    pass.table.end = low_first + GROUP_LOW + 1;
    if (l->plan->check == RIFFLE_CHECK_PASSES) {
        pass.table.compared = (check_record *)(void *)(workspace + group_record(&l->layout, 0));
        check_append_begin(pass.table.compared, l->out);
    }
    add_low(&pass, rows, names);
    pass.table.rule = (group_rule){.groups = GROUP_LOW, .by = RIFFLE_GROUP_BY_TOP, .shift = 48};
    pass.table.column_mask = UINT32_MAX;
    pass.table.key_bytes = sizeof *names;
    pass.table.keys_are_signed = false;
    pass.table.keys = names;
    pass.table.keys_per_row = 1;
    pass.table.count = low_first + GROUP_LOW;
    pass.table.left_out = NULL;
    pass.table.first = low_first + PASS_LONGS;
    pass.table.end = pass.table.first + GROUP_LOW + 1;
    add_counts(&pass);
    add_begins(&pass, low_first);
    add_move(&pass, &(group_column){l->plan->row_bytes, l->arrays->rows, rows});
}

static void add_rows(const launches *l, const group_column *c) {
    const riffle_group_plan *const plan = l->plan;
    const size_t unit = array_alignment(c->row_bytes);
    if (c->row_bytes == 0) return;
    const uint64_t units = c->row_bytes / unit;
    struct group_rows_arguments arguments = {.table = {.parts = plan->n * units,
                                                       .row_parts = units,
                                                       .row_bytes = c->row_bytes,
                                                       .entry_bytes = l->table.index_bytes},
                                             .places = l->table.places,
                                             .keys_per_row = (uint32_t)plan->keys_per_row};
    arguments.table.reciprocal = reciprocal_of(units, &arguments.table.shift);
    launch *const work = append_group_rows(l->out, &KERNEL_group_rows, unit, &arguments);
    const uint64_t grid = ceil_div(arguments.table.parts, (uint64_t)GROUP_ROW_THREADS * GROUP_ROW_MOVES);
    launch_set(work, (unsigned)grid, GROUP_ROW_THREADS, 0, c->rows, c->from_rows);
}

/* Columns that no tiles move, once there are places. */
static void add_columns(const launches *l) {
    for (unsigned k = 0; k < l->plan->columns; k++) {
        const group_column c = group_column_at(l->plan, l->arrays, k);
        if (!goes_by_tiles(l->layout.tile_entries, c.row_bytes)) add_rows(l, &c);
    }
}

/* The first column that goes by tiles gives places, where there are any. */
static void add_staged(const launches *l) {
    launches next = *l;
    add_counts(l);
    for (unsigned k = 0; k < l->plan->columns; k++) {
        const group_column c = group_column_at(l->plan, l->arrays, k);
        if (!goes_by_tiles(l->layout.tile_entries, c.row_bytes)) continue;
        add_move(&next, &c);
        next.table.index_bytes = 0;
    }
    add_columns(l);
}

static void add_one(const launches *l) {
    const size_t groups = l->plan->rule.groups, even = (groups + 3) / 4 * 4;
    const size_t bytes =
        GROUP_WARPS * (sizeof(uint64_t) + sizeof(uint32_t)) + 2 * even * sizeof(uint32_t) + cells_bytes(groups);
    add_without_rows(l, &KERNEL_group_one, 1, GROUP_THREADS, bytes);
    add_columns(l);
}

static void add_wide(const launches *l) {
    launch_append_fill(l->out, l->table.counts, 0,
                       (size_t)l->layout.chunks * l->layout.stride * sizeof(uint32_t));
    add_without_rows(l, &KERNEL_group_count_wide, l->layout.chunks, GROUP_FEW_THREADS, 0);
    add_offsets(l);
    if (l->table.index_bytes > 0)
        add_without_rows(l, &KERNEL_group_places, ceil_div(l->layout.chunks, (uint32_t)GROUP_PLACE_WARPS),
                         GROUP_PLACE_WARPS * WARP_LANES, 0);
    add_columns(l);
}

static void add_padding(const launches *l) {
    for (unsigned k = 0; l->plan->multiple > 1 && k < l->plan->columns; k++) {
        const group_column c = group_column_at(l->plan, l->arrays, k);
        if (c.row_bytes == 0) continue;
        const size_t unit = array_alignment(c.row_bytes);
        const struct group_pad_arguments arguments = {l->table, c.row_bytes / unit};
        launch *const work = append_group_pad(l->out, &KERNEL_group_pad, unit, &arguments);
        launch_set(work, ceil_div(l->plan->rule.groups, (uint32_t)(GROUP_ROW_THREADS / WARP_LANES)),
                   GROUP_ROW_THREADS, 0, c.rows, NULL);
    }
}

static void add_nothing(const launches *l) {
    const size_t word = sizeof(uint64_t), groups = l->plan->rule.groups;
    if (l->arrays->offsets != NULL) launch_append_fill(l->out, l->arrays->offsets, 0, (groups + 1) * word);
    if (l->arrays->counts != NULL) launch_append_fill(l->out, l->arrays->counts, 0, groups * word);
    if (l->arrays->left_out != NULL) launch_append_fill(l->out, l->arrays->left_out, 0, GROUP_LEFT_OUTS * word);
}

/* Adds up a column as it was read, and as it was written. */
static void add_sums(const riffle_group_plan *plan, const group_table *table, const group_column *c,
                     void *record, launch_list *out) {
    const check_there read = {.rows = c->from_rows,
                              .row_bytes = c->row_bytes,
                              .n = plan->n,
                              .arrays = 1,
                              .places = table->places,
                              .most_places = plan->room,
                              .index_bytes = table->index_bytes,
                              .keys_per_row = table->keys_per_row,
                              .may_be_nowhere = true},
                      written = {.rows = c->rows,
                                 .row_bytes = c->row_bytes,
                                 .n = plan->room,
                                 .arrays = 1,
                                 .count = table->first + plan->rule.groups};
    check_append_read(&read, record, out);
    check_append_written(&written, record, out);
}

/* The first record has places, offsets and counts, too. */
void group_append_check(const riffle_group_plan *plan, const riffle_group_arrays *arrays, void *workspace,
                        launch_list *out) {
    const group_layout layout = group_lay_out(plan, plan->multiprocessors);
    const group_table table = table_of(plan, arrays, &layout, workspace);
    char *const at = workspace;
    const struct group_check_arguments arguments = {table, (check_record *)(void *)(at + layout.record)};
    for (unsigned k = 0; k < plan->columns; k++) check_append_begin(at + group_record(&layout, k), out);
    launch *const places = append_group_check(out, &KERNEL_group_check_places, sizeof(uint32_t), &arguments);
    launch_set(places, (unsigned)ceil_div(plan->entries, (uint64_t)GROUP_CHECK_THREADS * GROUP_CHECK_EACH),
               GROUP_CHECK_THREADS, sizeof(check_block), NULL, NULL);
    launch *const offsets = append_group_check(out, &KERNEL_group_check_offsets, sizeof(uint32_t), &arguments);
    launch_set(offsets, ceil_div(plan->rule.groups, (uint32_t)GROUP_CHECK_THREADS), GROUP_CHECK_THREADS,
               sizeof(check_block), NULL, NULL);
    for (unsigned k = 0; k < plan->columns; k++) {
        const group_column c = group_column_at(plan, arrays, k);
        add_sums(plan, &table, &c, at + group_record(&layout, k), out);
    }
}

void group_append(const riffle_group_plan *plan, const riffle_group_arrays *arrays, void *workspace,
                  launch_list *out) {
    launches l = {.plan = plan,
                  .arrays = arrays,
                  .layout = group_lay_out(plan, plan->multiprocessors),
                  .workspace = workspace,
                  .out = out};
    if (plan->entries == 0) {
        add_nothing(&l);
        return;
    }
    l.table = table_of(plan, arrays, &l.layout, workspace);
    if (l.layout.way == GROUP_STAGED)
        add_staged(&l);
    else if (l.layout.way == GROUP_TWICE)
        add_twice(&l);
    else if (l.layout.way == GROUP_ONE)
        add_one(&l);
    else
        add_wide(&l);
    add_padding(&l);
    if (plan->check == RIFFLE_CHECK_FULL) group_append_check(plan, arrays, workspace, out);
}
