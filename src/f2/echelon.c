/* SPDX-License-Identifier: Apache-2.0 */
#include "f2/echelon.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"

/* Words of columns: from, excluded end. */
typedef struct range {
    size_t first, end;
} range;

static size_t middle(range r) { return r.first + (r.end - r.first) / 2; }

static size_t words_of_matrix(const f2_echelon *e) { return f2_words(e->columns); }

static size_t words_of_whole(const f2_echelon *e) { return f2_words(e->whole.columns); }

/* Rows up to one, excluded, in a range of words. */
static riffle_f2_matrix part(const f2_echelon *e, uint64_t row, uint64_t end_row, range words) {
    return f2_part(&e->whole, row, words.first, end_row - row, (words.end - words.first) * F2_WORD);
}

/* ------------------------------------------------------------- what pivots do */

/* The rows of the pivots of a range of words, in a range of words to its right: row k of the result is that of the pivot in column k of the
 * range, or 0. Where each column has a pivot that is how they lie. */
static riffle_f2_matrix spread(const f2_echelon *e, range of, range words) {
    const uint64_t first = e->first[of.first], end = e->first[of.end];
    const uint64_t columns = (of.end - of.first) * F2_WORD;
    const riffle_f2_matrix rows = part(e, first, end, words);
    if (end - first == columns) return rows;
    const riffle_f2_matrix to = {columns, rows.columns, f2_words(rows.columns), e->spread.words};
    f2_clear(&to);
    for (uint64_t k = first; k < end; k++) {
        const riffle_f2_matrix from = f2_part(&rows, k - first, 0, 1, rows.columns);
        const riffle_f2_matrix row = f2_part(&to, e->pivots[k] - of.first * F2_WORD, 0, 1, rows.columns);
        f2_copy(&row, &from);
    }
    return to;
}

/* Adds the pivots of a range of words to rows below, by these rows' multipliers. */
static void add_pivots(const f2_echelon *e, range of, uint64_t row, uint64_t end_row, range words) {
    const riffle_f2_matrix to = part(e, row, end_row, words), multipliers = part(e, row, end_row, of);
    const riffle_f2_matrix pivots = spread(e, of, words);
    f2_multiply_add(&e->work, &to, &multipliers, &pivots);
}

/* Adds pivots of one word to each other. */
static void solve_word(const f2_echelon *e, size_t word, range words) {
    const uint64_t first = e->first[word], end = e->first[word + 1];
    for (uint64_t k = first + 1; k < end; k++)
        for (uint64_t j = first; j < k; j++)
            if ((f2_row(&e->whole, k)[word] >> e->pivots[j] % F2_WORD & 1) != 0)
                e->work.loops->add(f2_row(&e->whole, k) + words.first, f2_row(&e->whole, j) + words.first,
                                   words.end - words.first);
}

/* Adds pivots of a range of words to each other, in words to its right. */
static void solve_pivots(const f2_echelon *e, range of, range words) {
    if (of.end - of.first == 1) {
        solve_word(e, of.first, words);
        return;
    }
    const range left = {of.first, middle(of)}, right = {middle(of), of.end};
    solve_pivots(e, left, words);
    add_pivots(e, left, e->first[right.first], e->first[right.end], words);
    solve_pivots(e, right, words);
}

/* -------------------------------------------------------------- one word */

static void exchange_rows(f2_echelon *e, uint64_t i, uint64_t j) {
    if (i == j) return;
    uint64_t *const a = f2_row(&e->whole, i), *const b = f2_row(&e->whole, j);
    for (size_t w = 0; w < words_of_whole(e); w++) {
        const uint64_t held = a[w];
        a[w] = b[w];
        b[w] = held;
    }
    const uint64_t word = e->column[i], row = e->order[i];
    e->column[i] = e->column[j];
    e->order[i] = e->order[j];
    e->column[j] = word;
    e->order[j] = row;
    e->keys[j] = (int64_t)(row << 32 | j);
}

/* The column's pivot comes to the first row that has none. Returns what it adds to rows below: its bits behind the column's. */
static uint64_t take_pivot(f2_echelon *e, uint64_t at, size_t word, unsigned bit) {
    exchange_rows(e, e->rank, at);
    e->pivots[e->rank] = word * F2_WORD + bit;
    return e->column[e->rank++] & ~(uint64_t)1 << bit;
}

static void eliminate_word(f2_echelon *e, size_t word) {
    const uint64_t first = e->rank, rows = e->whole.rows;
    for (uint64_t i = first; i < rows; i++) {
        e->column[i] = f2_row(&e->whole, i)[word];
        e->keys[i] = (int64_t)(e->order[i] << 32 | i);
    }
    int64_t least = e->work.loops->eliminate(e->column + first, e->keys + first, rows - first, 0, 0, 0);
    for (unsigned bit = 0; bit < F2_WORD && e->rank < rows; bit++) {
        const uint64_t at = (uint64_t)least & UINT32_MAX,
                       added = least == F2_NO_KEY ? 0 : take_pivot(e, at, word, bit);
        const unsigned next = bit + 1 < F2_WORD ? bit + 1 : bit;
        least =
            e->work.loops->eliminate(e->column + e->rank, e->keys + e->rank, rows - e->rank, bit, added, next);
    }
    for (uint64_t i = first; i < rows; i++) f2_row(&e->whole, i)[word] = e->column[i];
    e->first[word + 1] = e->rank;
}

/* Eliminates the columns of a range; words behind it are left to the caller. */
static void eliminate(f2_echelon *e, range words) {
    if (words.end - words.first == 1) {
        eliminate_word(e, words.first);
        return;
    }
    const range left = {words.first, middle(words)}, right = {middle(words), words.end};
    eliminate(e, left);
    solve_pivots(e, left, right);
    add_pivots(e, left, e->rank, e->whole.rows, right);
    eliminate(e, right);
}

void f2_eliminate(f2_echelon *e) {
    const range matrix = {0, words_of_matrix(e)}, behind = {matrix.end, words_of_whole(e)};
    e->rank = e->first[0] = 0;
    for (uint64_t i = 0; i < e->whole.rows; i++) e->order[i] = i;
    if (matrix.end == 0) return;
    eliminate(e, matrix);
    if (behind.end == behind.first) return;
    solve_pivots(e, matrix, behind);
    add_pivots(e, matrix, e->rank, e->whole.rows, behind);
}

/* --------------------------------------------------------- back substitution */

/* x's rows of the columns of a range of words. */
static riffle_f2_matrix rows_of_x(const f2_echelon *e, const riffle_f2_matrix *x, range of) {
    const uint64_t first = of.first * F2_WORD;
    return f2_part(x, first, 0, f2_min(of.end * F2_WORD, e->columns) - first, x->columns);
}

static void substitute_word(const f2_echelon *e, const riffle_f2_matrix *x, size_t word) {
    const riffle_f2_matrix y = f2_behind(e);
    for (uint64_t k = e->first[word + 1]; k-- > e->first[word];) {
        const riffle_f2_matrix from = f2_part(&y, k, 0, 1, x->columns);
        const riffle_f2_matrix to = f2_part(x, e->pivots[k], 0, 1, x->columns);
        uint64_t bits = f2_row(&e->whole, k)[word] & ~(uint64_t)1 << e->pivots[k] % F2_WORD;
        f2_copy(&to, &from);
        for (; bits != 0; bits &= bits - 1)
            e->work.loops->add(to.words, f2_row(x, word * F2_WORD + (unsigned)__builtin_ctzll(bits)),
                               f2_words(x->columns));
    }
}

static void substitute(const f2_echelon *e, const riffle_f2_matrix *x, range words) {
    if (words.end - words.first == 1) {
        substitute_word(e, x, words.first);
        return;
    }
    const range left = {words.first, middle(words)}, right = {middle(words), words.end};
    substitute(e, x, right);
    const riffle_f2_matrix y = f2_behind(e), known = rows_of_x(e, x, right);
    const riffle_f2_matrix to =
        f2_part(&y, e->first[left.first], 0, e->first[left.end] - e->first[left.first], y.columns);
    riffle_f2_matrix upper = part(e, e->first[left.first], e->first[left.end], right);
    upper.columns = known.rows;
    f2_multiply_add(&e->work, &to, &upper, &known);
    substitute(e, x, left);
}

void f2_back_substitute(const f2_echelon *e, const riffle_f2_matrix *x) {
    const range matrix = {0, words_of_matrix(e)};
    if (matrix.end > 0 && x->columns > 0) substitute(e, x, matrix);
}

/* --------------------------------------------------------------------- room */

riffle_f2_matrix f2_behind(const f2_echelon *e) {
    const size_t word = words_of_matrix(e);
    return f2_part(&e->whole, 0, word, e->whole.rows, e->whole.columns - word * F2_WORD);
}

static riffle_status make_lists(f2_echelon *e) {
    const uint64_t rows = e->whole.rows;
    const size_t words = words_of_matrix(e), numbers = 3 * rows + words + 1;
    e->pivots = calloc(numbers + rows, sizeof *e->pivots);
    if (e->pivots == NULL) return fail_memory("elimination over F2", (numbers + rows) * sizeof *e->pivots);
    e->order = e->pivots + rows;
    e->column = e->order + rows;
    e->first = e->column + rows;
    e->keys = (int64_t *)(e->first + words + 1);
    return RIFFLE_OK;
}

/* The largest product: half of the columns act on the other half and on those behind. */
static riffle_status make_room(f2_echelon *e, unsigned threads) {
    const size_t words = words_of_matrix(e), all = words_of_whole(e);
    const uint64_t widest = (all > words ? words : (words + 1) / 2) * F2_WORD;
    riffle_status status = f2_work_create(e->whole.rows, widest, e->whole.columns, threads, &e->work);
    if (status == RIFFLE_OK) status = f2_create("elimination over F2", widest, e->whole.columns, &e->spread);
    return status;
}

riffle_status f2_echelon_create(uint64_t rows, uint64_t columns, uint64_t behind, unsigned threads,
                                f2_echelon *out) {
    f2_echelon e = {.columns = columns};
    const uint64_t all = behind > 0 ? f2_words(columns) * F2_WORD + behind : columns;
    riffle_status status = f2_create("elimination over F2", rows, all, &e.whole);
    if (status == RIFFLE_OK) status = make_lists(&e);
    if (status == RIFFLE_OK) status = make_room(&e, threads);
    if (status == RIFFLE_OK)
        *out = e;
    else
        f2_echelon_free(&e);
    return status;
}

void f2_echelon_free(f2_echelon *e) {
    f2_free(&e->whole);
    free(e->pivots);
    f2_work_free(&e->work);
    f2_free(&e->spread);
}
