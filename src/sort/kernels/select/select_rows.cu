/* SPDX-License-Identifier: Apache-2.0
 *
 * The first `count` of each of many segments, a block a segment. A sample gives a bound, and the block's warps list what comes before it in shared
 * memory without waiting for each other. Numbers that equal the bound are the same, so these are counted, not listed. If the bound let too few or too many
 * through, the segment is read again by tiles: when the list is full it is sorted, what is behind the first `count` dropped, and the last of these is the
 * bound from then on. So no order of elements makes the result wrong.
 */
#include "sort/kernels/select/select_read.h"
#include "sort/kernels/sort_block.h"
#include "sort/kernels/sort_places.h"

/* A block's list, the bound that is passed by what is no candidate any more, and what lanes tell each other. */
template <class listed> struct select_kept {
    listed *list;        /* SELECT_KEPT of them: the sort's room as well */
    listed *last;        /* the bound */
    uint32_t *count;     /* candidates */
    uint32_t *is_strict; /* equals of the bound do not pass */
    uint32_t *ties;      /* numbers that equal the bound */
};

/* The first `each` of each thread in order, and the first `kept` listed again. All are there but from `held` on. */
template <uint32_t each, class listed>
static __device__ inline void select_sort(const select_kept<listed> &s, uint32_t held, uint32_t kept) {
    typedef sort_of<listed> of;
    typename of::key k[each];
    UNROLL
    for (uint32_t r = 0; r < each; ++r) {
        const uint32_t i = r * SELECT_THREADS + threadIdx.x;
        k[r] = i < held ? of::get(s.list[i]) : of::last();
    }
    __syncthreads();
    sort_block<SELECT_THREADS>(k, (typename of::key *)s.list);
    UNROLL
    for (uint32_t r = 0; r < each; ++r)
        if (threadIdx.x * each + r < kept) s.list[threadIdx.x * each + r] = of::put(k[r]);
    __syncthreads();
}

/* The same of few by the first warp, without barriers between exchanges. */
template <uint32_t each, class listed>
static __device__ inline void select_sort_few(const select_kept<listed> &s, uint32_t held, uint32_t kept) {
    typedef sort_of<listed> of;
    if (threadIdx.x < WARP_LANES) {
        typename of::key k[each];
        UNROLL
        for (uint32_t r = 0; r < each; ++r) {
            const uint32_t i = r * WARP_LANES + threadIdx.x;
            k[r] = i < held ? of::get(s.list[i]) : of::last();
        }
        sort_warp(k);
        __syncwarp();
        UNROLL
        for (uint32_t r = 0; r < each; ++r)
            if (threadIdx.x * each + r < kept) s.list[threadIdx.x * each + r] = of::put(k[r]);
    }
    __syncthreads();
}

/* The list is cut to the first `kept` of `held`. */
template <class listed>
static __device__ inline void select_cut(const select_kept<listed> &s, uint32_t held, uint32_t kept) {
    constexpr uint32_t few = SELECT_FEW_BYTES / sizeof(listed);
    if (held <= few) {
        select_sort_few<few / WARP_LANES>(s, held, kept);
    } else if (held <= SELECT_GROUP) {
        select_sort<SELECT_GROUP / SELECT_THREADS>(s, held, kept);
    } else {
        select_sort<SELECT_KEPT / SELECT_THREADS>(s, held, kept);
    }
    if (threadIdx.x == 0) {
        if (kept <= held) {
            *s.last = s.list[kept - 1];
            *s.is_strict = 1;
        }
        *s.count = kept < held ? kept : held;
    }
    __syncthreads();
}

/* As at the beginning. */
template <class listed> static __device__ inline void select_begin(const select_kept<listed> &s) {
    __syncthreads();
    if (threadIdx.x == 0) {
        *s.last = sort_of<listed>::put(sort_of<listed>::last());
        *s.is_strict = 0;
        *s.count = 0;
        *s.ties = 0;
    }
    __syncthreads();
}

/* A candidate of each lane that has one is listed, as far as there is room: false if there was none for all. */
template <class listed>
static __device__ inline bool select_keep(const select_kept<listed> &s, bool is, const listed &candidate) {
    const uint32_t all = __ballot_sync(WARP_ALL_LANES, is);
    if (all == 0) return true;
    uint32_t base = 0;
    if (warp_lane() == 0) base = ATOMIC_ADD(s.count, (uint32_t)__popc(all));
    base = warp_from_lane(base, 0);
    const uint32_t at = base + (uint32_t)__popc(all & ((1u << warp_lane()) - 1));
    if (is && at < SELECT_KEPT) s.list[at] = candidate;
    return base + (uint32_t)__popc(all) <= SELECT_KEPT;
}

/* The elements of one segment. */
template <bool placed, class element> struct select_row {
    typedef typename select_of<element>::word word;
    typedef select_candidate<placed, word> candidate;
    typedef typename candidate::type listed;
    const element *a;
    uint32_t first, length, count;

    static __device__ inline bool passes(const listed &c, const listed &bound, bool is_strict) {
        const typename sort_of<listed>::key x = sort_of<listed>::get(c), y = sort_of<listed>::get(bound);
        return is_strict ? sort_before(x, y) : !sort_before(y, x);
    }

    /* Element j of a vector as it is listed. */
    __device__ inline listed listed_of(const select_coder &by, const vector_of<element> &v, uint32_t j) const {
        return candidate::of(select_code(by, v.of.part[j]), first + (uint32_t)(v.first + j));
    }

    /* One vector of each thread, an element of each at a time: what there is no room for is dropped before there is more. */
    __device__ inline void append_slowly(const select_coder &by, uint64_t vector, uint64_t end,
                                         const select_kept<listed> &s) const {
        constexpr uint32_t each = vector_of<element>::ELEMENTS;
        vector_of<element> v;
        select_read(a, length, vector, end, v);
        UNROLL
        for (uint32_t j = 0; j < each; ++j) {
            const uint32_t held = *s.count;
            __syncthreads();
            if (held > SELECT_KEPT - SELECT_THREADS) select_cut(s, held, count);
            const listed c = listed_of(by, v, j);
            select_keep(s, (v.valid >> j & 1) != 0 && passes(c, *s.last, *s.is_strict != 0), c);
            __syncthreads();
        }
    }

    /* Elements of a vector that pass: a bit each. */
    __device__ inline uint32_t passing(const select_coder &by, const vector_of<element> &v, const listed &bound,
                                       bool is_strict) const {
        uint32_t mask = 0;
        UNROLL
        for (uint32_t j = 0; j < vector_of<element>::ELEMENTS; ++j)
            if (passes(listed_of(by, v, j), bound, is_strict)) mask |= 1u << j;
        return mask & v.valid;
    }

    /* Elements of `mask` are listed, a lane's first, then its second: false if there was no room for all. */
    __device__ inline bool keep(const select_coder &by, const vector_of<element> &v, uint32_t mask,
                                const select_kept<listed> &s) const {
        bool fits = true;
        while (__ballot_sync(WARP_ALL_LANES, mask != 0) != 0) {
            element e = v.of.part[0];
            uint32_t at = 0;
            UNROLL
            for (uint32_t j = vector_of<element>::ELEMENTS - 1; j > 0; --j) {
                const bool is = (mask & ((2u << j) - 1)) == 1u << j;
                if (is) e = v.of.part[j], at = j;
            }
            const listed c = candidate::of(select_code(by, e), first + (uint32_t)(v.first + at));
            fits &= select_keep(s, mask != 0, c);
            mask &= mask - 1;
        }
        return fits;
    }

    /* All elements that pass a bound which stays; of numbers alone those that equal it are counted. False if they did not find room. */
    __device__ inline bool list(const select_coder &by, const select_kept<listed> &s) const {
        const uint64_t end = vector_count(a, length);
        const listed bound = *s.last;
        const typename sort_of<word>::key code = candidate::code_of(bound), most = select_most(by, code);
        uint32_t ties = 0;
        bool fits = true;
        for (uint64_t tile = 0; tile < end && fits; tile += SELECT_ROW_VECTORS * SELECT_THREADS) {
            vector_of<element> v[SELECT_ROW_VECTORS];
            select_read_tile(a, length, tile, end, v);
            UNROLL
            for (uint32_t i = 0; i < SELECT_ROW_VECTORS; ++i) {
                if (__ballot_sync(WARP_ALL_LANES, select_may(by, v[i], most)) == 0) continue;
                const uint32_t mask = passing(by, v[i], bound, !placed);
                if (!placed) ties += (uint32_t)__popc(passing(by, v[i], bound, false)) - (uint32_t)__popc(mask);
                fits &= keep(by, v[i], mask, s);
            }
        }
        if (!placed) {
            ties = warp_sum(ties);
            if (warp_lane() == 0 && ties > 0) ATOMIC_ADD(s.ties, ties);
        }
        __syncthreads();
        return *s.count <= SELECT_KEPT && *s.count + *s.ties >= count;
    }

    /* All elements that come before the bound, which gets better: a tile at a time. */
    __device__ inline void list_by_tiles(const select_coder &by, const select_kept<listed> &s) const {
        const uint64_t end = vector_count(a, length);
        for (uint64_t tile = 0; tile < end; tile += SELECT_ROW_VECTORS * SELECT_THREADS) {
            const uint32_t before = *s.count;
            const listed bound = *s.last;
            const bool is_strict = *s.is_strict != 0;
            const typename sort_of<word>::key most = select_most(by, candidate::code_of(bound));
            vector_of<element> v[SELECT_ROW_VECTORS];
            select_read_tile(a, length, tile, end, v);
            __syncthreads();
            UNROLL
            for (uint32_t i = 0; i < SELECT_ROW_VECTORS; ++i) {
                if (__ballot_sync(WARP_ALL_LANES, select_may(by, v[i], most)) == 0) continue;
                const uint32_t mask = passing(by, v[i], bound, is_strict);
                keep(by, v[i], mask, s);
            }
            __syncthreads();
            if (*s.count <= SELECT_KEPT) continue;
            __syncthreads();
            if (threadIdx.x == 0) *s.count = before;
            __syncthreads();
            ROLL for (uint32_t i = 0; i < SELECT_ROW_VECTORS; ++i)
                append_slowly(by, tile + i * SELECT_THREADS + threadIdx.x, end, s);
        }
        __syncthreads();
    }

    /* The bound of a low rank, among the least of each warp: no fewer of the sample come before it than by all. */
    __device__ inline void rank_least(const typename sort_of<listed>::key &own, uint32_t rank,
                                      const select_kept<listed> &s) const {
        typedef sort_of<listed> of;
        typename of::key least = own;
        UNROLL
        for (uint32_t by = 1; by < WARP_LANES; by *= 2) least = sort_keep(least, warp_across(least, by), false);
        if (warp_lane() == 0) s.list[threadIdx.x / WARP_LANES] = of::put(least);
        __syncthreads();
        if (threadIdx.x >= SELECT_WARPS) return;
        uint32_t before = 0;
        least = of::get(s.list[threadIdx.x]);
        ROLL for (uint32_t w = 0; w < SELECT_WARPS; ++w) {
            const typename of::key other = of::get(s.list[w]);
            before += sort_before(other, least) || (sort_same(other, least) && w < threadIdx.x) ? 1 : 0;
        }
        if (before == rank) *s.last = of::put(least);
    }

    /* A bound by a sample: four neighbours each, and places of one warp far apart. Where candidates have places the bound has one, so that as few pass
     * where all are alike. */
    __device__ inline void sample(const select_coder &by, const select_kept<listed> &s) const {
        typedef sort_of<listed> of;
        constexpr uint32_t each = SELECT_GROUP / SELECT_THREADS, near = SELECT_NEIGHBOURS;
        const uint32_t rank = select_row_rank(count, length);
        typename of::key k[each];
        UNROLL
        for (uint32_t r = 0; r < each; ++r) {
            const uint32_t i = (r * WARP_LANES + warp_lane()) / near * SELECT_WARPS + threadIdx.x / WARP_LANES;
            const uint32_t at =
                sort_sample_place(i, SELECT_GROUP / near, length - near + 1) + warp_lane() % near;
            k[r] = of::get(candidate::of(select_code(by, a[at]), first + at));
        }
        if (rank < SELECT_RANKED) {
            rank_least(sort_keep(k[0], k[1], false), rank, s);
            return;
        }
        sort_block<SELECT_THREADS>(k, (typename of::key *)s.list);
        UNROLL
        for (uint32_t r = 0; r < each; ++r)
            if (threadIdx.x * each + r == rank) *s.last = of::put(k[r]);
    }

    /* The first of all, in order, to `to`, which may be where they are. */
    __device__ inline void select(const select_coder &by, uint64_t *room, listed *to) const {
        char *const shared = (char *)room;
        uint32_t *const words = (uint32_t *)(shared + sizeof(vector16));
        const select_kept<listed> s = {(listed *)(shared + SELECT_KEPT_LEAD), (listed *)shared, words,
                                       words + 1, words + 2};
        select_begin(s);
        if (length > SELECT_KEPT) {
            sample(by, s);
            __syncthreads();
        }
        const listed bound = *s.last;
        if (!list(by, s)) {
            select_begin(s);
            list_by_tiles(by, s);
        }
        const uint32_t held = *s.count;
        __syncthreads();
        if (held > 0) select_cut(s, held, count);
        for (uint32_t i = threadIdx.x; i < count; i += SELECT_THREADS) to[i] = i < held ? s.list[i] : bound;
    }
};

/** a has the elements; t.list receives the first of each segment in order, t.count of them. */
template <bool placed, class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, sizeof(element) <= 4 ? 4 : 2)
    select_rows(element *, const element *a, const GRID_CONSTANT select_rows_table t) {
    typedef select_row<placed, element> segment;
    extern __shared__ uint64_t shared_memory[];
    const uint32_t begin = t.begin != nullptr ? t.begin[blockIdx.x] : blockIdx.x * t.length,
                   length = (t.begin != nullptr ? t.begin[blockIdx.x + 1] : begin + t.length) - begin;
    const segment row = {a + begin, begin, length, t.count < length ? t.count : length};
    if (length == 0) return;
    row.select(t.coder, shared_memory, (typename segment::listed *)t.list + (uint64_t)blockIdx.x * t.count);
}

/** The first t.count of one array's candidates, in order at the front of their list: one block. Ties of an attempt are among them where they
 *  are told apart; else what fills the list is as good. */
template <class element>
__global__ void LAUNCH_BOUNDS(SELECT_THREADS, 1)
    select_last(element *, const element *, const GRID_CONSTANT select_table t) {
    extern __shared__ uint64_t shared_memory[];
    element *const list = (element *)t.list;
    const uint32_t found = t.counts[select_attempt(t)];
    const select_row<false, element> row = {list, 0, found < t.count ? t.count : found, t.count};
    row.select(t.coder, shared_memory, list);
}
