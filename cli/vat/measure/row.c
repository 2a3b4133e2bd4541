/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "vat/measure/row.h"

#include <time.h>

#include "frame/message.h"
#include "system/clock.h"
#include "system/interrupt.h"

enum { EM_BLOCK = 64, MOST_RUNS = 1000, SAMPLE = 1 << 19 };
static const double MOMENT = 0.01; /* seconds in which short runs are repeated */
static const double GRANTED = 0.9;

double vat_row_nanoseconds(const vat_row *row) { return row->seconds * 1e9 / row->cost.ram; }

bool vat_row_is_granted(const vat_row *row) {
    const double right = row->pages == VAT_PAGES_2M ? row->huge_share : 1 - row->huge_share;
    return right >= GRANTED;
}

uint64_t vat_row_fitting(riffle_vat_program program, uint64_t bytes) {
    uint64_t n = bytes / sizeof(uint64_t);
    while (n > 0 && riffle_vat_program_elements(program, n) > bytes / sizeof(uint64_t)) n /= 2;
    if (n == 0) return 0;
    const uint64_t elements = riffle_vat_program_elements(program, n);
    uint64_t low = 0, high = n; /* low is too small */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (riffle_vat_program_elements(program, middle) == elements) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

/* A second run would find a heap, or a sorted array. */
static bool consumes_its_array(riffle_vat_program program) {
    return program == RIFFLE_VAT_PROGRAM_HEAPIFY || program == RIFFLE_VAT_PROGRAM_HEAPSORT ||
           program == RIFFLE_VAT_PROGRAM_INTROSORT;
}

static bool is_sampled(const vat_row *row) {
    return row->n > SAMPLE &&
           (row->program == RIFFLE_VAT_PROGRAM_BINARY_SEARCH ||
            row->program == RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS || row->program == RIFFLE_VAT_PROGRAM_HEAPSORT);
}

/* This thread's, so that others on the same processor do not count. */
static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The time of all operations, from those that run. To build the heap is no part of the sample. */
static riffle_status time_sample(vat_row *row, uint64_t seed, uint64_t *array, double *seconds,
                                 double *sample_seconds) {
    uint64_t checksum;
    riffle_status status = RIFFLE_OK;
    const double began = cpu_seconds();
    if (row->program == RIFFLE_VAT_PROGRAM_HEAPSORT)
        status = riffle_vat_program_run(RIFFLE_VAT_PROGRAM_HEAPIFY, row->n, seed, array, &checksum);
    const double built = cpu_seconds();
    if (status == RIFFLE_OK)
        status = riffle_vat_program_sample(row->program, row->n, SAMPLE, seed, array, &checksum,
                                           &row->sampled_share);
    *sample_seconds = cpu_seconds() - built;
    *seconds = built - began + *sample_seconds / row->sampled_share;
    return status;
}

static riffle_status time_run(vat_row *row, uint64_t seed, uint64_t *array, double *seconds,
                              double *sample_seconds) {
    *sample_seconds = 0;
    if (is_sampled(row)) return time_sample(row, seed, array, seconds, sample_seconds);
    uint64_t checksum;
    const double began = cpu_seconds();
    const riffle_status status = riffle_vat_program_run(row->program, row->n, seed, array, &checksum);
    *seconds = cpu_seconds() - began;
    return status;
}

static riffle_status time_runs(const vat_settings *settings, uint64_t *array, vat_row *row, vat_effort *once) {
    const double began = seconds_now();
    for (unsigned k = 0; k < MOST_RUNS; ++k) {
        riffle_status status = RIFFLE_OK;
        if (k == 0 || consumes_its_array(row->program))
            status = riffle_vat_program_prepare(row->program, row->n, settings->seed, array);
        double seconds = 0, sample_seconds = 0;
        if (status == RIFFLE_OK)
            status = time_run(row, settings->seed + row->runs, array, &seconds, &sample_seconds);
        if (status != RIFFLE_OK) return status;
        /* A clock that has not moved says nothing of so short a run, and would be the least for ever. */
        if (seconds > 0 && (row->seconds == 0 || seconds < row->seconds)) row->seconds = seconds;
        ++row->runs;
        const double spent = seconds_now() - began;
        if (k == 0) *once = (vat_effort){spent - sample_seconds, sample_seconds};
        if (interrupt_came() || spent >= MOMENT) break;
    }
    return RIFFLE_OK;
}

static riffle_status replay(const vat_machine *machine, const vat_settings *settings, uint64_t *array,
                            vat_row *row) {
    riffle_vat *vat = NULL;
    riffle_vat_counts counts = {0};
    uint64_t checksum;
    riffle_status status = riffle_vat_program_prepare(row->program, row->n, settings->seed, array);
    if (status == RIFFLE_OK)
        status = riffle_vat_create(RIFFLE_VAT_POLICY_LRU, &machine->options[row->pages], &vat);
    if (status == RIFFLE_OK)
        status = riffle_vat_program_replay(row->program, row->n, settings->seed, array, vat, &checksum);
    if (status == RIFFLE_OK) status = riffle_vat_count(vat, &counts);
    riffle_vat_free(vat);
    row->faults = counts.faults;
    row->is_replayed = status == RIFFLE_OK;
    return status;
}

bool vat_row_measure(const vat_machine *machine, const vat_settings *settings, uint64_t *array, vat_row *row,
                     vat_effort *once) {
    riffle_status status = riffle_vat_program_cost(row->program, row->n, &machine->options[row->pages],
                                                   (double)machine->cache, EM_BLOCK, &row->cost);
    if (status == RIFFLE_OK) status = time_runs(settings, array, row, once);
    if (status == RIFFLE_OK && !row->is_replayed && row->cost.ram <= (double)settings->replay &&
        !interrupt_came())
        status = replay(machine, settings, array, row);
    if (status != RIFFLE_OK) complain_status(riffle_vat_program_string(row->program), status);
    return status == RIFFLE_OK;
}
