/* SPDX-License-Identifier: Apache-2.0 */
#include "f2/strassen.h"

#include "base/threads/team.h"
#include "base/threads/threads.h"

/* By measurement (docs/f2.md): below, three sums of quarters cost more than an eighth of the products. */
enum { LEAST = 4096 };

typedef struct quarters {
    riffle_f2_matrix at[2][2];
} quarters;

/* The sizes of quarters: of columns whole words. */
typedef struct halves {
    uint64_t rows, inner, columns;
} halves;

static halves halve(uint64_t rows, uint64_t inner, uint64_t columns) {
    return (halves){rows / 2, inner / F2_WORD / 2 * F2_WORD, columns / F2_WORD / 2 * F2_WORD};
}

static quarters quarter(const riffle_f2_matrix *a, uint64_t rows, uint64_t columns) {
    quarters q;
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++)
            q.at[i][j] = f2_part(a, i * rows, j * columns / F2_WORD, rows, columns);
    return q;
}

bool strassen_pays(uint64_t rows, uint64_t inner, uint64_t columns) {
    return rows >= LEAST && inner >= LEAST && columns >= LEAST;
}

static size_t words_of(const halves *h) {
    return h->rows * f2_words(h->inner) + (h->inner + h->rows) * f2_words(h->columns);
}

size_t strassen_words(uint64_t rows, uint64_t inner, uint64_t columns) {
    if (!strassen_pays(rows, inner, columns)) return 0;
    const halves h = halve(rows, inner, columns);
    return words_of(&h) + strassen_words(h.rows, h.inner, h.columns);
}

/* --------------------------------------------------------------------- sums */

typedef struct summing {
    const f2_loops *loops;
    const riffle_f2_matrix *to, *a, *b;
} summing;

static void sum_rows(const void *context, team_member me) {
    const summing *const s = context;
    const team_share mine = team_share_of(s->to->rows, me);
    for (uint64_t i = mine.first; i < mine.end; i++)
        s->loops->sum(f2_row(s->to, i), f2_row(s->a, i), f2_row(s->b, i), f2_words(s->to->columns));
}

/* to = a + b. */
static void sum(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                const riffle_f2_matrix *b) {
    const summing s = {work->loops, to, a, b};
    const size_t bytes = to->rows * f2_words(to->columns) * sizeof *to->words;
    team_run(threads_for(bytes, BYTES_A_THREAD, work->threads), sum_rows, &s);
}

static void add(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a) {
    sum(work, to, to, a);
}

/* ------------------------------------------------------------ the recursion */

/* S and T are sums of quarters of a and of b, X is one of products. */
static void add_quarters(const f2_work *work, const quarters *to, const quarters *a, const quarters *b,
                         const halves *h, f2_add_product *plainly) {
    const riffle_f2_matrix s = {h->rows, h->inner, f2_words(h->inner), work->temporary};
    const riffle_f2_matrix t = {h->inner, h->columns, f2_words(h->columns), s.words + s.rows * s.stride};
    const riffle_f2_matrix x = {h->rows, h->columns, t.stride, t.words + t.rows * t.stride};
    f2_work below = *work;
    below.temporary += words_of(h);
    sum(work, &s, &a->at[1][0], &a->at[1][1]);
    sum(work, &t, &b->at[0][0], &b->at[0][1]);
    f2_clear(&x);
    strassen_add(&below, &x, &s, &t, plainly); /* (a21 + a22) (b11 + b12) */
    add(work, &to->at[0][1], &x);
    add(work, &to->at[1][1], &x);
    f2_clear(&x);
    strassen_add(&below, &x, &a->at[0][0], &b->at[0][0], plainly); /* a11 b11 */
    add(work, &to->at[0][0], &x);
    strassen_add(&below, &to->at[0][0], &a->at[0][1], &b->at[1][0], plainly); /* a12 b21 */
    add(work, &s, &a->at[0][0]);
    add(work, &t, &b->at[1][1]);
    strassen_add(&below, &x, &s, &t, plainly); /* (a11 + a21 + a22) (b11 + b12 + b22) */
    add(work, &to->at[0][1], &x);
    add(work, &s, &a->at[0][1]);
    strassen_add(&below, &to->at[0][1], &s, &b->at[1][1], plainly); /* (a11 + a12 + a21 + a22) b22 */
    add(work, &t, &b->at[1][0]);
    strassen_add(&below, &to->at[1][0], &a->at[1][1], &t, plainly); /* a22 (b11 + b12 + b21 + b22) */
    sum(work, &s, &a->at[0][0], &a->at[1][0]);
    sum(work, &t, &b->at[1][1], &b->at[0][1]);
    strassen_add(&below, &x, &s, &t, plainly); /* (a11 + a21) (b12 + b22) */
    add(work, &to->at[1][0], &x);
    add(work, &to->at[1][1], &x);
}

/* The rest, which the quarters leave: rows below, columns to the right, and columns of a with rows of b. */
static void add_edges(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                      const riffle_f2_matrix *b, const halves *h, f2_add_product *plainly) {
    const uint64_t rows = 2 * h->rows, inner = 2 * h->inner, columns = 2 * h->columns;
    if (rows < to->rows) {
        const riffle_f2_matrix low = f2_part(to, rows, 0, to->rows - rows, to->columns);
        const riffle_f2_matrix left = f2_part(a, rows, 0, a->rows - rows, a->columns);
        plainly(work, &low, &left, b);
    }
    if (inner < a->columns) {
        const riffle_f2_matrix high = f2_part(to, 0, 0, rows, to->columns);
        const riffle_f2_matrix left = f2_part(a, 0, inner / F2_WORD, rows, a->columns - inner);
        const riffle_f2_matrix right = f2_part(b, inner, 0, b->rows - inner, b->columns);
        plainly(work, &high, &left, &right);
    }
    if (columns < to->columns) {
        const riffle_f2_matrix corner = f2_part(to, 0, columns / F2_WORD, rows, to->columns - columns);
        const riffle_f2_matrix left = f2_part(a, 0, 0, rows, inner);
        const riffle_f2_matrix right = f2_part(b, 0, columns / F2_WORD, inner, b->columns - columns);
        plainly(work, &corner, &left, &right);
    }
}

void strassen_add(const f2_work *work, const riffle_f2_matrix *to, const riffle_f2_matrix *a,
                  const riffle_f2_matrix *b, f2_add_product *plainly) {
    if (!strassen_pays(to->rows, a->columns, to->columns)) {
        plainly(work, to, a, b);
        return;
    }
    const halves h = halve(to->rows, a->columns, to->columns);
    const quarters to_quarters = quarter(to, h.rows, h.columns), a_quarters = quarter(a, h.rows, h.inner),
                   b_quarters = quarter(b, h.inner, h.columns);
    add_quarters(work, &to_quarters, &a_quarters, &b_quarters, &h, plainly);
    add_edges(work, to, a, b, &h, plainly);
}
