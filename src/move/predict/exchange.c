/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors that change places within the array (move/kernels/affine/affine_exchange.cu). Places are sums (XOR) again: blocks of
 * one distance access alike, so those whose vectors go to others are told from those that turn them within themselves.
 */
#include "base/arithmetic.h"
#include "move/passes/affine_tile.h"
#include "move/predict/predict.h"

enum { SITE_READ, SITE_READ_OTHER, SITE_WRITE, SITE_WRITE_OTHER, VECTOR = LAUNCH_VECTOR_BYTES };

static uint64_t sum(const uint64_t *vectors, uint64_t number) {
    uint64_t out = 0;
    for (; number != 0; number &= number - 1) out ^= vectors[__builtin_ctzll(number)];
    return out;
}

/* A block: where its run is, its vectors, and how far each goes; 0: it stays. */
typedef struct exchange_block {
    uint64_t run, x, far;
} exchange_block;

static exchange_block block_of(const affine_exchange_schedule *s, const affine_exchange_table_64 *t,
                               uint64_t number) {
    const uint64_t block = number % t->blocks, row = block % t->rows, piece = block / t->rows;
    const uint64_t orbit = (t->first + row) << t->plain | piece * t->moves << t->threads_log2;
    const uint64_t coset = involution_coset(&s->orbits, orbit);
    const uint64_t d = t->displacement ^ sum(t->displaces, coset >> t->plain);
    return (exchange_block){number / t->blocks * t->stride, t->origin ^ sum(t->basis, coset),
                            d & ~(uint64_t)(VECTOR - 1)};
}

/* Move i of the threads of a warp, from the first on. */
static void describe_move(const launch *work, const affine_exchange_table_64 *t, const exchange_block *b,
                          uint64_t first, uint32_t i, pattern *out) {
    const uint64_t start = (uintptr_t)work->to + b->run,
                   end = min(first + out->machine->width, (uint64_t)work->block_x);
    pattern_lanes here = {0}, there = {0};
    for (uint64_t thread = first; thread < end; thread++) {
        const uint64_t x = b->x ^ sum(t->basis, thread) ^ (i > 0 ? t->basis[t->threads_log2] : 0);
        pattern_lane(&here, start + x);
        pattern_lane(&there, start + (x ^ b->far));
    }
    pattern_access(out, SITE_READ, i, &here);
    if (b->far != 0) pattern_access(out, SITE_READ_OTHER, i, &there);
    pattern_access(out, SITE_WRITE, i, &there);
    if (b->far != 0) pattern_access(out, SITE_WRITE_OTHER, i, &here);
}

static void describe_block(const launch *work, const affine_exchange_table_64 *t, const exchange_block *b,
                           pattern *out) {
    for (uint64_t first = 0; first < work->block_x; first += out->machine->width)
        for (uint32_t i = 0; i < t->moves; i++) describe_move(work, t, b, first, i, out);
}

void pattern_of_exchange(const launch *work, const void *subject, pattern *out) {
    const pass *const p = subject;
    const affine_exchange_schedule *const s = &p->affine_exchange.vectors;
    affine_exchange_table_64 t;
    affine_exchange_table(s, &t);
    pattern_declare(out, SITE_READ, PATTERN_GLOBAL, PATTERN_READ, VECTOR);
    pattern_declare(out, SITE_READ_OTHER, PATTERN_GLOBAL, PATTERN_READ, VECTOR);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, VECTOR);
    pattern_declare(out, SITE_WRITE_OTHER, PATTERN_GLOBAL, PATTERN_WRITE, VECTOR);
    const uint64_t samples = pattern_samples(out, (uint64_t)t.moves << t.threads_log2);
    for (uint64_t k = 0; k < samples; k++) {
        const exchange_block b = block_of(s, &t, pattern_sample(out, samples, k));
        describe_block(work, &t, &b, out);
    }
}
