/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/launch/hull.h"

#include "hull/points.h"

enum {
    LEAST_SAMPLE = 1 << 16, /* points, but at most a 16th of all */
    MOST_SAMPLE = 1 << 18,  /* at most a 128th of all */
    ALIGNMENT = 256,
    FLAT = 256, /* threads of a block where any number is as good */
    FILTER_THREADS = 512,
    FILTER_BLOCKS = 3, /* of a multiprocessor */
};

/* Launches as they are added. */
typedef struct launches {
    const hull_request *r;
    const plan_target *target;
    hull_table table;
    launch *out;
    unsigned count;
} launches;

static size_t take(hull_layout *at, size_t bytes) {
    const size_t begin = at->bytes;
    at->bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return begin;
}

void hull_lay_out(const hull_request *r, hull_layout *out) {
    const size_t words = sizeof(uint32_t);
    const bool has_large = r->n > HULL_FEW || r->is_paper, is_one = r->sets == 1 && has_large;
    *out = (hull_layout){.ones = is_one && !r->is_paper ? 0 : sizeof(hull_record), .is_one = is_one};
    out->state = take(out, is_one ? sizeof(hull_state) : sizeof(hull_record));
    out->lists[0] = take(out, words * (r->sets > 1 ? HULL_CLASSES * r->sets : has_large ? r->n : 0));
    out->lists[1] = take(out, words * (has_large ? r->n : 0));
    out->scratch = take(out, words * 5 * (has_large && !is_one ? r->n : 0));
}

/* ------------------------------------------------------------------- kernels */

static kernel_id of_points(riffle_type type, kernel_id f32) {
    static const struct {
        riffle_type type;
        kernel_id filter;
    } all[] = {
        {RIFFLE_TYPE_F32, KERNEL_hull_filter_f32}, {RIFFLE_TYPE_F64, KERNEL_hull_filter_f64},
        {RIFFLE_TYPE_I8, KERNEL_hull_filter_i8},   {RIFFLE_TYPE_I16, KERNEL_hull_filter_i16},
        {RIFFLE_TYPE_I32, KERNEL_hull_filter_i32}, {RIFFLE_TYPE_I64, KERNEL_hull_filter_i64},
        {RIFFLE_TYPE_U8, KERNEL_hull_filter_u8},   {RIFFLE_TYPE_U16, KERNEL_hull_filter_u16},
        {RIFFLE_TYPE_U32, KERNEL_hull_filter_u32}, {RIFFLE_TYPE_U64, KERNEL_hull_filter_u64},
    };
    unsigned k = 0;
    while (all[k].type != type) k++;
    return (kernel_id)(all[k].filter + (f32 - KERNEL_hull_filter_f32));
}

static launch *add(launches *l, kernel_id kernel, uint64_t grid, unsigned threads, size_t shared_bytes) {
    launch *const out = &l->out[l->count++];
    const unsigned most = l->target->block_threads;
    *out = (launch){.kernel = kernel,
                    .elem_bytes = sizeof(uint32_t),
                    .grid = grid > 0 ? (unsigned)grid : 1,
                    .block_x = threads < most ? threads : most,
                    .block_y = 1,
                    .shared_bytes = shared_bytes};
    out->arguments.of.hull_settle_real.table = l->table; /* first of all */
    launch_between(out, l->table.hulls, l->table.points);
    return out;
}

/* A kernel of places, of which there are two. */
static launch *add_places(launches *l, kernel_id real, uint64_t grid, unsigned threads, size_t shared_bytes) {
    return add(l, (kernel_id)(real + (hull_is_i64(l->r->type) ? 1 : 0)), grid, threads, shared_bytes);
}

static void add_points(launches *l, kernel_id f32, uint64_t grid, unsigned threads, size_t shared_bytes) {
    add(l, of_points(l->r->type, f32), grid, threads, shared_bytes)->elem_bytes =
        2 * riffle_type_bytes(l->r->type);
}

static void add_round(launches *l, kernel_id real, uint32_t round, uint64_t grid, unsigned threads,
                      size_t shared_bytes) {
    add_places(l, real, grid, threads, shared_bytes)->arguments.of.hull_refine_real.round = round;
}

/* Sets of up to `room` points in shared memory; of more in memory. */
static void add_blocks(launches *l, kernel_id real, uint32_t room, uint32_t list, uint64_t grid) {
    const unsigned most = l->target->block_threads < HULL_BLOCK ? l->target->block_threads : HULL_BLOCK;
    unsigned threads = 2 * HULL_LANES; /* a warp at least for each boundary */
    while (threads < most && threads * 4 < room) threads *= 2;
    const size_t each =
        2 * sizeof(uint64_t) + sizeof(uint32_t) + 2 * sizeof(uint64_t); /* place, name, numbers */
    launch *const out = add_places(l, real, grid, threads, room * each + 4 * sizeof(uint32_t) * threads);
    out->arguments.of.hull_sets_real.job = (hull_block_job){.room = room, .list = list};
}

/* Blocks of `threads` for `count` threads, but no more than `most` for each multiprocessor. */
static uint64_t blocks(const launches *l, uint64_t count, unsigned threads, unsigned most) {
    const uint64_t wanted = (count + threads - 1) / threads,
                   limit = (uint64_t)most * l->target->multiprocessors;
    return wanted < limit ? wanted : limit;
}

/* ---------------------------------------------------------------------- sets */

static uint32_t room_for(uint64_t points) {
    uint32_t room = 2 * HULL_LANES;
    while (room < points) room *= 2;
    return room;
}

/* Sets whose lengths the host knows. */
static void add_even_sets(launches *l) {
    const uint64_t points = l->r->n / l->r->sets;
    if (points <= HULL_LANES) {
        add_points(l, KERNEL_hull_small_sets_f32, blocks(l, HULL_LANES * l->r->sets, FLAT, 8), FLAT, 0);
    } else if (points <= HULL_FEW) {
        add_blocks(l, KERNEL_hull_sets_real, room_for(points), 0, blocks(l, l->r->sets, 1, 32));
    } else {
        add_blocks(l, KERNEL_hull_large_sets_real, HULL_FEW, 0, blocks(l, l->r->sets, 1, 1));
    }
}

/* Sets of any lengths: those that a warp cannot do are listed by it. */
static void add_uneven_sets(launches *l) {
    add_points(l, KERNEL_hull_small_sets_f32, blocks(l, HULL_LANES * l->r->sets, FLAT, 8), FLAT, 0);
    if (l->r->n <= HULL_LANES) return;
    add_blocks(l, KERNEL_hull_sets_real, HULL_MIDDLING, 1, blocks(l, l->r->sets, 1, 16));
    if (l->r->n <= HULL_MIDDLING) return;
    add_blocks(l, KERNEL_hull_sets_real, HULL_FEW, 2, blocks(l, l->r->sets, 1, 1));
    if (l->r->n <= HULL_FEW) return;
    add_blocks(l, KERNEL_hull_large_sets_real, HULL_FEW, 3, blocks(l, l->r->sets, 1, 1));
}

/* One large set. */
static void add_rounds(launches *l) {
    const unsigned most = l->target->block_threads < HULL_BLOCK ? l->target->block_threads : HULL_BLOCK;
    const size_t boundary_bytes = HULL_ENTRIES * (2 * sizeof(uint64_t) + 2 * sizeof(uint32_t)) +
                                  (HULL_CELLS + 3 * most) * sizeof(uint32_t);
    const size_t bounds_bytes = 4 * sizeof(uint64_t) * FLAT / HULL_LANES;
    const uint64_t refining = blocks(l, l->r->n, FLAT, 4);
    const size_t sieve_bytes =
        (HULL_CELLS + 2) * 2 * sizeof(float) + (2 + HULL_ROOM + HULL_AT_ONCE * HULL_LANES) * sizeof(uint32_t);
    add_places(l, KERNEL_hull_bounds_real, l->table.samplers, FLAT, bounds_bytes);
    add_places(l, KERNEL_hull_extremes_of_sample_real, blocks(l, l->table.sample, FLAT, 1), FLAT, bounds_bytes);
    add_round(l, KERNEL_hull_boundaries_real, 0, HULL_WAYS, most, boundary_bytes);
    add_points(l, KERNEL_hull_filter_f32, blocks(l, l->r->n, FILTER_THREADS, FILTER_BLOCKS), FILTER_THREADS,
               sieve_bytes);
    add_round(l, KERNEL_hull_refine_real, 0, refining, FLAT, 0);
    add_round(l, KERNEL_hull_boundaries_real, 1, HULL_WAYS, most, boundary_bytes);
    add_round(l, KERNEL_hull_refine_real, 1, refining, FLAT, 0);
    add_blocks(l, KERNEL_hull_candidates_real, HULL_FEW, 0, 1);
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
                         const plan_target *target, launch *out) {
    launches l = {.r = r, .target = target, .table = table_of(r, at, arrays), .out = out};
    add_places(&l, KERNEL_hull_results_real, blocks(&l, r->n, FLAT, 2), FLAT, 0);
}

unsigned launch_hull(const hull_request *r, const hull_layout *at, const hull_arrays *arrays,
                     const plan_target *target, launch out[HULL_LAUNCHES]) {
    launches l = {.r = r, .target = target, .table = table_of(r, at, arrays), .out = out};
    if (r->is_paper) {
        add_places(&l, KERNEL_hull_take_all_real, blocks(&l, r->n, FLAT, 8), FLAT, 0);
        return l.count;
    }
    if (at->is_one) {
        add_rounds(&l);
        return l.count;
    }
    if (arrays->first == NULL) {
        add_even_sets(&l);
    } else {
        add_uneven_sets(&l);
    }
    add_places(&l, KERNEL_hull_settle_real, blocks(&l, r->sets, FLAT, 4), FLAT, 0);
    return l.count;
}
