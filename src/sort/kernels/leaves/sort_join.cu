/* SPDX-License-Identifier: Apache-2.0
 *
 * Few keys, in two launches: blocks sort strips of them in registers, and blocks join parts of all strips. Where parts begin is found by every
 * SORT_JOIN_STEP-th key of each strip, the samples: those of two ranks among all samples, by digits; and what comes before such a sample in
 * each strip, among the keys between two samples. So a part has no more keys than two samples' distance in ranks and a step for each
 * strip, whatever the keys are, and nothing has to be counted before.
 *
 *     strips   | 0 . . . . . . | 1 . . . . . . | 2 ...     . a sample
 *     cuts     |   ^     ^     |     ^ ^       |           of the part between: a piece of each strip
 *
 * Equal samples are in order of strips, so that a part's pieces of equal keys come before the next part's: with what goes along the
 * sort is stable.
 */
#include "sort/kernels/leaves/sort_order.h"
#include "sort/kernels/leaves/sort_team.h"
#include "sort/kernels/tables/shapes.h"

enum {
    SORT_JOIN_DIGIT = 8,
    SORT_JOIN_DIGITS = 1 << SORT_JOIN_DIGIT,
    SORT_JOIN_OWN =
        SORT_JOIN_DIGITS / WARP_LANES, /* digits of a lane, whose cells lie a bank apart from the next one's */
    SORT_JOIN_CELLS = SORT_JOIN_DIGITS + WARP_LANES,
};

/** A block's words before the memory of its team: for its part's begin and end each, counts by digits, what a round has found, samples
 *  less than the cut's and equal to it by strips, and the cuts. */
struct sort_joints {
    uint32_t cells[2][SORT_JOIN_CELLS], digit[2], before[2], count[2], taken[2], joined[4];
    uint32_t less[2][SORT_JOIN_STRIPS], equal[2][SORT_JOIN_STRIPS], cut[2][SORT_JOIN_STRIPS];
    ALIGNED(16) uint64_t value[2][2];
};
static_assert(sizeof(sort_joints) == SORT_JOIN_BYTES, "the launch gives it so many bytes");

/** Samples of a warp's lane: those of strips warp, warp + warps, ... side by side, `per` of a strip. */
template <uint32_t warps, class key> struct sort_samples {
    static constexpr uint32_t strip = warps * WARP_LANES * SORT_JOIN_EACH,
                              per = strip / SORT_JOIN_STEP / WARP_LANES, strips = SORT_JOIN_STRIPS / warps;
    key k[SORT_JOIN_EACH];
    uint32_t are; /* a bit for each that there is */
    static __device__ inline uint32_t strip_of(uint32_t q) { return q * warps + threadIdx.x / WARP_LANES; }
};

/* Reads them; how many of their last bits differ. */
template <uint32_t warps, class element, class key>
static __device__ inline uint32_t sort_join_read(sort_joints &j, const element *a, uint32_t n,
                                                 sort_samples<warps, key> &s) {
    typedef sort_of<element> of;
    typename of::difference differ = {};
    const key first = of::get(a[0]);
    s.are = 0;
    UNROLL
    for (uint32_t r = 0; r < SORT_JOIN_EACH; ++r) {
        const uint32_t place =
            s.strip_of(r / s.per) * s.strip + (r % s.per * WARP_LANES + warp_lane()) * SORT_JOIN_STEP;
        s.k[r] = place < n ? of::get(a[place]) : first;
        if (place < n) s.are |= 1u << r;
    }
    if (threadIdx.x < 2) j.taken[threadIdx.x] = 0;
    if (threadIdx.x < 4) j.joined[threadIdx.x] = 0;
    __syncthreads();
    UNROLL
    for (uint32_t r = 0; r < SORT_JOIN_EACH; ++r) sort_differ(differ, s.k[r], first);
    return sort_differing<sort_team<warps>>(differ, j.joined);
}

/* ------------------------------------------------------------- two samples' ranks */

/* Lanes count their digit where `is`: neighbours that have the same, as samples in order do, at once. */
static __device__ inline void sort_join_count(uint32_t *cells, uint32_t digit, bool is) {
    const uint32_t own = is ? digit : (uint32_t)SORT_JOIN_DIGITS, left = __shfl_up_sync(WARP_ALL_LANES, own, 1);
    const bool begins = warp_lane() == 0 || own != left;
    const uint32_t behind = __ballot_sync(WARP_ALL_LANES, begins) >> 1 >> warp_lane();
    const uint32_t many = behind != 0 ? (uint32_t)__ffs((int)behind) : WARP_LANES - warp_lane();
    if (begins && is) ATOMIC_ADD(&cells[digit + digit / SORT_JOIN_OWN], many);
}

/* A warp finds the digit with the wanted rank. */
static __device__ inline void sort_join_find(sort_joints &j, uint32_t which, uint32_t rank) {
    uint32_t own[SORT_JOIN_OWN], sum = 0;
    UNROLL
    for (uint32_t i = 0; i < SORT_JOIN_OWN; ++i)
        sum += own[i] = j.cells[which][warp_lane() * (SORT_JOIN_OWN + 1) + i];
    uint32_t before = warp_sum_up(sum) - sum;
    UNROLL
    for (uint32_t i = 0; i < SORT_JOIN_OWN; ++i) {
        if (rank >= before && rank - before < own[i]) {
            j.digit[which] = warp_lane() * SORT_JOIN_OWN + i;
            j.before[which] = before;
            j.count[which] = own[i];
        }
        before += own[i];
    }
}

/* The samples of two ranks: their keys are j.value then, and ranks are those among samples that are equal. */
template <uint32_t warps, class key>
static __device__ inline void sort_join_select(sort_joints &j, const sort_samples<warps, key> &s,
                                               uint32_t differing, uint32_t (&rank)[2]) {
    uint32_t live[2] = {s.are, s.are};
    ROLL for (uint32_t at = differing; at > 0;) {
        at = at > SORT_JOIN_DIGIT ? at - SORT_JOIN_DIGIT : 0;
        for (uint32_t i = threadIdx.x; i < 2 * SORT_JOIN_CELLS; i += warps * WARP_LANES) j.cells[0][i] = 0;
        __syncthreads();
        UNROLL
        for (uint32_t r = 0; r < SORT_JOIN_EACH; ++r) {
            const uint32_t digit = sort_digit(s.k[r], at) % SORT_JOIN_DIGITS;
            UNROLL
            for (uint32_t c = 0; c < 2; ++c) sort_join_count(j.cells[c], digit, (live[c] >> r & 1) != 0);
        }
        __syncthreads();
        if (threadIdx.x < 2 * WARP_LANES)
            sort_join_find(j, threadIdx.x / WARP_LANES, threadIdx.x < WARP_LANES ? rank[0] : rank[1]);
        __syncthreads();
        UNROLL
        for (uint32_t c = 0; c < 2; ++c) {
            const uint32_t found = j.digit[c];
            uint32_t same = 0;
            UNROLL
            for (uint32_t r = 0; r < SORT_JOIN_EACH; ++r)
                if (sort_digit(s.k[r], at) % SORT_JOIN_DIGITS == found) same |= 1u << r;
            live[c] &= same;
            rank[c] -= j.before[c];
        }
        if (j.count[0] + j.count[1] == 2) break;
    }
    UNROLL
    for (uint32_t c = 0; c < 2; ++c) {
        key held = s.k[0];
        UNROLL
        for (uint32_t r = 1; r < SORT_JOIN_EACH; ++r)
            if ((live[c] >> r & 1) != 0) held = s.k[r];
        if (live[c] != 0 && ATOMIC_OR(&j.taken[c], 1u) == 0) *(key *)j.value[c] = held;
    }
    __syncthreads();
}

/* ------------------------------------------------------------------------ cuts */

/* For each strip, how many of its samples come before the value, and how many are the same. */
template <uint32_t warps, class key>
static __device__ inline void sort_join_tally(sort_joints &j, const sort_samples<warps, key> &s) {
    UNROLL
    for (uint32_t c = 0; c < 2; ++c) {
        const key value = *(const key *)j.value[c];
        UNROLL
        for (uint32_t q = 0; q < s.strips; ++q) {
            uint32_t less = 0, equal = 0;
            UNROLL
            for (uint32_t r = q * s.per; r < (q + 1) * s.per; ++r) {
                const bool is = (s.are >> r & 1) != 0;
                less += (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, is && sort_before(s.k[r], value)));
                equal += (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, is && sort_same(s.k[r], value)));
            }
            if (warp_lane() == 0) j.less[c][s.strip_of(q)] = less, j.equal[c][s.strip_of(q)] = equal;
        }
    }
    __syncthreads();
}

/* Where a warp's strips are cut: before the equal sample of that rank. Strips before its own have all that equals it, and those behind none. */
template <uint32_t warps, class element, class key>
static __device__ inline void sort_join_cut(sort_joints &j, const element *a, uint32_t n,
                                            const sort_samples<warps, key> &s, uint32_t c, uint32_t rank) {
    const key value = *(const key *)j.value[c];
    const uint32_t equal = j.equal[c][warp_lane()], less = j.less[c][warp_lane()],
                   before = warp_sum_up(equal) - equal;
    uint32_t cut[s.strips];
    UNROLL
    for (uint32_t q = 0; q < s.strips; ++q) {
        const uint32_t strip = s.strip_of(q), ahead = warp_from_lane(before, strip),
                       same = warp_from_lane(equal, strip), smaller = warp_from_lane(less, strip);
        const bool is_before = ahead + same <= rank, is_own = ahead <= rank && !is_before;
        const uint32_t samples = smaller + (is_before ? same : 0);
        const uint32_t base = samples > 0 ? (samples - 1) * SORT_JOIN_STEP + 1 : 0, at = base + warp_lane();
        const uint64_t place = (uint64_t)strip * s.strip + at;
        const bool is = samples > 0 && warp_lane() < SORT_JOIN_STEP - 1 && at < s.strip && place < n;
        const key k = is ? sort_of<element>::get(a[place]) : value;
        const bool comes = is && (is_before ? !sort_before(value, k) : sort_before(k, value));
        cut[q] = is_own ? (smaller + rank - ahead) * SORT_JOIN_STEP
                        : base + (uint32_t)__popc(__ballot_sync(WARP_ALL_LANES, comes));
    }
    UNROLL
    for (uint32_t q = 0; q < s.strips; ++q)
        if (warp_lane() == 0) j.cut[c][s.strip_of(q)] = cut[q];
}

/* The part's pieces in all strips, a lane a strip: places up to its end, and what is to be added to a place. */
struct sort_joined {
    uint32_t up, from, begin, all; /* where the part begins, and how many keys it has */
};

static __device__ inline sort_joined sort_join_pieces(const sort_joints &j, uint32_t n, uint32_t strip) {
    const uint32_t first = warp_lane() * strip, length = first >= n ? 0 : n - first < strip ? n - first : strip;
    const uint32_t begin = j.cut[0][warp_lane()],
                   end = blockIdx.x + 1 == gridDim.x ? length : j.cut[1][warp_lane()];
    sort_joined p;
    p.up = warp_sum_up(end - begin);
    p.from = first + begin - (p.up - (end - begin));
    p.begin = warp_from_lane(warp_sum_up(begin), WARP_LANES - 1);
    p.all = warp_from_lane(p.up, WARP_LANES - 1);
    return p;
}

/* Where the key lies that has a place of the part. */
static __device__ inline uint32_t sort_join_place(const sort_joined &p, uint32_t place) {
    uint32_t strip = 0;
    UNROLL
    for (uint32_t by = WARP_LANES / 2; by > 0; by /= 2)
        if (warp_from_lane(p.up, strip + by - 1) <= place) strip += by;
    return warp_from_lane(p.from, strip) + place;
}

/* --------------------------------------------------------------------- launches */

/* Keys that a team's registers have as they were read, and what goes along, sorted to the places from `begin` on. */
template <class team, bool carries, class element>
static __device__ inline void sort_join_keys(const sort_join_table &t, element (&e)[SORT_JOIN_EACH],
                                             const uint32_t (&c)[SORT_JOIN_EACH], element *b, uint32_t begin,
                                             uint32_t length, element *shared) {
    const uint32_t left = sort_left(length, team::lane());
    sort_get_all<team::lanes>(t.coder, e, left);
    if constexpr (carries || sizeof(element) > 4) {
        const sort_ordered<team, SORT_JOIN_EACH, carries, element> kept(shared);
        const uint32_t differing = sort_order_keep(kept, e, c, left);
        sort_order_all(t.coder, t.carried, kept, e, b, begin, length, differing);
    } else {
        sort_held<team>(t.coder, e, shared);
        UNROLL
        for (uint32_t r = 0; r < SORT_JOIN_EACH; ++r)
            if (r * team::lanes < left) (b + begin + team::lane())[r * team::lanes] = e[r];
    }
}

/** Strips, a block each, from a to b. */
template <uint32_t size, bool carries, class element>
__global__ void LAUNCH_BOUNDS(sort_join_threads(size), 1)
    sort_strips(element *b, const element *a, const GRID_CONSTANT sort_join_table t) {
    typedef sort_team<sort_join_warps(size)> team;
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t strip = sort_strip(size);
    const uint32_t begin = blockIdx.x * strip, length = t.n - begin < strip ? t.n - begin : strip;
    const uint32_t first = begin + team::lane(), left = sort_left(length, team::lane());
    element e[SORT_JOIN_EACH];
    uint32_t c[SORT_JOIN_EACH];
    UNROLL
    for (uint32_t r = 0; r < SORT_JOIN_EACH; ++r) {
        const bool is = r * team::lanes < left;
        e[r] = is ? (a + first)[r * team::lanes] : sort_of<element>::put(sort_of<element>::last());
        if (carries)
            c[r] = is && t.carried.from != nullptr ? (t.carried.from + first)[r * team::lanes]
                                                   : first + r * team::lanes;
    }
    sort_join_keys<team, carries>(t, e, c, b, begin, length, (element *)shared_memory);
}

/* The keys of a part sorted, from where they lie to where it begins. */
template <class team, bool carries, class element>
static __device__ inline void sort_join_part(const sort_join_table &t, const sort_joined &p, element *b,
                                             const element *a, element *shared) {
    const uint32_t left = sort_left(p.all, team::lane());
    element e[SORT_JOIN_EACH];
    uint32_t c[SORT_JOIN_EACH];
    UNROLL
    for (uint32_t r = 0; r < SORT_JOIN_EACH; ++r) {
        const bool is = r * team::lanes < left;
        const uint32_t from = sort_join_place(p, is ? team::lane() + r * team::lanes : 0);
        e[r] = is ? a[from] : sort_of<element>::put(sort_of<element>::last());
        if (carries) c[r] = is ? t.carried.from[from] : 0;
    }
    sort_join_keys<team, carries>(t, e, c, b, p.begin, p.all, shared);
}

/** A block a part: from strips at a to b. */
template <uint32_t size, bool carries, class element>
__global__ void LAUNCH_BOUNDS(sort_join_threads(size), 1)
    sort_join(element *b, const element *a, const GRID_CONSTANT sort_join_table t) {
    extern __shared__ uint64_t shared_memory[];
    constexpr uint32_t warps = sort_join_warps(size);
    sort_joints &j = *(sort_joints *)shared_memory;
    const uint32_t samples = (t.n + SORT_JOIN_STEP - 1) / SORT_JOIN_STEP;
    uint32_t rank[2];
    sort_samples<warps, typename sort_of<element>::key> s;
    UNROLL
    for (uint32_t c = 0; c < 2; ++c) rank[c] = (blockIdx.x + c) * samples / gridDim.x;
    if (rank[1] == samples) rank[1] = samples - 1; /* the last part has all that is left */
    const uint32_t differing = sort_join_read(j, a, t.n, s);
    sort_join_select(j, s, differing, rank);
    sort_join_tally(j, s);
    UNROLL
    for (uint32_t c = 0; c < 2; ++c) sort_join_cut(j, a, t.n, s, c, rank[c]);
    __syncthreads();
    sort_join_part<sort_team<warps>, carries>(t, sort_join_pieces(j, t.n, sort_strip(size)), b, a,
                                              (element *)((char *)shared_memory + SORT_JOIN_BYTES));
}
