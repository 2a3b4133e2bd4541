/* SPDX-License-Identifier: Apache-2.0
 *
 * Rotations and reversals of packed elements (bits/shift.h): a unit of dst, a word or a byte, is put together of two of src, for each run that has a part of it.
 * In registers bit t of a unit is the t-th of the array's string, in either order of bits.
 */
#include "bits/kernels/merge.h"
#include "bits/kernels/shape.h"

/* From a unit as it lies in memory to one whose bits are in order, and back: in big order bits of bytes are turned. */
static __device__ inline uint32_t in_order(uint32_t unit, uint32_t is_big) {
    return is_big ? __byte_perm(__brev(unit), 0, 0x0123) : unit;
}

/* Unit q of an array; bytes behind its end are 0. */
template <class element>
static __device__ inline uint32_t unit_at(const char *array, uint64_t q, const bits_shift_table *t) {
    const char *const at = array + q * sizeof(element);
    if ((q + 1) * sizeof(element) <= t->bytes) return in_order(*(const element *)at, t->is_big);
    uint32_t unit = 0;
    for (uint32_t k = 0; q * sizeof(element) + k < t->bytes; ++k)
        unit |= (uint32_t)((const unsigned char *)at)[k] << 8 * k;
    return in_order(unit, t->is_big);
}

/* So many bits from one on, fewer than a unit's or all; what is above them may be anything. */
template <class element>
static __device__ inline uint32_t window(const char *array, uint64_t bit, uint32_t count,
                                         const bits_shift_table *t) {
    constexpr uint32_t width = 8 * sizeof(element);
    const uint32_t place = (uint32_t)bit % width;
    uint32_t bits = unit_at<element>(array, bit / width, t) >> place;
    if (place + count > width) bits |= unit_at<element>(array, bit / width + 1, t) << (width - place);
    return bits;
}

/* A unit's elements, the last one first. */
template <class element> static __device__ inline uint32_t backwards(uint32_t unit, uint32_t elem_bits) {
    uint32_t bits = __brev(unit) >> (32 - 8 * sizeof(element));
    if (elem_bits > 1) bits = merge(bits >> 1, bits << 1, 0x55555555);
    if (elem_bits > 2) bits = merge(bits >> 2, bits << 2, 0x33333333);
    return bits;
}

/* The part of a unit, from bit `first` of dst on, that the run from `begin` to `end` - 1 has. */
template <class element>
static __device__ inline uint32_t part_of(const char *array, uint64_t first, uint64_t begin, uint64_t end,
                                          uint64_t from, const bits_shift_table *t) {
    constexpr uint32_t width = 8 * sizeof(element);
    const uint32_t count = (uint32_t)(end - begin);
    uint32_t bits = window<element>(array, from, count, t);
    if (t->is_reversed) bits = backwards<element>(bits, t->elem_bits) >> (width - count);
    return (bits & 0xffffffffu >> (32 - count)) << (uint32_t)(begin - first);
}

template <class element>
static __device__ inline uint32_t shifted(const char *array, uint64_t first, const bits_shift_table *t) {
    const uint64_t end = first + 8 * sizeof(element), last = end < t->bits ? end : t->bits;
    uint32_t bits = 0;
    if (first < t->cut) {
        const uint64_t stop = last < t->cut ? last : t->cut;
        const uint64_t from = t->is_reversed ? t->cut - stop : first + t->bits - t->cut;
        bits = part_of<element>(array, first, first, stop, from, t);
    }
    if (last > t->cut) {
        const uint64_t begin = first > t->cut ? first : t->cut;
        const uint64_t from = t->is_reversed ? t->bits + t->cut - last : begin - t->cut;
        bits |= part_of<element>(array, first, begin, last, from, t);
    }
    return in_order(bits, t->is_big);
}

template <class element>
__global__ void bits_shift(element *b, const element *a, const GRID_CONSTANT bits_shift_table table) {
    const bits_shift_table *const t = &table;
    const uint64_t first = (uint64_t)blockIdx.x * BITS_SHIFT_THREADS * BITS_SHIFT_UNITS + threadIdx.x;
    uint32_t unit[BITS_SHIFT_UNITS];
    uint64_t at[BITS_SHIFT_UNITS];
    UNROLL
    for (uint32_t j = 0; j < BITS_SHIFT_UNITS; ++j) {
        const uint64_t k = first + j * BITS_SHIFT_THREADS;
        if (k >= t->all) continue;
        const uint64_t array = t->units == t->all ? 0 : k / t->units, number = t->first + k - array * t->units;
        at[j] = array * (t->bytes / sizeof(element)) + number;
        unit[j] = shifted<element>((const char *)a + array * t->bytes, number * (8 * sizeof(element)), t);
    }
    UNROLL
    for (uint32_t j = 0; j < BITS_SHIFT_UNITS; ++j)
        if (first + j * BITS_SHIFT_THREADS < t->all) b[at[j]] = (element)unit[j];
}
