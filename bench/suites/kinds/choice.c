/* SPDX-License-Identifier: Apache-2.0
 *
 * A move by all ways, which are timed in turn: what `auto` chooses first, which is the row's time; what RIFFLE_EFFORT_MEASURE finds; then each
 * algorithm, with the threads that there are and with one. A way whose first execution takes three times as long as the shortest is not timed.
 */
#include <stdio.h>
#include <string.h>

#include "bench/data.h"
#include "bench/host.h"
#include "kinds/kinds.h"
#include "system/clock.h"

enum { SAMPLE = 4096, AUTO = 0, MEASURED = 1, MOST = BENCH_MOST_MOVERS / 2 - 1 /* the copy moves, too */ };

typedef struct way {
    riffle_plan *plan;
    double first, plan_seconds;
} way;

/* The ways of a row that can be planned, and its arrays. */
typedef struct weighing {
    const bench_row *row;
    const bench_settings *settings;
    const riffle_perm *perm;
    unsigned char *dst, *src;
    way ways[MOST];
    unsigned count;
    bool right; /* all that were executed */
} weighing;

static riffle_status execute(const void *plan, void *dst, const void *src) {
    return riffle_execute(plan, dst, src);
}

/* Executes twice, since the first time pages may be touched. */
static riffle_status try_way(weighing *w, way *of) {
    const bench_move move = bench_move_of(w->row, w->perm);
    const bench_host_mover mover = {execute, of->plan};
    memset(w->dst, BENCH_POISON, bench_row_bytes(w->row));
    const riffle_status status = bench_host_first(&mover, w->dst, w->src, &of->first);
    if (status != RIFFLE_OK) return status;
    w->right &= bench_sample_is_right(&move, w->dst, SAMPLE);
    return bench_host_first(&mover, w->dst, w->src, &of->first);
}

/* Plans into the next place. */
static riffle_status plan_way(weighing *w, const riffle_plan_options *options) {
    way *const next = &w->ways[w->count];
    const double began = seconds_now();
    const riffle_status status =
        riffle_plan_create(w->perm, w->row->elem_bytes, RIFFLE_ENGINE_CPU, options, &next->plan);
    next->plan_seconds = seconds_now() - began;
    return status;
}

static riffle_status add_chosen(weighing *w, const riffle_plan_options *options) {
    riffle_status status = plan_way(w, options);
    if (status != RIFFLE_OK) return status;
    return try_way(w, &w->ways[w->count++]);
}

/* MEASURE's may differ in stores from one of its algorithm. */
static bool is_known(const weighing *w, const riffle_plan *plan) {
    bool known = false;
    for (unsigned k = 0; k < w->count; k++)
        known |= k != MEASURED && riffle_plan_algorithm(w->ways[k].plan) == riffle_plan_algorithm(plan) &&
                 riffle_plan_threads(w->ways[k].plan) == riffle_plan_threads(plan);
    return known;
}

/* An algorithm that does not take the move is none of its ways, and neither is a hopeless one. */
static riffle_status add_asked(weighing *w, const riffle_plan_options *options) {
    static const double hopeless = 3, short_time = 2e-5;
    way *const next = &w->ways[w->count];
    if (plan_way(w, options) != RIFFLE_OK) return RIFFLE_OK;
    const bool known = is_known(w, next->plan);
    const riffle_status status = known ? RIFFLE_OK : try_way(w, next);
    if (status == RIFFLE_OK && !known && next->first < hopeless * w->ways[AUTO].first + short_time)
        w->count++;
    else
        riffle_plan_free(next->plan);
    return status;
}

static riffle_status add_algorithms(weighing *w, const riffle_plan_options *options) {
    static const riffle_algorithm all[] = {RIFFLE_ALGORITHM_COPY,   RIFFLE_ALGORITHM_AFFINE,
                                           RIFFLE_ALGORITHM_AXES,   RIFFLE_ALGORITHM_GATHER,
                                           RIFFLE_ALGORITHM_BUCKET, RIFFLE_ALGORITHM_SCATTER};
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; k < sizeof all / sizeof *all && status == RIFFLE_OK; k++) {
        riffle_plan_options asked = *options;
        asked.algorithm = all[k];
        status = add_asked(w, &asked);
        asked.threads = 1;
        if (status == RIFFLE_OK && options->threads > 1) status = add_asked(w, &asked);
    }
    return status;
}

static riffle_status add_all(weighing *w) {
    const riffle_plan_options options = bench_options(w->row, w->settings);
    riffle_plan_options measuring = options;
    measuring.effort = RIFFLE_EFFORT_MEASURE;
    measuring.effort_dst = w->dst;
    measuring.effort_src = w->src;
    riffle_wisdom_forget();
    riffle_status status = add_chosen(w, &options);
    if (status == RIFFLE_OK) status = add_chosen(w, &measuring);
    return status == RIFFLE_OK ? add_algorithms(w, &options) : status;
}

static void take_best(const weighing *w, const double *seconds, bench_result *out) {
    bench_choice *const c = &out->choice;
    unsigned best = 0;
    for (unsigned k = 1; k < w->count; k++)
        if (seconds[k] < seconds[best]) best = k;
    *c = (bench_choice){.best_seconds = seconds[best],
                        .measured_seconds = seconds[MEASURED],
                        .measured_plan_seconds = w->ways[MEASURED].plan_seconds,
                        .best = riffle_plan_algorithm(w->ways[best].plan),
                        .measured = riffle_plan_algorithm(w->ways[MEASURED].plan),
                        .best_threads = riffle_plan_threads(w->ways[best].plan),
                        .measured_threads = riffle_plan_threads(w->ways[MEASURED].plan),
                        .ways = w->count};
}

/* Each mover is there twice and the second time counts, for whoever moved before left the arrays in other caches. */
static riffle_status time_ways(const weighing *w, bench_result *out) {
    const riffle_plan *const own = w->ways[AUTO].plan;
    const bench_host_copying copying = {bench_row_bytes(w->row), riffle_plan_threads(own)};
    const unsigned copy = w->count, all = w->count + 1;
    bench_host_mover movers[BENCH_MOST_MOVERS];
    double both[BENCH_MOST_MOVERS] = {0}, seconds[BENCH_MOST_MOVERS / 2];
    for (unsigned k = 0; k < all; k++)
        movers[2 * k] = movers[2 * k + 1] = k == copy ? (bench_host_mover){bench_host_move_copy, &copying}
                                                      : (bench_host_mover){execute, w->ways[k].plan};
    const unsigned repeat = bench_host_repeats(w->ways[AUTO].first, w->settings->repeat);
    const riffle_status status = bench_host_time_in_turn(movers, 2 * all, repeat, w->dst, w->src, both);
    if (status != RIFFLE_OK) return status;
    for (unsigned k = 0; k < all; k++) seconds[k] = both[2 * k + 1];
    *out = (bench_result){.algorithm = riffle_plan_algorithm(own),
                          .seconds = seconds[AUTO],
                          .copy_seconds = seconds[copy],
                          .plan_seconds = w->ways[AUTO].plan_seconds,
                          .plan_bytes = riffle_plan_bytes(own),
                          .workspace_bytes = riffle_plan_workspace_bytes(own),
                          .threads = riffle_plan_threads(own),
                          .right = w->right};
    take_best(w, seconds, out);
    return RIFFLE_OK;
}

static riffle_status weigh(weighing *w, bench_result *out) {
    const size_t bytes = bench_row_bytes(w->row);
    void *dst = NULL, *src = NULL;
    riffle_status status = riffle_buffer_create(bytes, &src);
    if (status == RIFFLE_OK) status = riffle_buffer_create(bytes, &dst);
    w->dst = dst, w->src = src;
    if (status == RIFFLE_OK) bench_fill(src, bytes);
    if (status == RIFFLE_OK) status = add_all(w);
    if (status == RIFFLE_OK) status = time_ways(w, out);
    for (unsigned k = 0; k < w->count; k++) riffle_plan_free(w->ways[k].plan);
    riffle_buffer_free(dst, bytes);
    riffle_buffer_free(src, bytes);
    return status;
}

static riffle_status on_host(const bench_row *row, const bench_settings *settings, bench_result *out) {
    riffle_perm *perm;
    riffle_status status = riffle_perm_parse(row->by, row->n, &perm);
    if (status != RIFFLE_OK) return bench_fail(status, out);
    weighing w = {.row = row, .settings = settings, .perm = perm, .right = true};
    status = weigh(&w, out);
    riffle_perm_free(perm);
    return status == RIFFLE_OK ? status : bench_fail(status, out);
}

static void json_result(const bench_row *row, const bench_result *result) {
    const bench_choice *const c = &result->choice;
    (void)row;
    printf(", \"ways\": %u, \"best_algorithm\": \"%s\", \"best_threads\": %u, \"best_seconds\": %.12f, "
           "\"measured_algorithm\": \"%s\", \"measured_threads\": %u, \"measured_seconds\": %.12f, "
           "\"measured_plan_seconds\": %.9f",
           c->ways, riffle_algorithm_string(c->best), c->best_threads, c->best_seconds,
           riffle_algorithm_string(c->measured), c->measured_threads, c->measured_seconds,
           c->measured_plan_seconds);
}

static void table_result(const bench_row *row, const bench_result *result) {
    const bench_choice *const c = &result->choice;
    (void)row;
    printf("  %.2f of the best of %u, %s; measured %.2f in %.4f s", result->seconds / c->best_seconds, c->ways,
           riffle_algorithm_string(c->best), c->measured_seconds / c->best_seconds, c->measured_plan_seconds);
}

const bench_kind bench_choices = {.on_host = on_host, .json_result = json_result, .table_result = table_result};
