/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of page numbers: a hash table of blocks of 64 neighbours (16 bytes), of which at least half are
 * empty: arrays take about a byte a page, scattered pages 32 to 64 bytes.
 */
#ifndef RIFFLE_CLI_VAT_PAGES_H
#define RIFFLE_CLI_VAT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Begins as {0}. */
typedef struct vat_pages {
    struct vat_page_block *table; /* open addressing, linear probing */
    size_t room, used;            /* blocks; room is a power of two, or 0 */
    uint64_t count;               /* pages */
} vat_pages;

/** Adds a page below 2^63; false if there is no memory. */
bool vat_pages_add(vat_pages *pages, uint64_t page);

void vat_pages_free(vat_pages *pages);

#endif
