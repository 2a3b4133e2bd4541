/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/cluster/tensor.h"

#include <stdbool.h>

size_t tensor_box_bytes(const machine_tensor *t) {
    size_t bytes = t->element;
    for (unsigned d = 0; d < t->dimensions; d++) bytes *= t->box[d];
    return bytes;
}

/* The row of a box with this number; false if it is outside of the tensor. */
static bool find_row(const machine_tensor *t, const int at[MACHINE_TENSOR_DIMENSIONS], size_t row,
                     uintptr_t *out) {
    uintptr_t start = (uintptr_t)t->start;
    for (unsigned d = 1; d < t->dimensions; d++) {
        const long long k = at[d] + (long long)(row % t->box[d]);
        row /= t->box[d];
        if (k < 0 || k >= (long long)t->size[d]) return false;
        start += (uintptr_t)k * t->stride[d - 1];
    }
    *out = start;
    return true;
}

void tensor_each(const machine_tensor *t, const int at[MACHINE_TENSOR_DIMENSIONS], tensor_visit *visit,
                 void *own) {
    const size_t row_bytes = (size_t)t->box[0] * t->element, rows = tensor_box_bytes(t) / row_bytes;
    const long long from = at[0] > 0 ? at[0] : 0, behind = (long long)at[0] + t->box[0];
    const long long to = behind < (long long)t->size[0] ? behind : (long long)t->size[0];
    for (size_t row = 0; row < rows && from < to; row++) {
        uintptr_t start;
        if (!find_row(t, at, row, &start)) continue;
        visit(own, start + (uintptr_t)from * t->element, row * row_bytes + (size_t)(from - at[0]) * t->element,
              (size_t)(to - from) * t->element);
    }
}

size_t tensor_place(const machine_tensor *t, uintptr_t to, size_t offset) {
    const uintptr_t lines = t->swizzle / 16;
    const uintptr_t mask = lines > 0 ? lines - 1 : 0, address = to + offset;
    return (size_t)((address ^ ((address >> 7 & mask) << 4)) - to);
}
