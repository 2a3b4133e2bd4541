/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of what moves tiles, of what does all of few entries, and of what finds places (group/kernels/group_move.cu, group_low.cu,
 * group_one.cu, group_places.cu).
 */
#include "base/arithmetic.h"
#include "check/predict.h"
#include "group/predict/patterns.h"
#include "group/predict/tile.h"

/* ------------------------------------------------------------------ tiles moved */

enum {
    ROW = GROUP_TILE_SITES,
    ROW_STAGED,
    SPAN_FIRST,
    SPAN_COUNT,
    SPAN_TILE,
    SPAN_END,
    SPAN_SET,
    PLACE_SPAN, /* its two words */
    PLACE_SET = PLACE_SPAN + 2,
    ORDERED,
    SENT, /* some at once, and one */
    SENT_SITES = 6,
    ENTRIES = SENT + 2 * SENT_SITES,
    SUMMED, /* a row that is read again, and the block's sums */
    SUMS,
    MOVE_SITES = SUMS + CHECK_BLOCK_SITES
};
enum {
    NAMED,
    SPAN,
    FROM = SPAN + 2,
    TO,
    NAME,
    /* sites of what is sent: a span has two words */ SEND_AT_ONCE = 4
};

_Static_assert((int)MOVE_SITES <= (int)PATTERN_SITES, "a pattern has sites enough");

/* A block's tile, and where its parts lie in shared memory: rows first. */
typedef struct mover {
    group_view *v;
    group_entries e;
    group_tile_order tile;
    uint64_t spans, order, row_bytes;
    const uint16_t *names; /* where the entries' go, too; NULL: nobody wants them */
} mover;

static void declare_move(group_view *v) {
    static const pattern_declaration all[] = {
        {SPAN_FIRST, PATTERN_GLOBAL, PATTERN_READ, 8},     {SPAN_COUNT, PATTERN_GLOBAL, PATTERN_READ, 4},
        {SPAN_TILE, PATTERN_GLOBAL, PATTERN_READ, 4},      {SPAN_END, PATTERN_GLOBAL, PATTERN_READ, 8},
        {SPAN_SET, PATTERN_SHARED, PATTERN_WRITE, 8},      {PLACE_SPAN, PATTERN_SHARED, PATTERN_READ, 4},
        {PLACE_SPAN + 1, PATTERN_SHARED, PATTERN_READ, 4}, {ORDERED, PATTERN_SHARED, PATTERN_WRITE, 4}};
    const size_t row = v->work->elem_bytes;
    pattern_declare_all(v->out, all, sizeof all / sizeof *all);
    pattern_declare(v->out, ROW, PATTERN_GLOBAL, PATTERN_READ, row);
    pattern_declare(v->out, ROW_STAGED, PATTERN_SHARED, PATTERN_WRITE, row);
    for (unsigned k = 0; k < 2; k++) {
        const unsigned site = SENT + k * SENT_SITES;
        pattern_declare(v->out, site + NAMED, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
        for (unsigned word = 0; word < 2; word++)
            pattern_declare(v->out, site + SPAN + word, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
        pattern_declare(v->out, site + FROM, PATTERN_SHARED, PATTERN_READ, row);
        pattern_declare(v->out, site + TO, PATTERN_GLOBAL, PATTERN_WRITE, row);
        pattern_declare(v->out, site + NAME, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint16_t));
    }
    group_places_declare(v, PLACE_SET, PATTERN_WRITE);
    group_count_declare(v, ENTRIES);
    pattern_declare(v->out, SUMMED, PATTERN_SHARED, PATTERN_READ, row);
    check_declare_block(v->out, SUMS);
    group_tile_declare(v, 0);
}

static uint64_t span_at(const mover *m, uint32_t group) { return m->spans + group * sizeof(group_span); }

/* Where a warp's groups go, two of each lane. */
static void find_spans(mover *m, unsigned warp, uint64_t block) {
    group_view *const v = m->v;
    const group_table *const t = &v->table;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint32_t group = 2 * (warp * WARP_LANES + lane) + i;
            tape_lane(&v->on, warp);
            if (group >= t->columns) continue;
            tape_note(&v->on, SPAN_FIRST, group_cell(t->first, group, sizeof(uint64_t)));
            tape_note(&v->on, SPAN_COUNT,
                      group_cell(t->counts, block / t->chunk_tiles * t->stride + group, sizeof(uint32_t)));
            tape_note(&v->on, SPAN_TILE, group_cell(t->tiles, block * t->stride + group, sizeof(uint32_t)));
            tape_note(&v->on, SPAN_END, group_cell(t->end, group, sizeof(uint64_t)));
            tape_note(&v->on, SPAN_SET, span_at(m, group));
        }
        tape_meet(&v->on);
    }
}

/* An entry's row comes, its place goes, and its number has a name. */
static void stage(mover *m, uint64_t k) {
    group_view *const v = m->v;
    tape *const on = &v->on;
    const uint64_t row = (m->e.first + k) / v->table.keys_per_row;
    const bool is_in = m->e.group[k] < v->table.columns;
    tape_note(on, ROW, group_cell(v->work->from, row, m->row_bytes));
    tape_note(on, ROW_STAGED, k * m->row_bytes);
    group_note_place(v, PLACE_SET, m->e.first + k);
    for (unsigned word = 0; is_in && v->table.index_bytes > 0 && word < 2; word++)
        tape_note(on, PLACE_SPAN + word, span_at(m, m->e.group[k]) + word * sizeof(uint32_t));
    if (is_in) tape_note(on, ORDERED, m->order + m->tile.number[k] * sizeof(uint32_t));
    if (v->table.compared != NULL && m->names == NULL) tape_note(on, SUMMED, k * m->row_bytes);
}

static void stage_all(mover *m, unsigned warp) {
    for (uint32_t i = 0; i < m->tile.items; i++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint64_t k = group_tile_entry(&m->tile, warp, lane, i);
            tape_lane(&m->v->on, warp);
            if (k < m->e.count) stage(m, k);
        }
        tape_meet(&m->v->on);
    }
}

/* The entry of a number goes out. One that is sent alone is not read where it has no place. */
static void send(mover *m, unsigned site, uint64_t number) {
    group_view *const v = m->v;
    const uint64_t k = m->tile.ordered[number];
    const uint32_t group = m->e.group[k];
    tape_note(&v->on, site + NAMED, m->order + number * sizeof(uint32_t));
    for (unsigned word = 0; word < 2; word++)
        tape_note(&v->on, site + SPAN + word, span_at(m, group) + word * sizeof(uint32_t));
    const bool is_kept = group_is_kept(v->subject, v->pass, group, m->e.place[k]);
    if (is_kept || site == SENT) tape_note(&v->on, site + FROM, k * m->row_bytes);
    if (is_kept) tape_note(&v->on, site + TO, group_cell(v->work->to, m->e.place[k], m->row_bytes));
    if (is_kept && m->names != NULL)
        tape_note(&v->on, site + NAME, group_cell(m->names, m->e.place[k], sizeof(uint16_t)));
}

/* Lanes send some at once as long as they have so many, and then one at a time. */
static void send_all(mover *m, unsigned warp) {
    const uint64_t first = warp * WARP_LANES, count = m->tile.count,
                   once = (uint64_t)SEND_AT_ONCE * GROUP_THREADS, last = once - GROUP_THREADS;
    for (uint64_t turn = 0; first + turn * GROUP_THREADS < count; turn++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint64_t k = first + lane + turn * GROUP_THREADS;
            tape_lane(&m->v->on, warp);
            if (first + lane + turn / SEND_AT_ONCE * once + last < count) send(m, SENT, k);
        }
        tape_meet(&m->v->on);
    }
    for (uint64_t turn = 0; turn < SEND_AT_ONCE; turn++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            uint64_t k = first + lane;
            tape_lane(&m->v->on, warp);
            while (k + last < count) k += once;
            if (k + turn * GROUP_THREADS < count) send(m, SENT + SENT_SITES, k + turn * GROUP_THREADS);
        }
        tape_meet(&m->v->on);
    }
}

static riffle_status move_named(group_view *v, uint64_t block, const uint16_t *names) {
    const uint64_t entries = v->table.tile_entries;
    mover m = {.v = v, .row_bytes = v->work->elem_bytes, .names = names};
    m.tile.items = v->table.tile_entries / GROUP_THREADS;
    m.tile.sums = entries * m.row_bytes;
    m.spans = m.tile.sums + GROUP_WARPS * sizeof(uint32_t);
    m.order = m.tile.cells = m.spans + v->table.columns * sizeof(group_span);
    const riffle_status status =
        group_entries_of(v->subject, v->pass, block * entries, (block + 1) * entries, &m.e);
    if (status != RIFFLE_OK) return status;
    group_note_tile(v, 0, &m.e, &m.tile);
    for (unsigned warp = 0; warp < GROUP_WARPS; warp++) {
        group_note_count(v, warp, ENTRIES);
        find_spans(&m, warp, block);
        stage_all(&m, warp);
        send_all(&m, warp);
    }
    for (unsigned warp = 0; v->table.compared != NULL && warp < GROUP_WARPS; warp++) {
        pattern_begin_warp(v->out);
        check_note_block(v->out, SUMS, 0, warp, GROUP_WARPS, v->table.compared);
    }
    group_entries_free(&m.e);
    return RIFFLE_OK;
}

static riffle_status move_tile(group_view *v, uint64_t block) { return move_named(v, block, NULL); }

static riffle_status move_low(group_view *v, uint64_t block) {
    return move_named(v, block, ((const struct group_low_arguments *)v->work->arguments)->names);
}

void pattern_of_group_low(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_low_arguments *)work->arguments)->table, out,
                          &v))
        return;
    declare_move(&v);
    group_follow(&v, v.table.tile_entries, move_low);
    group_view_end(&v);
}

void pattern_of_group_move(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_arguments *)work->arguments)->table, out, &v))
        return;
    declare_move(&v);
    group_follow(&v, v.table.tile_entries, move_tile);
    group_view_end(&v);
}

/* ---------------------------------------------------------------- few entries */

enum {
    ONE_LAYOUT = GROUP_TILE_SITES,
    ONE_START_SET = ONE_LAYOUT + GROUP_LAYOUT_SITES,
    ONE_TOTAL_SET,
    ONE_FIRST,
    ONE_START,
    ONE_END,
    ONE_SET,
    ONE_SITES
};

_Static_assert((int)ONE_SITES <= (int)PATTERN_SITES, "a pattern has sites enough");

static void declare_one(group_view *v) {
    group_tile_declare(v, 0);
    group_layout_declare(v, ONE_LAYOUT, PATTERN_SHARED);
    pattern_declare(v->out, ONE_START_SET, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(v->out, ONE_TOTAL_SET, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(v->out, ONE_FIRST, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    pattern_declare(v->out, ONE_START, PATTERN_SHARED, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(v->out, ONE_END, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    group_places_declare(v, ONE_SET, PATTERN_WRITE);
}

/* A lane has two groups. */
static void put_pairs(group_view *v, uint64_t start, uint64_t total) {
    for (unsigned k = 0; k < 2 * GROUP_WARPS; k++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint64_t group = 2 * (k / 2 * WARP_LANES + lane) + k % 2;
            tape_lane(&v->on, k / 2);
            if (group >= v->table.columns) continue;
            tape_note(&v->on, ONE_START_SET, start + group * sizeof(uint32_t));
            tape_note(&v->on, ONE_TOTAL_SET, total + group * sizeof(uint32_t));
        }
        tape_meet(&v->on);
    }
}

static void place_entry(group_view *v, uint64_t k, uint32_t group, uint64_t start) {
    const group_table *const t = &v->table;
    group_note_place(v, ONE_SET, k);
    if (group >= t->columns) return;
    tape_note(&v->on, ONE_FIRST, group_cell(t->first, group, sizeof(uint64_t)));
    tape_note(&v->on, ONE_START, start + group * sizeof(uint32_t));
    if (group_has_capacity(v)) tape_note(&v->on, ONE_END, group_cell(t->end, group, sizeof(uint64_t)));
}

static riffle_status do_all(group_view *v, uint64_t block) {
    const group_table *const t = &v->table;
    const uint64_t even = round_up(t->columns, 4U), each = GROUP_ITEMS * WARP_LANES,
                   start = GROUP_WARPS * (sizeof(uint64_t) + sizeof(uint32_t)),
                   total = start + even * sizeof(uint32_t);
    group_tile_order tile = {
        .items = GROUP_ITEMS, .sums = GROUP_WARPS * sizeof(uint64_t), .cells = total + even * sizeof(uint32_t)};
    group_entries e;
    (void)block;
    const riffle_status status = group_entries_of(v->subject, v->pass, 0, t->entries, &e);
    if (status != RIFFLE_OK) return status;
    group_note_tile(v, 0, &e, &tile);
    put_pairs(v, start, total);
    group_note_layout(v, ONE_LAYOUT, total, 0);
    for (uint64_t k = 0; k < e.count; k++) {
        tape_lane(&v->on, (unsigned)(k / each));
        place_entry(v, k, e.group[k], start);
        if (k % WARP_LANES == WARP_LANES - 1 || k + 1 == e.count) tape_meet(&v->on);
    }
    group_entries_free(&e);
    return RIFFLE_OK;
}

void pattern_of_group_one(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_arguments *)work->arguments)->table, out, &v))
        return;
    declare_one(&v);
    group_follow(&v, v.table.entries, do_all);
    group_view_end(&v);
}

/* --------------------------------------------------------------- places found */

enum { KEY_FIRST, KEY_NEXT, COUNT, COUNT_SET, FIRST, END, SET };

/* Entries of a warp side by side; meanwhile it reads the next keys. */
static void place_some(group_view *v, unsigned warp, uint64_t row, const group_entries *e, uint64_t from) {
    const group_table *const t = &v->table;
    const uint64_t count = min(e->count - from, (uint64_t)WARP_LANES);
    for (uint64_t lane = 0; lane < count; lane++) {
        const uint32_t group = e->group[from + lane];
        bool is_first = true;
        tape_lane(&v->on, warp);
        if (from + lane + WARP_LANES < e->count)
            group_note_key(v, KEY_NEXT, e->first + from + lane + WARP_LANES);
        group_note_place(v, SET, e->first + from + lane);
        if (group >= t->columns) continue;
        for (uint64_t before = 0; before < lane; before++) is_first &= e->group[from + before] != group;
        tape_note(&v->on, COUNT, row + group * sizeof(uint32_t));
        if (is_first) tape_note(&v->on, COUNT_SET, row + group * sizeof(uint32_t));
        tape_note(&v->on, FIRST, group_cell(t->first, group, sizeof(uint64_t)));
        if (group_has_capacity(v)) tape_note(&v->on, END, group_cell(t->end, group, sizeof(uint64_t)));
    }
    tape_meet(&v->on);
}

static riffle_status place_chunk(group_view *v, unsigned warp, uint64_t chunk) {
    const group_table *const t = &v->table;
    const uint64_t first = chunk * t->chunk_entries,
                   row = group_cell(t->counts, chunk * t->stride, sizeof(uint32_t));
    group_entries e;
    const riffle_status status = group_entries_of(v->subject, v->pass, first, first + t->chunk_entries, &e);
    if (status != RIFFLE_OK) return status;
    group_note_run(v, warp, KEY_FIRST, group_cell(t->keys, first, t->key_bytes),
                   min(e.count, (uint64_t)WARP_LANES), t->key_bytes);
    for (uint64_t from = 0; from < e.count; from += WARP_LANES) place_some(v, warp, row, &e, from);
    group_entries_free(&e);
    return RIFFLE_OK;
}

static riffle_status place_chunks(group_view *v, uint64_t block) {
    riffle_status status = RIFFLE_OK;
    for (unsigned warp = 0; status == RIFFLE_OK && warp < GROUP_PLACE_WARPS; warp++)
        if (block * GROUP_PLACE_WARPS + warp < v->table.chunks)
            status = place_chunk(v, warp, block * GROUP_PLACE_WARPS + warp);
    return status;
}

void pattern_of_group_places(const launch *work, const void *subject, pattern *out) {
    group_view v;
    if (!group_view_begin(work, subject, &((const struct group_arguments *)work->arguments)->table, out, &v))
        return;
    group_keys_declare(&v, KEY_FIRST);
    group_keys_declare(&v, KEY_NEXT);
    pattern_declare(out, COUNT, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t));
    pattern_declare(out, COUNT_SET, PATTERN_GLOBAL, PATTERN_WRITE, sizeof(uint32_t));
    pattern_declare(out, FIRST, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    pattern_declare(out, END, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint64_t));
    group_places_declare(&v, SET, PATTERN_WRITE);
    group_follow(&v, v.table.chunk_entries * GROUP_PLACE_WARPS, place_chunks);
    group_view_end(&v);
}
