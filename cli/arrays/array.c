/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays/array.h"

#include <stdint.h>
#include <string.h>

array_part array_whole(const riffle_npy_header *header, uint64_t length) {
    array_part whole = {.header = *header, .length = length};
    int64_t stride = 1;
    for (unsigned i = 0; length > 0 && i < header->rank; ++i) {
        const unsigned k = header->fortran_order ? i : header->rank - 1 - i;
        whole.strides[k] = stride;
        stride *= (int64_t)header->shape[k];
    }
    whole.header.fortran_order = false;
    return whole;
}

bool array_is_in_c_order(const array_part *part) {
    int64_t stride = 1;
    for (unsigned k = part->header.rank; part->length > 0 && k-- > 0;) {
        if (part->header.shape[k] == 1) continue;
        if (part->strides[k] != stride) return false;
        stride *= (int64_t)part->header.shape[k];
    }
    return true;
}

const void *array_first(const array_part *part, const void *data) {
    return (const char *)data + (size_t)part->first * part->header.elem_bytes;
}

size_t array_bytes(const array_part *part) { return (size_t)part->length * part->header.elem_bytes; }

riffle_status array_copy(const array_part *part, const void *data, unsigned threads, void *to) {
    return riffle_copy_strided(part->header.rank, part->header.shape, part->header.elem_bytes, to, NULL,
                               array_first(part, data), part->strides,
                               &(riffle_call_options){.threads = threads});
}

riffle_status array_aligned(const array_part *part, const void *data, size_t align, unsigned threads,
                            void **copy, const void **out) {
    *out = array_first(part, data);
    if (array_is_in_c_order(part) && (uintptr_t)*out % align == 0) return RIFFLE_OK;
    riffle_status status = riffle_buffer_create(array_bytes(part), copy);
    if (status == RIFFLE_OK) status = array_copy(part, data, threads, *copy);
    *out = *copy;
    return status;
}

array_units array_units_of(const array_part *part, bool rows) {
    const uint64_t length = part->length;
    const size_t elem_bytes = part->header.elem_bytes;
    if (!rows) return (array_units){length, length > 0 ? elem_bytes : 0};
    const uint64_t count = part->header.shape[0];
    return (array_units){count, length > 0 ? (size_t)(length / count) * elem_bytes : 0};
}

/* Memory in Fortran order is the C-order array of the reversed shape: reverse its axes. */
riffle_status array_to_c_order(const riffle_npy_header *header, riffle_perm **out) {
    uint64_t shape[RIFFLE_MAX_RANK];
    unsigned order[RIFFLE_MAX_RANK];
    for (unsigned k = 0; k < header->rank; ++k) {
        order[k] = header->rank - 1 - k;
        shape[k] = header->shape[order[k]];
    }
    return riffle_perm_axes(header->rank, shape, order, out);
}

bool array_output_header(const riffle_npy_header *header, const riffle_perm *perm, bool rows,
                         riffle_npy_header *out) {
    uint64_t shape[RIFFLE_MAX_RANK];
    unsigned rank = riffle_perm_output_shape(perm, shape);
    unsigned kept = rows ? header->rank - 1 : 0; /* the axes within a row stay behind the new ones */
    riffle_npy_header result = *header;
    result.fortran_order = false;
    if (rank > 0) {
        if (rank + kept > RIFFLE_MAX_RANK) return false;
        memcpy(result.shape, shape, rank * sizeof shape[0]);
        memcpy(result.shape + rank, header->shape + header->rank - kept, kept * sizeof shape[0]);
        result.rank = rank + kept;
    }
    *out = result;
    return true;
}

bool array_is_of_bytes(const riffle_npy_header *header) { return strcmp(header->descr, "'|u1'") == 0; }

bool array_pack_last_axis(riffle_npy_header *header, unsigned elem_bits) {
    uint64_t *const last = &header->shape[header->rank - 1];
    if (*last * elem_bits % 8 != 0) return false;
    *last = *last * elem_bits / 8;
    return true;
}
