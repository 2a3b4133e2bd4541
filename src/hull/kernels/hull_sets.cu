/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets by a block each: of a few points in shared memory, of any number in memory. And the last step of one large set, whose
 * candidates are such a set.
 */
#include "hull/kernels/hull_solve.h"
#include "hull/kernels/hull_sort.h"

enum { HULL_BROUGHT = 4 }; /* points that a thread fetches at once */

/* Points in shared memory. */
template <class kind> struct hull_near {
    typename kind::place *places;
    uint32_t *names;
    __device__ inline typename kind::place place(uint32_t k) const { return places[k]; }
    __device__ inline uint32_t index(uint32_t k) const { return names[k]; }
};

/* Points in memory, named by a list. */
template <class kind> struct hull_far {
    const hull_table *t;
    const uint32_t *names;
    __device__ inline typename kind::place place(uint32_t k) const {
        return hull_load_finite<kind>(t, names[k]);
    }
    __device__ inline uint32_t index(uint32_t k) const { return names[k]; }
};

struct hull_to_results {
    const hull_table *t;
    uint64_t first;
    __device__ inline void operator()(uint32_t k, uint32_t index) const { hull_write(t, first + k, index); }
};

struct hull_to_list {
    uint32_t *to;
    __device__ inline void operator()(uint32_t k, uint32_t index) const { to[k] = index; }
};

/* Fetches points, named by a list or, where that is NULL, first, first + 1, ... */
template <class kind>
static __device__ inline void hull_bring_near(const hull_table *t, const hull_near<kind> *near,
                                              const uint32_t *names, uint64_t first, uint32_t count) {
    for (uint32_t begin = threadIdx.x; begin < count; begin += HULL_BROUGHT * blockDim.x) {
        uint64_t index[HULL_BROUGHT];
        typename kind::place at[HULL_BROUGHT];
        UNROLL
        for (uint32_t i = 0; i < HULL_BROUGHT; ++i) {
            const uint32_t k = begin + i * blockDim.x < count ? begin + i * blockDim.x : begin;
            index[i] = names != nullptr ? names[k] : first + k;
        }
        kind::template load_each<HULL_BROUGHT>(t, index, at);
        UNROLL
        for (uint32_t i = 0; i < HULL_BROUGHT; ++i) {
            const uint32_t k = begin + i * blockDim.x;
            if (k >= count) continue;
            near->names[k] = (uint32_t)index[i];
            near->places[k] = hull_only_finite<kind>(t, index[i], at[i]);
        }
    }
    hull_meet();
}

/* The hull of `count` points, at most `room` and at least 1, named by a list or, where that is NULL, first, first + 1, ... */
template <class kind, class writer>
static __device__ inline uint32_t hull_solve_near(const hull_table *t, uint32_t room, const uint32_t *names,
                                                  uint64_t first, uint32_t count, const writer &write) {
    extern __shared__ uint64_t shared_memory[];
    const hull_near<kind> near = {(typename kind::place *)shared_memory,
                                  (uint32_t *)((typename kind::place *)shared_memory + room)};
    uint32_t *const words = near.names + room;
    uint64_t *const numbers = (uint64_t *)(words + 4 * blockDim.x); /* and lists, when points are in order */
    const hull_work<kind, uint16_t, hull_near<kind>> work = {&near, (uint16_t *)numbers, room, words};
    hull_bring_near(t, &near, names, first, count);
    const uint16_t *const order = hull_sort_numbers<kind>(&near, numbers, room, count, words);
    return hull_solve<kind>(&work, order, count, t->all != 0, write);
}

/** The sets of a job, each of at most job.room points, and at least one. */
template <class kind, class element>
__global__ void LAUNCH_BOUNDS(HULL_BLOCK, 1)
    hull_sets(element *, const element *, const GRID_CONSTANT hull_table t,
              const GRID_CONSTANT hull_block_job job) {
    hull_follow();
    const uint64_t count = job.list == 0 ? t.sets : t.state->record.classed[job.list - 1] + 1;
    const uint32_t *const list = t.list[0] + (job.list == 0 ? 0 : job.list - 1) * t.sets;
    for (uint64_t k = blockIdx.x; k < count; k += gridDim.x) {
        const uint64_t set = job.list == 0 ? k : list[k];
        const hull_span span = hull_span_of(&t, set);
        const hull_to_results write = {&t, span.begin};
        const uint32_t points = (uint32_t)(span.end - span.begin);
        const uint32_t length =
            points == 0 ? 0 : hull_solve_near<kind>(&t, job.room, nullptr, span.begin, points, write);
        if (threadIdx.x == 0) t.lengths[set] = length;
        hull_meet();
    }
}

/* Replaces what the list has by the hulls of portions of it, while that leaves half of it at most. Returns how many are left. */
template <class kind>
static __device__ inline uint32_t hull_thin(const hull_table *t, uint32_t room, uint32_t *list,
                                            uint32_t count) {
    while (count > room) {
        uint32_t left = 0;
        for (uint32_t begin = 0; begin < count; begin += room) {
            const uint32_t portion = count - begin < room ? count - begin : room;
            const hull_to_list write = {list + left}; /* behind what is read next */
            left += hull_solve_near<kind>(t, room, list + begin, 0, portion, write);
        }
        const bool goes_on = left <= count / 2;
        count = left;
        if (!goes_on) break;
    }
    return count;
}

/* The hull of the points that a list names, which is overwritten; at least one. */
template <class kind>
static __device__ inline uint32_t hull_solve_any(const hull_table *t, uint32_t room, uint32_t *list,
                                                 uint32_t *scratch, uint32_t count,
                                                 const hull_to_results &write) {
    extern __shared__ uint64_t shared_memory[];
    const uint32_t left = hull_thin<kind>(t, room, list, count);
    if (left <= room) return hull_solve_near<kind>(t, room, list, 0, left, write);
    const hull_far<kind> far = {t, list};
    const hull_work<kind, uint32_t, hull_far<kind>> work = {&far, scratch, count, (uint32_t *)shared_memory};
    uint32_t *const lists[2] = {work.list(0), work.list(1)};
    const uint32_t *const order = hull_sort_words<kind, uint32_t>(&far, lists, left);
    return hull_solve<kind>(&work, order, left, t->all != 0, write);
}

/** The sets of a job of any number of points. */
template <class kind, class element>
__global__ void LAUNCH_BOUNDS(HULL_BLOCK, 1)
    hull_large_sets(element *, const element *, const GRID_CONSTANT hull_table t,
                    const GRID_CONSTANT hull_block_job job) {
    hull_follow();
    const uint64_t count = job.list == 0 ? t.sets : t.state->record.classed[job.list - 1] + 1;
    const uint32_t *const sets = t.list[0] + (job.list == 0 ? 0 : job.list - 1) * t.sets;
    for (uint64_t k = blockIdx.x; k < count; k += gridDim.x) {
        const uint64_t set = job.list == 0 ? k : sets[k];
        const hull_span span = hull_span_of(&t, set);
        const hull_to_results write = {&t, span.begin};
        const uint32_t points = (uint32_t)(span.end - span.begin);
        uint32_t *const list = t.list[1] + span.begin;
        for (uint32_t i = threadIdx.x; i < points; i += blockDim.x) list[i] = (uint32_t)span.begin + i;
        hull_meet();
        const uint32_t length =
            points == 0 ? 0
                        : hull_solve_any<kind>(&t, job.room, list, t.scratch + 5 * span.begin, points, write);
        if (threadIdx.x == 0) t.lengths[set] = length;
        hull_meet();
    }
}

/* True if a point is not finite or a set is none. The first such point is kept, for callers that ask. */
template <class kind> static __device__ inline bool hull_is_refused(const hull_table *t) {
    hull_record *const record = &t->state->record;
    if (record->bad_point == UINT64_MAX) return record->bad_set != UINT64_MAX;
    const typename kind::place at = kind::load(t, record->bad_point);
    record->bad[0] = kind::bits(at.x);
    record->bad[1] = kind::bits(at.y);
    return true;
}

/** The hull of one set's candidates, if they are few: of those of the second round, or of the first where these were few. */
template <class kind, class element>
__global__ void LAUNCH_BOUNDS(HULL_BLOCK, 1)
    hull_candidates(element *, const element *, const GRID_CONSTANT hull_table t,
                    const GRID_CONSTANT hull_block_job job) {
    hull_follow();
    const hull_span span = hull_span_of(&t, 0);
    const bool is_all = t.state->record.first != UINT32_MAX;
    const uint32_t early = hull_listed(&t, 1), late = hull_listed(&t, 2);
    const bool is_early = early <= HULL_SOON;
    const uint32_t count = is_all ? (uint32_t)(span.end - span.begin) : is_early ? early : late;
    const uint32_t *const names = is_all ? nullptr : t.list[is_early];
    const hull_to_results write = {&t, span.begin};
    const uint32_t length = count == 0 || count > job.room
                                ? 0
                                : hull_solve_near<kind>(&t, job.room, names, span.begin, count, write);
    if (threadIdx.x != 0) return;
    const bool is_refused = hull_is_refused<kind>(&t);
    t.lengths[0] = is_refused ? 0 : length;
    t.state->record.many = is_refused || count <= job.room ? 0 : count;
}

/** The results of many candidates, whose hull is in list 0. */
template <class kind, class element>
__global__ void hull_results(element *, const element *, const GRID_CONSTANT hull_table t) {
    hull_follow();
    const hull_record *const record = &t.state->record;
    if (record->many == 0) return;
    if (record->bad_point != UINT64_MAX || record->bad_set != UINT64_MAX) {
        if (blockIdx.x == 0 && threadIdx.x == 0) hull_is_refused<kind>(&t);
        return;
    }
    const uint64_t count = record->many_length, begin = hull_span_of(&t, 0).begin;
    const uint32_t step = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
    for (uint64_t k = first; k < count; k += step) hull_write(&t, begin + k, t.list[0][k]);
    if (first == 0) t.lengths[0] = count;
}

/** All lengths of many sets are 0 where something is refused. */
template <class kind, class element>
__global__ void hull_settle(element *, const element *, const GRID_CONSTANT hull_table t) {
    hull_follow();
    const hull_record *const record = &t.state->record;
    if (record->bad_point == UINT64_MAX && record->bad_set == UINT64_MAX) return;
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x,
                   first = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (uint64_t k = first; k < t.sets; k += step) t.lengths[k] = 0;
    if (first == 0) hull_is_refused<kind>(&t);
}
