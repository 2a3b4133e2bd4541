/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of bucket passes (move/kernels/bucket/bucket_tile.cu), as their tables have it: a piece is staged in shared
 * memory, chunk by chunk, and written in order. Long moves have no tables in an outline: some of their pieces are drawn.
 */
#include "base/arithmetic.h"
#include "check/predict.h"
#include "move/predict/bucket_drawn.h"
#include "move/predict/predict.h"

enum {
    SITE_FIRST_CHUNK,
    SITE_END_CHUNK,
    SITE_CHUNK,
    SITE_FETCH,
    SITE_FETCH_HIGH,
    SITE_STAGE,
    SITE_FETCH_ELEMENT,
    SITE_STAGE_ELEMENT,
    SITE_PLACES,
    SITE_GET,
    SITE_WRITE,
    SITE_LAST_PLACE,
    SITE_LAST_GET,
    SITE_LAST_WRITE,
    SITE_ADDED, /* chunks that are added up */
    SITE_ADDED_ELEMENT,
    SITE_BLOCK,
    VECTOR = BUCKET_TILE_CHUNK_BYTES
};

/* A launch: bytes of its accesses to each array; `of_two` says that what is read is put together from two words. */
typedef struct bucket_view {
    const launch *work;
    const bucket_tile_schedule *s;
    uint64_t elem, read, write;
    bool of_two;
    bool adds_listed;              /* staged chunks are added up */
    const bucket_between *between; /* or NULL */
    pattern *out;
} bucket_view;

/* A piece. */
typedef struct bucket_piece {
    uint64_t block, start, count; /* its first element, and how many */
    uint64_t accesses;            /* that stage it */
    const uint16_t *order;
    const uint32_t *chunks; /* NULL in the first pass */
    uint64_t first_chunk;   /* where they begin in the list of all */
} bucket_piece;

/* Threads of a warp, in a turn of all threads: numbers first .. end - 1 of what they do. */
typedef struct bucket_warp {
    uint64_t first, end;
} bucket_warp;

/* ------------------------------------------------------------------- staging */

/* Access `from` of the array, as the piece's number-th: where both are. */
typedef struct staged {
    uint64_t from, number;
} staged;

static uint64_t cell_of(const bucket_view *v, uint64_t number) {
    const uint64_t each = VECTOR / v->read;
    return (riffle_bucket_cell((uint32_t)(number / each)) * each + number % each) * v->read;
}

/* The elements that are staged one by one instead: of an access that the array has not all of. */
static uint64_t alone(const bucket_view *v, const staged *one) {
    const uint64_t units = v->read / v->elem, left = v->s->n - min(one->from * units, v->s->n);
    const uint64_t shift = (uintptr_t)v->work->from % VECTOR;
    if (!v->of_two) return one->from < v->s->n / units ? 0 : v->s->n % units;
    return one->from == 0 || left * v->elem < 2 * VECTOR - shift ? min(units, left) : 0;
}

static void stage_elements(const bucket_view *v, const staged *all, unsigned count) {
    const uint64_t a = (uintptr_t)v->work->from;
    for (uint64_t k = 0; k < v->read / v->elem; k++) {
        pattern_lanes from = {0}, to = {0};
        for (unsigned l = 0; l < count; l++) {
            if (k >= alone(v, &all[l])) continue;
            pattern_lane(&from, a + all[l].from * v->read + k * v->elem);
            pattern_lane(&to, cell_of(v, all[l].number) + k * v->elem);
        }
        pattern_next(v->out, SITE_FETCH_ELEMENT, &from);
        pattern_next(v->out, SITE_STAGE_ELEMENT, &to);
    }
}

static void stage(const bucket_view *v, const staged *all, unsigned count) {
    const uint64_t a = (uintptr_t)v->work->from, shift = v->of_two ? a % VECTOR : 0;
    pattern_lanes low = {0}, high = {0}, to = {0};
    stage_elements(v, all, count);
    for (unsigned l = 0; l < count; l++) {
        if (alone(v, &all[l]) > 0) continue;
        pattern_lane(&low, a + all[l].from * v->read - shift);
        pattern_lane(&high, a + all[l].from * v->read - shift + VECTOR);
        pattern_lane(&to, cell_of(v, all[l].number));
    }
    pattern_next(v->out, SITE_FETCH, &low);
    if (v->of_two) pattern_next(v->out, SITE_FETCH_HIGH, &high);
    pattern_next(v->out, SITE_STAGE, &to);
}

static uint64_t chunk_of(const bucket_view *v, uint32_t entry) {
    return riffle_bucket_chunk(entry, (uint32_t)(VECTOR / v->elem));
}

/* Numbers of chunks whose accesses are a thread's. */
static void stage_chunks(const bucket_view *v, const bucket_piece *piece, const bucket_warp *w) {
    const uint64_t each = VECTOR / v->read;
    staged all[PATTERN_LANES];
    pattern_run(v->out, SITE_CHUNK, v->out->done[SITE_CHUNK]++,
                (piece->first_chunk + w->first) * sizeof(uint32_t), w->end - w->first);
    for (uint64_t k = 0; k < each; k++) {
        unsigned count = 0;
        for (uint64_t number = w->first; number < w->end; number++)
            all[count++] = (staged){chunk_of(v, piece->chunks[number]) * each + k, number * each + k};
        stage(v, all, count);
    }
}

/* Numbers of accesses as the piece lies, or as its list of chunks has them. */
static void stage_warp(const bucket_view *v, const bucket_piece *piece, const bucket_warp *w) {
    const uint64_t each = VECTOR / v->read, units = v->read / v->elem;
    staged all[PATTERN_LANES];
    unsigned count = 0;
    pattern_lanes chunks = {0};
    for (uint64_t number = w->first; number < w->end; number++) {
        if (piece->chunks == NULL) {
            all[count++] = (staged){piece->start / units + number, number};
            continue;
        }
        const uint64_t entry = number / each;
        pattern_lane(&chunks, (piece->first_chunk + entry) * sizeof(uint32_t));
        all[count++] = (staged){chunk_of(v, piece->chunks[entry]) * each + number % each, number};
    }
    pattern_next(v->out, SITE_CHUNK, &chunks);
    stage(v, all, count);
}

/* ------------------------------------------------------------------- writing */

/* Places of a vector's units are read in words of 16 bytes at most. */
static uint64_t places_bytes(const bucket_view *v) {
    return min(v->write / v->elem * sizeof(uint16_t), (uint64_t)VECTOR);
}

static void read_places(const bucket_view *v, const bucket_piece *piece, const bucket_warp *w) {
    const uint64_t units = v->write / v->elem, bytes = places_bytes(v);
    for (uint64_t at = 0; at < units * sizeof(uint16_t); at += bytes) {
        pattern_lanes lanes = {0};
        for (uint64_t k = w->first; k < w->end; k++)
            pattern_lane(&lanes, (piece->start + k * units) * sizeof(uint16_t) + at);
        pattern_next(v->out, SITE_PLACES, &lanes);
    }
}

static void write_warp(const bucket_view *v, const bucket_piece *piece, const bucket_warp *w) {
    const uint64_t units = v->write / v->elem, b = (uintptr_t)v->work->to + piece->start * v->elem;
    for (uint64_t unit = 0; unit < units; unit++) {
        pattern_lanes cell = {0};
        for (uint64_t k = w->first; k < w->end; k++)
            pattern_lane(&cell, piece->order[k * units + unit] * v->elem);
        pattern_next(v->out, SITE_GET, &cell);
    }
    pattern_run(v->out, SITE_WRITE, v->out->done[SITE_WRITE]++, b + w->first * v->write, w->end - w->first);
}

/* Elements behind the last whole vector. */
static void write_last(const bucket_view *v, const bucket_piece *piece, const bucket_warp *w) {
    const uint64_t b = (uintptr_t)v->work->to + piece->start * v->elem, count = w->end - w->first;
    pattern_lanes cell = {0};
    for (uint64_t k = w->first; k < w->end; k++) pattern_lane(&cell, piece->order[k] * v->elem);
    pattern_run(v->out, SITE_LAST_PLACE, v->out->done[SITE_LAST_PLACE]++,
                (piece->start + w->first) * sizeof(uint16_t), count);
    pattern_next(v->out, SITE_LAST_GET, &cell);
    pattern_run(v->out, SITE_LAST_WRITE, v->out->done[SITE_LAST_WRITE]++, b + w->first * v->elem, count);
}

/* Chunks that are staged and added up: whole ones, and the array's last by elements. */
static void add_listed(const bucket_view *v, const bucket_piece *piece, const bucket_warp *w) {
    const uint64_t units = VECTOR / v->elem;
    pattern_lanes whole = {0};
    stage_chunks(v, piece, w);
    for (uint64_t number = w->first; number < w->end; number++) {
        const uint64_t from = chunk_of(v, piece->chunks[number]) * units,
                       cell = (uint64_t)riffle_bucket_cell((uint32_t)number) * VECTOR;
        if (from + units <= v->s->n) pattern_lane(&whole, cell);
        for (uint64_t k = 0; from + units > v->s->n && from + k < v->s->n; k++)
            pattern_next(v->out, SITE_ADDED_ELEMENT, &(pattern_lanes){1, {cell + k * v->elem}});
    }
    pattern_next(v->out, SITE_ADDED, &whole);
}

/* -------------------------------------------------------------------- blocks */

typedef void (*warp_step)(const bucket_view *v, const bucket_piece *piece, const bucket_warp *w);

/* Numbers begin .. end - 1 in turns of all threads, of which the warp from thread `first` on has some. */
static void each_turn(const bucket_view *v, const bucket_piece *piece, uint64_t first, uint64_t begin,
                      uint64_t end, warp_step step) {
    const uint64_t threads = v->work->block_x, last = min(first + v->out->machine->width, threads);
    for (uint64_t turn = begin; turn + first < end; turn += threads) {
        const bucket_warp w = {turn + first, min(turn + last, end)};
        step(v, piece, &w);
    }
}

static void read_bounds(const bucket_view *v, const bucket_piece *piece) {
    if (piece->chunks == NULL) return;
    pattern_run(v->out, SITE_FIRST_CHUNK, 0, piece->block * sizeof(uint32_t), 1);
    pattern_run(v->out, SITE_END_CHUNK, 0, (piece->block + 1) * sizeof(uint32_t), 1);
}

static void describe_piece(const bucket_view *v, const bucket_piece *piece) {
    const uint64_t units = v->write / v->elem, count = piece->count, width = v->out->machine->width;
    for (uint64_t first = 0; first < v->work->block_x; first += width) {
        pattern_begin_warp(v->out);
        read_bounds(v, piece);
        if (v->adds_listed)
            each_turn(v, piece, first, 0, piece->accesses / (VECTOR / v->read), add_listed);
        else
            each_turn(v, piece, first, 0, piece->accesses, stage_warp);
        each_turn(v, piece, first, 0, count / units, read_places);
        each_turn(v, piece, first, 0, count / units, write_warp);
        each_turn(v, piece, first, count / units * units, count, write_last);
        if (v->between != NULL)
            check_note_block(v->out, SITE_BLOCK, v->between->block, first / width, v->work->block_x / width,
                             v->between->record);
    }
}

static bucket_piece piece_of(const bucket_view *v, uint64_t block) {
    const uint64_t start = block * v->s->piece, count = min((uint64_t)v->s->piece, v->s->n - start);
    return (bucket_piece){
        .block = block, .start = start, .count = count, .accesses = ceil_div(count, v->read / v->elem)};
}

static uint64_t accesses_of(const bucket_view *v, uint64_t chunks) { return chunks * (VECTOR / v->read); }

/* As the tables have it. */
static void describe_planned(const bucket_view *v, uint64_t block) {
    const bucket_tile_schedule *const s = v->s;
    bucket_piece piece = piece_of(v, block);
    piece.order = s->order + piece.start;
    if (s->chunks != NULL) {
        piece.first_chunk = s->first_chunk[block];
        piece.chunks = s->chunks + piece.first_chunk;
        piece.accesses = accesses_of(v, s->first_chunk[block + 1] - s->first_chunk[block]);
    }
    describe_piece(v, &piece);
}

/* As a random permutation might have it. */
static void describe_drawn(const bucket_view *v, uint64_t block) {
    bucket_piece piece = piece_of(v, block);
    bucket_drawn drawn;
    v->out->status = bucket_drawn_create(v->s, block, &drawn);
    if (v->out->status != RIFFLE_OK) return;
    piece.order = drawn.order;
    piece.chunks = drawn.chunks;
    piece.first_chunk = v->s->chunk_count / v->s->pieces * block;
    if (piece.chunks != NULL) piece.accesses = accesses_of(v, drawn.chunk_count);
    describe_piece(v, &piece);
    bucket_drawn_free(&drawn);
}

static void declare(const bucket_view *v) {
    const pattern_declaration sites[] = {{SITE_FIRST_CHUNK, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t)},
                                         {SITE_END_CHUNK, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t)},
                                         {SITE_CHUNK, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint32_t)},
                                         {SITE_FETCH, PATTERN_GLOBAL, PATTERN_READ, v->read},
                                         {SITE_FETCH_HIGH, PATTERN_GLOBAL, PATTERN_READ, VECTOR},
                                         {SITE_STAGE, PATTERN_SHARED, PATTERN_WRITE, v->read},
                                         {SITE_FETCH_ELEMENT, PATTERN_GLOBAL, PATTERN_READ, v->elem},
                                         {SITE_STAGE_ELEMENT, PATTERN_SHARED, PATTERN_WRITE, v->elem},
                                         {SITE_PLACES, PATTERN_GLOBAL, PATTERN_READ, places_bytes(v)},
                                         {SITE_GET, PATTERN_SHARED, PATTERN_READ, v->elem},
                                         {SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, v->write},
                                         {SITE_LAST_PLACE, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint16_t)},
                                         {SITE_LAST_GET, PATTERN_SHARED, PATTERN_READ, v->elem},
                                         {SITE_LAST_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, v->elem},
                                         {SITE_ADDED, PATTERN_SHARED, PATTERN_READ, VECTOR},
                                         {SITE_ADDED_ELEMENT, PATTERN_SHARED, PATTERN_READ, v->elem}};
    pattern_declare_all(v->out, sites, sizeof sites / sizeof *sites);
    if (v->between != NULL) check_declare_block(v->out, SITE_BLOCK);
}

/* How the kernel accesses both arrays: by vectors, or by elements where the array may begin on one. */
static bucket_view view_of(const launch *work, const pass *p, pattern *out) {
    const kernel_record *const k = work->kernel;
    const size_t elem = work->elem_bytes;
    const bool is_first =
                   k == &KERNEL_bucket_first_checked.record || k == &KERNEL_bucket_first_checked_units.record,
               is_checked = p->kind == &PASS_BUCKET_TILE_CHECKED;
    const bucket_between *const between =
        is_first     ? &((const struct pieces_checked_arguments *)work->arguments)->between
        : is_checked ? &((const struct chunks_checked_arguments *)work->arguments)->between
                     : NULL;
    const bool by_units =
        k == &KERNEL_bucket_first_units.record || k == &KERNEL_bucket_first_checked_units.record;
    const bool reads_units = by_units || k == &KERNEL_bucket_first_from_units.record ||
                             k == &KERNEL_bucket_next_from_units.record ||
                             k == &KERNEL_bucket_next_checked_from_units.record;
    const bool writes_units = by_units || k == &KERNEL_bucket_next_to_units.record ||
                              k == &KERNEL_bucket_last_checked_to_units.record;
    const bool of_two = reads_units && elem < sizeof(uint32_t);
    return (bucket_view){.work = work,
                         .s = &p->bucket_tile,
                         .elem = elem,
                         .read = reads_units && !of_two ? elem : VECTOR,
                         .write = writes_units ? elem : VECTOR,
                         .of_two = of_two,
                         .adds_listed = is_checked && !is_first,
                         .between = between,
                         .out = out};
}

void pattern_of_bucket(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const bucket_view v = view_of(work, p, out);
    const uint64_t samples = pattern_samples(out, v.s->piece);
    const bool is_planned = v.s->order != NULL;
    declare(&v);
    if (!is_planned) pattern_mean(out, PATTERN_EXPECTED);
    for (uint64_t k = 0; out->status == RIFFLE_OK && k < samples; k++)
        (is_planned ? describe_planned : describe_drawn)(&v, pattern_sample(out, samples, k));
}
