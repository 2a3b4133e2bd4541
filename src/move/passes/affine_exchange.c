/* SPDX-License-Identifier: Apache-2.0 */
#include "move/passes/affine_tile.h"

_Static_assert((int)EXCHANGE_THREAD_BITS == (int)EXCHANGE_THREADS_LOG2 &&
                   (int)EXCHANGE_MOVE_BITS == (int)EXCHANGE_MOVES_LOG2,
               "the kernels' tables hold what schedules have");

void affine_exchange_table(const affine_exchange_schedule *s, affine_exchange_table_64 *t) {
    const involution_orbits *const o = &s->orbits;
    const unsigned scale = s->arrays.unit_bits;
    *t = (affine_exchange_table_64){.stride = s->arrays.stride << scale,
                                    .blocks = (uint32_t)s->run_blocks,
                                    .threads_log2 = s->thread_bits,
                                    .moves = 1u << s->move_bits,
                                    .coset_bits = o->bits,
                                    .moved = o->moved,
                                    .plain = o->plain,
                                    .first = (uint32_t)(o->still >> o->plain),
                                    .rows = (uint32_t)((o->orbits - o->still) >> o->plain),
                                    .fixed = o->fixed,
                                    .far = o->far,
                                    .origin = o->origin << scale,
                                    .displacement = s->displacement << scale};
    for (unsigned k = 0; k < o->bits; k++) t->basis[k] = o->basis[k] << scale;
    for (unsigned k = o->plain; k < o->bits; k++) t->displaces[k - o->plain] = s->displaces[k] << scale;
}

/* The same table where all places have 32 bits. */
static void narrow(const affine_exchange_table_64 *from, affine_exchange_table_32 *to) {
    *to = (affine_exchange_table_32){.stride = from->stride,
                                     .blocks = from->blocks,
                                     .threads_log2 = from->threads_log2,
                                     .moves = from->moves,
                                     .coset_bits = from->coset_bits,
                                     .moved = from->moved,
                                     .plain = from->plain,
                                     .first = from->first,
                                     .rows = from->rows,
                                     .fixed = (uint32_t)from->fixed,
                                     .far = (uint32_t)from->far,
                                     .origin = (uint32_t)from->origin,
                                     .displacement = (uint32_t)from->displacement};
    for (unsigned k = 0; k < EXCHANGE_BITS_32; k++) to->basis[k] = (uint32_t)from->basis[k];
    for (unsigned k = 0; k < EXCHANGE_BITS_32; k++) to->displaces[k] = (uint32_t)from->displaces[k];
}

/* Arrays that do not begin on 16 bytes are moved by tiles. */
static bool takes_vectors(const launch_limits *limits) { return limits->access_bytes == LAUNCH_VECTOR_BYTES; }

static uint64_t blocks_of(const affine_exchange_schedule *s) { return s->arrays.count * s->run_blocks; }

static uint64_t blocks(const pass *p, const launch_limits *limits) {
    return takes_vectors(limits) ? blocks_of(&p->affine_exchange.vectors)
                                 : affine_tile_blocks(&p->affine_exchange.tiles);
}

static void print(const pass *p, FILE *stream) {
    const affine_exchange_schedule *const s = &p->affine_exchange.vectors;
    fprintf(stream, ": %llu blocks of %u threads, vectors that move; %.4g of the array is left alone",
            (unsigned long long)blocks_of(s), 1u << s->thread_bits, 1 - affine_exchange_share(s));
}

static launch *append_32(const affine_exchange_table_64 *table, launch_list *out) {
    struct exchange_32_arguments arguments;
    narrow(table, &arguments.table);
    return append_exchange_32(out, &KERNEL_affine_exchange_32, LAUNCH_VECTOR_BYTES, &arguments);
}

static launch *append_64(const affine_exchange_table_64 *table, launch_list *out) {
    return append_exchange_64(out, &KERNEL_affine_exchange_64, LAUNCH_VECTOR_BYTES,
                              &(struct exchange_64_arguments){*table});
}

static void launch_vectors(const affine_exchange_schedule *s, launch_list *out) {
    const bool fits_32 = s->arrays.run_bits + s->arrays.unit_bits <= 32;
    affine_exchange_table_64 table;
    affine_exchange_table(s, &table);
    (fits_32 ? append_32 : append_64)(&table, out)->block_x = 1u << s->thread_bits;
}

static void fill_launch(const pass *p, const launch_limits *limits, const void *const *arrays,
                        launch_list *out) {
    (void)arrays;
    if (takes_vectors(limits))
        launch_vectors(&p->affine_exchange.vectors, out);
    else
        affine_tile_launch(&p->affine_exchange.tiles, limits, out);
}

static size_t alignment(const pass *p) { return (size_t)1 << p->affine_exchange.tiles.arrays.unit_bits; }

const pass_kind PASS_AFFINE_EXCHANGE = {.name = "affine_exchange",
                                        .print = print,
                                        .blocks = blocks,
                                        .launch = fill_launch,
                                        .alignment = alignment,
                                        .predict = pass_predict};
