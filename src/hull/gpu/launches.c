/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/gpu/launches.h"

#include "device/workspace.h"
#include "hull/points.h"

enum {
    LEAST_SAMPLE = 1 << 16, /* points, but at most a 16th of all */
    MOST_SAMPLE = 1 << 18,  /* at most a 128th of all */
    FLAT = 256,             /* threads of a block where any number is as good */
    FILTER_THREADS = 512,
    FILTER_BLOCKS = 3, /* blocks of a multiprocessor */
};

/* Launches as they are added. */
typedef struct launches {
    const hull_request *r;
    const plan_target *target;
    hull_table table;
    launch_list *out;
    bool follows; /* the next launch follows one of these */
} launches;

void hull_lay_out(const hull_request *r, hull_layout *out) {
    const size_t words = sizeof(uint32_t);
    const bool has_large = r->n > HULL_FEW || r->is_paper, is_one = r->sets == 1 && has_large;
    *out = (hull_layout){.ones = is_one && !r->is_paper ? 0 : sizeof(hull_record), .is_one = is_one};
    out->state = launch_lay(&out->bytes, is_one ? sizeof(hull_state) : sizeof(hull_record));
    out->lists[0] = launch_lay(&out->bytes, words * (r->sets > 1 ? HULL_CLASSES * r->sets
                                                     : has_large ? r->n
                                                                 : 0));
    out->lists[1] = launch_lay(&out->bytes, words * (has_large ? r->n : 0));
    out->scratch = launch_lay(&out->bytes, words * 5 * (has_large && !is_one ? r->n : 0));
}

/* ------------------------------------------------------------------- kernels */

/* The kernels for points of a type. */
typedef struct points_kernels {
    riffle_type type;
    const hull_kernel *filter, *small_sets;
} points_kernels;

static const points_kernels *kernels_of(riffle_type type) {
#define KERNELS_OF(TYPE, type)                                                                                 \
    { RIFFLE_TYPE_##TYPE, &KERNEL_hull_filter_##type, &KERNEL_hull_small_sets_##type }
    static const points_kernels all[] = {
        KERNELS_OF(F32, f32), KERNELS_OF(F64, f64), KERNELS_OF(I8, i8), KERNELS_OF(I16, i16),
        KERNELS_OF(I32, i32), KERNELS_OF(I64, i64), KERNELS_OF(U8, u8), KERNELS_OF(U16, u16),
        KERNELS_OF(U32, u32), KERNELS_OF(U64, u64),
    };
#undef KERNELS_OF
    unsigned k = 0;
    while (all[k].type != type) k++;
    return &all[k];
}

/* Places are of two kinds: the kernels' names, for whichever the points have. */
#define OF_PLACES(l, name) (hull_is_i64((l)->r->type) ? &KERNEL_##name##_integer : &KERNEL_##name##_real)

static void shape(launches *l, launch *work, uint64_t grid, unsigned threads, size_t shared_bytes) {
    launch_set(work, (unsigned)max(grid, 1), min(threads, l->target->block_threads), shared_bytes,
               l->table.hulls, l->table.points);
    work->follows = l->follows;
    l->follows = true;
}

static void add_places(launches *l, const hull_kernel *kernel, uint64_t grid, unsigned threads,
                       size_t shared_bytes) {
    const struct hull_arguments arguments = {l->table};
    shape(l, append_hull(l->out, kernel, sizeof(uint32_t), &arguments), grid, threads, shared_bytes);
}

static void add_points(launches *l, const hull_kernel *kernel, uint64_t grid, unsigned threads,
                       size_t shared_bytes) {
    const struct hull_arguments arguments = {l->table};
    launch *const work = append_hull(l->out, kernel, 2 * riffle_type_bytes(l->r->type), &arguments);
    shape(l, work, grid, threads, shared_bytes);
}

static void add_round(launches *l, const hull_round_kernel *kernel, uint32_t round, uint64_t grid,
                      unsigned threads, size_t shared_bytes) {
    const struct hull_round_arguments arguments = {l->table, round};
    shape(l, append_hull_round(l->out, kernel, sizeof(uint32_t), &arguments), grid, threads, shared_bytes);
}

/* Sets of up to `room` points in shared memory; of more in memory. */
static void add_blocks(launches *l, const hull_block_kernel *kernel, uint32_t room, uint32_t list,
                       uint64_t grid) {
    const unsigned most = min(l->target->block_threads, HULL_BLOCK);
    unsigned threads = 2 * WARP_LANES; /* a warp at least for each boundary */
    while (threads < most && threads * 4 < room) threads *= 2;
    const size_t each =
        2 * sizeof(uint64_t) + sizeof(uint32_t) + 2 * sizeof(uint64_t); /* place, name, numbers */
    const struct hull_block_arguments arguments = {l->table, {.room = room, .list = list}};
    shape(l, append_hull_block(l->out, kernel, sizeof(uint32_t), &arguments), grid, threads,
          room * each + 4 * sizeof(uint32_t) * threads);
}

/* Blocks of `threads` for `count` threads, but no more than `most` for each multiprocessor. */
static uint64_t blocks(const launches *l, uint64_t count, unsigned threads, unsigned most) {
    return min(ceil_div(count, threads), (uint64_t)most * l->target->multiprocessors);
}

/* ---------------------------------------------------------------------- sets */

static uint32_t room_for(uint64_t points) {
    uint32_t room = 2 * WARP_LANES;
    while (room < points) room *= 2;
    return room;
}

/* Sets whose lengths the host knows. */
static void add_even_sets(launches *l) {
    const uint64_t points = l->r->n / l->r->sets;
    if (points <= WARP_LANES) {
        add_points(l, kernels_of(l->r->type)->small_sets, blocks(l, WARP_LANES * l->r->sets, FLAT, 8), FLAT, 0);
    } else if (points <= HULL_FEW) {
        add_blocks(l, OF_PLACES(l, hull_sets), room_for(points), 0, blocks(l, l->r->sets, 1, 32));
    } else {
        add_blocks(l, OF_PLACES(l, hull_large_sets), HULL_FEW, 0, blocks(l, l->r->sets, 1, 1));
    }
}

/* Sets of any lengths: those that a warp cannot do are listed by it. */
static void add_uneven_sets(launches *l) {
    add_points(l, kernels_of(l->r->type)->small_sets, blocks(l, WARP_LANES * l->r->sets, FLAT, 8), FLAT, 0);
    if (l->r->n <= WARP_LANES) return;
    add_blocks(l, OF_PLACES(l, hull_sets), HULL_MIDDLING, 1, blocks(l, l->r->sets, 1, 16));
    if (l->r->n <= HULL_MIDDLING) return;
    add_blocks(l, OF_PLACES(l, hull_sets), HULL_FEW, 2, blocks(l, l->r->sets, 1, 1));
    if (l->r->n <= HULL_FEW) return;
    add_blocks(l, OF_PLACES(l, hull_large_sets), HULL_FEW, 3, blocks(l, l->r->sets, 1, 1));
}

/* One large set. */
static void add_rounds(launches *l) {
    const unsigned most = min(l->target->block_threads, HULL_BLOCK);
    const size_t boundary_bytes = HULL_ENTRIES * (2 * sizeof(uint64_t) + 2 * sizeof(uint32_t)) +
                                  (HULL_CELLS + 3 * most) * sizeof(uint32_t);
    const size_t bounds_bytes = 4 * sizeof(uint64_t) * FLAT / WARP_LANES;
    const uint64_t refining = blocks(l, l->r->n, FLAT, 4);
    const size_t sieve_bytes =
        (HULL_CELLS + 2) * 2 * sizeof(float) + (2 + HULL_ROOM + HULL_AT_ONCE * WARP_LANES) * sizeof(uint32_t);
    add_places(l, OF_PLACES(l, hull_bounds), l->table.samplers, FLAT, bounds_bytes);
    add_places(l, OF_PLACES(l, hull_extremes_of_sample), blocks(l, l->table.sample, FLAT, 1), FLAT,
               bounds_bytes);
    add_round(l, OF_PLACES(l, hull_boundaries), 0, HULL_WAYS, most, boundary_bytes);
    add_points(l, kernels_of(l->r->type)->filter, blocks(l, l->r->n, FILTER_THREADS, FILTER_BLOCKS),
               FILTER_THREADS, sieve_bytes);
    add_round(l, OF_PLACES(l, hull_refine), 0, refining, FLAT, 0);
    add_round(l, OF_PLACES(l, hull_boundaries), 1, HULL_WAYS, most, boundary_bytes);
    add_round(l, OF_PLACES(l, hull_refine), 1, refining, FLAT, 0);
    add_blocks(l, OF_PLACES(l, hull_candidates), HULL_FEW, 0, 1);
}

/* -------------------------------------------------------------------- tables */

static uint32_t form_of(riffle_type type) {
    if (type == RIFFLE_TYPE_F32 || type == RIFFLE_TYPE_F64) return HULL_REAL;
    return type >= RIFFLE_TYPE_U8 && type <= RIFFLE_TYPE_U64 ? HULL_UNSIGNED : HULL_SIGNED;
}

static uint64_t sample_of(uint64_t n) {
    uint64_t sample = n / 128 < MOST_SAMPLE ? n / 128 : MOST_SAMPLE;
    if (sample < LEAST_SAMPLE) sample = n / 16 < LEAST_SAMPLE ? n / 16 : LEAST_SAMPLE;
    return sample / HULL_GROUP * HULL_GROUP;
}

static hull_table table_of(const hull_request *r, const hull_layout *at, const hull_arrays *arrays) {
    char *const workspace = arrays->workspace;
    const uint64_t sample = sample_of(r->n), blocks_of_sample = (sample + FLAT - 1) / FLAT;
    return (hull_table){.points = arrays->points,
                        .first = arrays->first,
                        .hulls = arrays->hulls,
                        .lengths = arrays->lengths,
                        .state = (hull_state *)(void *)(workspace + at->state),
                        .list = {(uint32_t *)(void *)(workspace + at->lists[0]),
                                 (uint32_t *)(void *)(workspace + at->lists[1])},
                        .scratch = (uint32_t *)(void *)(workspace + at->scratch),
                        .n = r->n,
                        .sets = r->sets,
                        .each = r->n / r->sets,
                        .sample = (uint32_t)sample,
                        .samplers =
                            (uint32_t)(blocks_of_sample < HULL_SAMPLERS ? blocks_of_sample : HULL_SAMPLERS),
                        .least_scale = r->type == RIFFLE_TYPE_F32 ? 0x1p-100 : 0x1p-1000,
                        .form = form_of(r->type),
                        .coordinate_bytes = (uint32_t)riffle_type_bytes(r->type),
                        .result_bytes = (uint32_t)r->index_bytes,
                        .all = r->all};
}

void launch_hull_results(const hull_request *r, const hull_layout *at, const hull_arrays *arrays,
                         const plan_target *target, launch_list *out) {
    launches l = {.r = r, .target = target, .table = table_of(r, at, arrays), .out = out};
    add_places(&l, OF_PLACES(&l, hull_results), blocks(&l, r->n, FLAT, 2), FLAT, 0);
}

void launch_hull(const hull_request *r, const hull_layout *at, const hull_arrays *arrays,
                 const plan_target *target, launch_list *out) {
    launches l = {.r = r, .target = target, .table = table_of(r, at, arrays), .out = out};
    if (r->is_paper) {
        add_places(&l, OF_PLACES(&l, hull_take_all), blocks(&l, r->n, FLAT, 8), FLAT, 0);
        return;
    }
    if (at->is_one) {
        add_rounds(&l);
        return;
    }
    if (arrays->first == NULL) {
        add_even_sets(&l);
    } else {
        add_uneven_sets(&l);
    }
    add_places(&l, OF_PLACES(&l, hull_settle), blocks(&l, r->sets, FLAT, 4), FLAT, 0);
}
