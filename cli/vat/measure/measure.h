/* SPDX-License-Identifier: Apache-2.0
 *
 * The request of `riffle vat measure`, the machine that it runs on, and its results: a row for each program, size and
 * kind of pages.
 */
#ifndef RIFFLE_CLI_VAT_MEASURE_H
#define RIFFLE_CLI_VAT_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "riffle/vat.h"

/** Pages as they are asked for. */
typedef enum vat_pages { VAT_PAGES_4K, VAT_PAGES_2M, VAT_PAGE_KINDS } vat_pages;

/** "4k" or "2m". */
const char *vat_pages_name(vat_pages pages);

typedef struct vat_settings {
    bool programs[RIFFLE_VAT_PROGRAM_COUNT]; /**< which to measure */
    bool pages[VAT_PAGE_KINDS];
    uint64_t least, most; /**< bytes of the smallest and the largest array */
    uint64_t replay;      /**< RAM operations up to which a program's accesses are replayed */
    uint64_t seed;
    unsigned repeat; /**< times that all sizes are measured */
    double seconds;  /**< for everything, about */
} vat_settings;

typedef struct vat_machine {
    char cpu[256];
    char huge_pages[32]; /**< the system's setting for transparent huge pages */
    uint64_t cache;      /**< bytes of the last-level cache */
    bool knows_cache;    /**< the system told them */
    riffle_vat_preset preset;
    riffle_vat_options options[VAT_PAGE_KINDS]; /**< the model's parameters for each kind of pages */
} vat_machine;

typedef struct vat_row {
    riffle_vat_program program;
    vat_pages pages;
    uint64_t n, bytes;
    double huge_share; /**< share of the array's memory in huge pages: 0 to 1 */
    double
        sampled_share; /**< share of the operations that ran, from which the time of all of them is computed */
    unsigned runs;
    double seconds; /**< the fastest run's, of the processor */
    riffle_vat_cost cost;
    bool is_replayed;
    uint64_t faults; /**< faults of the replay with LRU */
} vat_row;

/** Seconds to prepare and run a program once: what grows with its size, and what a sample takes at any. */
typedef struct vat_effort {
    double growing, sampled;
} vat_effort;

/** A program with one kind of pages, and what its next size would take. */
typedef struct vat_series {
    uint64_t last_n, last_bytes;
    vat_effort last;
    uint64_t stopped_bytes; /**< the size for which no time was left; 0: none */
    double stopped_seconds; /**< seconds that it would take, about */
} vat_series;

typedef struct vat_run {
    vat_settings settings;
    vat_machine machine;
    vat_series series[RIFFLE_VAT_PROGRAM_COUNT][VAT_PAGE_KINDS];
    vat_row *rows; /**< by program, pages and size once all are there */
    size_t count, capacity;
    unsigned sweeps; /**< times that all sizes have been measured */
    double elapsed;  /**< seconds */
} vat_run;

/** Describes the machine, as far as the system and the processor tell. */
riffle_status vat_machine_describe(vat_machine *out);

/** Nanoseconds for one operation of the RAM: the normalized operation time (section 2.1). */
double vat_row_nanoseconds(const vat_row *row);

/** True if the row's memory lies in the pages that were asked for, up to a tenth. */
bool vat_row_is_granted(const vat_row *row);

/** Measures until everything is done, the time is over or a signal came; the caller frees run->rows. False
 *  after a complaint. */
bool vat_run_measure(vat_run *run);

#endif
