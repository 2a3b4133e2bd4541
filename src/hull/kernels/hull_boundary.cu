/* SPDX-License-Identifier: Apache-2.0
 *
 * From a round's extremes to its boundaries, a block each: the points that are noted in order, and their chain. Any chain of
 * points that are there, in order, is good: what is above the lower one and below the upper one is within the hull.
 *
 * In the first round they make the sieve too (hull/cpu/sieve.h says why it never throws away what it is not sure of): a
 * cell's stretch is what lies between the boundaries over all of the cell, less what places may be wrong by.
 */
#include "hull/kernels/hull_block.h"
#include "hull/kernels/hull_chain.h"

/* Bounds on the error of a scaled place: in cells, and of the height. */
static const double HULL_SIEVE_U = 1.0 / 256, HULL_SIEVE_V = 1.0 / 262144;

enum { HULL_FETCHED = (HULL_ENTRIES + HULL_BLOCK - 1) / HULL_BLOCK }; /* points that a thread fetches at once */

/* Points in order, turned already. */
template <class kind> struct hull_noted {
    const typename kind::place *places;
    __device__ inline typename kind::place place(uint32_t k) const { return places[k]; }
};

/* The cell of a point of a boundary, counted as the boundary goes. */
template <class kind>
static __device__ inline uint32_t hull_boundary_cell(const hull_scale<kind> *scale, bool is_upper,
                                                     typename kind::place at) {
    const uint32_t cell = hull_cell(scale, hull_turned<kind>(at, is_upper).x);
    return is_upper ? HULL_CELLS - 1 - cell : cell;
}

static __device__ inline uint64_t hull_entry(const hull_extremes *from, bool is_upper, uint32_t k) {
    if (k == 0 || k == HULL_ENTRIES - 1) return from->lower[is_upper ? HULL_ENTRIES - 1 - k : k];
    return is_upper ? from->upper[k] : from->lower[k];
}

/* The points that are noted, each where its entry is; of the others the index is UINT32_MAX. */
template <class kind>
static __device__ inline void hull_fetch_noted(const hull_table *t, uint32_t round, uint32_t way,
                                               typename kind::place *places, uint32_t *index) {
    const uint32_t quarter = way / 2;
    const bool is_upper = way % 2 != 0;
    const hull_extremes *const from = &t->state->extremes[round][quarter];
    for (uint32_t begin = threadIdx.x; begin < HULL_ENTRIES; begin += HULL_FETCHED * blockDim.x) {
        uint32_t noted[HULL_FETCHED];
        uint64_t point[HULL_FETCHED];
        typename kind::place at[HULL_FETCHED];
        UNROLL
        for (uint32_t i = 0; i < HULL_FETCHED; ++i) {
            const uint32_t k = begin + i * blockDim.x;
            noted[i] = k < HULL_ENTRIES ? (uint32_t)hull_entry(from, is_upper, k) : UINT32_MAX;
            point[i] = noted[i] != UINT32_MAX ? noted[i] : 0;
        }
        kind::template load_each<HULL_FETCHED>(t, point, at);
        UNROLL
        for (uint32_t i = 0; i < HULL_FETCHED; ++i) {
            const uint32_t k = begin + i * blockDim.x;
            if (k < HULL_ENTRIES) index[k] = noted[i];
            if (noted[i] != UINT32_MAX)
                places[k] = hull_turned<kind>(hull_quartered<kind>(at[i], quarter), is_upper);
        }
    }
    hull_meet();
}

/* The entries that there are, in order; how many. A point that is first or last of all by floats may not be so exactly: then it
 * is left out. */
template <class kind>
static __device__ inline uint32_t hull_collect(const typename kind::place *places, const uint32_t *index,
                                               uint16_t **list, uint32_t *sums) {
    const uint32_t share = (HULL_ENTRIES + blockDim.x - 1) / blockDim.x, begin = threadIdx.x * share;
    uint32_t mine = 0, count = 0;
    for (uint32_t k = begin; k < begin + share && k < HULL_ENTRIES; ++k) mine += index[k] != UINT32_MAX;
    uint32_t at = hull_sum_before(mine, sums, &count);
    for (uint32_t k = begin; k < begin + share && k < HULL_ENTRIES; ++k)
        if (index[k] != UINT32_MAX) (*list)[at++] = (uint16_t)k;
    hull_meet();
    const uint16_t *const noted = *list;
    const bool skips = count > 1 && !kind::before(places[noted[0]], places[noted[1]]);
    const bool drops =
        count > (skips ? 2u : 1u) && !kind::before(places[noted[count - 2]], places[noted[count - 1]]);
    *list += skips;
    return count - skips - drops;
}

/* A boundary that has been found, for the heights of it, as scaled numbers; turned, if it is the upper one. */
template <class kind> struct hull_profile {
    const hull_scale<kind> *scale;
    const typename kind::place *places;
    const uint16_t *list;
    const uint32_t *until; /* how many of it are in cells up to this one */
    uint32_t count;
    bool is_upper;
};

template <class kind> static __device__ inline double hull_along(const hull_profile<kind> *p, uint32_t k) {
    const typename kind::place at = hull_turned<kind>(p->places[p->list[k]], p->is_upper);
    const double u = kind::distance(p->scale->from.x, at.x) * p->scale->u;
    return p->is_upper ? -u : u;
}

template <class kind> static __device__ inline double hull_up(const hull_profile<kind> *p, uint32_t k) {
    const typename kind::place at = hull_turned<kind>(p->places[p->list[k]], p->is_upper);
    const double v = kind::distance(p->scale->from.y, at.y) * p->scale->v;
    return p->is_upper ? -v : v;
}

/* How high the boundary is at u, which is in or close beside a cell; infinite beside the boundary. */
template <class kind>
static __device__ inline double hull_height(const hull_profile<kind> *p, double u, uint32_t cell) {
    const double infinite = hull_bits_as<double>(UINT64_C(0x7ff) << 52);
    if (p->count < 2 || !(hull_along(p, 0) < u && u < hull_along(p, p->count - 1))) return infinite;
    uint32_t k = p->until[cell];
    while (k < p->count && hull_along(p, k) <= u) ++k;
    while (k > 0 && hull_along(p, k - 1) > u) --k;
    const double from = hull_along(p, k - 1), to = hull_along(p, k);
    return hull_up(p, k - 1) + (hull_up(p, k) - hull_up(p, k - 1)) * ((u - from) / (to - from));
}

template <class kind>
static __device__ inline void hull_make_sieve(const hull_table *t, const hull_profile<kind> *p) {
    for (uint32_t cell = threadIdx.x; cell < HULL_CELLS; cell += blockDim.x) {
        const uint32_t mine = p->is_upper ? HULL_CELLS - 1 - cell : cell;
        const double begin = cell - HULL_SIEVE_U, end = cell + 1 + HULL_SIEVE_U;
        const double a = hull_height(p, p->is_upper ? -end : begin, mine > 0 ? mine - 1 : 0);
        const double b = hull_height(p, p->is_upper ? -begin : end, mine);
        const double highest = (a > b ? a : b) + HULL_SIEVE_V;
        if (p->is_upper)
            t->state->most[cell] = (float)-highest;
        else
            t->state->least[cell] = (float)highest;
    }
}

/* How many of a boundary are in cells up to each. `cells` has room for the cell of each of them. */
template <class kind>
static __device__ inline void hull_count_cells(const hull_scale<kind> *scale, bool is_upper,
                                               const typename kind::place *places, const uint16_t *list,
                                               uint32_t length, uint16_t *cells, uint32_t *until) {
    for (uint32_t k = threadIdx.x; k < length; k += blockDim.x)
        cells[k] = (uint16_t)hull_boundary_cell(scale, is_upper, places[list[k]]);
    hull_meet();
    for (uint32_t cell = threadIdx.x; cell < HULL_CELLS; cell += blockDim.x) {
        uint32_t low = 0, high = length;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (cells[middle] <= cell)
                low = middle + 1;
            else
                high = middle;
        }
        until[cell] = low;
    }
    hull_meet();
}

/* Shared memory of a block: points, what they are called, two lists of them, counts, and three words for each thread. */
template <class kind, class element>
__global__ void LAUNCH_BOUNDS(HULL_BLOCK, 1)
    hull_boundaries(element *, const element *, const GRID_CONSTANT hull_table t, uint32_t round) {
    hull_follow();
    extern __shared__ uint64_t shared_memory[];
    typename kind::place *const places = (typename kind::place *)shared_memory;
    uint32_t *const index = (uint32_t *)(places + HULL_ENTRIES), *const until = index + 2 * HULL_ENTRIES;
    uint16_t *list = (uint16_t *)(index + HULL_ENTRIES), *const second = list + HULL_ENTRIES;
    uint32_t *const words = until + HULL_CELLS;
    const uint32_t way = blockIdx.x, quarter = way / 2;
    const bool is_upper = way % 2 != 0;
    hull_boundary *const to = &t.state->boundary[round][way];
    if (round == 1 && hull_listed(&t, 1) <= HULL_SOON) return;
    const hull_scale<kind> scale = hull_scale_of<kind>(&t, quarter);
    hull_fetch_noted<kind>(&t, round, way, places, index);
    const uint32_t count = hull_collect<kind>(places, index, &list, words);
    const hull_noted<kind> noted = {places};
    const hull_team<uint16_t> team = {threadIdx.x,        blockDim.x,         0,         {list, second}, words,
                                      words + blockDim.x, words + blockDim.x, t.all != 0};
    const uint16_t *const chain = hull_chain<kind>(&noted, count, &team);
    const uint32_t length = team.lengths[0];
    uint16_t *const other = chain == list ? second : list;
    hull_count_cells(&scale, is_upper, places, chain, length, other, until);
    for (uint32_t k = threadIdx.x; k < length; k += blockDim.x) {
        to->place[k][0] = kind::bits(places[chain[k]].x);
        to->place[k][1] = kind::bits(places[chain[k]].y);
        to->index[k] = index[chain[k]];
    }
    for (uint32_t cell = threadIdx.x; cell < HULL_CELLS; cell += blockDim.x) to->until[cell] = until[cell];
    if (threadIdx.x == 0) to->count = length, to->noted = count;
    const hull_profile<kind> profile = {&scale, places, chain, until, length, is_upper};
    if (round == 0 && quarter == 0) hull_make_sieve(&t, &profile);
}
