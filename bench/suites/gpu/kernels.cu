/* SPDX-License-Identifier: Apache-2.0
 *
 * The bench's own work on a GPU, beside the moves. Kernels fill an array, fetch a sample of another or compare it with the
 * definition, make numbers to sort, and look at the sorted result. Plain kernels copy, each thread one vector or four, to compare
 * with.
 */
#include <stdint.h>

#include "axes/definition.h"
#include "bench/word.h"
#include "sorts/number.h"
#include "sorts/top.h"

static __device__ inline uint64_t thread_number() { return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void riffle_bench_fill(uint64_t *words, uint64_t count) {
    const uint64_t k = thread_number();
    if (k < count) words[k] = bench_word(k);
}

/* out[k] = array[at[k]], of elements of elem_bytes; a byte a thread. */
extern "C" __global__ void riffle_bench_pick(unsigned char *out, const unsigned char *array, const uint64_t *at,
                                             uint64_t count, uint64_t elem_bytes) {
    const uint64_t k = thread_number();
    if (k < count * elem_bytes) out[k] = array[at[k / elem_bytes] * elem_bytes + k % elem_bytes];
}

/* Where the definition wants element x. */
static __device__ inline uint64_t destination(const bench_definition &axes, uint64_t x) {
    uint64_t to = 0;
    for (unsigned a = axes.rank; a-- > 0; x /= axes.shape[a]) to += x % axes.shape[a] * axes.step[a];
    return to;
}

/* Counts the elements of a filled src that are not in their places in dst; an element a thread. */
extern "C" __global__ void riffle_bench_misplaced(unsigned long long *count, const unsigned char *dst,
                                                  const __grid_constant__ bench_definition axes, uint64_t n,
                                                  uint64_t elem_bytes) {
    const uint64_t x = thread_number();
    if (x >= n) return;
    const unsigned char *found = dst + destination(axes, x) * elem_bytes;
    bool wrong = false;
    for (uint64_t k = x * elem_bytes; k < (x + 1) * elem_bytes; ++k)
        wrong |= *found++ != (unsigned char)(bench_word(k / sizeof(uint64_t)) >> k % sizeof(uint64_t) * 8);
    if (wrong) atomicAdd(count, 1);
}

extern "C" __global__ void riffle_bench_fill_numbers(const __grid_constant__ bench_numbers of, char *to) {
    const uint64_t i = thread_number();
    if (i < of.all) bench_write_number(&of, bench_number(&of, i), to + i * of.elem_bytes);
}

typedef bench_look look_at(const bench_numbers *of, const void *numbers, const void *found, uint64_t i);

/* Adds up what a look at each place finds; any number of threads. */
template <look_at AT>
static __device__ inline void add_looks(const bench_numbers &of, const void *numbers, const void *found,
                                        unsigned long long *wrong, unsigned long long *sum) {
    unsigned long long own_wrong = 0, own_sum = 0;
    for (uint64_t i = thread_number(); i < of.all; i += (uint64_t)gridDim.x * blockDim.x) {
        const bench_look look = AT(&of, numbers, found, i);
        own_wrong += look.wrong;
        own_sum += look.sum;
    }
    if (own_wrong != 0) atomicAdd(wrong, own_wrong);
    atomicAdd(sum, own_sum);
}

/* sums[0] receives how many places are wrong, sums[1] the looks' sum. */
extern "C" __global__ void riffle_bench_look_at_numbers(const __grid_constant__ bench_numbers of,
                                                        const void *numbers, const void *found,
                                                        unsigned long long *sums) {
    add_looks<bench_look_at_number>(of, numbers, found, &sums[0], &sums[1]);
}

extern "C" __global__ void riffle_bench_look_at_indices(const __grid_constant__ bench_numbers of,
                                                        const void *numbers, const void *found,
                                                        unsigned long long *sums) {
    add_looks<bench_look_at_index>(of, numbers, found, &sums[0], &sums[1]);
}

static __device__ inline void add_look(bench_top_look *to, const bench_top_look &look) {
    if (look.wrong != 0) atomicAdd(&to->wrong, look.wrong);
    if (look.sum != 0) atomicAdd(&to->sum, look.sum);
    if (look.ahead != 0) atomicAdd(&to->ahead, look.ahead);
}

/* looks[s] receives what the looks at segment s add up to; any number of threads. */
extern "C" __global__ void riffle_bench_look_at_top(const __grid_constant__ bench_numbers of,
                                                    const __grid_constant__ bench_top top,
                                                    bench_top_look *looks) {
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x, results = of.all / of.n * of.count;
    for (uint64_t i = thread_number(); i < of.all; i += threads)
        add_look(&looks[i / of.n], bench_look_at_element(&of, &top, i));
    for (uint64_t place = thread_number(); place < results; place += threads)
        add_look(&looks[place / of.count], bench_look_at_result(&of, &top, place));
}

/* All of a thread's loads are under way before its first store. */
template <unsigned VECTORS>
static __device__ inline void copy_vectors(uint4 *__restrict__ to, const uint4 *__restrict__ from,
                                           uint64_t count) {
    const uint64_t first = (uint64_t)blockIdx.x * blockDim.x * VECTORS + threadIdx.x;
    uint4 held[VECTORS];
#pragma unroll
    for (unsigned k = 0; k < VECTORS; ++k)
        if (first + k * blockDim.x < count) held[k] = from[first + k * blockDim.x];
#pragma unroll
    for (unsigned k = 0; k < VECTORS; ++k)
        if (first + k * blockDim.x < count) to[first + k * blockDim.x] = held[k];
}

extern "C" __global__ void riffle_bench_copy_1(uint4 *to, const uint4 *from, uint64_t count) {
    copy_vectors<1>(to, from, count);
}

extern "C" __global__ void riffle_bench_copy_4(uint4 *to, const uint4 *from, uint64_t count) {
    copy_vectors<4>(to, from, count);
}
