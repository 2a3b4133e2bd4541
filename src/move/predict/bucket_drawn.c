/* SPDX-License-Identifier: Apache-2.0
 *
 * A later pass's piece comes in runs, each from anywhere, and each element is any run's. A piece of all but the last pass is sorted by bucket,
 * and each element goes to any; that of the last is in any order.
 */
#include "move/predict/bucket_drawn.h"

#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/splitmix.h"
#include "base/status.h"

/* A piece while it is drawn. */
typedef struct drawing {
    const bucket_tile_schedule *s;
    uint64_t random;
    uint32_t count, units;
    uint16_t *staged; /* where each element is in shared memory */
    uint32_t *tally;  /* lengths of runs, or of buckets */
    bucket_drawn *out;
} drawing;

static uint64_t below(drawing *d, uint64_t n) { return splitmix_next(&d->random) % n; }

static uint16_t staged_at(const drawing *d, uint64_t ordinal, uint64_t at) {
    return (uint16_t)(riffle_bucket_cell((uint32_t)ordinal) * d->units + at % d->units);
}

/* ---------------------------------------------------------------------- coming */

static void stage_as_it_lies(drawing *d) {
    for (uint32_t i = 0; i < d->count; i++) d->staged[i] = staged_at(d, i / d->units, i);
}

/* The run's elements are side by side; the chunks that they lie in are listed. */
static void stage_run(drawing *d, uint32_t first, uint32_t length) {
    const uint64_t at = below(d, d->s->n - length + 1);
    for (uint32_t i = 0; i < length; i++) {
        if (i == 0 || (at + i) % d->units == 0)
            d->out->chunks[d->out->chunk_count++] = (uint32_t)((at + i) / d->units);
        d->staged[first + i] = staged_at(d, d->out->chunk_count - 1, at + i);
    }
}

static void stage_runs(drawing *d) {
    for (uint32_t i = 0; i < d->count; i++) d->tally[below(d, d->s->runs)]++;
    for (uint32_t r = 0, first = 0; r < d->s->runs; first += d->tally[r++]) stage_run(d, first, d->tally[r]);
}

/* ----------------------------------------------------------------------- going */

static void order_by_bucket(drawing *d) {
    const uint64_t begin = d->random;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < d->count; i++) d->tally[below(d, d->s->buckets)]++;
    for (uint32_t b = 0; b < d->s->buckets; b++) {
        const uint32_t own = d->tally[b];
        d->tally[b] = sum;
        sum += own;
    }
    d->random = begin; /* the same buckets again */
    for (uint32_t i = 0; i < d->count; i++) d->out->order[d->tally[below(d, d->s->buckets)]++] = d->staged[i];
}

static void order_anyhow(drawing *d) {
    for (uint32_t i = 0; i < d->count; i++) {
        const uint64_t j = below(d, (uint64_t)i + 1);
        d->out->order[i] = d->out->order[j];
        d->out->order[j] = d->staged[i];
    }
}

/* ----------------------------------------------------------------------- pieces */

static void draw(drawing *d) {
    if (d->s->runs > 0)
        stage_runs(d);
    else
        stage_as_it_lies(d);
    for (uint64_t k = 0; k < d->s->runs; k++) d->tally[k] = 0;
    if (d->s->buckets > 0)
        order_by_bucket(d);
    else
        order_anyhow(d);
}

riffle_status bucket_drawn_create(const bucket_tile_schedule *s, uint64_t piece, bucket_drawn *out) {
    const uint64_t count = min(s->n - piece * s->piece, (uint64_t)s->piece),
                   tallies = max(s->runs, s->buckets) + 1;
    *out = (bucket_drawn){.order = calloc(count, sizeof *out->order)};
    if (s->runs > 0) out->chunks = calloc(count, sizeof *out->chunks);
    drawing d = {.s = s,
                 .random = piece,
                 .count = (uint32_t)count,
                 .units = (uint32_t)(BUCKET_TILE_CHUNK_BYTES / s->elem_bytes),
                 .staged = calloc(count, sizeof *d.staged),
                 .tally = calloc(tallies, sizeof *d.tally),
                 .out = out};
    const bool has_memory =
        out->order != NULL && (s->runs == 0 || out->chunks != NULL) && d.staged != NULL && d.tally != NULL;
    if (has_memory) draw(&d);
    free(d.staged);
    free(d.tally);
    if (has_memory) return RIFFLE_OK;
    bucket_drawn_free(out);
    return fail_memory("a prediction's piece", count * (2 * sizeof *out->order + sizeof *out->chunks));
}

void bucket_drawn_free(bucket_drawn *d) {
    free(d->order);
    free(d->chunks);
    *d = (bucket_drawn){0};
}
