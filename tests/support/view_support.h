/* SPDX-License-Identifier: Apache-2.0
 *
 * Random pairs of views and the plain copy between them: boxes in larger arrays, axes in any order, every second element,
 * and on src's side flipped, broadcast and overlapping ones. For tests with cmocka and without.
 */
#ifndef RIFFLE_TESTS_VIEW_SUPPORT_H
#define RIFFLE_TESTS_VIEW_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "random_numbers.h"
#include "riffle.h"

/** Strides in elements; each array is `dst_elements` (`src_elements`) long, and its element 0, 0, ... is number dst_at
 *  (src_at) of it. */
typedef struct view_pair {
    unsigned rank;
    size_t elem_bytes;
    uint64_t shape[RIFFLE_MAX_RANK], count;
    int64_t dst_strides[RIFFLE_MAX_RANK], src_strides[RIFFLE_MAX_RANK];
    uint64_t dst_elements, dst_at, src_elements, src_at;
} view_pair;

static inline void print_view_pair(const view_pair *v, uint64_t seed) {
    fprintf(stderr, "seed %#llx, %zu bytes an element; length, stride in dst, stride in src:\n",
            (unsigned long long)seed, v->elem_bytes);
    for (unsigned k = 0; k < v->rank; k++)
        fprintf(stderr, "  %llu, %lld, %lld\n", (unsigned long long)v->shape[k], (long long)v->dst_strides[k],
                (long long)v->src_strides[k]);
}

/** dst[...] = src[...], index by index; dst and src are the whole arrays. */
static inline void copy_plainly(const view_pair *v, unsigned char *dst, const unsigned char *src) {
    uint64_t index[RIFFLE_MAX_RANK] = {0};
    for (uint64_t i = 0; i < v->count; i++) {
        int64_t to = (int64_t)v->dst_at, from = (int64_t)v->src_at;
        for (unsigned k = 0; k < v->rank; k++) {
            to += (int64_t)index[k] * v->dst_strides[k];
            from += (int64_t)index[k] * v->src_strides[k];
        }
        memcpy(dst + (size_t)to * v->elem_bytes, src + (size_t)from * v->elem_bytes, v->elem_bytes);
        for (unsigned k = v->rank; k-- > 0;) {
            if (++index[k] < v->shape[k]) break;
            index[k] = 0;
        }
    }
}

/** The axes in an order of chance, mostly as they are. */
static inline void random_order(rng *r, unsigned rank, unsigned *order) {
    for (unsigned k = 0; k < rank; k++) order[k] = k;
    for (unsigned k = rank; rng_below(r, 3) > 0 && k-- > 1;) {
        const unsigned other = (unsigned)rng_below(r, k + 1), held = order[k];
        order[k] = order[other];
        order[other] = held;
    }
}

/** A gap behind what an axis reaches: none for most. */
static inline uint64_t random_gap(rng *r) {
    switch (rng_below(r, 6)) {
    case 0: return 1;
    case 1: return 1 + rng_below(r, 5);
    case 2: return 1 + rng_below(r, 70);
    default: return 0;
    }
}

/** Nested strides with gaps. `most` bounds how long the array may become. */
static inline void random_strides(rng *r, const view_pair *v, uint64_t most, int64_t *strides) {
    unsigned order[RIFFLE_MAX_RANK];
    random_order(r, v->rank, order);
    uint64_t stride = 1;
    for (unsigned i = v->rank; i-- > 0;) {
        const unsigned k = order[i];
        const uint64_t wider = stride + (rng_below(r, 2) == 0 ? random_gap(r) : 0);
        if (wider * v->count < most) stride = wider;
        strides[k] = (int64_t)stride;
        stride *= v->shape[k];
    }
}

/** Some axes backwards, broadcast, or over each other as windows are. */
static inline void loosen(rng *r, const view_pair *v, int64_t *strides) {
    const uint64_t kind = rng_below(r, 4);
    for (unsigned k = 0; k < v->rank && kind > 0; k++) {
        if (rng_below(r, 3) == 0) strides[k] = -strides[k];
        if (kind == 2 && rng_below(r, 3) == 0) strides[k] = 0;
        if (kind == 3 && rng_below(r, 3) == 0) strides[k] = (int64_t)rng_below(r, 4) - 1;
    }
}

/** How long the array is, and where in it the element 0, 0, ... */
static inline void place(const view_pair *v, const int64_t *strides, uint64_t *elements, uint64_t *at) {
    uint64_t above = 0, below = 0;
    for (unsigned k = 0; k < v->rank && v->count > 0; k++) {
        const int64_t reach = (int64_t)(v->shape[k] - 1) * strides[k];
        if (reach > 0) above += (uint64_t)reach;
        if (reach < 0) below += (uint64_t)-reach;
    }
    *elements = v->count > 0 ? below + 1 + above : 0;
    *at = below;
}

/** A random extent: mostly small, sometimes at the edge of a tile, sometimes longer. */
static inline uint64_t random_length(rng *r) {
    static const uint64_t edges[] = {15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257};
    switch (rng_below(r, 8)) {
    case 0: return 1;
    case 1:
    case 2: return 2 + rng_below(r, 9);
    case 3: return edges[rng_below(r, sizeof edges / sizeof edges[0])];
    case 4: return 1 + rng_below(r, 600);
    case 5: return 1 + rng_below(r, 5000);
    default: return 2 + rng_below(r, 60);
    }
}

static inline size_t random_bytes(rng *r) {
    const uint64_t kind = rng_below(r, 8);
    if (kind < 5) return (size_t)1 << rng_below(r, 5);
    return 1 + (size_t)rng_below(r, kind == 5 ? 24 : kind == 6 ? 200 : 5000);
}

/** A copy of at most `most` bytes, in arrays of at most four times as much. */
static inline view_pair random_view_pair(rng *r, uint64_t most) {
    view_pair v = {.rank = (unsigned)rng_below(r, rng_below(r, 8) == 0 ? RIFFLE_MAX_RANK + 1 : 6),
                   .elem_bytes = random_bytes(r),
                   .count = 1};
    unsigned order[RIFFLE_MAX_RANK];
    random_order(r, v.rank, order);
    for (unsigned i = 0; i < v.rank; i++) {
        uint64_t length = random_length(r);
        while (v.elem_bytes * v.count * length > most && length > 1) length /= 2;
        v.shape[order[i]] = length;
        v.count *= length;
    }
    if (v.rank > 0 && rng_below(r, 40) == 0) v.shape[rng_below(r, v.rank)] = v.count = 0;
    random_strides(r, &v, 4 * most / v.elem_bytes, v.dst_strides);
    random_strides(r, &v, 4 * most / v.elem_bytes, v.src_strides);
    loosen(r, &v, v.src_strides);
    place(&v, v.dst_strides, &v.dst_elements, &v.dst_at);
    place(&v, v.src_strides, &v.src_elements, &v.src_at);
    return v;
}

#endif
