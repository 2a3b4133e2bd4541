/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cycles/candidates.h"

enum { LEAST_ROOM = 64 };

static bool grow_cycles(cycles_list *list) {
    const uint64_t room = list->room > 0 ? 2 * list->room : LEAST_ROOM;
    uint64_t *const first = realloc(list->first, (room + 1) * sizeof *first);
    if (first == NULL) return false;
    list->first = first;
    first[list->count] = list->count > 0 ? first[list->count] : 0;
    cycles_weight *const weight = realloc(list->weight, room * sizeof *weight);
    if (weight == NULL) return false;
    list->weight = weight;
    list->room = room;
    return true;
}

static bool grow_edges(cycles_list *list, uint64_t wanted) {
    const uint64_t room = wanted > 2 * list->edges_room ? wanted + LEAST_ROOM : 2 * list->edges_room;
    uint32_t *const edges = realloc(list->edges, room * sizeof *edges);
    if (edges == NULL) return false;
    list->edges = edges;
    list->edges_room = room;
    return true;
}

bool cycles_list_add(cycles_list *list, const uint32_t *edges, uint32_t count, cycles_weight weight) {
    if (list->count == list->room && !grow_cycles(list)) return false;
    const uint64_t begin = list->first[list->count];
    if (begin + count > list->edges_room && !grow_edges(list, begin + count)) return false;
    memcpy(list->edges + begin, edges, count * sizeof *edges);
    list->weight[list->count++] = weight;
    list->first[list->count] = begin + count;
    return true;
}

void cycles_list_free(cycles_list *list) {
    free(list->first);
    free(list->edges);
    free(list->weight);
    *list = (cycles_list){0};
}
