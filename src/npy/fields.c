/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/status.h"
#include "npy/descr.h"
#include "riffle/npy.h"

typedef struct list {
    riffle_npy_field *out;
    size_t capacity, count;
} list;

static void add(void *context, literal_span name, size_t offset, const descr_type *type) {
    list *const to = context;
    const bool is_padding = name.text != NULL && name.length == 0;
    if (is_padding) return;
    if (to->count < to->capacity)
        to->out[to->count] =
            (riffle_npy_field){name.text, name.length, offset, type->bytes, type->kind, type->order};
    to->count++;
}

riffle_status riffle_npy_header_fields(const riffle_npy_header *header, riffle_npy_field *out, size_t capacity,
                                       size_t *count) {
    RETURN_IF_NULL(header, count);
    if (capacity > 0) RETURN_IF_NULL(out);
    if (header->descr == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the header has no descr");
    const char *const end = header->descr + strlen(header->descr);
    literal in = {RIFFLE_ERROR_INVALID_ARGUMENT, "header", "descr", header->descr, header->descr, end};
    list to = {out, capacity, 0};
    const riffle_status status = descr_each_field(&in, add, &to);
    if (status == RIFFLE_OK) *count = to.count;
    return status;
}
