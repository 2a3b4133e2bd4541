/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of the codes that a stage reads, for a check of what is between stages.
 */
#ifndef RIFFLE_SORT_KERNELS_SORT_SUMMED_H
#define RIFFLE_SORT_KERNELS_SORT_SUMMED_H

#include "check/kernels/sum.h"
#include "sort/kernels/sort_record.h"

static __device__ inline void sort_sum_key(check_sums *sums, uint32_t key) { check_add_code(sums, key); }
static __device__ inline void sort_sum_key(check_sums *sums, uint64_t key) { check_add_code(sums, key); }
static __device__ inline void sort_sum_key(check_sums *sums, const sort_wide &key) {
    check_pair number = check_element_begin(0);
    check_element_take(&number, key.low);
    check_element_take(&number, key.high);
    check_element_end(sums, number);
}

/** A warp's sums are added to the record. All lanes come to it. */
static __device__ inline void sort_end_warp(const sort_summed &to, check_sums sums) {
    sums = check_sum_lanes<WARP_LANES>(sums);
    if (warp_lane() == 0)
        check_add_to(to.record, blockIdx.x + threadIdx.x / WARP_LANES, check_times(sums, to.times), false);
}

/** The codes that a warp's lanes hold, `lanes` apart as far as `left`. All lanes come to it. */
template <uint32_t lanes, uint32_t each, class element>
static __device__ inline void sort_sum_leaf(const sort_summed &to, const element (&e)[each], uint32_t left) {
    check_sums sums = {0, 0};
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (r * lanes < left) sort_sum_key(&sums, sort_of<element>::get(e[r]));
    sort_end_warp(to, sums);
}

#endif
