/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/pages.h"

#include <stdlib.h>

typedef struct vat_page_block {
    uint64_t number; /* page / 64 */
    uint64_t there;  /* bit k: page 64 number + k; 0 in an empty place */
} vat_page_block;

static const size_t FIRST_ROOM = 1024;

/* Fibonacci hashing: the upper bits of the product. */
static size_t place_of(uint64_t number, size_t room) {
    return (size_t)((number * 0x9e3779b97f4a7c15) >> 32) & (room - 1);
}

/* Where a block is, or would be. */
static vat_page_block *find(vat_page_block *table, size_t room, uint64_t number) {
    size_t place = place_of(number, room);
    while (table[place].there != 0 && table[place].number != number) place = (place + 1) & (room - 1);
    return &table[place];
}

/* Keeps half of the places empty. */
static bool make_room(vat_pages *pages) {
    if (2 * pages->used < pages->room) return true;
    const size_t room = pages->room == 0 ? FIRST_ROOM : 2 * pages->room;
    vat_page_block *table = calloc(room, sizeof *table);
    if (table == NULL) return false;
    for (size_t k = 0; k < pages->room; ++k) {
        if (pages->table[k].there != 0) *find(table, room, pages->table[k].number) = pages->table[k];
    }
    free(pages->table);
    pages->table = table;
    pages->room = room;
    return true;
}

bool vat_pages_add(vat_pages *pages, uint64_t page) {
    if (!make_room(pages)) return false;
    vat_page_block *block = find(pages->table, pages->room, page / 64);
    const uint64_t bit = (uint64_t)1 << page % 64;
    pages->used += block->there == 0;
    pages->count += (block->there & bit) == 0;
    block->number = page / 64;
    block->there |= bit;
    return true;
}

void vat_pages_free(vat_pages *pages) {
    free(pages->table);
    *pages = (vat_pages){.table = NULL};
}
