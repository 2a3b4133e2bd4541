/* SPDX-License-Identifier: Apache-2.0
 *
 * Results from candidates in order: numbers from their codes, or elements, values and places from where they are.
 */
#include "sort/kernels/select/select_code.h"
#include "sort/kernels/select/select_put.h"

/* True if there is a result k. */
static __device__ inline bool select_has(const select_results_table &t, uint64_t k) {
    if (k >= (uint64_t)t.segments * t.count) return false;
    const uint32_t s = (uint32_t)(k / t.count);
    return t.begin == nullptr || (uint32_t)(k % t.count) < t.begin[s + 1] - t.begin[s];
}

/** b receives numbers; a thread a result. Where equals are not told apart, those that are missing equal the bound. */
template <class element>
__global__ void select_numbers(element *__restrict__ b, const element *,
                               const GRID_CONSTANT select_results_table t) {
    typedef typename select_of<element>::word word;
    const uint64_t k = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (!select_has(t, k)) return;
    const uint32_t attempt = t.of.counts != nullptr ? select_attempt(t.of) : 0;
    const bool is_missing = t.of.counts != nullptr && k >= t.of.counts[attempt];
    b[k] = select_element<element>(t.coder, is_missing ? select_bound<word>(t.of, attempt)
                                                       : sort_of<word>::get(((const word *)t.sorted)[k]));
}

/** The same where they are: b receives elements, from a. */
template <class element>
__global__ void select_taken(element *b, const element *a, const GRID_CONSTANT select_results_table t) {
    typedef select_candidate<true, typename select_of<element>::word> candidate;
    const uint64_t k = (uint64_t)blockIdx.x * SORT_ROW_THREADS + threadIdx.x;
    if (!select_has(t, k)) return;
    const uint32_t place = candidate::place_of(((const typename candidate::type *)t.sorted)[k]);
    if (b != nullptr) b[k] = a[place];
    if (t.indices != nullptr) select_put(t.indices, k, t.index_bytes, place);
    if (t.values != nullptr)
        select_put(t.values, k, t.value_bytes, select_get(t.from_values, place, t.value_bytes));
}
