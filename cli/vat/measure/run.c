/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes grow by a factor of 1.4 (section 2.1.2), and at each all programs run with both kinds of pages, one
 * after the other. Time is short for the largest sizes: a program goes on to its next size if there is time for
 * that after all programs that need less have been measured to the end, so that the cheap ones always are. Such
 * sweeps are repeated while there is time, and the fastest run of all counts: what disturbs one is over in
 * another.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/message.h"
#include "frame/progress.h"
#include "system/clock.h"
#include "system/interrupt.h"
#include "vat/measure/measure.h"
#include "vat/measure/memory.h"
#include "vat/measure/row.h"

static const double GROWTH = 1.4;
static const double SLOWDOWN = 1.06; /* slowdown of one access from a size to the next, at most */

/* The line on the terminal: its thread reads one text while the other is written. */
typedef struct size_bar {
    progress line;
    char texts[2][128];
    int shown;
    double done, all; /* bytes of rows */
} size_bar;

/* Sizes in bytes: least, 1.4 least, ... and most itself. 0 after it. */
static uint64_t next_size(const vat_settings *settings, uint64_t bytes) {
    if (bytes >= settings->most) return 0;
    const uint64_t next = (uint64_t)((double)bytes * GROWTH);
    return next < settings->most ? next : settings->most;
}

static void show(size_bar *bar, const char *program, vat_pages pages, uint64_t bytes) {
    enum { WIDTH = 20 };
    char *text = bar->texts[bar->shown ^= 1];
    const int filled = (int)((double)WIDTH * bar->done / bar->all);
    snprintf(text, sizeof bar->texts[0], "[%.*s%.*s] %2.0f%%  %s, %.4g MiB, pages %s,", filled,
             "####################", WIDTH - filled, "....................", 100 * bar->done / bar->all,
             program, (double)bytes / (1 << 20), vat_pages_name(pages));
    progress_phase(&bar->line, text);
}

static double predict(const vat_series *series, uint64_t bytes) {
    if (series->last_bytes == 0) return 0;
    const double grown = (double)bytes / (double)series->last_bytes;
    return SLOWDOWN * (series->last.growing * grown + series->last.sampled);
}

/* Predicts the seconds that one run of all sizes from `bytes` on takes; 0 if the series has stopped. */
static double predict_rest(const vat_settings *settings, const vat_series *series, uint64_t bytes) {
    if (series->stopped_bytes > 0) return 0;
    double sum = 0, slower = 1;
    for (; bytes > 0; bytes = next_size(settings, bytes), slower *= SLOWDOWN)
        sum += slower * predict(series, bytes);
    return sum;
}

/* Predicts the seconds of all programs for the sizes from `bytes` on, without programs that need `limit` or more. */
static double predict_all(const vat_run *run, uint64_t bytes, double limit) {
    double sum = 0;
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p) {
        for (int k = 0; k < VAT_PAGE_KINDS; ++k) {
            const double rest = predict_rest(&run->settings, &run->series[p][k], bytes);
            if (rest < limit) sum += rest;
        }
    }
    return sum;
}

static bool has_time(const vat_run *run, const vat_series *series, uint64_t bytes, double left) {
    const double trifle = 0.01 * left; /* for which no rough guess shall stop a program */
    const double cheaper = predict_all(run, bytes, predict_rest(&run->settings, series, bytes));
    return predict(series, bytes) <= fmax(left - cheaper, trifle);
}

static double count_series(const vat_settings *settings) {
    double programs = 0, pages = 0;
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p) programs += settings->programs[p];
    for (int k = 0; k < VAT_PAGE_KINDS; ++k) pages += settings->pages[k];
    return programs * pages;
}

static bool add_row(vat_run *run, const vat_row *row) {
    if (run->count == run->capacity) {
        const size_t capacity = 2 * run->capacity + 64;
        vat_row *rows = realloc(run->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            complain("vat measure: no memory for %zu bytes of results; free memory", capacity * sizeof *rows);
            return false;
        }
        run->rows = rows;
        run->capacity = capacity;
    }
    run->rows[run->count++] = *row;
    return true;
}

/* The row of an earlier sweep, or a new one; NULL after a complaint. */
static vat_row *row_for(vat_run *run, riffle_vat_program program, vat_pages pages, uint64_t n) {
    for (size_t k = 0; k < run->count; ++k) {
        vat_row *row = &run->rows[k];
        if (row->program == program && row->pages == pages && row->n == n) return row;
    }
    const vat_row row = {.program = program,
                         .pages = pages,
                         .n = n,
                         .bytes = riffle_vat_program_elements(program, n) * sizeof(uint64_t),
                         .sampled_share = 1};
    return add_row(run, &row) ? &run->rows[run->count - 1] : NULL;
}

/* One program at one size, unless rounding gives the size before again or there is no time. */
static bool measure_row(vat_run *run, riffle_vat_program program, uint64_t bytes, const vat_memory *memory,
                        vat_pages pages, double left) {
    vat_series *series = &run->series[program][pages];
    const uint64_t n = vat_row_fitting(program, bytes);
    const bool has_stopped = series->stopped_bytes > 0 && bytes >= series->stopped_bytes;
    if (n == 0 || n == series->last_n || has_stopped) return true;
    if (run->sweeps == 0 && !has_time(run, series, bytes, left)) {
        series->stopped_bytes = bytes;
        series->stopped_seconds = predict(series, bytes);
        return true;
    }
    vat_row *row = row_for(run, program, pages, n);
    if (row == NULL) return false;
    row->huge_share = memory->huge_share;
    if (!vat_row_measure(&run->machine, &run->settings, memory->base, row, &series->last)) return false;
    series->last_n = n;
    series->last_bytes = row->bytes;
    return true;
}

/* True if some program still has time for arrays of that size. */
static bool is_wanted(const vat_run *run, uint64_t bytes, vat_pages pages) {
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p) {
        const uint64_t stopped = run->series[p][pages].stopped_bytes;
        if (run->settings.programs[p] && (stopped == 0 || bytes < stopped)) return true;
    }
    return false;
}

static unsigned count_programs(const vat_run *run) {
    unsigned count = 0;
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p) count += run->settings.programs[p];
    return count;
}

static bool measure_size(vat_run *run, size_bar *bar, uint64_t bytes, vat_pages pages, double began) {
    if (!is_wanted(run, bytes, pages)) {
        bar->done += (double)bytes * count_programs(run);
        return true;
    }
    vat_memory memory;
    if (!vat_memory_map(bytes, pages, &memory)) return false;
    bool done = true;
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT && done && !interrupt_came(); ++p) {
        if (!run->settings.programs[p]) continue;
        const riffle_vat_program program = (riffle_vat_program)p;
        show(bar, riffle_vat_program_string(program), pages, bytes);
        done =
            measure_row(run, program, bytes, &memory, pages, run->settings.seconds - (seconds_now() - began));
        bar->done += (double)bytes;
    }
    vat_memory_unmap(&memory);
    return done;
}

static double count_bytes(const vat_settings *settings) {
    double sum = 0;
    for (uint64_t bytes = settings->least; bytes > 0; bytes = next_size(settings, bytes)) sum += (double)bytes;
    return count_series(settings) * sum;
}

static int compare_rows(const void *left, const void *right) {
    const vat_row *a = left, *b = right;
    if (a->program != b->program) return a->program < b->program ? -1 : 1;
    if (a->pages != b->pages) return a->pages < b->pages ? -1 : 1;
    return a->n < b->n ? -1 : a->n > b->n;
}

/* Runs all sizes once. */
static bool sweep(vat_run *run, size_bar *bar, double began) {
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p)
        for (int k = 0; k < VAT_PAGE_KINDS; ++k) run->series[p][k].last_n = 0;
    for (uint64_t bytes = run->settings.least; bytes > 0; bytes = next_size(&run->settings, bytes)) {
        for (int k = 0; k < VAT_PAGE_KINDS && !interrupt_came(); ++k) {
            if (run->settings.pages[k] && !measure_size(run, bar, bytes, (vat_pages)k, began)) return false;
        }
    }
    return true;
}

bool vat_run_measure(vat_run *run) {
    const double began = seconds_now();
    size_bar bar = {.all = run->settings.repeat * count_bytes(&run->settings)};
    bool done = true;
    interrupt_catch();
    progress_start(&bar.line, "measuring");
    double last = 0;
    while (run->sweeps < run->settings.repeat && done && !interrupt_came()) {
        const double sweep_began = seconds_now();
        if (sweep_began - began + last > run->settings.seconds) break;
        done = sweep(run, &bar, began);
        last = seconds_now() - sweep_began;
        ++run->sweeps;
    }
    progress_stop(&bar.line);
    run->elapsed = seconds_now() - began;
    if (run->count > 0) qsort(run->rows, run->count, sizeof *run->rows, compare_rows);
    return done;
}
