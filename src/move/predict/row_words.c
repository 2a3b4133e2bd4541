/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows moved word by word (move/kernels/direct/row_words.h): a thread writes one word of b, or the pieces of a row in its
 * first or last word, out of the two words of a that they lie in.
 */
#include "base/arithmetic.h"
#include "move/predict/predict.h"

/* Pieces of 1, 2, 4 and 8 bytes are sites of their own, at the begin of a row and at its end. */
enum {
    SITE_MAP,
    SITE_LOW,
    SITE_HIGH,
    SITE_WHOLE,
    SITE_ELEMENT_READ,
    SITE_ELEMENT_WRITE,
    SITE_BEGIN,
    PIECES = 4,
    SITE_END = SITE_BEGIN + PIECES,
    WORD = ROWS_WORD_BYTES
};

/* The accesses of a warp's lanes so far. */
typedef struct warp_words {
    pattern_lanes map, low, high, whole, piece[2 * PIECES];
    pattern_lanes element_read[WORD], element_write[WORD];
} warp_words;

/* The part of a row that lies in one word of b. */
typedef struct word_part {
    uint64_t to, from; /* addresses */
    uint32_t bytes;
} word_part;

static void add_elements(warp_words *w, const word_part *part, size_t elem_bytes) {
    for (uint32_t k = 0; k < part->bytes; k += (uint32_t)elem_bytes) {
        pattern_lane(&w->element_read[k / elem_bytes], part->from + k);
        pattern_lane(&w->element_write[k / elem_bytes], part->to + k);
    }
}

/* The smallest piece first at the begin of a row, the largest first at its end. */
static void add_pieces(warp_words *w, const word_part *part, bool is_begin) {
    uint64_t to = part->to;
    for (unsigned k = 0; k < PIECES; k++) {
        const unsigned log2 = is_begin ? k : PIECES - 1 - k;
        if ((part->bytes >> log2 & 1) == 0) continue;
        pattern_lane(&w->piece[(is_begin ? 0 : PIECES) + log2], to);
        to += (uint64_t)1 << log2;
    }
}

/* move_word; `a` is where the array begins. */
static void add_word(warp_words *w, const rows_table *t, size_t elem_bytes, uint64_t to, uint64_t a,
                     uint64_t from, uint64_t number) {
    const uint64_t before = to % WORD, end = (number + 1) * WORD - before, first = number > 0 ? end - WORD : 0;
    if (first >= t->row_bytes) return;
    const word_part part = {to + first, a + from + first, (uint32_t)(min(end, t->row_bytes) - first)};
    const uint64_t shift = part.from % WORD, span = shift + part.bytes > WORD ? 2 * WORD : WORD;
    if (from + first < shift || from + first - shift + span > t->array_bytes) {
        add_elements(w, &part, elem_bytes);
        return;
    }
    pattern_lane(&w->low, part.from - shift);
    if (span > WORD) pattern_lane(&w->high, part.from - shift + WORD);
    if (part.bytes == WORD)
        pattern_lane(&w->whole, part.to);
    else
        add_pieces(w, &part, number == 0);
}

static void count(const warp_words *w, pattern *out) {
    pattern_access(out, SITE_MAP, 0, &w->map);
    pattern_access(out, SITE_LOW, 0, &w->low);
    pattern_access(out, SITE_HIGH, 0, &w->high);
    pattern_access(out, SITE_WHOLE, 0, &w->whole);
    for (unsigned k = 0; k < 2 * PIECES; k++) pattern_access(out, SITE_BEGIN + k, 0, &w->piece[k]);
    for (unsigned k = 0; k < WORD; k++) {
        pattern_access(out, SITE_ELEMENT_READ, k, &w->element_read[k]);
        pattern_access(out, SITE_ELEMENT_WRITE, k, &w->element_write[k]);
    }
}

static void describe_warp(const launch *work, const pass *p, uint64_t first, uint64_t end, pattern *out) {
    const rows_table *const t = &((const struct rows_arguments *)work->arguments)->table;
    const riffle_perm *const map = p->indexed.of != NULL ? p->indexed.of : p->indexed.map;
    const bool scatters = p->kind == &PASS_SCATTER;
    const uint64_t b = (uintptr_t)work->to;
    warp_words w = {0};
    for (uint64_t k = first; k < end; k++) {
        const uint64_t row = k / t->row_parts, image = riffle_perm_at(map, row);
        const uint64_t to = (scatters ? image : row) * t->row_bytes,
                       from = (scatters ? row : image) * t->row_bytes;
        pattern_lane(&w.map, row * t->entry_bytes);
        add_word(&w, t, work->elem_bytes, b + to, (uintptr_t)work->from, from, k % t->row_parts);
    }
    count(&w, out);
}

static void declare(const rows_table *t, size_t elem_bytes, pattern *out) {
    pattern_declare(out, SITE_MAP, PATTERN_GLOBAL, PATTERN_READ, t->entry_bytes);
    pattern_declare(out, SITE_LOW, PATTERN_GLOBAL, PATTERN_READ, WORD);
    pattern_declare(out, SITE_HIGH, PATTERN_GLOBAL, PATTERN_READ, WORD);
    pattern_declare(out, SITE_WHOLE, PATTERN_GLOBAL, PATTERN_WRITE, WORD);
    pattern_declare(out, SITE_ELEMENT_READ, PATTERN_GLOBAL, PATTERN_READ, elem_bytes);
    pattern_declare(out, SITE_ELEMENT_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, elem_bytes);
    for (unsigned k = 0; k < 2 * PIECES; k++)
        pattern_declare(out, SITE_BEGIN + k, PATTERN_GLOBAL, PATTERN_WRITE, (size_t)1 << k % PIECES);
}

void pattern_of_row_words(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const rows_table *const t = &((const struct rows_arguments *)work->arguments)->table;
    const uint64_t threads = work->block_x, width = out->machine->width;
    const uint64_t samples = pattern_samples(out, threads);
    declare(t, work->elem_bytes, out);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t begin = pattern_sample(out, samples, k) * threads;
        const uint64_t end = min(begin + threads, t->parts);
        for (uint64_t first = begin; first < end; first += width)
            describe_warp(work, p, first, min(first + width, end), out);
    }
}
