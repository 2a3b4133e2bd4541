/* SPDX-License-Identifier: Apache-2.0
 *
 * test_shapes [--small]: thousands of random orders of axes on the GPU that is current, against the definition: shapes of
 * all kinds, elements of any length, at any address that suits them, one array or a batch with gaps. Exits with 77 where
 * there is no GPU. --small is a few hundred short ones, for tools that slow everything down.
 *
 *     device_dst   | MARGIN | up to SHIFTS bytes | the array, gaps and all | MARGIN |
 *
 * All of that is poisoned before a move and compared after it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/view_support.h"
#include "../check.h"
#include "riffle/cuda.h"

enum { SKIPPED = 77, MARGIN = 512, SHIFTS = 256, POISON = 0xa5, MOST_BATCH = 3 };

/* Sizes of arrays and how many there are of each. */
typedef struct sweep {
    uint64_t most_bytes;
    unsigned orders;
} sweep;

static const sweep all[] = {{1 << 13, 6000}, {1 << 17, 9000}, {1 << 21, 2000}, {1 << 24, 200}};
static const sweep small[] = {{1 << 12, 200}, {1 << 15, 60}};

/* src is random bytes that all cases share, each from a place of its own. */
typedef struct scratch {
    size_t bytes; /* bytes of each */
    unsigned char *src, *expected, *found, *device_src, *device_dst;
} scratch;

/* An order of axes of the arrays of a batch, as two views of which the first axis is the batch. */
typedef struct order_case {
    view_pair views;
    unsigned order[RIFFLE_MAX_RANK];
    uint64_t n, stride;
} order_case;

static bool scratch_create(size_t bytes, scratch *out) {
    *out = (scratch){.bytes = bytes};
    void *src = NULL, *dst = NULL;
    out->src = malloc(bytes);
    out->expected = malloc(bytes);
    out->found = malloc(bytes);
    if (!check(out->src != NULL && out->expected != NULL && out->found != NULL, "%zu bytes of memory", bytes))
        return false;
    if (!check_cuda(cudaMalloc(&src, bytes), "src on the GPU")) return false;
    out->device_src = src;
    if (!check_cuda(cudaMalloc(&dst, bytes), "dst on the GPU")) return false;
    out->device_dst = dst;
    for (size_t k = 0; k < bytes; k++) out->src[k] = (unsigned char)(check_random() >> 56);
    return check_cuda(cudaMemcpy(src, out->src, bytes, cudaMemcpyHostToDevice), "filling src");
}

static void scratch_free(scratch *s) {
    cudaFree(s->device_dst);
    cudaFree(s->device_src);
    free(s->found);
    free(s->expected);
    free(s->src);
}

/* Row-major strides of `shape`'s axes in this order; returns the length. */
static uint64_t strides_in(const uint64_t *shape, const unsigned *order, unsigned rank, int64_t *strides) {
    uint64_t stride = 1;
    for (unsigned j = rank; j-- > 0; stride *= shape[order[j]]) strides[order[j]] = (int64_t)stride;
    return stride;
}

static order_case random_case(rng *r, uint64_t most) {
    order_case c = {
        .views = {.rank = 2 + (unsigned)rng_below(r, rng_below(r, 8) == 0 ? RIFFLE_MAX_RANK - 1 : 7),
                  .elem_bytes = random_bytes(r)}};
    view_pair *v = &c.views;
    unsigned own[RIFFLE_MAX_RANK];
    uint64_t *shape = v->shape + 1;
    const unsigned axes = v->rank - 1;
    v->shape[0] = rng_below(r, 4) == 0 ? 1 + rng_below(r, MOST_BATCH) : 1;
    random_order(r, axes, c.order);
    uint64_t n = 1;
    for (unsigned a = 0; a < axes; a++) {
        const unsigned k =
            c.order[(a + 1) % axes]; /* an axis that is not last on either side may be the long one */
        uint64_t length = random_length(r);
        while (v->elem_bytes * v->shape[0] * n * length > most && length > 1) length /= 2;
        shape[k] = length;
        n *= length;
        own[a] = a;
    }
    c.n = strides_in(shape, own, axes, v->src_strides + 1);
    strides_in(shape, c.order, axes, v->dst_strides + 1);
    c.stride = n + (v->shape[0] > 1 ? random_gap(r) : 0);
    v->src_strides[0] = v->dst_strides[0] = (int64_t)c.stride;
    v->count = v->shape[0] * n;
    place(v, v->src_strides, &v->src_elements, &v->src_at);
    place(v, v->dst_strides, &v->dst_elements, &v->dst_at);
    return c;
}

/* The element's power of two, 16 at most. */
static size_t alignment_of(size_t elem_bytes) {
    const size_t power = elem_bytes & (~elem_bytes + 1);
    return power < 16 ? power : 16;
}

static size_t random_shift(rng *r, size_t elem_bytes) {
    const size_t alignment = alignment_of(elem_bytes);
    return rng_below(r, 2) == 0 ? 0 : rng_below(r, SHIFTS / alignment) * alignment;
}

static bool move(const order_case *c, unsigned char *dst, const unsigned char *src) {
    const riffle_plan_options options = {.batch = c->views.shape[0], .stride = c->stride};
    riffle_perm *perm = NULL;
    riffle_plan *plan = NULL;
    riffle_status status = riffle_perm_axes(c->views.rank - 1, c->views.shape + 1, c->order, &perm);
    if (status == RIFFLE_OK)
        status = riffle_plan_create(perm, c->views.elem_bytes, RIFFLE_ENGINE_CUDA, &options, &plan);
    if (status == RIFFLE_OK) status = riffle_cuda_execute(plan, dst, src, NULL, 0, NULL);
    riffle_plan_free(plan);
    riffle_perm_free(perm);
    return status == RIFFLE_OK;
}

static void describe(const order_case *c, size_t dst_shift, size_t src_shift, size_t room, char *what) {
    size_t end = (size_t)snprintf(what, room,
                                  "%llu arrays of %zu bytes an element, %llu apart, dst + %zu, src + %zu, axes",
                                  (unsigned long long)c->views.shape[0], c->views.elem_bytes,
                                  (unsigned long long)c->stride, dst_shift, src_shift);
    for (unsigned a = 1; a < c->views.rank && end < room; a++)
        end += (size_t)snprintf(what + end, room - end, "%c%llu", a == 1 ? ':' : 'x',
                                (unsigned long long)c->views.shape[a]);
    for (unsigned j = 0; j + 1 < c->views.rank && end < room; j++)
        end += (size_t)snprintf(what + end, room - end, "%c%u", j == 0 ? ':' : ',', c->order[j]);
}

static void run_case(rng *r, const order_case *c, scratch *s) {
    const view_pair *v = &c->views;
    const size_t dst_shift = random_shift(r, v->elem_bytes), src_shift = random_shift(r, v->elem_bytes);
    const size_t used = MARGIN + dst_shift + v->dst_elements * v->elem_bytes + MARGIN;
    char what[512];
    describe(c, dst_shift, src_shift, sizeof what, what);
    memset(s->expected, POISON, used);
    copy_plainly(v, s->expected + MARGIN + dst_shift, s->src + src_shift);
    if (!check_cuda(cudaMemset(s->device_dst, POISON, used), "poisoning")) return;
    if (!check(move(c, s->device_dst + MARGIN + dst_shift, s->device_src + src_shift), "%s: not moved", what))
        return;
    if (!check_cuda(cudaMemcpy(s->found, s->device_dst, used, cudaMemcpyDeviceToHost), what)) return;
    check(memcmp(s->found, s->expected, used) == 0, "%s: not as the definition says", what);
}

static void run_sweeps(const sweep *sweeps, size_t count) {
    scratch s;
    rng r = {check_random()};
    const uint64_t most = sweeps[count - 1].most_bytes;
    if (scratch_create(2 * most + (1 << 20), &s))
        for (size_t k = 0; k < count; k++)
            for (unsigned round = 0; round < sweeps[k].orders; round++) {
                const order_case c = random_case(&r, sweeps[k].most_bytes);
                run_case(&r, &c, &s);
            }
    scratch_free(&s);
}

int main(int argc, char **argv) {
    const bool is_small = argc > 1 && strcmp(argv[1], "--small") == 0;
    riffle_cuda_device gpu;
    if (riffle_cuda_describe(&gpu) != RIFFLE_OK) {
        printf("skipped: %s\n", riffle_error_detail());
        return SKIPPED;
    }
    check_seed();
    if (is_small) {
        run_sweeps(small, sizeof small / sizeof small[0]);
    } else {
        run_sweeps(all, sizeof all / sizeof all[0]);
    }
    return check_summary();
}
