/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/points.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/array.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "frame/progress.h"
#include "riffle/machine.h"

const char *const sweep_columns[] = {"n",    "elem_bytes", "width", "global_latency", "shared_latency",
                                     "dmms", NULL};
const char *const sweep_whats[] = {"predicted", "counted", "measured", NULL};

bool sweep_is_of_model(sweep_parameter parameter) { return parameter >= SWEEP_WIDTH; }

/* --------------------------------------------------------------- which points there are */

static size_t count_points(const sweep_request *ask) {
    size_t count = (size_t)ask->what.count * ask->algorithm.count;
    for (unsigned p = 0; p < SWEEP_PARAMETERS; p++) {
        if (__builtin_mul_overflow(count, ask->values[p].count, &count)) return SIZE_MAX;
    }
    return count;
}

/* The digit of point k that has `radix` values, and the rest of k. */
static size_t take_digit(size_t *k, unsigned radix) {
    const size_t digit = *k % radix;
    *k /= radix;
    return digit;
}

static sweep_point point_at(const sweep_request *ask, size_t k) {
    sweep_point out = {.note = ""};
    for (unsigned p = 0; p < SWEEP_PARAMETERS; p++)
        out.at[p] = ask->values[p].of[take_digit(&k, ask->values[p].count)];
    out.algorithm = (riffle_algorithm)ask->algorithm.of[take_digit(&k, ask->algorithm.count)];
    out.what = (sweep_what)ask->what.of[k];
    return out;
}

bool sweep_lay_out(const sweep_request *ask, sweep *out) {
    *out = (sweep){.ask = ask, .count = count_points(ask)};
    if (out->count > SWEEP_MOST_POINTS) {
        complain("sweep: more than %d points; give fewer values, or wider steps", SWEEP_MOST_POINTS);
        return false;
    }
    out->point = calloc(out->count, sizeof *out->point);
    if (out->point == NULL) complain("sweep: no memory for %zu points; give fewer values", out->count);
    for (size_t k = 0; out->point != NULL && k < out->count; k++) out->point[k] = point_at(ask, k);
    return out->point != NULL;
}

void sweep_free(sweep *s) { free(s->point); }

/* --------------------------------------------------------------------- a point's number */

static riffle_machine_options machine_at(const sweep_point *p) {
    return (riffle_machine_options){.width = (unsigned)p->at[SWEEP_WIDTH],
                                    .latency = (unsigned)p->at[SWEEP_LATENCY],
                                    .shared_latency = (unsigned)p->at[SWEEP_SHARED_LATENCY],
                                    .dmms = (unsigned)p->at[SWEEP_DMMS]};
}

static riffle_status count(const riffle_perm *perm, const riffle_plan_options *options, sweep_point *p) {
    const riffle_machine_options machine = machine_at(p);
    riffle_report *report;
    const riffle_status status =
        riffle_simulate(perm, (size_t)p->at[SWEEP_ELEM_BYTES], options, &machine, &report);
    if (status != RIFFLE_OK) return status;
    p->has_value = p->is_exact = true;
    p->value = (double)riffle_report_time_units(report);
    riffle_report_free(report);
    return RIFFLE_OK;
}

static void take_prediction(const riffle_prediction *told, sweep_point *p) {
    p->has_value = told->is_known;
    p->is_exact = told->is_exact;
    p->value = (double)told->time_units;
    if (!told->is_known)
        snprintf(p->note, sizeof p->note, "%s",
                 "nothing is known of it before it runs; --what counted runs it");
}

/* The bound is of predictions and of counts. */
static riffle_status model(const riffle_perm *perm, sweep_point *p) {
    const riffle_machine_options machine = machine_at(p);
    const riffle_plan_options options = {.algorithm = p->algorithm};
    riffle_prediction told;
    const riffle_status status =
        riffle_predict(perm, (size_t)p->at[SWEEP_ELEM_BYTES], &options, &machine, &told);
    if (status != RIFFLE_OK) return status;
    p->bound = (double)told.bound;
    if (p->what == SWEEP_COUNTED) return count(perm, &options, p);
    take_prediction(&told, p);
    return RIFFLE_OK;
}

static riffle_status run_model(const sweep_request *ask, sweep_point *p) {
    riffle_perm *perm;
    riffle_status status = riffle_perm_parse(ask->by, p->at[SWEEP_N], &perm);
    if (status != RIFFLE_OK) return status;
    status = model(perm, p);
    riffle_perm_free(perm);
    return status;
}

static riffle_status measure(const sweep_request *ask, sweep_point *p) {
    const bench_row row = {.by = ask->by,
                           .n = p->at[SWEEP_N],
                           .elem_bytes = (size_t)p->at[SWEEP_ELEM_BYTES],
                           .algorithm = p->algorithm};
    const bench_settings settings = {
        .engine = RIFFLE_ENGINE_CPU, .threads = ask->threads, .repeat = ask->repeat};
    bench_result result;
    const riffle_status status = bench_array_on_host(&row, &settings, &result);
    if (status != RIFFLE_OK) return status;
    p->has_value = result.right;
    p->value = result.seconds;
    p->bound = result.copy_seconds;
    if (!result.right)
        snprintf(p->note, sizeof p->note, "%s", "elements ended up in the wrong place; please report this");
    return RIFFLE_OK;
}

bool sweep_leaves_hole(riffle_status status) {
    return status == RIFFLE_ERROR_UNSUPPORTED || status == RIFFLE_ERROR_INVALID_ARGUMENT ||
           status == RIFFLE_ERROR_LENGTH;
}

int sweep_run(sweep *s) {
    const sweep_point *first_without = NULL;
    riffle_status status = RIFFLE_OK;
    size_t found = 0;
    progress line;
    progress_start(&line, "sweeping");
    for (size_t k = 0; status == RIFFLE_OK && k < s->count; k++) {
        sweep_point *const p = &s->point[k];
        status = p->what == SWEEP_MEASURED ? measure(s->ask, p) : run_model(s->ask, p);
        if (sweep_leaves_hole(status)) {
            snprintf(p->note, sizeof p->note, "%s", riffle_error_detail());
            status = RIFFLE_OK;
        }
        found += p->has_value;
        if (!p->has_value && first_without == NULL) first_without = p;
    }
    progress_stop(&line);
    if (status != RIFFLE_OK) return complain_status("sweep", status);
    if (found > 0 || first_without == NULL) return EXIT_DONE;
    complain("sweep: no point has a number; the first, %s with n = %llu: %s",
             riffle_algorithm_string(first_without->algorithm), (unsigned long long)first_without->at[SWEEP_N],
             first_without->note);
    return EXIT_FAILED;
}
