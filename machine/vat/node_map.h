/* SPDX-License-Identifier: Apache-2.0
 *
 * A map from nodes of a tree to numbers: open addressing with linear probing, at least half of the places empty.
 */
#ifndef RIFFLE_MACHINE_VAT_NODE_MAP_H
#define RIFFLE_MACHINE_VAT_NODE_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/vat/tree.h"
#include "riffle.h"

typedef struct vat_node_entry {
    uint64_t number, value;
    uint32_t layer;
    bool used;
} vat_node_entry;

/** Begins as {0}. */
typedef struct vat_node_map {
    vat_node_entry *entry; /**< 2^bits places */
    unsigned bits;
    size_t used;
} vat_node_map;

/** The node's value, 0 and *is_new where it was not there. Valid until the next call. */
riffle_status vat_node_map_at(vat_node_map *map, uint64_t number, unsigned layer, uint64_t **value,
                              bool *is_new);

void vat_node_map_free(vat_node_map *map);

#endif
