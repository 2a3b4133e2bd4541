/* SPDX-License-Identifier: Apache-2.0 */
#include "device/arrays.h"

#include <inttypes.h>

#include "base/status.h"

size_t array_alignment(size_t bytes) { return bytes % 16 == 0 ? 16 : bytes & (~bytes + 1); }

static riffle_status check(const call_array *a) {
    if (a->at == NULL && a->is_wanted && a->count > 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL, but there are to be %" PRIu64 " of them",
                    a->name, a->count);
    if (a->at != NULL && a->item_bytes == 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s are given, but the plan has none", a->name);
    if (a->item_bytes != 0 && (uintptr_t)a->at % array_alignment(a->item_bytes) != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s are not aligned to %zu bytes", a->name,
                    array_alignment(a->item_bytes));
    return RIFFLE_OK;
}

riffle_status arrays_check(const call_array *arrays, unsigned count) {
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < count; k++) status = check(&arrays[k]);
    return status;
}

riffle_status array_check_aligned(const char *name, const void *at, size_t alignment, const char *wanted_by) {
    if ((uintptr_t)at % alignment == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is not aligned to %zu bytes, which %s want", name, alignment,
                wanted_by);
}

static bool overlap(const call_array *a, const call_array *b) {
    if (a->at == NULL || b->at == NULL) return false;
    if (a->at == b->at && (a->may_be_also == b->at || b->may_be_also == a->at)) return false;
    return bytes_overlap(a->at, call_array_bytes(a), b->at, call_array_bytes(b));
}

riffle_status arrays_check_apart(const call_array *arrays, unsigned count, unsigned first) {
    for (unsigned k = first; k < count; k++)
        for (unsigned l = 0; l < k; l++)
            if (overlap(&arrays[l], &arrays[k]))
                return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s and %s overlap", arrays[k].name, arrays[l].name);
    return RIFFLE_OK;
}

riffle_status arrays_check_workspace(const call_array *arrays, unsigned count, const void *workspace,
                                     size_t bytes, size_t needed) {
    if (workspace == NULL) bytes = 0;
    if (bytes < needed)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the workspace has %zu bytes, and %zu are needed", bytes,
                    needed);
    if ((uintptr_t)workspace % WORKSPACE_ALIGNMENT != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the workspace is not aligned to %d bytes",
                    WORKSPACE_ALIGNMENT);
    for (unsigned k = 0; workspace != NULL && k < count; k++)
        if (arrays[k].at != NULL &&
            bytes_overlap(arrays[k].at, call_array_bytes(&arrays[k]), workspace, needed))
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "the workspace of %zu bytes overlaps %s; bring one apart", needed, arrays[k].name);
    return RIFFLE_OK;
}
