/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers, fences and the functions of a whole warp, all made of the machine's barrier and its exchange of one
 * value a lane.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_WARP_H
#define RIFFLE_MACHINE_DEVICE_CUDA_WARP_H

static inline RIFFLE_DEVICE void __syncthreads() { riffle_lint_barrier(RIFFLE_SITE); }
static inline RIFFLE_DEVICE int __syncthreads_count(int predicate) {
    return (int)riffle_lint_barrier_count(predicate, RIFFLE_SITE);
}
static inline RIFFLE_DEVICE int __syncthreads_or(int predicate) {
    return riffle_lint_barrier_count(predicate, RIFFLE_SITE) != 0;
}
static inline RIFFLE_DEVICE int __syncthreads_and(int predicate) {
    return riffle_lint_barrier_count(predicate == 0, RIFFLE_SITE) == 0;
}

namespace riffle_ptx {
/* A block's barrier by its number, of all its threads or of so many. */
static inline RIFFLE_DEVICE void barrier_of(unsigned number, unsigned threads, bool waits) {
    if (number == 0 && waits && threads == blockDim.x * blockDim.y * blockDim.z)
        riffle_lint_barrier(RIFFLE_SITE);
    else
        riffle_lint_named_barrier(number, threads, waits, RIFFLE_SITE);
}
static inline RIFFLE_DEVICE void barrier_of_all(unsigned number) {
    const unsigned width = riffle_lint_warp_size(), threads = blockDim.x * blockDim.y * blockDim.z;
    if (number == 0)
        riffle_lint_barrier(RIFFLE_SITE);
    else
        riffle_lint_named_barrier(number, (threads + width - 1) / width * width, true, RIFFLE_SITE);
}
} // namespace riffle_ptx

static inline RIFFLE_DEVICE void __threadfence() { riffle_lint_fence(); }
static inline RIFFLE_DEVICE void __threadfence_block() {}
static inline RIFFLE_DEVICE void __threadfence_system() { riffle_lint_fence(); }
static inline RIFFLE_DEVICE void __nanosleep(unsigned) {}
static inline RIFFLE_DEVICE long long clock64() { return riffle_lint_clock(); }
static inline RIFFLE_DEVICE void __trap() { abort(); }
static inline RIFFLE_DEVICE void __brkpt() { abort(); }

namespace riffle_lint {
RIFFLE_INLINE __attribute__((no_sanitize_thread)) void sync_lanes(unsigned mask, const void *site) {
    const unsigned width = riffle_lint_warp_size();
    riffle_lint_warp_sync(width < 32 ? mask & ((1U << width) - 1) : mask, site);
}

/* One exchange, which does not order what lanes have written: every lane's value, and which lanes took part. It goes in words of 8 bytes. */
template <class T, size_t MOST = 32> struct exchange {
    static constexpr unsigned words = (sizeof(T) + 7) / 8;
    unsigned lanes;
    unsigned long long bits[words][MACHINE_MAX_WIDTH];

    RIFFLE_INLINE __attribute__((no_sanitize_thread)) exchange(unsigned mask, const T &value, const void *site) {
        static_assert(sizeof(T) <= MOST && std::is_trivially_destructible<T>::value, "lanes exchange values of up to 32 bytes");
        unsigned long long sent[words] = {};
        __builtin_memcpy(sent, static_cast<const void *>(&value), sizeof value);
        const unsigned width = riffle_lint_warp_size();
        if (width < 32) mask &= (1U << width) - 1;
        for (unsigned k = 0; k < words; k++) lanes = riffle_lint_warp_gather(mask, sent[k], bits[k], site);
    }
    RIFFLE_INLINE __attribute__((no_sanitize_thread)) bool took_part(unsigned lane) const {
        return lanes >> lane & 1;
    }
    RIFFLE_INLINE __attribute__((no_sanitize_thread)) T of(unsigned lane) const {
        unsigned long long got[words];
        for (unsigned k = 0; k < words; k++) got[k] = bits[k][lane];
        T value;
        __builtin_memcpy(static_cast<void *>(&value), got, sizeof value);
        return value;
    }
};

RIFFLE_INLINE int segment_start(int width) { return (int)riffle_lint_lane() & ~(width - 1); }

/* A GPU takes the lowest five bits of a distance: -8 is 24. */
template <class Distance> RIFFLE_INLINE int distance(Distance by) { return (int)by & 31; }
} // namespace riffle_lint

template <class T> RIFFLE_DEVICE T __shfl_sync(unsigned mask, T value, int from, int width = warpSize) {
    const riffle_lint::exchange<T> all(mask, value, RIFFLE_SITE);
    return all.of((unsigned)(riffle_lint::segment_start(width) | (from & (width - 1))));
}

template <class T> RIFFLE_DEVICE T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
    const riffle_lint::exchange<T> all(mask, value, RIFFLE_SITE);
    const int from = (int)riffle_lint_lane() - riffle_lint::distance(by);
    return from >= riffle_lint::segment_start(width) ? all.of((unsigned)from) : value;
}

template <class T> RIFFLE_DEVICE T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
    const riffle_lint::exchange<T> all(mask, value, RIFFLE_SITE);
    const int from = (int)riffle_lint_lane() + riffle_lint::distance(by);
    return from < riffle_lint::segment_start(width) + width ? all.of((unsigned)from) : value;
}

template <class T> RIFFLE_DEVICE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = warpSize) {
    const riffle_lint::exchange<T> all(mask, value, RIFFLE_SITE);
    const int from = (int)riffle_lint_lane() ^ riffle_lint::distance(bits);
    return from < riffle_lint::segment_start(width) + width ? all.of((unsigned)from) : value;
}

static inline RIFFLE_DEVICE void __syncwarp(unsigned mask = 0xffffffff) {
    riffle_lint::sync_lanes(mask, RIFFLE_SITE);
}

static inline RIFFLE_DEVICE unsigned __activemask() { return riffle_lint_meet(RIFFLE_SITE); }

namespace riffle_lint {
RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned ballot(const exchange<int> &all) {
    unsigned votes = 0;
    for (unsigned lane = 0; lane < MACHINE_MAX_WIDTH; lane++)
        if (all.took_part(lane) && all.of(lane) != 0) votes |= 1U << lane;
    return votes;
}

template <class T>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) unsigned match(const exchange<T> &all, T value) {
    unsigned equal = 0;
    for (unsigned lane = 0; lane < MACHINE_MAX_WIDTH; lane++)
        if (all.took_part(lane) && all.of(lane) == value) equal |= 1U << lane;
    return equal;
}

/* Combines the values of all lanes that took part, the caller's among them. */
template <class T, class Combine>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) T reduce(const exchange<T> &all, Combine combine) {
    unsigned lane = (unsigned)__builtin_ctz(all.lanes);
    T result = all.of(lane);
    for (lane++; lane < MACHINE_MAX_WIDTH; lane++)
        if (all.took_part(lane)) result = combine(result, all.of(lane));
    return result;
}

struct add {
    template <class T> RIFFLE_INLINE T operator()(T a, T b) const { return (T)((unsigned)a + (unsigned)b); }
};
struct least {
    template <class T> RIFFLE_INLINE T operator()(T a, T b) const { return b < a ? b : a; }
};
struct most {
    template <class T> RIFFLE_INLINE T operator()(T a, T b) const { return a < b ? b : a; }
};
struct all_bits {
    RIFFLE_INLINE unsigned operator()(unsigned a, unsigned b) const { return a & b; }
};
struct any_bits {
    RIFFLE_INLINE unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};
struct odd_bits {
    RIFFLE_INLINE unsigned operator()(unsigned a, unsigned b) const { return a ^ b; }
};
template <class T> constexpr bool has_reduce = is_one_of<T, int, unsigned>;
} // namespace riffle_lint

/* As CUDA before 9 has them: for the lanes that are there. */
template <class T> RIFFLE_DEVICE T __shfl(T value, int from, int width = warpSize) {
    const riffle_lint::exchange<T> all(riffle_lint_meet(RIFFLE_SITE), value, RIFFLE_SITE);
    return all.of((unsigned)(riffle_lint::segment_start(width) | (from & (width - 1))));
}
template <class T> RIFFLE_DEVICE T __shfl_up(T value, unsigned by, int width = warpSize) {
    const riffle_lint::exchange<T> all(riffle_lint_meet(RIFFLE_SITE), value, RIFFLE_SITE);
    const int from = (int)riffle_lint_lane() - riffle_lint::distance(by);
    return from >= riffle_lint::segment_start(width) ? all.of((unsigned)from) : value;
}
template <class T> RIFFLE_DEVICE T __shfl_down(T value, unsigned by, int width = warpSize) {
    const riffle_lint::exchange<T> all(riffle_lint_meet(RIFFLE_SITE), value, RIFFLE_SITE);
    const int from = (int)riffle_lint_lane() + riffle_lint::distance(by);
    return from < riffle_lint::segment_start(width) + width ? all.of((unsigned)from) : value;
}
template <class T> RIFFLE_DEVICE T __shfl_xor(T value, int bits, int width = warpSize) {
    const riffle_lint::exchange<T> all(riffle_lint_meet(RIFFLE_SITE), value, RIFFLE_SITE);
    const int from = (int)riffle_lint_lane() ^ riffle_lint::distance(bits);
    return from < riffle_lint::segment_start(width) + width ? all.of((unsigned)from) : value;
}
static inline RIFFLE_DEVICE unsigned __ballot(int predicate) {
    return riffle_lint::ballot(riffle_lint::exchange<int>(riffle_lint_meet(RIFFLE_SITE), predicate, RIFFLE_SITE));
}
static inline RIFFLE_DEVICE int __any(int predicate) {
    return riffle_lint::ballot(riffle_lint::exchange<int>(riffle_lint_meet(RIFFLE_SITE), predicate, RIFFLE_SITE)) != 0;
}
static inline RIFFLE_DEVICE int __all(int predicate) {
    return riffle_lint::ballot(riffle_lint::exchange<int>(riffle_lint_meet(RIFFLE_SITE), predicate == 0, RIFFLE_SITE)) == 0;
}

static inline RIFFLE_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
    return riffle_lint::ballot(riffle_lint::exchange<int>(mask, predicate, RIFFLE_SITE));
}
static inline RIFFLE_DEVICE int __any_sync(unsigned mask, int predicate) {
    return riffle_lint::ballot(riffle_lint::exchange<int>(mask, predicate, RIFFLE_SITE)) != 0;
}
static inline RIFFLE_DEVICE int __all_sync(unsigned mask, int predicate) {
    return riffle_lint::ballot(riffle_lint::exchange<int>(mask, predicate == 0, RIFFLE_SITE)) == 0;
}
template <class T> RIFFLE_DEVICE unsigned __match_any_sync(unsigned mask, T value) {
    return riffle_lint::match(riffle_lint::exchange<T>(mask, value, RIFFLE_SITE), value);
}
template <class T> RIFFLE_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *all_equal) {
    const riffle_lint::exchange<T> all(mask, value, RIFFLE_SITE);
    *all_equal = riffle_lint::match(all, value) == all.lanes;
    return *all_equal ? all.lanes : 0;
}

template <class T> RIFFLE_DEVICE T __reduce_add_sync(unsigned mask, T value) {
    static_assert(riffle_lint::has_reduce<T>, "CUDA reduces int and unsigned");
    return riffle_lint::reduce(riffle_lint::exchange<T>(mask, value, RIFFLE_SITE), riffle_lint::add());
}
template <class T> RIFFLE_DEVICE T __reduce_min_sync(unsigned mask, T value) {
    static_assert(riffle_lint::has_reduce<T>, "CUDA reduces int and unsigned");
    return riffle_lint::reduce(riffle_lint::exchange<T>(mask, value, RIFFLE_SITE), riffle_lint::least());
}
template <class T> RIFFLE_DEVICE T __reduce_max_sync(unsigned mask, T value) {
    static_assert(riffle_lint::has_reduce<T>, "CUDA reduces int and unsigned");
    return riffle_lint::reduce(riffle_lint::exchange<T>(mask, value, RIFFLE_SITE), riffle_lint::most());
}
static inline RIFFLE_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned value) {
    return riffle_lint::reduce(riffle_lint::exchange<unsigned>(mask, value, RIFFLE_SITE),
                               riffle_lint::all_bits());
}
static inline RIFFLE_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned value) {
    return riffle_lint::reduce(riffle_lint::exchange<unsigned>(mask, value, RIFFLE_SITE),
                               riffle_lint::any_bits());
}
static inline RIFFLE_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
    return riffle_lint::reduce(riffle_lint::exchange<unsigned>(mask, value, RIFFLE_SITE),
                               riffle_lint::odd_bits());
}

#endif
