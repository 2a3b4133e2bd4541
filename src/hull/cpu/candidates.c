/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/cpu/candidates.h"

#include <string.h>

#include "base/memory.h"

riffle_status hull_list_reserve(hull_list *list, uint64_t room) {
    if (room <= list->room) return RIFFLE_OK;
    void *items;
    const riffle_status status = buffer_create("candidates of a hull", room * sizeof *list->items, &items);
    if (status != RIFFLE_OK) return status;
    if (list->count > 0) memcpy(items, list->items, list->count * sizeof *list->items);
    riffle_buffer_free(list->items, list->room * sizeof *list->items);
    list->items = items;
    list->room = room;
    return RIFFLE_OK;
}

void hull_list_free(hull_list *list) { riffle_buffer_free(list->items, list->room * sizeof *list->items); }
