/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/view.h"

#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "plan/axes/overlap.h"

/* The least and the largest offset that an array reaches, in bytes; both within half of what an address can hold, as
 * overlap.h wants it. */
#define MOST_OFFSET ((uint64_t)1 << 60)

/* One side of a copy. */
typedef struct view {
    const char *name;
    uintptr_t at;
    int64_t strides[RIFFLE_MAX_RANK];
    uint64_t below, above; /* bytes that it reaches before and behind its element 0, 0, ... */
} view;

static riffle_status check_shape(const view_copy *asked, uint64_t *elements) {
    if (asked->rank > RIFFLE_MAX_RANK) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "an array of rank %u has more than %d dimensions",
                    asked->rank, RIFFLE_MAX_RANK);
    }
    if (asked->elem_bytes == 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "elements must be at least 1 byte long");
    if (asked->rank > 0 && asked->shape == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "shape is NULL but the rank is %u", asked->rank);
    *elements = 1;
    for (unsigned k = 0; k < asked->rank; k++)
        if (asked->shape[k] == 0) *elements = 0;
    for (unsigned k = 0; k<asked->rank && * elements> 0; k++) {
        if (__builtin_mul_overflow(*elements, asked->shape[k], elements) || *elements > RIFFLE_MAX_LENGTH) {
            return fail(RIFFLE_ERROR_LENGTH, "the shape has more elements than the largest length, 2^%d",
                        RIFFLE_MAX_BITS);
        }
    }
    return RIFFLE_OK;
}

static void set_strides(const view_copy *asked, const int64_t *strides, view *v) {
    int64_t row_major = 1;
    for (unsigned k = asked->rank; k-- > 0;) {
        v->strides[k] = strides != NULL ? strides[k] : row_major;
        row_major *= (int64_t)asked->shape[k];
    }
}

/* How far it reaches, all within an address. */
static riffle_status measure(const view_copy *asked, view *v) {
    v->below = v->above = 0;
    bool fits = asked->elem_bytes <= MOST_OFFSET;
    for (unsigned k = 0; fits && k < asked->rank; k++) {
        const bool negative = v->strides[k] < 0;
        uint64_t reach = negative ? -(uint64_t)v->strides[k] : (uint64_t)v->strides[k];
        fits = !__builtin_mul_overflow(reach, asked->shape[k] - 1, &reach) &&
               !__builtin_mul_overflow(reach, asked->elem_bytes, &reach) && reach <= MOST_OFFSET;
        if (!fits) continue;
        *(negative ? &v->below : &v->above) += reach;
        fits = v->below <= MOST_OFFSET && v->above <= MOST_OFFSET - asked->elem_bytes;
    }
    if (fits && v->below <= v->at && v->at <= UINTPTR_MAX - v->above - asked->elem_bytes) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_LENGTH, "%s: its dimensions and strides reach beyond what an address can hold",
                v->name);
}

/* Axes that hold more than one element, with strides from the lowest element on, in units of `bytes`. */
static overlap_box box_of(const view_copy *asked, const view *v, size_t bytes) {
    overlap_box box = {.rank = 0};
    for (unsigned k = 0; k < asked->rank; k++) {
        const uint64_t stride = v->strides[k] < 0 ? -(uint64_t)v->strides[k] : (uint64_t)v->strides[k];
        box.extent[k] = asked->shape[k];
        box.stride[k] = asked->shape[k] > 1 ? stride * bytes : 0;
    }
    box.rank = asked->rank;
    return box;
}

/* Writes an index as "[2, 0, 5]". */
static void print_index(unsigned rank, const uint64_t *index, char *out, size_t room) {
    size_t at = (size_t)snprintf(out, room, "[");
    for (unsigned k = 0; k < rank && at < room; k++)
        at += (size_t)snprintf(out + at, room - at, "%s%" PRIu64, k > 0 ? ", " : "", index[k]);
    if (at < room) snprintf(out + at, room - at, "]");
}

static riffle_status check_dst_strides(const view_copy *asked, const view *dst) {
    for (unsigned k = 0; k < asked->rank; k++) {
        if (asked->shape[k] == 1 || dst->strides[k] >= 0) continue;
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "dst's stride along axis %u is %" PRId64
                    ", and only src's may be negative; turn that axis of both",
                    k, dst->strides[k]);
    }
    const overlap_box box = box_of(asked, dst, 1);
    uint64_t one[RIFFLE_MAX_RANK], other[RIFFLE_MAX_RANK];
    char one_text[RIFFLE_MAX_RANK * 16], other_text[RIFFLE_MAX_RANK * 16];
    switch (overlap_within(&box, one, other)) {
    case OVERLAP_NONE: return RIFFLE_OK;
    case OVERLAP_UNKNOWN: break;
    case OVERLAP_FOUND:
        print_index(asked->rank, one, one_text, sizeof one_text);
        print_index(asked->rank, other, other_text, sizeof other_text);
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "dst's strides overlap: %s and %s are the same element",
                    one_text, other_text);
    }
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "dst's strides are so entangled that whether its elements overlap is too long to find out; use "
                "strides of which each is beyond what the shorter ones reach together");
}

static riffle_status check_apart(const view_copy *asked, const view *dst, const view *src) {
    const size_t bytes = asked->elem_bytes;
    const overlap_box to = box_of(asked, dst, bytes), from = box_of(asked, src, bytes);
    switch (overlap_between(&to, dst->at - dst->below, &from, src->at - src->below, bytes)) {
    case OVERLAP_NONE: return RIFFLE_OK;
    case OVERLAP_FOUND:
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "dst and src share memory; copy by way of a third array");
    case OVERLAP_UNKNOWN: break;
    }
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "dst and src lie in the same memory, and their strides are so entangled that whether elements are "
        "shared is too long to find out; copy by way of a third array");
}

riffle_status view_copy_take(const view_copy *asked, strided_move *out) {
    view dst = {.name = "dst", .at = (uintptr_t)asked->dst}, src = {.name = "src", .at = (uintptr_t)asked->src};
    uint64_t elements = 0;
    riffle_status status = check_shape(asked, &elements);
    if (status != RIFFLE_OK) return status;
    *out = (strided_move){.elem_bytes = asked->elem_bytes, .rank = 1};
    if (elements == 0) return RIFFLE_OK; /* one axis of length 0 */
    if (asked->dst == NULL || asked->src == NULL) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL but the shape has %" PRIu64 " elements",
                    asked->dst == NULL ? "dst" : "src", elements);
    }
    set_strides(asked, asked->dst_strides, &dst);
    set_strides(asked, asked->src_strides, &src);
    if (status == RIFFLE_OK) status = measure(asked, &dst);
    if (status == RIFFLE_OK) status = measure(asked, &src);
    if (status == RIFFLE_OK) status = check_dst_strides(asked, &dst);
    if (status == RIFFLE_OK) status = check_apart(asked, &dst, &src);
    if (status != RIFFLE_OK) return status;
    out->rank = asked->rank;
    for (unsigned k = 0; k < asked->rank; k++)
        out->axis[k] = (strided_axis){asked->shape[k], src.strides[k], dst.strides[k]};
    strided_normalize(out);
    return RIFFLE_OK;
}
