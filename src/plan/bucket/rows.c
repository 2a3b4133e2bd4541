/* SPDX-License-Identifier: Apache-2.0
 *
 * Building goes along the steps of src twice: once to count the rows of each piece of dst, then to make them. Chunks of steps are planned each on its own, with
 * rows of their own. `dest` says of each place between the passes where in its piece of dst the element goes; the second pass turns that
 * around.
 */
#include "plan/bucket/rows.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "perm/kind.h"

enum {
    STEP_BYTES = 256 << 10, /* a window of two is a quarter of a second-level cache of 2 MiB */
    ROW_LINES = 2, /* the first pass takes a third longer with rows of one line, and as long with longer ones */
    FEWEST_PIECES = 32, /* 16 MiB: runs of fewer pieces are long */
    FILL =
        13, /* sixteenths: how far a step fills a row of each piece, at least, so that few places stay empty */
    FLUSHED = 64, /* rows of a piece in a chunk of steps, for the one at its end that is not full */
};

static const uint32_t NOWHERE = UINT32_MAX;

static bool rows_fill(uint64_t step, uint64_t pieces, uint64_t row) { return 16 * step >= pieces * row * FILL; }

bool bucket_rows_choose(uint64_t n, size_t elem_bytes, bucket_rows_shape *out) {
    if ((elem_bytes != 4 && elem_bytes != 8 && elem_bytes != 16) || n > UINT32_MAX) return false;
    const uint32_t line = (uint32_t)(ROWS_LINE_BYTES / elem_bytes), step = (uint32_t)(STEP_BYTES / elem_bytes),
                   room = 2 * step;
    const uint64_t pieces = ceil_div(n, room / 16 * 15);
    if (pieces < FEWEST_PIECES) return false;
    *out = (bucket_rows_shape){ROW_LINES * line, step, (uint32_t)round_up(ceil_div(n, pieces), ROWS_LINE_BYTES),
                               room};
    if (!rows_fill(step, pieces, out->row)) out->row = line;
    return rows_fill(step, pieces, out->row);
}

/* A zeroed array, or NULL and why. */
static void *allocate(const char *what, size_t bytes, riffle_status *status) {
    void *array = NULL;
    if (*status == RIFFLE_OK) *status = buffer_create(what, bytes, &array);
    return array;
}

typedef struct builder {
    const riffle_perm *perm;
    bucket_rows_shape shape;
    uint64_t n, steps, pieces; /* pieces of dst */
    uint64_t chunk, chunks;    /* steps of a chunk */
    uint32_t *rows; /* how many each chunk has of each piece; then the next one's number in the array between */
    uint32_t *to;   /* where each element of src goes in dst */
    uint32_t *dest; /* where in its piece of dst each place there has its element go */
    uint32_t *scratch;
    bucket_rows *first, *last;
} builder;

/* ------------------------------------------------------------- a thread's step */

/* Elements of a step by piece of dst, and what the step before has left over. */
typedef struct stepper {
    uint32_t *count; /* each piece's new ones; then where its next one is in `sorted` */
    uint32_t *left;  /* each piece's */
    uint32_t *sorted, *left_at, *left_to;
    const uint32_t *to; /* where each element of the step goes in dst */
} stepper;

static size_t stepper_entries(const builder *b) {
    return 2 * b->pieces + b->shape.step + 2 * b->pieces * b->shape.row;
}

static stepper stepper_of(const builder *b, team_member me) {
    uint32_t *const count = b->scratch + me.number * stepper_entries(b), *const sorted = count + 2 * b->pieces,
                    *const left_at = sorted + b->shape.step;
    return (stepper){count, count + b->pieces, sorted, left_at, left_at + b->pieces * b->shape.row, b->to};
}

static size_t step_length(const builder *b, uint64_t step) {
    return min(b->n - step * b->shape.step, (uint64_t)b->shape.step);
}

/* Where the elements of a step go. */
static void look_up(const builder *b, uint64_t step) {
    const size_t length = step_length(b, step);
    uint32_t *const to = b->to + step * b->shape.step;
    uint64_t values[PERM_BLOCK];
    for (size_t at = 0; at < length; at += PERM_BLOCK) {
        const size_t some = min(length - at, (size_t)PERM_BLOCK);
        perm_map(b->perm, step * b->shape.step + at, some, values);
        for (size_t k = 0; k < some; k++) to[at + k] = (uint32_t)values[k];
    }
}

/* How many of them go to each piece. */
static void count_pieces(const builder *b, uint64_t step, stepper *s) {
    const size_t length = step_length(b, step);
    s->to = b->to + step * b->shape.step;
    memset(s->count, 0, b->pieces * sizeof *s->count);
    for (size_t k = 0; k < length; k++) s->count[s->to[k] / b->shape.piece]++;
}

/* Rows that a piece gets of a step: full ones; and one that is not, of what would leave the window, or the chunk. *rest is left over. */
static uint32_t rows_of(const builder *b, uint64_t step, uint32_t left, uint32_t count, uint32_t *rest) {
    const uint32_t whole = (left + count) / b->shape.row, over = (left + count) % b->shape.row;
    const bool is_last = (step + 1) % b->chunk == 0 || step + 1 == b->steps;
    const bool is_cut = over > 0 && (is_last || (whole == 0 && left > 0));
    *rest = is_cut ? 0 : over;
    return whole + is_cut;
}

/* ------------------------------------------------------------------- counting */

static void count_step(const builder *b, uint64_t step, stepper *s) {
    uint32_t *const rows = b->rows + step / b->chunk * b->pieces;
    uint64_t made = 0;
    look_up(b, step);
    count_pieces(b, step, s);
    for (uint64_t p = 0; p < b->pieces; p++) {
        const uint32_t of_piece = rows_of(b, step, s->left[p], s->count[p], &s->left[p]);
        rows[p] += of_piece;
        made += of_piece;
    }
    b->first->first_row[step] = made;
}

static void each_step(const builder *b, team_member me,
                      void (*take)(const builder *b, uint64_t step, stepper *s)) {
    const team_share mine = team_share_of(b->chunks, me);
    stepper s = stepper_of(b, me);
    for (uint64_t c = mine.first; c < mine.end; c++) {
        memset(s.left, 0, b->pieces * sizeof *s.left);
        for (uint64_t k = c * b->chunk; k < min((c + 1) * b->chunk, b->steps); k++) take(b, k, &s);
    }
}

static void count_share(const void *context, team_member me) { each_step(context, me, count_step); }

/* Counts of `entries` things become where each begins; the last entry, their sum. */
static void add_up(uint64_t *count, uint64_t entries) {
    uint64_t begin = 0;
    for (uint64_t k = 0; k <= entries; k++) {
        const uint64_t here = count[k];
        count[k] = begin;
        begin += here;
    }
}

/* Gives each piece of dst its rows, chunk by chunk; false if it has no room for them. */
static bool place_rows(builder *b) {
    uint32_t begin = 0;
    for (uint64_t p = 0; p < b->pieces; p++) {
        const uint32_t first = begin;
        b->last->from[p] = (uint64_t)begin * b->shape.row;
        for (uint64_t c = 0; c < b->chunks; c++) {
            const uint32_t count = b->rows[c * b->pieces + p];
            b->rows[c * b->pieces + p] = begin;
            begin += count;
        }
        if ((uint64_t)(begin - first) * b->shape.row > b->shape.room) return false;
    }
    b->last->from[b->pieces] = (uint64_t)begin * b->shape.row;
    return true;
}

/* --------------------------------------------------------------------- making */

static void set_order(const bucket_rows *s, uint64_t at, uint32_t element) {
    if (s->odd == NULL) {
        s->order[at] = (uint16_t)element;
        return;
    }
    s->order[at] = (uint16_t)(element >> 1);
    s->odd[at / ROWS_ODD_BITS] |= (uint16_t)((element & 1) << at % ROWS_ODD_BITS);
}

/* The positions of a step's elements by piece, in order; count[p] becomes their end. */
static void sort_step(const builder *b, size_t length, stepper *s) {
    uint32_t begin = 0;
    for (uint64_t p = 0; p < b->pieces; p++) {
        const uint32_t count = s->count[p];
        s->count[p] = begin;
        begin += count;
    }
    for (size_t k = 0; k < length; k++) s->sorted[s->count[s->to[k] / b->shape.piece]++] = (uint32_t)k;
}

/* Elements of one piece on their way to its rows: those left over first. */
typedef struct piece_arrivals {
    const uint32_t *left_at, *left_to, *new;
    uint32_t left;
    uint32_t behind; /* positions of new ones count from here in the window */
} piece_arrivals;

/* Row `row` of the schedule, of arrivals first .. end - 1, at most a row's. Places that are left have the last one again, and no use. */
static void make_row(const builder *b, const stepper *s, uint64_t piece, const piece_arrivals *of,
                     uint32_t first, uint32_t end, uint64_t row) {
    const uint32_t place = b->first->place[row], begin = (uint32_t)(piece * b->shape.piece);
    uint32_t *const dest = b->dest + (uint64_t)place * b->shape.row;
    for (uint32_t e = 0; e < b->shape.row; e++) {
        const uint32_t k = min(first + e, end - 1);
        const bool is_left = k < of->left;
        const uint32_t at = is_left ? of->left_at[k] : of->new[k - of->left];
        set_order(b->first, row * b->shape.row + e, is_left ? at : at + of->behind);
        dest[e] = first + e < end ? (is_left ? of->left_to[k] : s->to[at]) - begin : NOWHERE;
    }
}

static void make_step(const builder *b, uint64_t step, stepper *s) {
    uint32_t *const next = b->rows + step / b->chunk * b->pieces;
    const uint32_t width = b->shape.row;
    uint64_t row = b->first->first_row[step];
    count_pieces(b, step, s);
    sort_step(b, step_length(b, step), s);
    for (uint64_t p = 0, begin = 0; p < b->pieces; begin = s->count[p++]) {
        uint32_t *const left_at = s->left_at + p * width, *const left_to = s->left_to + p * width;
        const piece_arrivals of = {left_at, left_to, s->sorted + begin, s->left[p],
                                   step > 0 ? b->shape.step : 0};
        const uint32_t count = (uint32_t)(s->count[p] - begin), all = of.left + count;
        const uint32_t rows = rows_of(b, step, of.left, count, &s->left[p]);
        for (uint32_t k = 0; k < rows; k++, row++) {
            b->first->place[row] = next[p]++;
            make_row(b, s, p, &of, k * width, min((k + 1) * width, all), row);
        }
        for (uint32_t k = 0; k < s->left[p]; k++) {
            left_at[k] = of.new[count - s->left[p] + k];
            left_to[k] = s->to[left_at[k]];
        }
    }
}

static void make_share(const void *context, team_member me) { each_step(context, me, make_step); }

static void order_share(const void *context, team_member me) {
    const builder *const b = context;
    const team_share mine = team_share_of(b->pieces, me);
    for (uint64_t p = mine.first; p < mine.end; p++) {
        const uint64_t begin = b->last->from[p], end = b->last->from[p + 1];
        for (uint64_t k = begin; k < end; k++)
            if (b->dest[k] != NOWHERE)
                set_order(b->last, p * b->shape.piece + b->dest[k], (uint32_t)(k - begin));
    }
}

/* ------------------------------------------------------------------ schedules */

static uint64_t rows_in(const bucket_rows *s) { return s->first_row[s->pieces]; }
static size_t index_bytes(const bucket_rows *s) { return (s->pieces + 1) * sizeof *s->from; }
static size_t order_bytes(const bucket_rows *s) { return rows_in(s) * s->row * sizeof *s->order; }
static size_t odd_bytes(const bucket_rows *s) {
    return ceil_div(rows_in(s) * s->row, ROWS_ODD_BITS) * sizeof *s->odd;
}
static size_t place_bytes(const bucket_rows *s) { return rows_in(s) * sizeof *s->place; }

size_t bucket_rows_bytes(const bucket_rows *s) {
    return 2 * index_bytes(s) + order_bytes(s) + (s->odd != NULL ? odd_bytes(s) : 0) +
           (s->place != NULL ? place_bytes(s) : 0);
}

void bucket_rows_free(bucket_rows *s) {
    if (s->first_row != NULL) {
        riffle_buffer_free(s->order, order_bytes(s));
        riffle_buffer_free(s->odd, odd_bytes(s));
        riffle_buffer_free(s->place, place_bytes(s));
    }
    riffle_buffer_free(s->from, index_bytes(s));
    riffle_buffer_free(s->first_row, index_bytes(s));
    *s = (bucket_rows){0};
}

/* Its arrays with an entry a piece. */
static riffle_status start(bucket_rows *s) {
    riffle_status status = RIFFLE_OK;
    s->from = allocate("a bucket schedule", index_bytes(s), &status);
    s->first_row = allocate("a bucket schedule", index_bytes(s), &status);
    return status;
}

/* Its arrays with an entry a place or a row, once it is known how many these are. */
static riffle_status give_room(bucket_rows *s, bool has_places) {
    riffle_status status = RIFFLE_OK;
    s->order = allocate("a bucket schedule", order_bytes(s), &status);
    if (s->elem_bytes == 4) s->odd = allocate("a bucket schedule", odd_bytes(s), &status);
    if (has_places) s->place = allocate("a bucket schedule", place_bytes(s), &status);
    return status;
}

/* Pieces of dst, whose rows lie as they come. */
static void lay_out_last(const builder *b) {
    const uint64_t rows = ceil_div(b->n, b->shape.row), of_piece = b->shape.piece / b->shape.row;
    for (uint64_t p = 0; p <= b->pieces; p++) b->last->first_row[p] = min(p * of_piece, rows);
}

static riffle_status count_rows(builder *b, unsigned threads, bool *fits) {
    for (uint64_t k = 0; k <= b->steps; k++) b->first->from[k] = min(k * b->shape.step, b->n);
    team_run(threads, count_share, b);
    add_up(b->first->first_row, b->steps);
    *fits = place_rows(b);
    if (!*fits) return RIFFLE_OK;
    lay_out_last(b);
    b->first->n = b->last->from[b->pieces];
    const riffle_status status = give_room(b->first, true);
    return status == RIFFLE_OK ? give_room(b->last, false) : status;
}

static riffle_status build(builder *b, unsigned threads, bool *fits) {
    const size_t rows_bytes = b->chunks * b->pieces * sizeof *b->rows, to_bytes = b->n * sizeof *b->to,
                 scratch_bytes = threads * stepper_entries(b) * sizeof(uint32_t);
    riffle_status status = RIFFLE_OK;
    b->rows = allocate("planning buckets", rows_bytes, &status);
    b->scratch = allocate("planning buckets", scratch_bytes, &status);
    b->to = allocate("planning buckets", to_bytes, &status);
    if (status == RIFFLE_OK) status = count_rows(b, threads, fits);
    const size_t dest_bytes = b->first->n * sizeof *b->dest;
    if (status == RIFFLE_OK && *fits) {
        b->dest = allocate("planning buckets", dest_bytes, &status);
        if (status == RIFFLE_OK) {
            team_run(threads, make_share, b);
            team_run(threads, order_share, b);
        }
    }
    riffle_buffer_free(b->dest, dest_bytes);
    riffle_buffer_free(b->to, to_bytes);
    riffle_buffer_free(b->scratch, scratch_bytes);
    riffle_buffer_free(b->rows, rows_bytes);
    return status;
}

riffle_status bucket_rows_plan(const riffle_perm *perm, size_t elem_bytes, const bucket_rows_shape *shape,
                               unsigned threads, bucket_rows out[2], bool *fits) {
    const uint64_t n = riffle_perm_length(perm), steps = ceil_div(n, shape->step),
                   pieces = ceil_div(n, shape->piece);
    const uint64_t chunk = max(pieces * shape->row / 2 * FLUSHED / shape->step, 1);
    *fits = false;
    out[0] = (bucket_rows){.elem_bytes = elem_bytes, .lag = 1, .row = shape->row, .pieces = steps};
    out[1] = (bucket_rows){.n = n, .elem_bytes = elem_bytes, .row = shape->row, .pieces = pieces};
    builder b = {.perm = perm, .shape = *shape, .n = n, .steps = steps, .pieces = pieces};
    b.chunk = chunk, b.chunks = ceil_div(steps, chunk), b.first = &out[0], b.last = &out[1];
    riffle_status status = start(&out[0]);
    if (status == RIFFLE_OK) status = start(&out[1]);
    if (status == RIFFLE_OK) status = build(&b, threads, fits);
    if (status == RIFFLE_OK && *fits) return RIFFLE_OK;
    bucket_rows_free(&out[0]);
    bucket_rows_free(&out[1]);
    return status;
}
