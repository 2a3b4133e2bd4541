/* SPDX-License-Identifier: Apache-2.0
 *
 * A sort that is read once more: numbers of elements with what goes along are added up, the same for any order of a segment, and each element
 * is compared with the one before it. A block has rounds, of SORT_ROW_EACH elements a thread.
 *
 * a and b are NULL; an element is read by units of the template's.
 */
#include "check/kernels/sum_block.h"
#include "sort/kernels/codes/sort_key_bits.h"
#include "sort/kernels/sort_search.h"
#include "sort/kernels/tables/check.h"

static __device__ inline uint64_t sort_check_tag(const sort_check_table &t, uint32_t place) {
    if (t.are_places != 0) return place;
    if (t.tags == nullptr) return 0;
    return t.tag_bytes == 4 ? ((const uint32_t *)t.tags)[place] : ((const uint64_t *)t.tags)[place];
}

static __device__ inline const unsigned char *sort_check_element(const sort_check_table &t, uint32_t place) {
    const uint64_t at = t.are_through != 0 ? sort_check_tag(t, place) : place;
    if (t.rows.elements == nullptr || at >= t.n) return nullptr;
    return t.rows.elements + at * t.rows.elem_bytes;
}

/* An element's units, 8 bytes at a time. */
template <class element>
static __device__ inline void sort_check_take(check_pair *number, const element *units, uint32_t count) {
    constexpr uint32_t at_once = 8 / sizeof(element);
    for (uint32_t k = 0; k < count; k += at_once) {
        uint64_t words = 0;
        for (uint32_t j = 0; j < at_once && k + j < count; ++j)
            words |= (uint64_t)units[k + j] << 8 * sizeof(element) * j;
        check_element_take(number, words);
    }
}
static __device__ inline void sort_check_take(check_pair *number, const vector16 *units, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) check_take_part(number, units[k]);
}

/* The element, then what goes along. */
template <class element>
static __device__ inline void sort_check_add(const sort_check_table &t, uint32_t segment, uint32_t place,
                                             check_sums *sums) {
    check_pair number = check_element_begin(segment);
    if (t.are_through == 0 && t.rows.elements != nullptr)
        sort_check_take(&number, (const element *)sort_check_element(t, place),
                        (uint32_t)(t.rows.elem_bytes / sizeof(element)));
    if (t.are_places != 0 || t.tags != nullptr) check_element_take(&number, sort_check_tag(t, place));
    check_element_end(sums, number);
}

/* The first piece that differs decides. */
static __device__ inline bool sort_check_is_wrong(const sort_check_table &t, uint32_t place) {
    const unsigned char *const both[2] = {sort_check_element(t, place - 1), sort_check_element(t, place)};
    if (both[0] == nullptr || both[1] == nullptr) return true;
    for (uint32_t p = 0; p < t.rows.pieces.count; ++p) {
        uint64_t code[2];
        sort_key_pieces(t.rows, t.rows.pieces.piece[p], both, code);
        if (code[0] != code[1]) return code[1] < code[0];
    }
    return t.by_tags != 0 && sort_check_tag(t, place) <= sort_check_tag(t, place - 1);
}

/* The segment of a place, and where it begins; t.segments for a place outside. */
static __device__ inline uint32_t sort_check_segment(const sort_check_table &t, uint32_t place,
                                                     uint64_t *begin) {
    if (t.first == nullptr) {
        const uint32_t segment = t.segments == 1 || t.is_one != 0 ? 0 : place / t.length;
        *begin = (uint64_t)segment * t.length;
        return segment;
    }
    const uint32_t from = sort_last_begun([&](uint32_t segment) { return t.first[segment]; },
                                          t.is_one != 0 ? 1 : t.segments, place);
    *begin = t.first[from];
    return place >= *begin && place < t.first[t.segments] ? from : t.segments;
}

template <class element>
__global__ void LAUNCH_BOUNDS(SORT_ROW_THREADS, 1)
    sort_check(element *, const element *, const GRID_CONSTANT sort_check_table t) {
    const uint64_t first = (uint64_t)blockIdx.x * t.rounds * SORT_ROW_TILE + threadIdx.x;
    extern __shared__ uint64_t shared_memory[];
    check_sums sums = {0, 0};
    uint64_t faults = 0;
    for (uint32_t k = 0; k < t.rounds * SORT_ROW_EACH; ++k) {
        const uint64_t place = first + (uint64_t)k * SORT_ROW_THREADS;
        uint64_t begin;
        if (place >= t.n) break;
        const uint32_t segment = sort_check_segment(t, (uint32_t)place, &begin);
        if (segment == t.segments) continue;
        sort_check_add<element>(t, segment, (uint32_t)place, &sums);
        if (t.has_order != 0 && place > begin) faults += sort_check_is_wrong(t, (uint32_t)place);
    }
    check_end_block(t.record, (check_block *)shared_memory, sums, t.is_taken != 0);
    if (faults > 0) ATOMIC_ADD((unsigned long long *)&t.record->faults, (unsigned long long)faults);
}
