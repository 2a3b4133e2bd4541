/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of the codes that a stage reads, for a check of what is between stages.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_SUMMED_H
#define RIFFLE_SORT_KERNELS_SORT_SUMMED_H

#include "check/kernels/codes.h"
#include "check/kernels/sum.h"
#include "sort/kernels/sort_record.h"

static __device__ inline void sort_sum_key(check_sums *sums, uint32_t key) { check_add_code_4(sums, key); }
static __device__ inline void sort_sum_key(check_sums *sums, uint64_t key) { check_add_code(sums, key); }
static __device__ inline void sort_sum_key(check_sums *sums, const sort_wide &key) {
    check_pair number = check_element_begin(0);
    check_element_take(&number, key.low);
    check_element_take(&number, key.high);
    check_element_end(sums, number);
}

/** The same with what goes along. */
static __device__ inline void sort_sum_pair(check_sums *sums, uint32_t key, uint32_t along) {
    check_add_code(sums, (uint64_t)along << 32 | key);
}
static __device__ inline void sort_sum_pair(check_sums *sums, uint64_t key, uint32_t along) {
    check_add_pair(sums, key, along);
}
static __device__ inline void sort_sum_pair(check_sums *sums, const sort_wide &key, uint32_t along) {
    check_pair number = check_element_begin(along);
    check_element_take(&number, key.low);
    check_element_take(&number, key.high);
    check_element_end(sums, number);
}

/** The segment of one of the stage's, a leaf or what else it has. */
static __device__ inline uint32_t sort_summed_segment(const sort_summed &to, uint32_t which) {
    return to.each != 0 ? which / to.each : 0;
}

/** So many times the sums of a segment are added: weights are odd, and look random. */
static __device__ inline uint64_t sort_summed_times(const sort_summed &to, uint32_t segment) {
    const check_pair weight = check_mix(segment, 2);
    return to.each != 0 ? to.times * ((uint64_t)weight.first << 32 | weight.second | 1) : to.times;
}

/** A warp's sums of a segment are added to the record. All lanes come to it. */
static __device__ inline void sort_end_warp(const sort_summed &to, check_sums sums, uint32_t segment) {
    sums = check_sum_lanes<WARP_LANES>(sums);
    if (warp_lane() == 0)
        check_add_to(to.record, blockIdx.x + threadIdx.x / WARP_LANES,
                     check_times(sums, sort_summed_times(to, segment)), false);
}

/** Sums of a warp, and the segment that they are of. */
struct sort_warp_sums {
    check_sums sums;
    uint32_t segment;
};

/** One of another segment begins new sums. All lanes come to it. */
static __device__ inline void sort_next_summed(const sort_summed &to, sort_warp_sums *own, uint32_t which) {
    const uint32_t segment = sort_summed_segment(to, which);
    if (segment == own->segment) return;
    sort_end_warp(to, own->sums, own->segment);
    own->sums = check_sums{0, 0};
    own->segment = segment;
}

/** Adds the codes that a lane holds, `lanes` apart as far as `left`. */
template <uint32_t lanes, uint32_t each, class element>
static __device__ inline void sort_sum_keys(check_sums *sums, const element (&e)[each], uint32_t left) {
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (r * lanes < left) sort_sum_key(sums, sort_of<element>::get(e[r]));
}

/** The same of codes of 4 bytes, `length` of the team's lanes together, where all registers behind these hold the last code: some at a time, of which those
 *  that are none are taken away again. A branch for each register of each lane takes four times as long. */
template <uint32_t lanes, uint32_t each>
static __device__ inline void sort_sum_filled(check_sums *sums, const uint32_t (&e)[each], uint32_t left,
                                              uint32_t length) {
    constexpr uint32_t some = 8;
    const uint32_t own = (left + lanes - 1) / lanes, rows = (length + lanes - 1) / lanes;
    check_sums last = {0, 0};
    UNROLL
    for (uint32_t r = 0; r < each; r += some) {
        if (r * lanes >= length) continue;
        UNROLL
        for (uint32_t k = r; k < r + some; ++k) sort_sum_key(sums, e[k]);
    }
    sort_sum_key(&last, sort_of<uint32_t>::last());
    check_add_sums(sums, check_times(last, (uint64_t)own - (rows + some - 1) / some * some));
}

/** The same with what goes along. */
template <uint32_t lanes, uint32_t each, class element>
static __device__ inline void sort_sum_pairs(check_sums *sums, const element (&e)[each],
                                             const uint32_t (&along)[each], uint32_t left) {
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (r * lanes < left) sort_sum_pair(sums, sort_of<element>::get(e[r]), along[r]);
}

#endif
