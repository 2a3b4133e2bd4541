/* SPDX-License-Identifier: Apache-2.0
 *
 * The patterns of moves of packed elements: affine maps, whose places are sums of what numbers' bits choose, so that all tiles are alike where arrays begin on an
 * address group; and moves by a map, which follow it.
 */
#include "base/arithmetic.h"
#include "bits/gpu/affine.h"
#include "bits/gpu/predict.h"
#include "bits/gpu/predict_shift.h"
#include "bits/kernels/kernel.h"
#include "bits/plan.h"
#include "move/predict/boxes.h"
#include "perm/kind.h"

enum { SITE_READ, SITE_PUT, SITE_IN, SITE_OUT, SITE_GET, SITE_WRITE };
enum { SITE_MAP, SITE_FROM, SITE_TO };
enum { WARP = 32, WORD = 4, VECTOR = WORD * BITS_AFFINE_VECTOR };

static uint32_t sum32(const uint32_t *vectors, uint64_t number) {
    uint32_t sum = 0;
    for (; number != 0; number &= number - 1) sum ^= vectors[__builtin_ctzll(number)];
    return sum;
}

/* ------------------------------------------------------------- affine maps */

typedef struct affine_view {
    const bits_affine_table *t;
    uint32_t access; /* bytes */
    pattern *out;
} affine_view;

/* A warp's lines, vector after vector. */
static void lines(const affine_view *v, const bits_memory_side *side, uint64_t array, uint32_t line,
                  uint32_t first, unsigned site) {
    for (uint32_t move = 0; move < v->t->vectors; move++)
        for (uint32_t byte = 0; byte < VECTOR; byte += v->access) {
            pattern_lanes lanes = {0};
            for (uint32_t lane = first; lane < first + WARP; lane++) {
                const uint64_t at = line ^ sum32(side->thread_line, lane) ^ side->move_line[move];
                pattern_lane(&lanes, array + at * BITS_AFFINE_LINE + lane * VECTOR % BITS_AFFINE_LINE + byte);
            }
            pattern_next(v->out, site, &lanes);
        }
}

static void words_of_lines(const affine_view *v, const bits_memory_side *side, uint32_t first, unsigned site) {
    for (uint32_t k = 0; k < BITS_AFFINE_WORDS; k++) {
        pattern_lanes lanes = {0};
        for (uint32_t lane = first; lane < first + WARP; lane++)
            pattern_lane(&lanes, sum32(side->thread_cell, lane) ^ side->move_cell[k / BITS_AFFINE_VECTOR] ^
                                     side->word_cell[k % BITS_AFFINE_VECTOR]);
        pattern_next(v->out, site, &lanes);
    }
}

static void words_of_warp(const affine_view *v, const bits_warp_side *side, uint32_t turned, uint32_t first,
                          unsigned site) {
    for (uint32_t k = 0; k < BITS_AFFINE_WORDS; k++) {
        pattern_lanes lanes = {0};
        for (uint32_t lane = first; lane < first + WARP; lane++)
            pattern_lane(&lanes, sum32(side->thread_cell, lane) ^ side->move_cell[k] ^ turned);
        pattern_next(v->out, site, &lanes);
    }
}

static void describe_tile(const affine_view *v, const launch *work, uint64_t number, uint32_t first) {
    const bits_affine_table *const t = v->t;
    const uint64_t array = (number >> t->tile_bits) * t->array_bytes;
    const uint64_t within = number & (((uint64_t)1 << t->tile_bits) - 1);
    const uint32_t turned = t->turned ^ sum32(t->tile.turned, within);
    lines(v, &t->to_read, (uintptr_t)work->from + array, sum32(t->tile.read, within), first, SITE_READ);
    words_of_lines(v, &t->to_read, first, SITE_PUT);
    words_of_warp(v, &t->in, 0, first, SITE_IN);
    words_of_warp(v, &t->out, turned >> BITS_AFFINE_CELL_SHIFT, first, SITE_OUT);
    words_of_lines(v, &t->to_write, first, SITE_GET);
    lines(v, &t->to_write, (uintptr_t)work->to + array, t->write ^ sum32(t->tile.write, within), first,
          SITE_WRITE);
}

static void pattern_of_affine(const launch *work, const void *subject, pattern *out) {
    const bits_affine_table *const t = &((const struct bits_affine_arguments *)work->arguments)->table;
    const affine_view v = {t, (uint32_t)work->elem_bytes, out};
    const uint64_t samples = pattern_samples(out, bits_affine_tile_bytes(t));
    (void)subject;
    pattern_declare(out, SITE_READ, PATTERN_GLOBAL, PATTERN_READ, v.access);
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, WORD);
    pattern_declare(out, SITE_IN, PATTERN_SHARED, PATTERN_READ, WORD);
    pattern_declare(out, SITE_OUT, PATTERN_SHARED, PATTERN_WRITE, WORD);
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, WORD);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, v.access);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t block = pattern_sample(out, samples, k);
        for (uint32_t first = 0; first < work->block_x; first += WARP) {
            pattern_begin_warp(out);
            for (uint64_t tile = block; tile < t->all; tile += out->grid) describe_tile(&v, work, tile, first);
        }
    }
}

/* ------------------------------------------------------------------- a map */

/* A warp's bytes of dst, one a lane. */
static void describe_bytes(const launch *work, const riffle_bits_plan *plan, uint64_t first, pattern *out) {
    const struct bits_gather_arguments *const a = work->arguments;
    const uint64_t each = 8 / plan->packed.elem_bits;
    pattern_lanes map[8] = {{0}}, from[8] = {{0}}, to = {0};
    for (uint64_t k = first; k < min(first + WARP, a->all); k++) {
        const uint64_t within = k % a->bytes, begin = within * each, count = min(each, a->n - begin);
        uint64_t index[8];
        perm_map(plan->inverse, begin, (size_t)count, index);
        for (uint64_t j = 0; j < count; j++) {
            pattern_lane(&map[j], (uintptr_t)a->map + (begin + j) * work->elem_bytes);
            pattern_lane(&from[j],
                         (uintptr_t)work->from + (k - within) + index[j] * plan->packed.elem_bits / 8);
        }
        pattern_lane(&to, (uintptr_t)work->to + k);
    }
    for (uint64_t j = 0; j < each; j++) {
        pattern_next(out, SITE_MAP, &map[j]);
        pattern_next(out, SITE_FROM, &from[j]);
    }
    pattern_next(out, SITE_TO, &to);
}

static void pattern_of_map(const launch *work, const void *subject, pattern *out) {
    const struct bits_gather_arguments *const a = work->arguments;
    const riffle_bits_plan *const plan = *(const riffle_bits_plan *const *)subject;
    const uint64_t samples = pattern_samples(out, BITS_GATHER_THREADS);
    const uint64_t threads = out->grid * BITS_GATHER_THREADS;
    pattern_declare(out, SITE_MAP, PATTERN_GLOBAL, PATTERN_READ, work->elem_bytes);
    pattern_declare(out, SITE_FROM, PATTERN_GLOBAL, PATTERN_READ, 1);
    pattern_declare(out, SITE_TO, PATTERN_GLOBAL, PATTERN_WRITE, 1);
    for (uint64_t k = 0; k < samples; k++) {
        const uint64_t block = pattern_sample(out, samples, k) * BITS_GATHER_THREADS;
        for (uint64_t warp = block; warp < block + BITS_GATHER_THREADS; warp += WARP) {
            pattern_begin_warp(out);
            for (uint64_t first = warp; first < a->all; first += threads)
                describe_bytes(work, plan, first, out);
        }
    }
}

const kernel_pattern bits_move_patterns[] = {{&KERNEL_bits_affine.record, pattern_of_affine},
                                             {&KERNEL_bits_gather.record, pattern_of_map},
                                             {&KERNEL_bits_shift.record, pattern_of_shift},
                                             {&KERNEL_bits_exchange.record, pattern_of_exchange_of_bits},
                                             {&KERNEL_axes_box.record, pattern_of_axes_box},
                                             {&KERNEL_axes_vectors.record, pattern_of_axes_vectors},
                                             {&KERNEL_axes_words.record, pattern_of_axes_words},
                                             {NULL, NULL}};
