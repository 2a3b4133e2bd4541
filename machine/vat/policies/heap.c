/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/vat/policies/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/vat/trace.h"

riffle_status vat_heap_create(size_t room, size_t nodes, vat_heap *out) {
    vat_heap heap = {.entry = malloc((room + 1) * sizeof *heap.entry),
                     .place = malloc((nodes + 1) * sizeof *heap.place)};
    if (heap.entry == NULL || heap.place == NULL) {
        vat_heap_free(&heap);
        return fail_memory("a heap of nodes", (room + 1) * sizeof *heap.entry + nodes * sizeof *heap.place);
    }
    memset(heap.place, 0xff, nodes * sizeof *heap.place);
    *out = heap;
    return RIFFLE_OK;
}

void vat_heap_free(vat_heap *heap) {
    free(heap->entry);
    free(heap->place);
}

bool vat_heap_has(const vat_heap *heap, uint32_t node) { return heap->place[node] != VAT_NONE; }

static void set(vat_heap *heap, size_t at, vat_heap_entry entry) {
    heap->entry[at] = entry;
    heap->place[entry.node] = (uint32_t)at;
}

static void sift_up(vat_heap *heap, size_t at, vat_heap_entry entry) {
    while (at > 0 && heap->entry[(at - 1) / 2].use < entry.use) {
        set(heap, at, heap->entry[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    set(heap, at, entry);
}

static void sift_down(vat_heap *heap, size_t at, vat_heap_entry entry) {
    for (size_t child = 2 * at + 1; child < heap->size; child = 2 * at + 1) {
        if (child + 1 < heap->size && heap->entry[child + 1].use > heap->entry[child].use) child++;
        if (heap->entry[child].use <= entry.use) break;
        set(heap, at, heap->entry[child]);
        at = child;
    }
    set(heap, at, entry);
}

void vat_heap_put(vat_heap *heap, uint32_t node, uint64_t use) {
    const size_t at = vat_heap_has(heap, node) ? heap->place[node] : heap->size++;
    sift_up(heap, at, (vat_heap_entry){.use = use, .node = node});
}

void vat_heap_remove(vat_heap *heap, uint32_t node) {
    const size_t at = heap->place[node];
    const vat_heap_entry last = heap->entry[--heap->size];
    heap->place[node] = VAT_NONE;
    if (last.node == node) return;
    if (at > 0 && heap->entry[(at - 1) / 2].use < last.use) {
        sift_up(heap, at, last);
    } else {
        sift_down(heap, at, last);
    }
}

uint32_t vat_heap_pop(vat_heap *heap) {
    const uint32_t node = heap->entry[0].node;
    vat_heap_remove(heap, node);
    return node;
}
