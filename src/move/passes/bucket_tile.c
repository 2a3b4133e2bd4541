/* SPDX-License-Identifier: Apache-2.0 */
#include "check/check.h"
#include "check/kernels/block.h"
#include "move/gpu/launch.h"

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
static bool goes_by_units(const pass *p, const launch_limits *limits) {
    return limits->access_bytes < BUCKET_TILE_CHUNK_BYTES &&
           p->bucket_tile.elem_bytes != BUCKET_TILE_CHUNK_BYTES;
}

static launch *append_first(const pass *p, const launch_limits *limits, const void *const *tables,
                            launch_list *out) {
    const bucket_tile_schedule *const s = &p->bucket_tile;
    const struct pieces_arguments arguments = {tables[0], s->n, s->piece};
    const pieces_kernel *kernel = &KERNEL_bucket_first;
    if (goes_by_units(p, limits))
        kernel = p->to == BUFFER_DST ? &KERNEL_bucket_first_units : &KERNEL_bucket_first_from_units;
    return append_pieces(out, kernel, s->elem_bytes, &arguments);
}

static launch *append_next(const pass *p, const launch_limits *limits, const void *const *tables,
                           launch_list *out) {
    const bucket_tile_schedule *const s = &p->bucket_tile;
    const struct chunks_arguments arguments = {tables[0], tables[1], tables[2], s->n, s->piece};
    const chunks_kernel *kernel = &KERNEL_bucket_next;
    if (goes_by_units(p, limits))
        kernel = p->to == BUFFER_DST ? &KERNEL_bucket_next_to_units : &KERNEL_bucket_next_from_units;
    return append_chunks(out, kernel, s->elem_bytes, &arguments);
}

/* A piece a block. */
static void fill(const pass *p, const launch_limits *limits, const void *const *tables, launch_list *out) {
    launch *const work = (is_first_pass(p) ? append_first : append_next)(p, limits, tables, out);
    work->block_x = limits->block_threads;
    work->shared_bytes = bucket_tile_shared_bytes(&p->bucket_tile);
}

const pass_kind PASS_BUCKET_TILE = {.name = "bucket_tile",
                                    .print = print,
                                    .free = release,
                                    .arrays = arrays,
                                    .blocks = blocks,
                                    .launch = fill,
                                    .predict = pass_predict};

/* ------------------------------------------------------------------ where a check compares what is between */

static launch *append_checked(const pass *p, const void *const *tables, bool by_units, launch_list *out) {
    const bucket_tile_schedule *const s = &p->bucket_tile;
    const bucket_between between = {(check_record *)(uintptr_t)tables[LAUNCH_RECORD], p->reads_between,
                                    p->writes_between, (uint32_t)bucket_tile_shared_bytes(s)};
    if (is_first_pass(p))
        return append_pieces_checked(
            out, by_units ? &KERNEL_bucket_first_checked_units : &KERNEL_bucket_first_checked, s->elem_bytes,
            &(struct pieces_checked_arguments){tables[0], s->n, s->piece, between});
    const chunks_checked_kernel *kernel =
        by_units ? &KERNEL_bucket_last_checked_to_units : &KERNEL_bucket_last_checked;
    if (p->writes_between > 0)
        kernel = by_units ? &KERNEL_bucket_next_checked_from_units : &KERNEL_bucket_next_checked;
    return append_chunks_checked(
        out, kernel, s->elem_bytes,
        &(struct chunks_checked_arguments){tables[0], tables[1], tables[2], s->n, s->piece, between});
}

static void append(const pass *p, const void *const *tables, void *to, const void *from, launch_list *out) {
    const launch_limits limits = {.access_bytes = launch_access_bytes(to, from)};
    launch *const work = append_checked(p, tables, goes_by_units(p, &limits), out);
    launch_set(work, (unsigned)p->bucket_tile.pieces, p->block_threads,
               bucket_tile_shared_bytes(&p->bucket_tile) + sizeof(check_block), to, from);
}

const pass_kind PASS_BUCKET_TILE_CHECKED = {.name = "bucket_tile_checked",
                                            .print = print,
                                            .free = release,
                                            .arrays = arrays,
                                            .launches = append,
                                            .predict = pass_predict};
