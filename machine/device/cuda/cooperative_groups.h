/* SPDX-License-Identifier: Apache-2.0
 *
 * Cooperative groups: the grid, the block, tiles of it that lie within a warp,
 * and coalesced groups, which are any lanes of a warp. Exchanges take values of up to 32 bytes.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_COOPERATIVE_GROUPS_H
#define RIFFLE_MACHINE_DEVICE_CUDA_COOPERATIVE_GROUPS_H

#include "device.h"

#define RIFFLE_PLAIN __attribute__((no_sanitize_thread))

namespace riffle_lint {
/* Units first, first + step, ... of an asynchronous copy, elements unless more is promised: by 16, 8 or 4 bytes, as what a unit has, or for smaller ones as
 * addresses allow. Pieces of fewer bytes are copied at once. */
template <class T>
RIFFLE_INLINE RIFFLE_PLAIN void copy_elements(T *to, const T *from, size_t bytes, size_t first, size_t step, void *barrier, const void *site,
                                              size_t unit = sizeof(T)) {
    const size_t all = (size_t)to | (size_t)from | bytes | 16, widest = all & (~all + 1);
    const size_t piece = unit < 4 ? widest : unit & (~unit + 1);
    const unsigned size = piece > widest ? (unsigned)widest : piece > 16 ? 16 : (unsigned)piece;
    for (size_t k = first; k < bytes / size; k += step)
        riffle_lint_copy((char *)to + k * size, (const char *)from + k * size, size, size, barrier, site);
}
} // namespace riffle_lint

namespace cooperative_groups {
namespace details {
inline unsigned rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
inline unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
} // namespace details

class thread_block {
  public:
    struct arrival_token {};
    RIFFLE_DEVICE void sync() const { riffle_lint_barrier(RIFFLE_SITE); }
    RIFFLE_DEVICE arrival_token barrier_arrive() const { return {}; }
    RIFFLE_DEVICE void barrier_wait(arrival_token = {}) const { riffle_lint_barrier(RIFFLE_SITE); }
    static unsigned thread_rank() { return details::rank_in_block(); }
    static unsigned num_threads() { return details::block_threads(); }
    static unsigned size() { return num_threads(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
    static constexpr bool is_valid() { return true; }
};
inline thread_block this_thread_block() { return thread_block(); }
template <unsigned BYTES> struct alignas(16) block_tile_memory {
    char unused[BYTES > 0 ? 16 : 1];
};
template <class Memory> thread_block this_thread_block(Memory &) { return thread_block(); }

class grid_group {
  public:
    struct arrival_token {};
    RIFFLE_DEVICE void sync() const { riffle_lint_grid_barrier(RIFFLE_SITE); }
    RIFFLE_DEVICE arrival_token barrier_arrive() const { return {}; }
    RIFFLE_DEVICE void barrier_wait(arrival_token = {}) const { riffle_lint_grid_barrier(RIFFLE_SITE); }
    static bool is_valid() { return riffle_lint_is_cooperative() != 0; }
    static unsigned long long block_rank() { return (blockIdx.z * gridDim.y + blockIdx.y) * (unsigned long long)gridDim.x + blockIdx.x; }
    static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    static unsigned long long thread_rank() { return block_rank() * details::block_threads() + details::rank_in_block(); }
    static unsigned long long num_threads() { return num_blocks() * details::block_threads(); }
    static unsigned long long size() { return num_threads(); }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return grid_group(); }

class cluster_group {
  public:
    struct arrival_token {};
    RIFFLE_DEVICE static void sync() { riffle_lint_cluster_sync(RIFFLE_SITE); }
    RIFFLE_DEVICE static arrival_token barrier_arrive() {
        riffle_lint_cluster_arrive(0, RIFFLE_SITE);
        return {};
    }
    RIFFLE_DEVICE static void barrier_wait(arrival_token = {}) { riffle_lint_cluster_wait(RIFFLE_SITE); }
    template <class T> RIFFLE_DEVICE static T *map_shared_rank(T *at, unsigned rank) {
        return (T *)riffle_lint_cluster_peer((const void *)at, rank, RIFFLE_SITE);
    }
    RIFFLE_PLAIN static unsigned query_shared_rank(const void *at) { return riffle_lint_cluster_rank_of(at); }
    static dim3 block_index() { return riffle_lint::place_in_cluster(); }
    static unsigned block_rank() { return riffle_lint::rank_in_cluster(); }
    static dim3 thread_index() {
        const dim3 at = block_index();
        return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y, at.z * blockDim.z + threadIdx.z);
    }
    static unsigned thread_rank() { return block_rank() * details::block_threads() + details::rank_in_block(); }
    static dim3 dim_blocks() { return riffle_lint::cluster_shape(); }
    static unsigned num_blocks() { return riffle_lint::cluster_size(); }
    static dim3 dim_threads() {
        const dim3 shape = dim_blocks();
        return dim3(shape.x * blockDim.x, shape.y * blockDim.y, shape.z * blockDim.z);
    }
    static unsigned num_threads() { return num_blocks() * details::block_threads(); }
    static unsigned size() { return num_threads(); }
    static constexpr bool is_valid() { return true; }
};
inline cluster_group this_cluster() { return cluster_group(); }

/* Lanes of one warp, numbered in the warp's order. Self tells lanes(), and the lane with a rank. */
template <class Self> class lane_group {
    RIFFLE_PLAIN const Self &self() const { return *static_cast<const Self *>(this); }

  public:
    RIFFLE_DEVICE void sync() const { riffle_lint::sync_lanes(self().lanes(), RIFFLE_SITE); }
    template <class T> RIFFLE_DEVICE T shfl(T value, int from) const {
        const riffle_lint::exchange<T> all(self().lanes(), value, RIFFLE_SITE);
        return all.of(self().lane_of((unsigned)from % self().size()));
    }
    template <class T> RIFFLE_DEVICE T shfl_up(T value, unsigned by) const {
        const riffle_lint::exchange<T> all(self().lanes(), value, RIFFLE_SITE);
        return self().thread_rank() >= by ? all.of(self().lane_of(self().thread_rank() - by)) : value;
    }
    template <class T> RIFFLE_DEVICE T shfl_down(T value, unsigned by) const {
        const riffle_lint::exchange<T> all(self().lanes(), value, RIFFLE_SITE);
        return self().thread_rank() + by < self().size() ? all.of(self().lane_of(self().thread_rank() + by)) : value;
    }
    template <class T> RIFFLE_DEVICE T shfl_xor(T value, unsigned bits) const {
        const riffle_lint::exchange<T> all(self().lanes(), value, RIFFLE_SITE);
        const unsigned from = self().thread_rank() ^ bits;
        return from < self().size() ? all.of(self().lane_of(from)) : value;
    }
    RIFFLE_DEVICE unsigned ballot(int predicate) const {
        return packed(riffle_lint::ballot(riffle_lint::exchange<int>(self().lanes(), predicate, RIFFLE_SITE)));
    }
    RIFFLE_DEVICE int any(int predicate) const {
        return riffle_lint::ballot(riffle_lint::exchange<int>(self().lanes(), predicate, RIFFLE_SITE)) != 0;
    }
    RIFFLE_DEVICE int all(int predicate) const {
        return riffle_lint::ballot(riffle_lint::exchange<int>(self().lanes(), predicate == 0, RIFFLE_SITE)) == 0;
    }
    template <class T> RIFFLE_DEVICE unsigned match_any(T value) const {
        return packed(riffle_lint::match(riffle_lint::exchange<T>(self().lanes(), value, RIFFLE_SITE), value));
    }
    template <class T> RIFFLE_DEVICE unsigned match_all(T value, int &all_equal) const {
        const riffle_lint::exchange<T> all(self().lanes(), value, RIFFLE_SITE);
        all_equal = riffle_lint::match(all, value) == all.lanes;
        return all_equal ? packed(all.lanes) : 0;
    }
    static constexpr bool is_valid() { return true; }

  private:
    /* A mask of lanes as one of ranks. */
    RIFFLE_PLAIN unsigned packed(unsigned lanes) const {
        unsigned ranks = 0;
        for (unsigned rank = 0; rank < self().size(); rank++) ranks |= (lanes >> self().lane_of(rank) & 1) << rank;
        return ranks;
    }
};

template <unsigned SIZE, class Parent = thread_block> class thread_block_tile : public lane_group<thread_block_tile<SIZE, Parent>> {
    static_assert(SIZE >= 1 && SIZE <= 32 && (SIZE & (SIZE - 1)) == 0, "a tile is a power of two up to 32");

  public:
    RIFFLE_PLAIN static unsigned lanes() {
        const unsigned whole = SIZE < 32 ? (1U << (SIZE & 31)) - 1 : 0xffffffff;
        return whole << (riffle_lint_lane() & ~(SIZE - 1));
    }
    RIFFLE_PLAIN static unsigned lane_of(unsigned rank) { return (riffle_lint_lane() & ~(SIZE - 1)) | rank; }
    static unsigned thread_rank() { return riffle_lint_lane() & (SIZE - 1); }
    static constexpr unsigned num_threads() { return SIZE; }
    static constexpr unsigned size() { return SIZE; }
    static unsigned meta_group_rank() { return details::rank_in_block() / SIZE; }
    static unsigned meta_group_size() { return (details::block_threads() + SIZE - 1) / SIZE; }
};

/* Any lanes; the number of the group among those of its partition beside. */
class coalesced_group : public lane_group<coalesced_group> {
    unsigned members, number, groups;

  public:
    RIFFLE_PLAIN explicit coalesced_group(unsigned members_ = 1, unsigned number_ = 0, unsigned groups_ = 1)
        : members(members_), number(number_), groups(groups_) {}
    RIFFLE_PLAIN unsigned lanes() const { return members; }
    RIFFLE_PLAIN unsigned lane_of(unsigned rank) const {
        unsigned left = members;
        for (; rank > 0; rank--) left &= left - 1;
        return left != 0 ? (unsigned)__builtin_ctz(left) : 0;
    }
    RIFFLE_PLAIN unsigned thread_rank() const { return (unsigned)__builtin_popcount(members & ((1U << riffle_lint_lane()) - 1)); }
    RIFFLE_PLAIN unsigned num_threads() const { return (unsigned)__builtin_popcount(members); }
    RIFFLE_PLAIN unsigned size() const { return num_threads(); }
    RIFFLE_PLAIN unsigned meta_group_rank() const { return number; }
    RIFFLE_PLAIN unsigned meta_group_size() const { return groups; }
};

/* The lanes that are at this place together: those that come to the exchange. */
static inline RIFFLE_DEVICE coalesced_group coalesced_threads() {
    return coalesced_group(riffle_lint_meet(RIFFLE_SITE));
}
template <class Group> RIFFLE_DEVICE coalesced_group binary_partition(const Group &group, bool predicate) {
    const riffle_lint::exchange<int> all(group.lanes(), predicate, RIFFLE_SITE);
    const unsigned yes = riffle_lint::ballot(all);
    return coalesced_group(predicate ? yes : all.lanes & ~yes, predicate, 2);
}
template <class Group, class Label> RIFFLE_DEVICE coalesced_group labeled_partition(const Group &group, Label label) {
    return coalesced_group(riffle_lint::match(riffle_lint::exchange<Label>(group.lanes(), label, RIFFLE_SITE), label), (unsigned)label);
}

template <unsigned SIZE, class Parent> thread_block_tile<SIZE, Parent> tiled_partition(const Parent &) {
    return thread_block_tile<SIZE, Parent>();
}
/* Tiles whose size is known only when the kernel runs. */
template <class Parent> RIFFLE_PLAIN coalesced_group tiled_partition(const Parent &, unsigned size) {
    const unsigned whole = size < 32 ? (1U << (size & 31)) - 1 : 0xffffffff;
    return coalesced_group(whole << (riffle_lint_lane() & ~(size - 1)), details::rank_in_block() / size,
                           (details::block_threads() + size - 1) / size);
}

/* A block or lanes of a warp, of which a program does not say before it runs. */
class thread_group {
    coalesced_group lanes;
    bool is_block;

  public:
    RIFFLE_PLAIN thread_group(thread_block) : is_block(true) {}
    RIFFLE_PLAIN thread_group(const coalesced_group &group) : lanes(group), is_block(false) {}
    template <unsigned SIZE, class Parent>
    RIFFLE_PLAIN thread_group(thread_block_tile<SIZE, Parent> tile)
        : lanes(tile.lanes(), tile.meta_group_rank(), tile.meta_group_size()), is_block(false) {}
    RIFFLE_DEVICE void sync() const {
        if (is_block)
            riffle_lint_barrier(RIFFLE_SITE);
        else
            riffle_lint::sync_lanes(lanes.lanes(), RIFFLE_SITE);
    }
    RIFFLE_PLAIN unsigned thread_rank() const { return is_block ? details::rank_in_block() : lanes.thread_rank(); }
    RIFFLE_PLAIN unsigned num_threads() const { return is_block ? details::block_threads() : lanes.num_threads(); }
    RIFFLE_PLAIN unsigned size() const { return num_threads(); }
    static constexpr bool is_valid() { return true; }
};

/* Inlined, so that the group's function returns to the kernel's line. */
template <class Group> RIFFLE_INLINE void sync(const Group &group) { group.sync(); }
template <class Group> unsigned thread_rank(const Group &group) { return (unsigned)group.thread_rank(); }
template <class Group> unsigned group_size(const Group &group) { return (unsigned)group.size(); }

/* ---- cooperative_groups/reduce.h and scan.h */

template <class T> struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

namespace details {
/* Over the ranks from `first` to `last` of an exchange. */
template <class Group, class T, class Combine>
RIFFLE_PLAIN T combine(const Group &group, const riffle_lint::exchange<T> &all, unsigned first, unsigned last, Combine op) {
    T result = all.of(group.lane_of(first));
    for (unsigned rank = first + 1; rank <= last; rank++) result = op(result, all.of(group.lane_of(rank)));
    return result;
}
} // namespace details
template <class Group, class T, class Combine> RIFFLE_DEVICE T reduce(const Group &group, T value, Combine op) {
    const riffle_lint::exchange<T> all(group.lanes(), value, RIFFLE_SITE);
    return details::combine(group, all, 0, group.size() - 1, op);
}
template <class Group, class T, class Combine = plus<T>>
RIFFLE_DEVICE T inclusive_scan(const Group &group, T value, Combine op = Combine()) {
    const riffle_lint::exchange<T> all(group.lanes(), value, RIFFLE_SITE);
    return details::combine(group, all, 0, group.thread_rank(), op);
}
template <class Group, class T, class Combine = plus<T>>
RIFFLE_DEVICE T exclusive_scan(const Group &group, T value, Combine op = Combine()) {
    const riffle_lint::exchange<T> all(group.lanes(), value, RIFFLE_SITE);
    return group.thread_rank() == 0 ? T() : details::combine(group, all, 0, group.thread_rank() - 1, op);
}

/* ---- cooperative_groups/memcpy_async.h: each call is a stage, of which the group's threads copy the elements in turn */

template <class Group, class T> RIFFLE_DEVICE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
    riffle_lint::copy_elements(to, from, bytes, group.thread_rank(), group.size(), nullptr, RIFFLE_SITE);
    riffle_lint_copy_commit();
}
template <int LEFT, class Group> RIFFLE_INLINE void wait_prior(const Group &group) {
    riffle_lint_copy_land_prior(LEFT);
    group.sync();
}
template <class Group> RIFFLE_INLINE void wait(const Group &group) { wait_prior<0>(group); }

} // namespace cooperative_groups

#endif
