/* SPDX-License-Identifier: Apache-2.0
 *
 * Plainly by tables: the left factor is packed into groups, a slab of its columns at a time; then each panel of the result takes the
 * groups of the slab one after another. A chunk of rows of a panel stays in a second-level cache meanwhile.
 *
 *     groups    chunk 0: group 0 of its rows, group 1 of its rows, ...; chunk 1: ...
 */
#include "f2/multiply.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "f2/strassen.h"

enum {
    CHUNK = 4096,               /* rows of a panel that stay in a cache */
    SLAB = 64,                  /* groups of a row at a time */
    PACKED_AT_ONCE = 64,        /* rows that a thread packs */
    FEW_ROWS = 32,              /* tables of 128 entries for 7 rows are made for more */
    LINE_WORDS = F2_MOST_PANEL, /* a cache line: one panel or a few */
    TABLE_WORDS = F2_MOST_FIELDS * F2_ENTRIES * F2_MOST_PANEL,
    TABLE_PRODUCTS = 1 << 24, /* a thread's, in bits of one word: less does not pay for it */
};

typedef struct slab {
    const f2_work *work;
    const riffle_f2_matrix *to, *a, *b;
    uint64_t first; /* column of a, row of b */
    uint64_t groups, chunks, lines;
    uint64_t *taken;
} slab;

static uint64_t ceil_div(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

static unsigned group_bits(const f2_work *work) { return work->loops->fields * F2_FIELD; }

/* Rows of b that belong to a slab. */
static size_t slab_rows(const f2_work *work) { return work->slab * group_bits(work); }

static uint64_t *groups_of(const f2_work *work, uint64_t chunk, uint64_t group) {
    return work->groups + (chunk * work->slab + group) * work->stride;
}

/* The bits from `first` on of a row of so many words; behind its end 0. */
static uint64_t bits_from(const uint64_t *row, size_t words, uint64_t first) {
    const size_t word = first / F2_WORD;
    const unsigned shift = first % F2_WORD;
    uint64_t bits = row[word] >> shift;
    if (shift > 0 && word + 1 < words) bits |= row[word + 1] << (F2_WORD - shift);
    return bits;
}

static void pack_row(const slab *s, uint64_t row) {
    const uint64_t *const from = f2_row(s->a, row);
    const size_t words = f2_words(s->a->columns);
    uint64_t *to = groups_of(s->work, row / CHUNK, 0) + row % CHUNK;
    for (uint64_t q = 0; q < s->groups; q++, to += s->work->stride)
        *to = bits_from(from, words, s->first + q * group_bits(s->work));
}

static void pack(const void *context, team_member me) {
    const slab *const s = context;
    (void)me;
    for (;;) {
        const team_share some = team_take(s->a->rows, PACKED_AT_ONCE, s->taken);
        if (some.first == some.end) return;
        for (uint64_t row = some.first; row < some.end; row++) pack_row(s, row);
    }
}

/* A slab's row of b goes to all panels; what is beside b is 0. */
static void spread_row(const slab *s, uint64_t row) {
    const unsigned panel = s->work->loops->panel;
    const size_t words = f2_words(s->b->columns);
    uint64_t *to = s->work->rows + row * panel;
    for (size_t w = 0; w < words; w += panel, to += slab_rows(s->work) * panel) {
        memset(to, 0, panel * sizeof *to);
        if (s->first + row < s->b->rows)
            memcpy(to, f2_row(s->b, s->first + row) + w, f2_min(panel, words - w) * sizeof *to);
    }
}

static void spread(const void *context, team_member me) {
    const slab *const s = context;
    const team_share mine = team_share_of(s->groups * group_bits(s->work), me);
    for (uint64_t row = mine.first; row < mine.end; row++) spread_row(s, row);
}

static void copy_rows(uint64_t *to, size_t to_stride, const uint64_t *from, size_t stride, uint64_t rows,
                      size_t words) {
    for (uint64_t i = 0; i < rows; i++) memcpy(to + i * to_stride, from + i * stride, words * sizeof *to);
}

/* Adds a slab's products to a chunk of a panel. */
static void add_groups(const slab *s, uint64_t chunk, uint64_t panel, uint64_t count, uint64_t *result,
                       uint64_t *tables) {
    const f2_work *const work = s->work;
    const size_t row_words = (size_t)group_bits(work) * work->loops->panel;
    const uint64_t *rows = work->rows + panel * slab_rows(work) * work->loops->panel;
    for (uint64_t q = 0; q < s->groups; q++, rows += row_words) {
        work->loops->make_tables(tables, rows);
        work->loops->add_entries(result, groups_of(work, chunk, q), count, tables);
    }
}

/* Panels that lie in the same cache lines come and go together. */
static void add_line(const slab *s, uint64_t chunk, size_t word, uint64_t *own) {
    const unsigned panel = s->work->loops->panel;
    uint64_t *const tables = own + LINE_WORDS * CHUNK;
    const uint64_t first = chunk * CHUNK, count = f2_min(CHUNK, s->to->rows - first);
    const size_t words = f2_min(LINE_WORDS, f2_words(s->to->columns) - word);
    for (size_t w = 0; w < words; w += panel) {
        const size_t some = f2_min(panel, words - w);
        if (some < panel) memset(own + w * CHUNK, 0, count * panel * sizeof *own);
        copy_rows(own + w * CHUNK, panel, f2_row(s->to, first) + word + w, s->to->stride, count, some);
    }
    for (size_t w = 0; w < words; w += panel)
        add_groups(s, chunk, (word + w) / panel, count, own + w * CHUNK, tables);
    for (size_t w = 0; w < words; w += panel)
        copy_rows(f2_row(s->to, first) + word + w, s->to->stride, own + w * CHUNK, panel, count,
                  f2_min(panel, words - w));
}

static void add_lines(const void *context, team_member me) {
    const slab *const s = context;
    uint64_t *const own = s->work->own + me.number * s->work->own_words;
    for (;;) {
        const team_share one = team_take(s->chunks * s->lines, 1, s->taken);
        if (one.first == one.end) return;
        add_line(s, one.first % s->chunks, one.first / s->chunks * LINE_WORDS, own);
    }
}

static void add_slab(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                     const riffle_f2_matrix *b, uint64_t first) {
    uint64_t packed = 0, added = 0;
    const uint64_t words = f2_words(to->columns), groups = ceil_div(a->columns - first, group_bits(work));
    slab s = {work,
              to,
              a,
              b,
              first,
              f2_min(work->slab, groups),
              ceil_div(to->rows, CHUNK),
              ceil_div(words, LINE_WORDS),
              &packed};
    const uint64_t products = to->rows * words * s.groups * group_bits(work);
    const unsigned threads = threads_for(products, TABLE_PRODUCTS, work->threads);
    team_run(threads, pack, &s);
    team_run(threads, spread, &s);
    s.taken = &added;
    team_run(threads, add_lines, &s);
}

/* Row by row, those of b that are named. */
static void add_few(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                    const riffle_f2_matrix *b) {
    const size_t words = f2_words(to->columns);
    for (uint64_t i = 0; i < to->rows; i++)
        for (size_t w = 0; w < f2_words(a->columns); w++) {
            uint64_t bits = f2_row(a, i)[w];
            if (w + 1 == f2_words(a->columns)) bits &= f2_last_mask(a->columns);
            for (; bits != 0; bits &= bits - 1) {
                const uint64_t k = w * F2_WORD + (unsigned)__builtin_ctzll(bits);
                work->loops->add(f2_row(to, i), f2_row(b, k), words);
            }
        }
}

static void add_plainly(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                        const riffle_f2_matrix *b) {
    if (to->rows < FEW_ROWS) {
        add_few(work, to, a, b);
        return;
    }
    for (uint64_t first = 0; first < a->columns; first += slab_rows(work)) add_slab(work, to, a, b, first);
}

void f2_multiply_add(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                     const riffle_f2_matrix *b) {
    if (to->rows == 0 || to->columns == 0 || a->columns == 0) return;
    strassen_add(work, to, a, b, add_plainly);
}

riffle_status f2_work_create(uint64_t rows, uint64_t inner, uint64_t columns, unsigned threads, f2_work *out) {
    f2_work work = {
        .loops = f2_loops_best(), .threads = threads, .own_words = LINE_WORDS * CHUNK + TABLE_WORDS};
    work.slab = f2_min(SLAB, ceil_div(inner, group_bits(&work)));
    work.stride = ceil_div(f2_min(rows, CHUNK), LINE_WORDS) * LINE_WORDS +
                  LINE_WORDS; /* a line more: other sets of a cache */
    const size_t own = work.threads * work.own_words, groups = ceil_div(rows, CHUNK) * work.slab * work.stride;
    const size_t factor = ceil_div(f2_words(columns), LINE_WORDS) * LINE_WORDS * slab_rows(&work);
    work.bytes = (own + groups + factor + strassen_words(rows, inner, columns)) * sizeof(uint64_t);
    const riffle_status status = buffer_create("products over F2", work.bytes, &work.memory);
    if (status != RIFFLE_OK) return status;
    work.own = work.memory;
    work.groups = work.own + own;
    work.rows = work.groups + groups;
    work.temporary = work.rows + factor;
    *out = work;
    return RIFFLE_OK;
}

void f2_work_free(f2_work *work) { riffle_buffer_free(work->memory, work->bytes); }
