/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/guest_memory.h"

#include "base/status.h"

vat_guest_memory vat_guest_memory_of(const vat_tree *guest) {
    return (vat_guest_memory){.page_bits = guest->page_bits, .table_bits = guest->fanout_bits + VAT_ENTRY_BITS};
}

void vat_guest_memory_free(vat_guest_memory *memory) { vat_node_map_free(&memory->place); }

/* The next 2^bits bytes on a multiple of their size. */
static uint64_t take(uint64_t *next, unsigned bits) {
    const uint64_t size = (uint64_t)1 << bits, at = (*next + size - 1) & ~(size - 1);
    *next = at + size;
    return at;
}

static uint64_t take_table(vat_guest_memory *memory) {
    if (memory->table_next == memory->table_end) {
        const unsigned bits = memory->page_bits > memory->table_bits ? memory->page_bits : memory->table_bits;
        memory->table_next = take(&memory->next, bits);
        memory->table_end = memory->next;
    }
    return take(&memory->table_next, memory->table_bits);
}

riffle_status vat_guest_memory_find(vat_guest_memory *memory, uint64_t number, unsigned layer,
                                    uint64_t *address) {
    bool is_new;
    uint64_t *place;
    const riffle_status status = vat_node_map_at(&memory->place, number, layer, &place, &is_new);
    if (status != RIFFLE_OK) return status;
    if (is_new) *place = layer == 0 ? take(&memory->next, memory->page_bits) : take_table(memory);
    *address = *place;
    return RIFFLE_OK;
}
