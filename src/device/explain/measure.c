/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "device/explain/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "device/clock.h"
#include "device/cuda_library.h"

enum { MOST_RUNS = 9, LEAST_RUNS = 2 };
static const double MOST_SECONDS = 1;

/* -------------------------------------------------------------------- arrays */

riffle_status measure_array(const device *on, size_t bytes, void **out) {
    static const char name[] = "an array to measure with";
    if (on->ops != NULL) return on->ops->allocate(on, name, bytes, out);
    const riffle_status status = buffer_create(name, bytes, out);
    /* Pages that nobody has written to would all be one. */
    if (status == RIFFLE_OK) memset(*out, 1, bytes);
    return status;
}

void measure_array_free(const device *on, void *array, size_t bytes) {
    if (on->ops != NULL)
        on->ops->release(on, array);
    else
        riffle_buffer_free(array, bytes);
}

/* --------------------------------------------------------------------- times */

static void copy_share(const void *context, team_member me) {
    const measured_work *const w = context;
    const team_share mine = team_share_of(w->bytes, me);
    memcpy((char *)w->to + mine.first, (const char *)w->from + mine.first, mine.end - mine.first);
}

static riffle_status copy_here(const void *context) {
    const measured_work *const w = context;
    team_run(threads_for(w->bytes, BYTES_A_THREAD, threads_most(0)), copy_share, w);
    return RIFFLE_OK;
}

static void append_copy_of(const void *context, launch_list *out) {
    const measured_work *const w = context;
    launch_append_copy(out, w->to, w->from, w->bytes);
}

static riffle_status time_here(riffle_status (*execute)(const void *), const void *context, double *seconds) {
    const double before = clock_seconds();
    const riffle_status status = execute(context);
    *seconds = clock_seconds() - before;
    return status;
}

static riffle_status time_there(const device *on, void (*append)(const void *, launch_list *),
                                const void *context, double *seconds) {
    launch_list list;
    launch_list_begin(&list);
    append(context, &list);
    const riffle_status status = cuda_library_loaded()->time(on, "timing a plan", &list, seconds);
    launch_list_free(&list);
    return status;
}

static riffle_status time_copy(const measured_work *w, double *seconds) {
    return w->on->ops == NULL ? time_here(copy_here, w, seconds)
                              : time_there(w->on, append_copy_of, w, seconds);
}

static riffle_status time_execution(const measured_work *w, double *seconds) {
    return w->on->ops == NULL ? time_here(w->execute, w->context, seconds)
                              : time_there(w->on, w->append, w->context, seconds);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, unsigned count) {
    qsort(values, count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

riffle_status measure_times(const measured_work *work, measured_times *out) {
    double copy[MOST_RUNS], own[MOST_RUNS];
    const double end = clock_seconds() + MOST_SECONDS;
    unsigned runs = 0;
    for (; runs < MOST_RUNS && (runs < LEAST_RUNS || clock_seconds() < end); runs++) {
        riffle_status status = time_copy(work, &copy[runs]);
        if (status == RIFFLE_OK) status = time_execution(work, &own[runs]);
        if (status != RIFFLE_OK) return status;
    }
    *out = (measured_times){.seconds = median(own, runs), .copy_seconds = median(copy, runs), .runs = runs};
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------ printing */

/* A bound, and how many times it the measured time is. */
static void print_bound(const char *name, double bound, const measured_times *t, const char *meaning,
                        FILE *stream) {
    fprintf(stream, "  %-22s %11.4g ms %15.2f  %s\n", name, 1e3 * bound, t->seconds / bound, meaning);
}

void measured_times_print(const measured_times *t, const measured_bound *bounds, unsigned count, FILE *stream) {
    if (t->runs == 0) return;
    fprintf(stream, "measured     %.4g ms, the median of %u executions\n  %-22s %14s %15s\n", 1e3 * t->seconds,
            t->runs, "bound", "time", "over the bound");
    print_bound("a copy", t->copy_seconds, t, "of as many bytes, measured in turn with it", stream);
    for (unsigned k = 0; k < count; k++)
        if (bounds[k].copies > 0)
            print_bound(bounds[k].name, bounds[k].copies * t->copy_seconds, t, bounds[k].meaning, stream);
}

void measured_times_print_json(const measured_times *t, const measured_bound *bounds, unsigned count,
                               FILE *stream) {
    if (t->runs == 0) return;
    fprintf(stream, ",\"measured\":{\"seconds\":%.6g,\"copy_seconds\":%.6g,\"runs\":%u", t->seconds,
            t->copy_seconds, t->runs);
    for (unsigned k = 0; k < count; k++) {
        if (bounds[k].copies > 0)
            fprintf(stream, ",\"%s_seconds\":%.6g", bounds[k].member, bounds[k].copies * t->copy_seconds);
        else
            fprintf(stream, ",\"%s_seconds\":null", bounds[k].member);
    }
    fputc('}', stream);
}
