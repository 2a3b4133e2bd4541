/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/definition.h"

#include <math.h>
#include <string.h>

#include "base/half.h"

__extension__ typedef __int128 wide_signed;
__extension__ typedef unsigned __int128 wide_unsigned;

/* -------------------------------------------------------------- comparison */

/* -1, 0 or 1. */
#define COMPARE(type)                                                                                          \
    {                                                                                                          \
        type x, y;                                                                                             \
        memcpy(&x, a, sizeof x);                                                                               \
        memcpy(&y, b, sizeof y);                                                                               \
        return (x > y) - (x < y);                                                                              \
    }

static int compare_signed(const void *a, const void *b, unsigned bytes) {
    switch (bytes) {
    case 1: COMPARE(int8_t)
    case 2: COMPARE(int16_t)
    case 4: COMPARE(int32_t)
    case 8: COMPARE(int64_t)
    default: COMPARE(wide_signed)
    }
}

static int compare_unsigned(const void *a, const void *b, unsigned bytes) {
    switch (bytes) {
    case 1: COMPARE(uint8_t)
    case 2: COMPARE(uint16_t)
    case 4: COMPARE(uint32_t)
    case 8: COMPARE(uint64_t)
    default: COMPARE(wide_unsigned)
    }
}

static double read_float(const void *from, unsigned bytes) {
    uint16_t half;
    float single;
    double value;
    switch (bytes) {
    case 2: memcpy(&half, from, sizeof half); return (double)half_to_float(half);
    case 4: memcpy(&single, from, sizeof single); return (double)single;
    default: memcpy(&value, from, sizeof value); return value;
    }
}

/* NaN last, whether or not numbers descend. */
static int compare_floats(const void *a, const void *b, const sort_field *field) {
    const double x = read_float(a, field->bytes), y = read_float(b, field->bytes);
    if (isnan(x) || isnan(y)) return !!isnan(x) - !!isnan(y);
    return field->descending ? (x < y) - (x > y) : (x > y) - (x < y);
}

static int turned(const sort_field *field, int sign) { return field->descending ? -sign : sign; }

static int compare_field(const sort_field *field, const void *a, const void *b) {
    int sign;
    switch (field->kind) {
    case RIFFLE_SORT_KEY_SIGNED: return turned(field, compare_signed(a, b, field->bytes));
    case RIFFLE_SORT_KEY_UNSIGNED: return turned(field, compare_unsigned(a, b, field->bytes));
    case RIFFLE_SORT_KEY_FLOAT: return compare_floats(a, b, field);
    default: sign = memcmp(a, b, field->bytes); return turned(field, (sign > 0) - (sign < 0));
    }
}

bool sort_before_by_fields(const void *context, const void *a, const void *b) {
    const sort_layout *const layout = context;
    for (unsigned k = 0; k < layout->fields; k++) {
        const size_t at = layout->field[k].offset;
        const int sign = compare_field(&layout->field[k], (const char *)a + at, (const char *)b + at);
        if (sign != 0) return sign < 0;
    }
    return false;
}

/* Compares floats that are equal as numbers: those with a sign before or behind, then by their bits. */
static int compare_bits(const void *a, const void *b, unsigned bytes, bool is_nan) {
    uint64_t x = 0, y = 0;
    memcpy(&x, a, bytes);
    memcpy(&y, b, bytes);
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    if ((x & sign) != (y & sign)) return ((x & sign) != 0) == is_nan ? 1 : -1;
    return x & sign ? (x < y) - (x > y) : (x > y) - (x < y);
}

bool sort_before_by_number(const void *context, const void *a, const void *b) {
    const sort_field *const field = &((const sort_layout *)context)->field[0];
    const int sign = compare_field(field, a, b);
    if (sign != 0 || field->kind != RIFFLE_SORT_KEY_FLOAT) return sign < 0;
    return turned(field, compare_bits(a, b, field->bytes, isnan(read_float(a, field->bytes)))) < 0;
}

/* -------------------------------------------------------------------- sort */

typedef struct merge {
    sort_before *before;
    const void *context;
    const char *elements;
    size_t elem_bytes;
} merge;

static const void *at(const merge *m, uint64_t i) { return m->elements + i * m->elem_bytes; }

/* Runs from .. middle and middle .. end of `order` become one in `to`; of equals the first run's come first. */
static void merge_runs(const merge *m, const uint64_t *order, uint64_t from, uint64_t middle, uint64_t end,
                       uint64_t *to) {
    uint64_t left = from, right = middle;
    for (uint64_t k = from; k < end; k++) {
        const bool takes_right =
            right < end && (left == middle || m->before(m->context, at(m, order[right]), at(m, order[left])));
        to[k] = takes_right ? order[right++] : order[left++];
    }
}

void sort_definition_unless(sort_is_stopped *stopped, sort_before *before, const void *context,
                            const void *elements, size_t elem_bytes, uint64_t *order, uint64_t *room,
                            uint64_t n) {
    const merge m = {before, context, elements, elem_bytes};
    uint64_t *from = order, *to = room;
    for (uint64_t run = 1; run < n; run *= 2) {
        for (uint64_t first = 0; first < n; first += 2 * run) {
            if (stopped(context)) return;
            const uint64_t middle = n - first < run ? n : first + run;
            const uint64_t end = n - first < 2 * run ? n : first + 2 * run;
            merge_runs(&m, from, first, middle, end, to);
        }
        uint64_t *const swapped = from;
        from = to;
        to = swapped;
    }
    if (from != order && n > 0) memcpy(order, from, n * sizeof *order);
}

static bool never(const void *context) {
    (void)context;
    return false;
}

void sort_definition(sort_before *before, const void *context, const void *elements, size_t elem_bytes,
                     uint64_t *order, uint64_t *room, uint64_t n) {
    sort_definition_unless(never, before, context, elements, elem_bytes, order, room, n);
}
