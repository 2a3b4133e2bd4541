/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/layout.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"

/* With 2^K = 2^(64 + shift) the reciprocal is below 2^K / block by 1 / block at least and 1 at most. So (i + 1) * reciprocal / 2^K is below (i + 1) / block,
 * by (i + 1) / 2^K <= 1 / block at most, which is what i + 1 has above the quotient at least. */
static riffle_status create_blocks(uint64_t block, layout *out) {
    const unsigned l = block > 1 ? 64 - (unsigned)__builtin_clzll(block - 1) : 1;
    out->block = block;
    out->shift = l - 1;
    out->reciprocal = (uint64_t)((((unsigned __int128)1 << (64 + out->shift)) - 1) / block);
    return RIFFLE_OK;
}

static riffle_status create_axis(const char *name, const riffle_exchange_layout *asked, layout *out) {
    if (asked->rank > RIFFLE_MAX_RANK || asked->axis >= asked->rank || asked->shape == NULL)
        return fail(
            RIFFLE_ERROR_INVALID_ARGUMENT,
            "%s: axis %u of %u dimensions cannot be cut; give a shape of 1 to %d dimensions, and one of "
            "its axes",
            name, asked->axis, asked->rank, RIFFLE_MAX_RANK);
    bool is_empty = false; /* and then the other dimensions may have any product */
    for (unsigned k = 0; k < asked->rank; k++) is_empty |= asked->shape[k] == 0;
    size_t product = !is_empty;
    out->outer = out->inner = product;
    for (unsigned k = 0; k < asked->rank && !is_empty; k++) {
        if (!multiply_sizes(product, asked->shape[k], 1, &product))
            return fail(RIFFLE_ERROR_LENGTH, "%s: the shape has too many elements", name);
        if (k < asked->axis) out->outer *= asked->shape[k];
        if (k > asked->axis) out->inner *= asked->shape[k];
    }
    if (product != out->n)
        return fail(RIFFLE_ERROR_LENGTH, "%s: the shape has %zu elements, and the permutation %" PRIu64, name,
                    product, out->n);
    out->along = asked->shape[asked->axis];
    out->part = max(ceil_div(out->along, (uint64_t)out->ranks), (uint64_t)1);
    return create_blocks(max(out->outer * out->part * out->inner, (uint64_t)1), out);
}

static riffle_status check_owners(const char *name, const riffle_exchange_layout *asked, const layout *l) {
    if (asked->chunks > 0 && asked->owner == NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%s: owner is NULL; give the rank of each of %" PRIu64 " chunks", name, asked->chunks);
    if (asked->chunks > l->n || (l->n > 0 && asked->chunks == 0))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "%s: %" PRIu64 " elements cannot be cut in %" PRIu64
                    " chunks; give 1 to that many, and an owner of each",
                    name, l->n, asked->chunks);
    for (uint64_t k = 0; k < asked->chunks; k++)
        if (asked->owner[k] >= l->ranks)
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "%s: owner[%" PRIu64 "] is %" PRIu32 ", and the last rank is %u", name, k,
                        asked->owner[k], l->ranks - 1);
    return RIFFLE_OK;
}

/* The elements of chunk k: the last ones may be short, or have none. */
static uint64_t chunk_length(const layout *l, uint64_t k) {
    const uint64_t first = min(k * l->chunk, l->n);
    return min(l->chunk, l->n - first);
}

/* Chunks are sorted by their owners, by counting. */
static void sort_chunks(const uint32_t *owner, layout *l) {
    for (uint64_t k = 0; k < l->chunks; k++) {
        l->turn[owner[k] + 1]++;
        l->bound[owner[k] + 1] += chunk_length(l, k);
    }
    for (unsigned p = 0; p < l->ranks; p++) {
        l->turn[p + 1] += l->turn[p];
        l->bound[p + 1] += l->bound[p];
    }
    /* While chunks are placed, turn[p] and bound[p] are where p's next one goes; then they are where those of p + 1 begin. */
    for (uint64_t k = 0; k < l->chunks; k++) {
        l->order[l->turn[owner[k]]++] = k;
        l->start[k] = l->bound[owner[k]];
        l->bound[owner[k]] += chunk_length(l, k);
    }
    for (unsigned p = l->ranks; p > 0; p--) {
        l->turn[p] = l->turn[p - 1];
        l->bound[p] = l->bound[p - 1];
    }
    l->turn[0] = l->bound[0] = 0;
}

static riffle_status create_owners(const char *name, const riffle_exchange_layout *asked, layout *out) {
    const riffle_status status = check_owners(name, asked, out);
    if (status != RIFFLE_OK) return status;
    out->chunks = asked->chunks;
    out->chunk = max(ceil_div(out->n, max(out->chunks, (uint64_t)1)), (uint64_t)1);
    out->start = calloc(out->chunks + 1, sizeof *out->start);
    out->order = calloc(out->chunks + 1, sizeof *out->order);
    out->bound = calloc((size_t)out->ranks + 2, sizeof *out->bound);
    out->turn = calloc((size_t)out->ranks + 2, sizeof *out->turn);
    if (out->start == NULL || out->order == NULL || out->bound == NULL || out->turn == NULL)
        return fail_memory("the table of owners", 16 * (out->chunks + out->ranks));
    sort_chunks(asked->owner, out);
    return RIFFLE_OK;
}

riffle_status layout_create(const char *name, const riffle_exchange_layout *asked, uint64_t n, unsigned ranks,
                            layout *out) {
    *out = (layout){.kind = asked->kind, .n = n, .ranks = ranks};
    switch (asked->kind) {
    case RIFFLE_EXCHANGE_LAYOUT_BLOCKS:
        return create_blocks(max(ceil_div(n, (uint64_t)ranks), (uint64_t)1), out);
    case RIFFLE_EXCHANGE_LAYOUT_AXIS: return create_axis(name, asked, out);
    case RIFFLE_EXCHANGE_LAYOUT_OWNERS: return create_owners(name, asked, out);
    }
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: there is no layout %d", name, (int)asked->kind);
}

void layout_free(layout *l) {
    free(l->start);
    free(l->order);
    free(l->bound);
    free(l->turn);
    *l = (layout){.n = 0};
}

uint64_t layout_first(const layout *l, unsigned p) {
    return l->kind == RIFFLE_EXCHANGE_LAYOUT_OWNERS ? l->bound[p] : min(p * l->block, l->n);
}

uint64_t layout_longest(const layout *l) {
    uint64_t most = 0;
    for (unsigned p = 0; p < l->ranks; p++) most = max(most, layout_first(l, p + 1) - layout_first(l, p));
    return most;
}

_Static_assert(RIFFLE_MAX_RANKS <= (uint64_t)1 << (64 - RIFFLE_MAX_BITS), "a word has a rank and a place");

static uint64_t located(uint64_t rank, uint64_t place) { return rank << RIFFLE_MAX_BITS | place; }

static void locate_in_blocks(const layout *l, size_t count, uint64_t *values) {
    for (size_t k = 0; k < count; k++) {
        const uint64_t p = (uint64_t)((unsigned __int128)(values[k] + 1) * l->reciprocal >> 64) >> l->shift;
        values[k] = located(p, values[k] - p * l->block);
    }
}

void layout_locate(const layout *l, size_t count, uint64_t *values) {
    if (l->kind != RIFFLE_EXCHANGE_LAYOUT_OWNERS) {
        locate_in_blocks(l, count, values);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        const uint64_t p = last_not_above(l->bound, l->ranks, values[k]);
        values[k] = located(p, values[k] - l->bound[p]);
    }
}

static uint64_t store_axis(const layout *l, uint64_t i) {
    const uint64_t inner = i % l->inner, along = i / l->inner % l->along, outer = i / l->inner / l->along;
    const uint64_t first = along / l->part * l->part, own = min(l->part, l->along - first);
    return l->outer * first * l->inner + (outer * own + (along - first)) * l->inner + inner;
}

void layout_store(const layout *l, size_t count, uint64_t *values) {
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_AXIS)
        for (size_t k = 0; k < count; k++) values[k] = store_axis(l, values[k]);
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_OWNERS)
        for (size_t k = 0; k < count; k++) values[k] = l->start[values[k] / l->chunk] + values[k] % l->chunk;
}

static void axis_indices(const layout *l, unsigned p, uint64_t first, size_t count, uint64_t *out) {
    const uint64_t begin = min(p * l->part, l->along), own = min(l->part, l->along - begin);
    for (size_t k = 0; k < count; k++) {
        const uint64_t s = first + k - layout_first(l, p);
        const uint64_t inner = s % l->inner, along = begin + s / l->inner % own, outer = s / l->inner / own;
        out[k] = (outer * l->along + along) * l->inner + inner;
    }
}

/* The chunk that has a storage index of rank p: empty chunks stand behind all others, for they are the array's last. */
static uint64_t chunk_at(const layout *l, unsigned p, uint64_t storage) {
    uint64_t low = l->turn[p];
    for (uint64_t high = l->turn[p + 1]; high - low > 1;) {
        const uint64_t middle = low + (high - low) / 2, k = l->order[middle];
        if (l->start[k] <= storage && chunk_length(l, k) > 0)
            low = middle;
        else
            high = middle;
    }
    return l->order[low];
}

static void owner_indices(const layout *l, unsigned p, uint64_t first, size_t count, uint64_t *out) {
    for (size_t k = 0; k < count;) {
        const uint64_t chunk = chunk_at(l, p, first + k), within = first + k - l->start[chunk];
        const uint64_t rest = min(chunk_length(l, chunk) - within, (uint64_t)(count - k));
        for (uint64_t j = 0; j < rest; j++) out[k + j] = chunk * l->chunk + within + j;
        k += rest;
    }
}

void layout_indices(const layout *l, unsigned p, uint64_t first, size_t count, uint64_t *out) {
    switch (l->kind) {
    case RIFFLE_EXCHANGE_LAYOUT_BLOCKS:
        for (size_t k = 0; k < count; k++) out[k] = first + k;
        break;
    case RIFFLE_EXCHANGE_LAYOUT_AXIS: axis_indices(l, p, first, count, out); break;
    case RIFFLE_EXCHANGE_LAYOUT_OWNERS: owner_indices(l, p, first, count, out); break;
    }
}

riffle_status layout_as_perm(const layout *l, riffle_perm **out) {
    *out = NULL;
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_BLOCKS) return riffle_perm_identity(l->n, out);
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_OWNERS || l->n == 0 || l->along % l->ranks != 0) return RIFFLE_OK;
    const uint64_t shape[] = {l->outer, l->ranks, l->part, l->inner};
    return riffle_perm_axes(4, shape, (const unsigned[]){1, 0, 2, 3}, out);
}
