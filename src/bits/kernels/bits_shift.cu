/* SPDX-License-Identifier: Apache-2.0
 *
 * Rotations and reversals of packed elements (bits/shift.h): a unit of dst, a word or a byte, is put together of two of src, for each run that has a part of it.
 * Nearly all blocks have units of one run, which begin at the same place of a unit of src.
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

/* The units of a block, if all are of one run and array, and so is what they are made of: the first of dst, the first of src, and where the bits begin there. */
struct shift_span {
    bool is_whole;
    uint64_t array, number, unit;
    uint32_t place;
};

template <class element>
static __device__ inline shift_span span_of(uint64_t block, const bits_shift_table *t) {
    constexpr uint32_t width = 8 * sizeof(element);
    shift_span s;
    s.array = t->units == t->all ? 0 : block / t->units;
    s.number = t->first + block - s.array * t->units;
    const uint64_t begin = s.number * width, end = begin + BITS_SHIFT_BLOCK * width;
    const bool is_first = end <= t->cut;
    const uint64_t run_end = is_first ? t->cut : t->bits + t->cut,
                   run_from = is_first ? t->bits - t->cut : 0 - t->cut;
    const uint64_t from = t->is_reversed ? run_end - end : begin + run_from;
    s.unit = from / width;
    s.place = (uint32_t)from % width;
    s.is_whole = s.number + BITS_SHIFT_BLOCK <= t->first + t->units && end <= t->bits &&
                 (is_first || begin >= t->cut) &&
                 (s.unit + BITS_SHIFT_BLOCK + (s.place != 0)) * sizeof(element) <= t->bytes;
    return s;
}

template <class element>
static __device__ inline void shift_block(element *b, const element *a, const shift_span *s,
                                          const bits_shift_table *t) {
    constexpr uint32_t width = 8 * sizeof(element);
    const uint64_t array = s->array * (t->bytes / sizeof(element));
    const uint32_t last = BITS_SHIFT_BLOCK - 1;
    const element *const from = a + array + s->unit + (t->is_reversed ? last - threadIdx.x : threadIdx.x);
    const int64_t step = t->is_reversed ? -BITS_SHIFT_THREADS : BITS_SHIFT_THREADS;
    uint32_t unit[BITS_SHIFT_UNITS], next[BITS_SHIFT_UNITS];
    UNROLL
    for (int32_t j = 0; j < BITS_SHIFT_UNITS; ++j) {
        unit[j] = from[j * step];
        next[j] = 0;
        if (s->place != 0) next[j] = from[j * step + 1];
    }
    UNROLL
    for (uint32_t j = 0; j < BITS_SHIFT_UNITS; ++j) {
        uint32_t bits = in_order(unit[j], t->is_big) >> s->place;
        if (s->place != 0) bits |= in_order(next[j], t->is_big) << (width - s->place);
        if (t->is_reversed) bits = backwards<element>(bits, t->elem_bits);
        b[array + s->number + j * BITS_SHIFT_THREADS + threadIdx.x] = (element)in_order(bits, t->is_big);
    }
}

template <class element>
static __device__ inline void shift_units(element *b, const element *a, uint64_t block,
                                          const bits_shift_table *t) {
    for (uint64_t k = block + threadIdx.x; k < block + BITS_SHIFT_BLOCK && k < t->all;
         k += BITS_SHIFT_THREADS) {
        const uint64_t array = k / t->units, number = t->first + k - array * t->units;
        b[array * (t->bytes / sizeof(element)) + number] =
            (element)shifted<element>((const char *)a + array * t->bytes, number * (8 * sizeof(element)), t);
    }
}

template <class element>
__global__ void bits_shift(element *b, const element *a, const GRID_CONSTANT bits_shift_table table) {
    const uint64_t block = (uint64_t)blockIdx.x * BITS_SHIFT_BLOCK;
    const shift_span span = span_of<element>(block, &table);
    if (span.is_whole)
        shift_block<element>(b, a, &span, &table);
    else
        shift_units<element>(b, a, block, &table);
}
