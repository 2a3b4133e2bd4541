/* SPDX-License-Identifier: Apache-2.0
 *
 * A pass is one launch of one kernel, made ready with the plan; or several, made when the arrays are known; or two copies
 * where it is a rotation.
 */
#include "move/cuda/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "device/carry.h"
#include "device/cuda_library.h"
#include "perm/kind.h"
#include "plan/checked.h"

/* One pass's part on the device. */
typedef struct cuda_pass {
    const launch *by_vectors; /* between arrays that begin on LAUNCH_VECTOR_BYTES, of the plan's list */
    const launch *by_units;   /* between others */
    void *arrays[LAUNCH_MAX_ARRAYS];
} cuda_pass;

struct cuda_plan {
    device on;
    launch_list ready;  /* passes that are one launch, but for the arrays that they move between */
    perm_affine affine; /* the permutation, for a check that evaluates it; no bits where it does not */
    void *places;       /* or its table; or NULL */
    unsigned count;
    cuda_pass passes[];
};

/* A rotation needs no kernel. */
static bool is_plain_copy(const pass *p) { return p->kind == &PASS_COPY && !p->copy.rotation.reflected; }

/* A thread with a few elements of a tile or a row has their loads in flight at a time (AT_ONCE in the kernels),
 * and smaller blocks wait less for their slowest warp. */
static launch_limits limits_of_pass(const pass *p, const launch_limits *most) {
    enum { PER_THREAD = 4 };
    launch_limits out = *most;
    out.moves = PER_THREAD;
    if (p->kind->block_elements == NULL) return out;
    const uint64_t warps = (p->kind->block_elements(p, most) / PER_THREAD + out.width - 1) / out.width;
    if (warps * out.width < out.block_threads) out.block_threads = (unsigned)warps * out.width;
    return out;
}

static riffle_status check_grid(const pass *p, const launch_limits *limits) {
    const uint64_t blocks = launch_blocks(p, limits);
    if (blocks <= LAUNCH_MAX_BLOCKS) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED, "a pass of %llu blocks is more than a GPU's grid holds (%d)",
                (unsigned long long)blocks, LAUNCH_MAX_BLOCKS);
}

/* The table of the permutation or of its inverse, as one of its own. */
static riffle_status write_table(const cuda_source *source, bool inverse, cuda_table *out) {
    if (source->table == NULL) return cuda_table_write(source->perm, inverse, source->stream, out);
    if (inverse != source->is_inverse) return steps_of_cuda()->invert(source->table, source->stream, out);
    return steps_of_cuda()->copy(source->table, source->stream, out);
}

/* The map of a pass that goes element by element. */
static riffle_status make_map(const device *gpu, const cuda_source *source, bool inverse, cuda_pass *out) {
    cuda_table map = {0};
    riffle_status status = RIFFLE_OK;
    if (source->table == NULL)
        status = gpu->ops->check_free(gpu, "the map", cuda_table_write_bytes(source->perm, inverse));
    if (status == RIFFLE_OK) status = write_table(source, inverse, &map);
    if (status == RIFFLE_OK) out->arrays[0] = map.entries;
    return status;
}

/* Two passes are planned soonest from indices to gather from, and a random permutation has its inverse at hand. */
static bool starts_from_inverse(const riffle_plan *plan, const cuda_source *source) {
    if (source->table != NULL) return source->is_inverse;
    return source->perm->kind == PERM_RANDOM && plan->choice.tile_shape.passes <= 2;
}

static riffle_status check_bucket_memory(const riffle_plan *plan, const device *gpu,
                                         const cuda_source *source) {
    const plan_request *const s = &plan->request;
    size_t bytes = s->callers_workspace ? 0 : plan->workspace_bytes, planning;
    const bool is_inverse = starts_from_inverse(plan, source);
    const riffle_status status = steps_of_cuda()->bucket_planning_bytes(
        s->n, s->elem_bytes, plan->choice.tile_shape, is_inverse, &planning);
    if (status != RIFFLE_OK) return status;
    bytes += planning + bucket_tile_most_bytes(s->n, s->elem_bytes, &plan->choice.tile_shape);
    if (source->table == NULL) bytes += cuda_table_write_bytes(source->perm, is_inverse);
    return gpu->ops->check_free(gpu, "planning by buckets", bytes);
}

/* Marks the lists of later passes for a check of passes. */
static riffle_status mark_buckets(const riffle_plan *plan, const cuda_source *source, const cuda_plan *own) {
    riffle_status status = RIFFLE_OK;
    if (plan->request.check != RIFFLE_CHECK_PASSES) return RIFFLE_OK;
    for (unsigned k = 1; status == RIFFLE_OK && k < own->count; k++) {
        cuda_bucket_schedule there = plan->passes[k].bucket_tile;
        there.chunks = own->passes[k].arrays[1];
        status = steps_of_cuda()->bucket_mark(&there, source->stream);
    }
    return status;
}

/* The schedules of all passes, which are bucket passes. */
static riffle_status make_buckets(riffle_plan *plan, const cuda_source *source, cuda_plan *own) {
    const plan_request *const s = &plan->request;
    cuda_bucket_schedule made[BUCKET_TILE_PASSES];
    cuda_table written = {0};
    const cuda_table *table = source->table;
    const bool is_inverse = starts_from_inverse(plan, source);
    riffle_status status = check_bucket_memory(plan, &own->on, source);
    if (status == RIFFLE_OK && table == NULL) {
        status = write_table(source, is_inverse, &written);
        table = &written;
    }
    if (status == RIFFLE_OK) {
        const cuda_bucket_source from = {table->entries, is_inverse};
        status = steps_of_cuda()->bucket_plan(&from, s->n, s->elem_bytes, plan->choice.tile_shape,
                                              source->stream, made);
    }
    steps_of_cuda()->free(&written);
    for (unsigned k = 0; status == RIFFLE_OK && k < own->count; k++) {
        own->passes[k].arrays[0] = made[k].order;
        own->passes[k].arrays[1] = made[k].chunks;
        own->passes[k].arrays[2] = made[k].first_chunk;
        plan->bytes += bucket_tile_bytes(&made[k]);
        made[k].order = NULL, made[k].chunks = made[k].first_chunk = NULL; /* the host has none to free */
        plan->passes[k].bucket_tile = made[k];
    }
    return status == RIFFLE_OK ? mark_buckets(plan, source, own) : status;
}

/* The copies are waited for: streams that do not wait for the default one may execute the plan. */
static riffle_status upload_arrays(const device *gpu, const pass *p, cuda_pass *out) {
    launch_array arrays[LAUNCH_MAX_ARRAYS];
    launch_arrays(p, arrays);
    riffle_status status = RIFFLE_OK;
    for (unsigned k = 0; status == RIFFLE_OK && k < LAUNCH_MAX_ARRAYS; k++)
        status = device_bring(gpu, "a schedule", arrays[k].start, arrays[k].bytes, &out->arrays[k]);
    return status;
}

/* Makes the arrays that the passes read on the device beside the array. */
static riffle_status make_arrays(riffle_plan *plan, const cuda_source *source, cuda_plan *own) {
    riffle_status status = RIFFLE_OK;
    if (pass_is_bucket_tile(&plan->passes[0])) return make_buckets(plan, source, own);
    for (unsigned k = 0; status == RIFFLE_OK && k < own->count; k++) {
        const pass *p = &plan->passes[k];
        if (p->kind == &PASS_SCATTER || p->kind == &PASS_GATHER) {
            status = make_map(&own->on, source, p->kind == &PASS_GATHER, &own->passes[k]);
        } else if (p->kind == &PASS_ONCE_SORT && !p->once.request.is_random) {
            status = make_map(&own->on, source, !p->once.request.puts, &own->passes[k]);
        } else {
            status = upload_arrays(&own->on, p, &own->passes[k]);
        }
    }
    return status;
}

static riffle_status prepare_launch(const pass *p, const launch_limits *limits, cuda_plan *own,
                                    cuda_pass *ready, const launch **out) {
    *out = launch_of_pass(p, limits, (const void *const *)ready->arrays, &own->ready);
    return check_grid(p, limits);
}

/* Several launches are made when they are due, between the arrays that they name. Their kernels are the same between any. */
static riffle_status load_launches(const pass *p, const device *gpu, const cuda_pass *anywhere) {
    launch_list list;
    launch_list_begin(&list);
    for (size_t offset = 0; offset < 2; offset++) { /* on a vector, and not */
        void *const there = (void *)((uintptr_t)PLAN_BUFFER_ALIGNMENT + offset);
        p->kind->launches(p, (const void *const *)anywhere->arrays, there, there, &list);
    }
    return device_load(gpu, "a pass", &list);
}

static riffle_status prepare_pass(const pass *p, const launch_limits *most, const device *gpu, cuda_plan *own,
                                  cuda_pass *out) {
    if (is_plain_copy(p)) return RIFFLE_OK;
    if (p->kind->launches != NULL) return load_launches(p, gpu, out);
    launch_limits limits = limits_of_pass(p, most);
    limits.access_bytes = LAUNCH_VECTOR_BYTES;
    const riffle_status status = prepare_launch(p, &limits, own, out, &out->by_vectors);
    limits.access_bytes = 1;
    return status == RIFFLE_OK ? prepare_launch(p, &limits, own, out, &out->by_units) : status;
}

static plan_check check_of(const cuda_plan *own, void *record) {
    return (plan_check){.affine = own->affine, .places = own->places, .record = record};
}

static riffle_status load_check(const riffle_plan *plan, cuda_plan *own) {
    void *const anywhere = (void *)(uintptr_t)PLAN_BUFFER_ALIGNMENT;
    const plan_check check = check_of(own, anywhere);
    launch_list list;
    launch_list_begin(&list);
    plan_check_append_before(plan, &check, anywhere, &list);
    plan_check_append_behind(plan, &check, anywhere, &list);
    return device_load(&own->on, "a check", &list);
}

static riffle_status prepare_check(riffle_plan *plan, const cuda_source *source, cuda_plan *own) {
    const size_t bytes = plan_check_table_bytes(&plan->request);
    cuda_table map = {0};
    if (!plan_has_record(plan)) return RIFFLE_OK;
    if (!plan_reads_src(plan)) return load_check(plan, own);
    if (source->table == NULL && plan_check_evaluates(&plan->request, source->perm, &own->affine))
        return load_check(plan, own);
    riffle_status status = own->on.ops->check_free(&own->on, "the map of a check", bytes);
    if (status == RIFFLE_OK) status = write_table(source, false, &map);
    if (status != RIFFLE_OK) return status;
    own->places = map.entries;
    plan->bytes += bytes;
    return load_check(plan, own);
}

static riffle_status prepare(riffle_plan *plan, const cuda_source *source, cuda_plan *own) {
    const plan_target *target = &plan->request.target;
    const launch_limits limits = {
        .width = target->width, .block_threads = target->block_threads, .shared_bytes = target->shared_bytes};
    plan_base *const base = &plan->base;
    base->on = own->on;
    base->callers_workspace = plan->request.callers_workspace;
    base->workspace_bytes = riffle_plan_workspace_bytes(plan);
    if (plan->request.n == 0 || own->count == 0) return RIFFLE_OK;
    riffle_status status = make_arrays(plan, source, own);
    for (unsigned k = 0; status == RIFFLE_OK && k < own->count; k++)
        status = prepare_pass(&plan->passes[k], &limits, &base->on, own, &own->passes[k]);
    if (status == RIFFLE_OK) status = base->on.ops->load(&base->on, "a pass", &own->ready);
    if (status == RIFFLE_OK) status = prepare_check(plan, source, own);
    return status == RIFFLE_OK ? plan_base_allocate(base, "a plan", "the plan's workspace") : status;
}

riffle_status cuda_plan_create(riffle_plan *plan, const cuda_source *source) {
    const size_t bytes = sizeof(cuda_plan) + plan->built * sizeof(cuda_pass);
    cuda_plan *own = calloc(1, bytes);
    int before;
    if (own == NULL) return fail_memory("a plan's part on the GPU", bytes);
    own->count = plan->built;
    launch_list_begin(&own->ready);
    riffle_status status = device_of_cuda(&own->on);
    if (status == RIFFLE_OK) status = own->on.ops->guard(&own->on, "planning", source->stream, &before);
    if (status == RIFFLE_OK) {
        status = prepare(plan, source, own);
        own->on.ops->unguard(&own->on, before);
    }
    if (status == RIFFLE_OK) {
        plan->engine = own;
    } else {
        cuda_plan_free(own);
    }
    return status;
}

static void free_arrays(cuda_plan *own) {
    const device *const gpu = &own->on;
    int before;
    gpu->ops->guard_quietly(gpu, &before);
    for (unsigned k = 0; k < own->count; k++)
        for (unsigned i = 0; i < LAUNCH_MAX_ARRAYS; i++) gpu->ops->release(gpu, own->passes[k].arrays[i]);
    gpu->ops->release(gpu, own->places);
    gpu->ops->unguard(gpu, before);
}

void cuda_plan_free(cuda_plan *own) {
    if (own == NULL) return;
    if (own->on.ops != NULL) free_arrays(own);
    launch_list_free(&own->ready);
    free(own);
}

/* to[offset + i mod n] = from[i]: what stays ahead of the wrap, and what goes around. */
static void append_rotation(const copy_schedule *s, char *to, const char *from, launch_list *out) {
    const size_t offset = (size_t)s->rotation.offset * s->elem_bytes;
    const size_t ahead = (size_t)s->n * s->elem_bytes - offset;
    launch_append_copy(out, to + offset, from, ahead);
    launch_append_copy(out, to, from + ahead, offset);
}

static void append_pass(const cuda_pass *ready, const pass *p, void *record, void *to, const void *from,
                        launch_list *out) {
    if (is_plain_copy(p)) {
        append_rotation(&p->copy, to, from, out);
    } else if (p->kind->launches != NULL) {
        const void *arrays[LAUNCH_MAX_ARRAYS];
        memcpy(arrays, ready->arrays, sizeof arrays);
        arrays[LAUNCH_RECORD] = record;
        p->kind->launches(p, arrays, to, from, out);
    } else {
        const bool vectors = launch_access_bytes(to, from) == LAUNCH_VECTOR_BYTES;
        launch_between(launch_append_again(out, vectors ? ready->by_vectors : ready->by_units), to, from);
    }
}

/* The record of a check in a workspace; or NULL. */
static void *record_in(const riffle_plan *plan, void *workspace) {
    return plan_has_record(plan) ? (char *)workspace + plan_record_start(plan) : NULL;
}

/* One array of the batch. */
static void append_one(const riffle_plan *plan, void *dst, const void *src, void *workspace, launch_list *out) {
    const cuda_plan *own = plan->engine;
    void *const written[BUFFERS] = {
        [BUFFER_DST] = dst, [BUFFER_WORKSPACE] = workspace, [BUFFER_SPARE] = plan_spare(plan, workspace)};
    for (unsigned k = 0; plan->request.n > 0 && k < own->count; k++) {
        const pass *p = &plan->passes[k];
        append_pass(&own->passes[k], p, record_in(plan, workspace), written[p->to],
                    p->from == BUFFER_SRC ? src : written[p->from], out);
    }
}

static riffle_status execute_one(const riffle_plan *plan, void *dst, const void *src, void *workspace,
                                 struct CUstream_st *stream) {
    launch_list list;
    launch_list_begin(&list);
    append_one(plan, dst, src, workspace, &list);
    return device_run(&plan->base.on, "launching a pass", &list, stream);
}

/* A check's launches before the passes, or behind them, if the plan has one. */
static riffle_status queue_side(const riffle_plan *plan,
                                void (*side)(const riffle_plan *, const plan_check *, const void *,
                                             launch_list *),
                                const void *rows, void *workspace, struct CUstream_st *stream) {
    launch_list list;
    if (!plan_has_record(plan)) return RIFFLE_OK;
    const plan_check check = check_of(plan->engine, record_in(plan, workspace));
    launch_list_begin(&list);
    side(plan, &check, rows, &list);
    return device_run(&plan->base.on, "launching a check", &list, stream);
}

riffle_status cuda_plan_execute(const riffle_plan *plan, void *dst, const void *src, void *workspace,
                                struct CUstream_st *stream) {
    const size_t step = (size_t)plan->request.stride * plan->request.elem_bytes;
    riffle_status status = plan_base_check_device(&plan->base);
    if (status == RIFFLE_OK) status = queue_side(plan, plan_check_append_before, src, workspace, stream);
    for (uint64_t k = 0; status == RIFFLE_OK && k < plan->rounds; k++)
        status = execute_one(plan, (char *)dst + k * step, (const char *)src + k * step, workspace, stream);
    return status == RIFFLE_OK ? queue_side(plan, plan_check_append_behind, dst, workspace, stream) : status;
}

riffle_status cuda_plan_ask(const riffle_plan *plan, const void *workspace, struct CUstream_st *stream) {
    if (!plan_has_record(plan)) return RIFFLE_OK;
    return check_ask(&plan->base.on, (const char *)workspace + plan_record_start(plan), "the move", stream);
}

void cuda_plan_append(const riffle_plan *plan, void *dst, const void *src, void *workspace, launch_list *out) {
    const size_t step = (size_t)plan->request.stride * plan->request.elem_bytes;
    for (uint64_t k = 0; k < plan->rounds; k++)
        append_one(plan, (char *)dst + k * step, (const char *)src + k * step, workspace, out);
}

/* Between two arrays of a batch lies what is not to be changed. */
static bool leaves_gaps(const riffle_plan *plan) {
    return plan->request.batch > 1 && plan->request.stride != plan->request.n;
}

void cuda_plan_arrays(const riffle_plan *plan, void *dst, const void *src, call_array out[CUDA_PLAN_ARRAYS]) {
    const size_t bytes = plan->request.span_bytes;
    const bool is_changed = !plan->request.in_place && leaves_gaps(plan);
    out[CUDA_PLAN_DST] = call_array_of_bytes("dst", dst, bytes, is_changed ? ARRAY_CHANGED : ARRAY_WRITTEN);
    out[CUDA_PLAN_SRC] = call_array_of_bytes("src", src, bytes, ARRAY_READ);
    if (plan->request.in_place) out[CUDA_PLAN_DST].joined_to = &out[CUDA_PLAN_SRC];
}

enum { WORKSPACE = CUDA_PLAN_ARRAYS, CARRIED };

static riffle_status run_there(const void *context, call_array *a) {
    const riffle_plan *const plan = context;
    void *const workspace = plan_base_workspace_there(&plan->base, &a[WORKSPACE]);
    const riffle_status status =
        cuda_plan_execute(plan, a[CUDA_PLAN_DST].there, a[CUDA_PLAN_SRC].there, workspace, NULL);
    return status == RIFFLE_OK ? cuda_plan_ask(plan, workspace, NULL) : status;
}

riffle_status cuda_plan_execute_host(const riffle_plan *plan, void *dst, const void *src) {
    call_array all[CARRIED];
    cuda_plan_arrays(plan, dst, src, all);
    all[WORKSPACE] = plan_base_carry_workspace(&plan->base, "the move's workspace");
    return device_carry(&plan->base.on, "moving host arrays on a GPU", all, CARRIED, run_there, plan);
}
