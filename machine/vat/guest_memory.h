/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of a virtual machine: where, in the guest's physical memory, lies what a node of the guest's tree stands for (section
 * 2.6.1). A leaf stands for its page, a node above for its table of K entries of 8 bytes. Each gets the next free place when it is
 * first met, as systems do it:
 *
 *     | table d | table d-1 | ... | page | page | page | table 1 | page | ...      a page on a multiple of its size
 *
 * Tables are packed into frames of a page, or of a table where that is larger, so that pages of 2 MiB leave no holes between.
 */
#ifndef RIFFLE_MACHINE_VAT_GUEST_MEMORY_H
#define RIFFLE_MACHINE_VAT_GUEST_MEMORY_H

#include "machine/vat/node_map.h"

enum { VAT_ENTRY_BITS = 3 /**< an entry of a table is of 8 bytes */ };

typedef struct vat_guest_memory {
    unsigned page_bits, table_bits;
    uint64_t next;                  /**< bytes that are given away */
    uint64_t table_next, table_end; /**< what is left of the last frame of tables */
    vat_node_map place;
} vat_guest_memory;

vat_guest_memory vat_guest_memory_of(const vat_tree *guest);
void vat_guest_memory_free(vat_guest_memory *memory);

/** The guest-physical address of what the node stands for. */
riffle_status vat_guest_memory_find(vat_guest_memory *memory, uint64_t number, unsigned layer,
                                    uint64_t *address);

#endif
