/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/node_map.h"

#include <stdlib.h>

#include "base/status.h"

enum { FIRST_BITS = 8 };

/* The node's place, or the empty one where it would be. */
static vat_node_entry *find(const vat_node_map *map, uint64_t number, unsigned layer) {
    const size_t mask = ((size_t)1 << map->bits) - 1;
    size_t place = (size_t)vat_tree_hash(number, layer, map->bits);
    while (map->entry[place].used && (map->entry[place].number != number || map->entry[place].layer != layer))
        place = (place + 1) & mask;
    return &map->entry[place];
}

static riffle_status grow(vat_node_map *map) {
    const size_t had = map->entry == NULL ? 0 : (size_t)1 << map->bits;
    vat_node_map larger = {.bits = had == 0 ? FIRST_BITS : map->bits + 1, .used = map->used};
    larger.entry = calloc((size_t)1 << larger.bits, sizeof *larger.entry);
    if (larger.entry == NULL)
        return fail_memory("a map of nodes", ((size_t)1 << larger.bits) * sizeof *larger.entry);
    for (size_t k = 0; k < had; k++) {
        const vat_node_entry *old = &map->entry[k];
        if (old->used) *find(&larger, old->number, old->layer) = *old;
    }
    free(map->entry);
    *map = larger;
    return RIFFLE_OK;
}

riffle_status vat_node_map_at(vat_node_map *map, uint64_t number, unsigned layer, uint64_t **value,
                              bool *is_new) {
    if (map->entry == NULL || 2 * (map->used + 1) > (size_t)1 << map->bits) {
        const riffle_status status = grow(map);
        if (status != RIFFLE_OK) return status;
    }
    vat_node_entry *entry = find(map, number, layer);
    *is_new = !entry->used;
    if (*is_new) {
        *entry = (vat_node_entry){.number = number, .layer = layer, .used = true};
        map->used++;
    }
    *value = &entry->value;
    return RIFFLE_OK;
}

void vat_node_map_free(vat_node_map *map) {
    free(map->entry);
    *map = (vat_node_map){.entry = NULL};
}
