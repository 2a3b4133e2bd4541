/* SPDX-License-Identifier: Apache-2.0
 *
 * How packed elements move is chosen by the permutation's form, as it is recognized: whole bytes by a plan of bytes, rotations and
 * reversals by shifts, affine maps by tiles, axes by bytes and an exchange; and what is left element by element.
 */
#include "bits/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/engine.h"
#include "base/names.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "bits/gather.h"
#include "bits/shuffle.h"
#include "device/arrays.h"
#include "perm/kind.h"
#include "plan/plan.h"
#include "plan/request/streaming.h"

static const uint64_t IN_BYTE = 7;

/* The map of bits that a map of elements is. In big order places of elements in bytes are the other way round, on both sides. */
static perm_affine bits_of(const perm_affine *elements, const riffle_bits_plan *plan) {
    const unsigned low = (unsigned)__builtin_ctz(plan->packed.elem_bits);
    perm_affine bits = {.a = gf2_identity(elements->a.m + low), .c = elements->c << low};
    for (unsigned j = 0; j < elements->a.m; j++) bits.a.column[low + j] = elements->a.column[j] << low;
    const uint64_t turned = plan->packed.is_big ? IN_BYTE & ~(uint64_t)(plan->packed.elem_bits - 1) : 0;
    bits.c ^= turned ^ gf2_apply(&bits.a, turned);
    return bits;
}

/* The map of bytes that a map of bits is, if it leaves bits in their bytes as they are. */
static bool bytes_of(const perm_affine *bits, perm_affine *out) {
    *out = (perm_affine){.a.m = bits->a.m - 3, .c = bits->c >> 3};
    if ((bits->c & IN_BYTE) != 0) return false;
    for (unsigned j = 0; j < bits->a.m; j++) {
        const uint64_t column = bits->a.column[j];
        if (j < 3 ? column != (uint64_t)1 << j : (column & IN_BYTE) != 0) return false;
        if (j >= 3) out->a.column[j - 3] = column >> 3;
    }
    return true;
}

static riffle_status plan_lines(riffle_bits_plan *plan, const perm_affine *bits) {
    if ((plan->affine = malloc(sizeof *plan->affine)) == NULL)
        return fail_memory("a plan of bits", sizeof *plan->affine);
    bits_affine_plan(bits, is_streamed(bits_plan_bytes(plan)), plan->affine);
    return RIFFLE_OK;
}

static riffle_status plan_affine(riffle_bits_plan *plan, const perm_affine *elements) {
    const perm_affine bits = bits_of(elements, plan);
    perm_affine bytes;
    if (bits.a.m >= 3 && bytes_of(&bits, &bytes)) {
        plan->way = BITS_BYTES;
        return affine_create(&bytes, &plan->byte_perm);
    }
    if (bits.a.m < BITS_LEAST_TILE) return RIFFLE_OK;
    plan->way = BITS_AFFINE;
    return plan->ops->plan_affine(plan, &bits);
}

/* Whole bytes move where a rotation is by them. */
static riffle_status plan_rotation(riffle_bits_plan *plan, const perm_rotation *rotation) {
    const uint64_t each = bits_of_byte(&plan->packed);
    plan->way = BITS_SHIFT;
    plan->shift = bits_shift_of(rotation);
    if (rotation->reflected || plan->packed.n % each != 0 || rotation->offset % each != 0) return RIFFLE_OK;
    plan->way = BITS_BYTES;
    return riffle_perm_rotate(plan->packed.array_bytes, (int64_t)(rotation->offset / each), &plan->byte_perm);
}

static riffle_status plan_axes(riffle_bits_plan *plan, const perm_axes *axes) {
    const riffle_status status = bits_axes_plan(axes, &plan->packed, &plan->rows, &plan->byte_perm);
    if (plan->byte_perm != NULL) plan->way = plan->rows.groups > 0 ? BITS_AXES : BITS_BYTES;
    return status;
}

/* Leaves the way BITS_GATHER where no other will do. */
static riffle_status choose(riffle_bits_plan *plan, const riffle_perm *perm) {
    perm_affine affine;
    const unsigned low = (unsigned)__builtin_ctz(plan->packed.elem_bits);
    plan->way = BITS_GATHER;
    if (perm->kind == PERM_ROTATION) return plan_rotation(plan, &perm->rotation);
    if (perm->n > 1 && perm_as_affine(perm, &affine) && affine.a.m + low <= RIFFLE_MAX_BITS)
        return plan_affine(plan, &affine);
    return perm->kind == PERM_AXES ? plan_axes(plan, &perm->axes) : RIFFLE_OK;
}

static riffle_status keep_spec(riffle_bits_plan *plan, const riffle_perm *perm) {
    size_t length;
    enum { SHOWN = 60 };
    riffle_status status = riffle_perm_print(perm, NULL, 0, &length);
    if (status != RIFFLE_OK) return status;
    length = min(length, (size_t)SHOWN) + 1;
    if ((plan->spec = malloc(length)) == NULL) return fail_memory("a plan of bits", length);
    return riffle_perm_print(perm, plan->spec, length, NULL);
}

static riffle_status make(riffle_bits_plan *plan, const riffle_perm *perm) {
    riffle_perm *recognized = NULL;
    riffle_status status = riffle_perm_recognize(perm, &recognized);
    if (status != RIFFLE_OK) return status;
    status = keep_spec(plan, recognized);
    if (status == RIFFLE_OK && plan->packed.n > 0) status = choose(plan, recognized);
    if (status == RIFFLE_OK && plan->way == BITS_GATHER)
        status = riffle_perm_invert(recognized, &plan->inverse);
    riffle_perm_free(recognized);
    return status;
}

/* *asked receives the options. */
static riffle_status check(const riffle_perm *perm, uint64_t elem_bits, const riffle_bits_options *options,
                           riffle_bits_options *asked) {
    uint64_t all;
    if (elem_bits != 1 && elem_bits != 2 && elem_bits != 4)
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "elements of %llu bits; packed ones have 1, 2 or 4, and riffle_plan_create moves whole bytes",
            (unsigned long long)elem_bits);
    const riffle_status status = bits_options_take(options, asked);
    if (status != RIFFLE_OK) return status;
    if (__builtin_mul_overflow(riffle_bits_bytes(perm->n, elem_bits), asked->batch, &all) || all > PTRDIFF_MAX)
        return fail(RIFFLE_ERROR_LENGTH,
                    "%llu array%s of %llu elements of %llu bit%s: more bytes than memory has addresses",
                    (unsigned long long)asked->batch, plural(asked->batch), (unsigned long long)perm->n,
                    (unsigned long long)elem_bits, plural(elem_bits));
    return RIFFLE_OK;
}

static void fill_in(riffle_bits_plan *plan, uint64_t n, uint64_t elem_bits, const riffle_bits_options *asked) {
    plan->engine = asked->engine;
    plan->ops = asked->engine == RIFFLE_ENGINE_CPU ? &bits_host_engine : &bits_device_engine;
    plan->packed = (bits_packed){.n = n,
                                 .batch = asked->batch,
                                 .elem_bits = (unsigned)elem_bits,
                                 .is_big = asked->order == RIFFLE_BIT_ORDER_BIG,
                                 .array_bytes = (size_t)riffle_bits_bytes(n, elem_bits)};
    if (asked->engine == RIFFLE_ENGINE_CPU)
        plan->base.threads = threads_for(bits_plan_bytes(plan), BYTES_A_THREAD, threads_most(asked->threads));
}

riffle_status bits_plan_create(const riffle_perm *perm, uint64_t elem_bits, const riffle_bits_options *options,
                               riffle_bits_plan **out) {
    RETURN_IF_NULL(perm, out);
    riffle_bits_options asked;
    plan_base *base;
    riffle_status status = check(perm, elem_bits, options, &asked);
    if (status == RIFFLE_OK) status = engine_check(asked.engine, false);
    if (status == RIFFLE_OK)
        status = plan_base_create(sizeof(riffle_bits_plan), "a plan of bits", NULL, false, &base);
    if (status != RIFFLE_OK) return status;
    riffle_bits_plan *const plan = (riffle_bits_plan *)base;
    base->is_exclusive = false;
    fill_in(plan, perm->n, elem_bits, &asked);
    status = make(plan, perm);
    if (status == RIFFLE_OK)
        *out = plan;
    else
        riffle_bits_plan_free(plan);
    return status;
}

static riffle_status plan_bytes(riffle_bits_plan *plan) {
    const riffle_plan_options options = {.threads = plan->base.threads, .batch = plan->packed.batch};
    return riffle_plan_create(plan->byte_perm, 1, plan->engine, &options, &plan->bytes);
}

riffle_status bits_plan_make_ready(riffle_bits_plan *plan) {
    if (plan->way == BITS_BYTES || (plan->way == BITS_AXES && !plan->ops->moves_bytes)) return plan_bytes(plan);
    return plan->ops->prepare != NULL ? plan->ops->prepare(plan) : RIFFLE_OK;
}

riffle_status riffle_bits_plan_create(const riffle_perm *perm, uint64_t elem_bits,
                                      const riffle_bits_options *options, riffle_bits_plan **out) {
    RETURN_IF_NULL(out);
    riffle_bits_plan *plan;
    riffle_status status = bits_plan_create(perm, elem_bits, options, &plan);
    if (status != RIFFLE_OK) return status;
    status = bits_plan_make_ready(plan);
    if (status == RIFFLE_OK)
        *out = plan;
    else
        riffle_bits_plan_free(plan);
    return status;
}

void riffle_bits_plan_free(riffle_bits_plan *plan) {
    if (plan == NULL) return;
    if (plan->ops != NULL && plan->ops->release != NULL) plan->ops->release(plan);
    plan_base_end(&plan->base);
    riffle_plan_free(plan->bytes);
    plan_destroy(plan->boxes);
    riffle_perm_free(plan->byte_perm);
    riffle_perm_free(plan->inverse);
    free(plan->affine);
    free(plan->table);
    free(plan->spec);
    free(plan);
}

typedef struct moving {
    const riffle_bits_plan *plan;
    uint8_t *dst;
    const uint8_t *src;
} moving;

static void move_share(const void *context, team_member me) {
    const moving *const m = context;
    const riffle_bits_plan *const plan = m->plan;
    switch (plan->way) {
    case BITS_AXES: bits_rows_run(&plan->packed, &plan->rows, m->dst, me); return;
    case BITS_SHIFT: bits_shift_run(&plan->packed, &plan->shift, m->dst, m->src, me); return;
    case BITS_AFFINE: bits_affine_run(plan->affine, plan->packed.batch, m->dst, m->src, me); return;
    default: bits_gather_run(&plan->packed, plan->inverse, m->dst, m->src, me); return;
    }
}

static riffle_status run_on_host(const riffle_bits_plan *plan, call_array *arrays) {
    const moving move = {plan, (void *)(uintptr_t)arrays[BITS_DST].at, arrays[BITS_SRC].at};
    team_run(threads_given(plan->base.threads), move_share, &move);
    return RIFFLE_OK;
}

const bits_engine bits_host_engine = {.plan_affine = plan_lines,
                                      .execute = run_on_host,
                                      .print_axes = bits_print_rows,
                                      .print_affine = bits_print_lines};

riffle_status bits_check_arrays(const riffle_bits_plan *plan, void *dst, const void *src,
                                call_array out[BITS_ARRAYS]) {
    out[BITS_SRC] = call_array_of_bytes("bytes of src", src, bits_plan_bytes(plan), ARRAY_READ);
    out[BITS_DST] = call_array_of_bytes("bytes of dst", dst, bits_plan_bytes(plan), ARRAY_WRITTEN);
    const riffle_status status = arrays_check(out, BITS_ARRAYS);
    return status == RIFFLE_OK ? arrays_check_apart(out, BITS_ARRAYS, BITS_DST) : status;
}

riffle_status riffle_bits_execute(const riffle_bits_plan *plan, void *dst, const void *src) {
    RETURN_IF_NULL(plan);
    call_array arrays[BITS_ARRAYS];
    riffle_status status = bits_check_arrays(plan, dst, src, arrays);
    if (status == RIFFLE_OK && plan->bytes != NULL) status = riffle_execute(plan->bytes, dst, src);
    if (status != RIFFLE_OK || plan->way <= BITS_BYTES) return status;
    return plan->ops->execute(plan, arrays);
}
