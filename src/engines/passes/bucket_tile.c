/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/launch/launch.h"

static void print(const pass *p, FILE *stream) {
    const bucket_tile_schedule *const s = &p->bucket_tile;
    fprintf(stream, ": %llu pieces of %u elements", (unsigned long long)s->pieces, s->piece);
    if (s->chunk_count > 0) fprintf(stream, " from %llu chunks", (unsigned long long)s->chunk_count);
}

static void release(pass *p) { bucket_tile_free(&p->bucket_tile); }

static void arrays(const pass *p, launch_array *out) {
    const bucket_tile_schedule *const s = &p->bucket_tile;
    out[0] = (launch_array){"order", s->order, bucket_tile_order_bytes(s)};
    out[1] = (launch_array){"chunks", s->chunks, (size_t)s->chunk_count * sizeof *s->chunks};
    out[2] = (launch_array){"first_chunk", s->first_chunk, bucket_tile_first_chunk_bytes(s)};
}

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    (void)limits;
    return p->bucket_tile.pieces;
}

static bool is_first_pass(const pass *p) { return p->bucket_tile.chunk_count == 0; }

/* A caller's array may begin on any element. Buffers between the passes begin on a chunk: the first pass reads none, and
 * of the later ones each reads or writes one. */
static kernel_id kernel_of(const pass *p, const launch_limits *limits) {
    const bool writes_callers = p->to == BUFFER_DST;
    if (limits->access_bytes >= BUCKET_TILE_CHUNK_BYTES || p->bucket_tile.elem_bytes == BUCKET_TILE_CHUNK_BYTES)
        return is_first_pass(p) ? KERNEL_bucket_first : KERNEL_bucket_next;
    if (is_first_pass(p)) return writes_callers ? KERNEL_bucket_first_units : KERNEL_bucket_first_from_units;
    return writes_callers ? KERNEL_bucket_next_to_units : KERNEL_bucket_next_from_units;
}

/* A piece a block. */
static void fill(const pass *p, const launch_limits *limits, const void *const *tables, launch *out) {
    const bucket_tile_schedule *const s = &p->bucket_tile;
    *out = (launch){.kernel = kernel_of(p, limits), .elem_bytes = s->elem_bytes};
    out->block_x = limits->block_threads;
    out->block_y = 1;
    out->shared_bytes = bucket_tile_shared_bytes(s);
    if (is_first_pass(p)) {
        out->arguments.of.bucket_first = (struct bucket_first_arguments){tables[0], s->n, s->piece};
    } else {
        out->arguments.of.bucket_next = /* those of units are the same */
            (struct bucket_next_arguments){tables[0], tables[1], tables[2], s->n, s->piece};
    }
}

const pass_kind PASS_BUCKET_TILE = {
    .name = "bucket_tile", .print = print, .free = release, .arrays = arrays, .blocks = blocks, .launch = fill};
