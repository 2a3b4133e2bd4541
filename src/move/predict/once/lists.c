/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of lists of runs (move/kernels/once/once_sums.cu), in closed form: it depends on lengths alone.
 */
#include "base/arithmetic.h"
#include "move/predict/once/pieces.h"
#include "move/predict/predict.h"

enum { SITE_ZERO, SITE_BEGIN, SITE_END, SITE_PUT, SITE_GET, SITE_WRITE, ROW = ONCE_SPAN + 1 };

/* A warp's tiles in a span of pieces: the first, and how many of both there are. */
typedef struct turned_runs {
    const once_table *t;
    uint64_t tile, tiles, span, pieces;
    pattern *out;
} turned_runs;

static turned_runs runs_of(const once_table *t, uint64_t span, uint64_t tile, pattern *out) {
    const uint64_t first = span * ONCE_SPAN;
    return (turned_runs){.t = t,
                         .tile = tile,
                         .tiles = tile < t->tiles ? min(t->tiles - tile, (uint64_t)WARP_LANES) : 0,
                         .span = span,
                         .pieces = min(t->pieces - first, (uint64_t)ONCE_SPAN),
                         .out = out};
}

/* A lane has a tile, and its row in shared memory. */
static void read_runs(const turned_runs *r, uint64_t k) {
    const uint64_t at = (uintptr_t)(r->t->starts + (r->span * ONCE_SPAN + k) * r->t->row + r->tile);
    pattern_run(r->out, SITE_BEGIN, k, at, r->tiles);
    pattern_run(r->out, SITE_END, k, at + sizeof(uint16_t), r->tiles);
    pattern_stages(r->out, SITE_PUT, k, r->tiles > 0 ? 1 : 0, 1);
}

static void turn_runs(const turned_runs *r) {
    const uint64_t to = (uintptr_t)r->t->runs, span = r->span * ONCE_SPAN;
    for (uint64_t k = 0; k < ONCE_SPAN; k++) pattern_stages(r->out, SITE_ZERO, k, 1, 1);
    for (uint64_t k = 0; k < r->pieces; k++) read_runs(r, k);
    for (uint64_t k = 0; k < r->tiles; k++) {
        pattern_stages(r->out, SITE_GET, k, 1, 1);
        pattern_run(r->out, SITE_WRITE, k, to + ((r->tile + k) * r->t->column + span) * sizeof(uint32_t),
                    WARP_LANES);
    }
}

static void declare(pattern *out) {
    pattern_declare(out, SITE_ZERO, PATTERN_SHARED, PATTERN_WRITE, 4);
    pattern_declare(out, SITE_BEGIN, PATTERN_GLOBAL, PATTERN_READ, 2);
    pattern_declare(out, SITE_END, PATTERN_GLOBAL, PATTERN_READ, 2);
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, 4);
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, 4);
    pattern_declare(out, SITE_WRITE, PATTERN_GLOBAL, PATTERN_WRITE, 4);
}

/* Blocks of a span are alike, but for the last, which has the tiles that are left. */
void pattern_of_once_run_lists(const launch *work, const void *subject, pattern *out) {
    (void)subject;
    const once_table *const t = once_table_of(work);
    const uint64_t groups = ceil_div(t->tiles, work->block_x), spans = ceil_div(t->pieces, ONCE_SPAN);
    declare(out);
    for (uint64_t span = 0; span < spans; span++)
        for (uint64_t group = 0; group < groups; group += max(groups - 1, 1)) {
            pattern_alike(out, span * groups + group, group + 1 < groups ? groups - 1 : 1);
            for (uint32_t warp = 0; warp < work->block_x; warp += WARP_LANES) {
                const turned_runs r = runs_of(t, span, group * work->block_x + warp, out);
                turn_runs(&r);
            }
        }
}
