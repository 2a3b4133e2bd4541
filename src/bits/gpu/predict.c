/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of bit transpositions (bits/kernels/bits_shuffle.cu), tile after tile: no access depends on the data.
 */
#include "bits/gpu/predict.h"

#include "base/arithmetic.h"
#include "bits/kernels/kernel.h"

enum {
    SITE_ELEMENT,
    SITE_PUT,
    SITE_PUT_HIGH,
    SITE_VECTOR,
    SITE_PUT_VECTOR,
    SITE_ROW,
    SITE_WORD,
    SITE_PLANE_BYTE
};
enum { WARP = 32, WORD = 4 };

typedef struct bits_view {
    const bits_table *a;
    uint32_t column, part; /* bytes of a column, and of its part in a row */
    uint32_t row;          /* bytes of a row, and planes that a warp has */
    uint64_t plane;        /* bytes of a plane */
    uint64_t elements;     /* where the elements are */
    uint64_t planes;       /* where the planes are */
    pattern *out;
} bits_view;

/* A warp of a block at a tile. */
typedef struct bits_warp {
    uint32_t first_thread;
    uint64_t first;      /* element of the tile in its array */
    uint64_t element_at; /* byte where it begins */
    uint64_t planes_at;  /* byte where the first of the warp's planes begins */
    uint64_t word_at;    /* byte of each of them where lane 0's word does */
} bits_warp;

static uint32_t parts(const bits_view *v) { return v->column / v->part; }

static uint32_t tile_elements(const bits_view *v) { return BITS_RUNS(v->column) * BITS_RUN; }

static bits_warp warp_of(const bits_view *v, uint64_t tile, uint32_t warp) {
    const uint64_t columns = v->a->bytes / v->column, array = tile / v->a->tiles, within = tile % v->a->tiles;
    const uint64_t column = within % columns, first = within / columns * tile_elements(v);
    return (bits_warp){.first_thread = warp * WARP,
                       .first = first,
                       .element_at = ((array * v->a->n + first) * columns + column) * v->column,
                       .planes_at =
                           (array * v->a->bytes + column * v->column + warp % parts(v) * WORD) * 8 * v->plane,
                       .word_at = (first + warp / parts(v) * BITS_RUN) / 8};
}

static uint32_t vector_place(const bits_view *v, uint32_t row, uint32_t vector) {
    const uint32_t vectors = v->row / BITS_VECTOR, lane = row % WARP;
    const uint32_t turned = lane / (WARP / vectors) ^ lane / (8 / vectors) % vectors;
    return row * v->row + (vector ^ turned) * BITS_VECTOR;
}

static uint32_t element_place(const bits_view *v, uint32_t e) {
    const uint32_t row = e / BITS_RUN * parts(v) * WARP + e % BITS_RUN / WARP, byte = e % WARP * v->part;
    return vector_place(v, row, byte / BITS_VECTOR) + byte % BITS_VECTOR;
}

/* ------------------------------------------------------------------ elements */

static void shared_elements(const bits_view *v, const pattern_lanes *lanes) {
    pattern_lanes high = *lanes;
    pattern_next(v->out, SITE_PUT, lanes);
    if (parts(v) == 1) return;
    for (unsigned k = 0; k < high.count; k++) high.at[k] += WORD * BITS_RUN;
    pattern_next(v->out, SITE_PUT_HIGH, &high);
}

/* Elements between memory and shared memory; those behind the last are put as zeros, and not got. */
static void single_elements(const bits_view *v, const bits_warp *w, bool puts) {
    for (uint32_t e = w->first_thread; e < tile_elements(v); e += BITS_THREADS) {
        pattern_lanes there = {0}, here = {0};
        for (uint32_t lane = 0; lane < WARP; lane++) {
            const bool is_in = w->first + e + lane < v->a->n;
            if (is_in) pattern_lane(&there, v->elements + w->element_at + (e + lane) * v->a->bytes);
            if (is_in || puts) pattern_lane(&here, element_place(v, e + lane));
        }
        pattern_next(v->out, SITE_ELEMENT, &there);
        shared_elements(v, &here);
    }
}

static void vectors(const bits_view *v, const bits_warp *w) {
    const uint32_t all = tile_elements(v) * v->column / BITS_VECTOR, each = v->row / BITS_VECTOR;
    for (uint32_t first = w->first_thread; first < all; first += BITS_THREADS) {
        pattern_lanes there = {0}, here = {0};
        for (uint32_t k = first; k < first + WARP; k++) {
            pattern_lane(&there, v->elements + w->element_at + k * BITS_VECTOR);
            pattern_lane(&here, vector_place(v, k / each, k % each));
        }
        pattern_next(v->out, SITE_VECTOR, &there);
        pattern_next(v->out, SITE_PUT_VECTOR, &here);
    }
}

static void elements(const bits_view *v, const bits_warp *w, bool puts) {
    if (v->a->by_vectors && w->first + tile_elements(v) <= v->a->n)
        vectors(v, w);
    else
        single_elements(v, w, puts);
}

/* A lane's row. */
static void rows(const bits_view *v, const bits_warp *w) {
    for (uint32_t vector = 0; vector < v->row / BITS_VECTOR; vector++) {
        pattern_lanes lanes = {0};
        for (uint32_t lane = 0; lane < WARP; lane++)
            pattern_lane(&lanes, vector_place(v, w->first_thread + lane, vector));
        pattern_next(v->out, SITE_ROW, &lanes);
    }
}

/* -------------------------------------------------------------------- planes */

/* A lane's word of a plane: whole, or byte by byte where it ends before, or begins at no word. */
static void plane(const bits_view *v, const bits_warp *w, uint32_t number) {
    const uint64_t start = v->planes + w->planes_at + number * v->plane;
    pattern_lanes words = {0}, single[WORD] = {0};
    for (uint32_t lane = 0; lane < WARP; lane++) {
        const uint64_t at = w->word_at + (uint64_t)lane * WORD;
        const bool is_whole = v->a->by_words && at + WORD <= v->plane;
        if (is_whole) pattern_lane(&words, start + at);
        for (uint32_t k = 0; !is_whole && k < WORD && at + k < v->plane; k++)
            pattern_lane(&single[k], start + at + k);
    }
    pattern_next(v->out, SITE_WORD, &words);
    for (uint32_t k = 0; k < WORD; k++) pattern_next(v->out, SITE_PLANE_BYTE, &single[k]);
}

/* --------------------------------------------------------------------- tiles */

static void describe_block(const bits_view *v, uint64_t block, bool to_planes) {
    for (uint32_t warp = 0; warp < BITS_WARPS; warp++) {
        pattern_begin_warp(v->out);
        for (uint64_t tile = block; tile < v->a->all; tile += v->out->grid) {
            const bits_warp w = warp_of(v, tile, warp);
            elements(v, &w, to_planes);
            rows(v, &w);
            for (uint32_t p = 0; p < 8 * v->part; p++) plane(v, &w, p);
        }
    }
}

static void declare(const bits_view *v, bool to_planes, pattern *out) {
    const pattern_op first = to_planes ? PATTERN_READ : PATTERN_WRITE,
                     then = to_planes ? PATTERN_WRITE : PATTERN_READ;
    pattern_declare(out, SITE_ELEMENT, PATTERN_GLOBAL, first, v->column);
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, then, v->part);
    pattern_declare(out, SITE_PUT_HIGH, PATTERN_SHARED, then, v->part);
    pattern_declare(out, SITE_VECTOR, PATTERN_GLOBAL, first, BITS_VECTOR);
    pattern_declare(out, SITE_PUT_VECTOR, PATTERN_SHARED, then, BITS_VECTOR);
    pattern_declare(out, SITE_ROW, PATTERN_SHARED, first, BITS_VECTOR);
    pattern_declare(out, SITE_WORD, PATTERN_GLOBAL, then, WORD);
    pattern_declare(out, SITE_PLANE_BYTE, PATTERN_GLOBAL, then, 1);
}

static void describe(const launch *work, bool to_planes, pattern *out) {
    const bits_table *const a = &((const struct bits_arguments *)work->arguments)->table;
    const uint32_t column = (uint32_t)work->elem_bytes, part = min(column, (uint32_t)WORD);
    const bits_view v = {.a = a,
                         .column = column,
                         .part = part,
                         .row = WARP * part,
                         .plane = ceil_div(a->n, (uint64_t)8),
                         .elements = (uintptr_t)(to_planes ? work->from : work->to),
                         .planes = (uintptr_t)(to_planes ? work->to : work->from),
                         .out = out};
    const uint64_t samples = pattern_samples(out, tile_elements(&v));
    declare(&v, to_planes, out);
    for (uint64_t k = 0; k < samples; k++) describe_block(&v, pattern_sample(out, samples, k), to_planes);
}

static void pattern_to_planes(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe(work, true, out);
}

static void pattern_to_elements(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    describe(work, false, out);
}

const kernel_pattern bits_patterns[] = {{&KERNEL_bits_to_planes.record, pattern_to_planes},
                                        {&KERNEL_bits_to_elements.record, pattern_to_elements},
                                        {NULL, NULL}};
