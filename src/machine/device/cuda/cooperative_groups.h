/* SPDX-License-Identifier: Apache-2.0
 *
 * Of cooperative groups: the block, and tiles of it that lie within a warp.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_COOPERATIVE_GROUPS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_COOPERATIVE_GROUPS_H

#include "device.h"

namespace cooperative_groups {

class thread_block {
  public:
    RIFFLE_DEVICE void sync() const { riffle_lint_barrier(RIFFLE_SITE); }
    unsigned thread_rank() const { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    unsigned num_threads() const { return blockDim.x * blockDim.y * blockDim.z; }
    unsigned size() const { return num_threads(); }
    dim3 group_index() const { return blockIdx; }
    dim3 thread_index() const { return threadIdx; }
    dim3 group_dim() const { return blockDim; }
    dim3 dim_threads() const { return blockDim; }
};

inline thread_block this_thread_block() { return thread_block(); }

template <unsigned SIZE, class Parent = thread_block> class thread_block_tile {
    static_assert(SIZE >= 1 && SIZE <= 32 && (SIZE & (SIZE - 1)) == 0, "a tile is a power of two up to 32");

    static unsigned mask() {
        const unsigned whole = SIZE < 32 ? (1U << (SIZE & 31)) - 1 : 0xffffffff;
        return whole << (riffle_lint_lane() & ~(SIZE - 1));
    }

  public:
    unsigned thread_rank() const { return riffle_lint_lane() & (SIZE - 1); }
    static constexpr unsigned num_threads() { return SIZE; }
    static constexpr unsigned size() { return SIZE; }
    unsigned meta_group_rank() const { return thread_block().thread_rank() / SIZE; }
    unsigned meta_group_size() const { return (thread_block().num_threads() + SIZE - 1) / SIZE; }

    RIFFLE_DEVICE void sync() const { riffle_lint::exchange<int>(mask(), 0, RIFFLE_SITE); }
    template <class T> RIFFLE_DEVICE T shfl(T value, unsigned from) const {
        const riffle_lint::exchange<T> all(mask(), value, RIFFLE_SITE);
        return all.of((riffle_lint_lane() & ~(SIZE - 1)) | (from & (SIZE - 1)));
    }
    template <class T> RIFFLE_DEVICE T shfl_up(T value, unsigned by) const {
        const riffle_lint::exchange<T> all(mask(), value, RIFFLE_SITE);
        return thread_rank() >= by ? all.of(riffle_lint_lane() - by) : value;
    }
    template <class T> RIFFLE_DEVICE T shfl_down(T value, unsigned by) const {
        const riffle_lint::exchange<T> all(mask(), value, RIFFLE_SITE);
        return thread_rank() + by < SIZE ? all.of(riffle_lint_lane() + by) : value;
    }
    template <class T> RIFFLE_DEVICE T shfl_xor(T value, unsigned bits) const {
        const riffle_lint::exchange<T> all(mask(), value, RIFFLE_SITE);
        return (thread_rank() ^ bits) < SIZE ? all.of(riffle_lint_lane() ^ bits) : value;
    }
    RIFFLE_DEVICE unsigned ballot(int predicate) const {
        const riffle_lint::exchange<int> all(mask(), predicate, RIFFLE_SITE);
        return riffle_lint::ballot(all) >> (riffle_lint_lane() & ~(SIZE - 1));
    }
    RIFFLE_DEVICE int any(int predicate) const {
        return riffle_lint::ballot(riffle_lint::exchange<int>(mask(), predicate, RIFFLE_SITE)) != 0;
    }
    RIFFLE_DEVICE int all(int predicate) const {
        return riffle_lint::ballot(riffle_lint::exchange<int>(mask(), predicate == 0, RIFFLE_SITE)) == 0;
    }
};

template <unsigned SIZE, class Parent> thread_block_tile<SIZE, Parent> tiled_partition(const Parent &) {
    return thread_block_tile<SIZE, Parent>();
}

/* Inlined, so that the group's function returns to the kernel's line. */
template <class Group> RIFFLE_INLINE void sync(const Group &group) { group.sync(); }

} // namespace cooperative_groups

#endif
