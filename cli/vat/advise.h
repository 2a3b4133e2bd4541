/* SPDX-License-Identifier: Apache-2.0
 *
 * `riffle vat replay --advise` compares pages of 4 KiB, 2 MiB and 1 GiB on a trace, and says in which order the program
 * goes through its pages.
 */
#ifndef RIFFLE_CLI_VAT_ADVISE_H
#define RIFFLE_CLI_VAT_ADVISE_H

#include <stdbool.h>
#include <stdint.h>

#include "riffle/vat.h"
#include "vat/pages.h"
#include "vat/trace.h"

enum {
    VAT_SIZES = 3,  /* sizes of pages */
    VAT_RECENT = 16 /* pages; a program is taken to go through no more places at a time */
};

/** The page sizes of x86-64 with the heights of their trees, of fan-out 512, which all span 2^48 bytes. */
extern const uint64_t vat_page_sizes[VAT_SIZES];

/** The nodes that a core's caches hold where all pages have one size: those of the TLB for that size (where the
 *  core does not tell, for the next smaller one) and of the caches for upper levels. 0 for a size that is none
 *  of the three. */
uint64_t vat_preset_cache(const riffle_vat_preset *preset, uint64_t page);

/** In which order pages of 4 KiB are touched. A step leads to a page that is none of the last 16; it is
 *  sequential if it leads to the neighbour of one of them, so that a program may go through several arrays at a
 *  time. */
typedef struct vat_steps {
    uint64_t count, sequential;
    vat_pages touched;
    vat_pages above;             /* their nodes on the levels above, the level in the high bits */
    uint64_t recent[VAT_RECENT]; /* the last first */
} vat_steps;

void vat_steps_begin(vat_steps *steps);

/** False if there is no memory for the pages touched. */
bool vat_steps_take(vat_steps *steps, const vat_accesses *accesses);

void vat_steps_end(vat_steps *steps);

/** A replayed trace: the options and counts of each page size. */
typedef struct vat_advice {
    riffle_vat_policy policy;
    const riffle_vat_preset *preset; /* preset of the caches; NULL if they were given */
    riffle_vat_options options[VAT_SIZES];
    riffle_vat_counts counts[VAT_SIZES];
    vat_steps steps;
} vat_advice;

/** Prints the table, and in words what larger pages and another order would save. */
void vat_advice_print(const vat_advice *advice);

#endif
