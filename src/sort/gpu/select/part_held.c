/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments that registers hold: some of a warp at a time, one of a warp, or one of a block, by their length.
 */
#include "sort/gpu/select/part.h"

enum {
    VECTOR = 16,
    MOST_ELEMENTS = UINT16_MAX,               /* counts of a segment, and what slots name, have 16 bits */
    SAID = 2 * WARP_LANES * sizeof(uint64_t), /* bytes by which the warps of a block tell each other */
};

/* Vectors that a segment lies in, wherever it does, or where each begins with one. */
static uint32_t vectors_of(uint32_t n, uint32_t elem_bytes, bool is_aligned) {
    const uint32_t each = VECTOR / elem_bytes;
    return is_aligned ? n / each : (n + 2 * (each - 1)) / each;
}

bool part_is_held(uint32_t n, uint32_t elem_bytes) {
    const uint32_t most = PART_HELD_MOST * PART_HELD_VECTORS;
    return n <= MOST_ELEMENTS && vectors_of(n, elem_bytes, false) <= most;
}

/* Slots of so many vectors: the first may begin within one; or the numbers of their elements. */
static size_t slot_bytes(const part_steps *s, uint32_t vectors, bool carries) {
    return carries ? vectors * VECTOR / s->request.field.bytes * sizeof(uint16_t)
                   : (vectors + 1) * (size_t)VECTOR;
}

static part_held_table table_of(const part_steps *s, const part_along *along) {
    const select_request *const r = &s->request;
    return (part_held_table){.coder = s->table.of.coder,
                             .rows = r->segments,
                             .length = r->n,
                             .place = r->count,
                             .teams = 1,
                             .times = PART_HELD_TIMES,
                             .along = *along};
}

static const part_held_kernel *kernel_of(bool is_block, bool is_long, bool carries) {
    if (is_block) return carries ? &KERNEL_part_blocks_carried : &KERNEL_part_blocks;
    if (is_long) return carries ? &KERNEL_part_long_warps_carried : &KERNEL_part_long_warps;
    return carries ? &KERNEL_part_warps_carried : &KERNEL_part_warps;
}

void launch_part_held(const part_steps *s, const part_along *along, void *keys, const void *from_keys,
                      launch_list *out) {
    enum { WARPS = PART_HELD_THREADS / WARP_LANES };
    const uint32_t bytes = s->request.field.bytes;
    const bool is_aligned = ((uintptr_t)from_keys | (uint64_t)s->request.n * bytes) % VECTOR == 0;
    const uint32_t vectors = vectors_of(s->request.n, bytes, is_aligned);
    const bool is_block = vectors > PART_HELD_FEW * WARP_LANES, is_long = vectors > WARP_LANES,
               carries = along->value_bytes + along->index_bytes > 0;
    struct part_held_arguments arguments = {table_of(s, along)};
    part_held_table *const t = &arguments.table;
    const uint32_t least = ceil_div(vectors, (uint32_t)PART_HELD_VECTORS),
                   threads = is_block ? round_up(least, (uint32_t)WARP_LANES) : PART_HELD_THREADS;
    while (t->teams * 2 * vectors <= WARP_LANES) t->teams *= 2;
    if (is_block) t->times = 0;
    t->used = ceil_div(vectors, is_block ? threads : (uint32_t)WARP_LANES);
    const size_t of_block = SAID + slot_bytes(s, threads * t->used, carries),
                 of_warps = WARPS * slot_bytes(s, WARP_LANES * (is_long ? PART_HELD_FEW : 1), carries);
    launch_set(append_part_held(out, kernel_of(is_block, is_long, carries), bytes, &arguments),
               is_block ? t->rows : ceil_div(t->rows, WARPS * t->teams * t->times), threads,
               is_block ? of_block : of_warps, keys, from_keys);
}
