/* SPDX-License-Identifier: Apache-2.0
 *
 * Affine tiles whose words are added to a check's record as they are read. Between arrays that do not begin on a vector they are read once
 * more, before they are moved.
 */
#include "check/check.h"
#include "check/kernels/block.h"
#include "device/kernels/lanes.h"
#include "move/passes/affine_tile.h"

_Static_assert((int)AFFINE_VECTOR_BYTES == (int)LAUNCH_VECTOR_BYTES,
               "the kernel's vectors are those of launches");
_Static_assert((int)AFFINE_CHECKED_THREADS == 1 << (int)AFFINE_CHECKED_THREAD_BITS &&
                   (int)AFFINE_CHECKED_THREADS / WARP_LANES <= (int)CHECK_BLOCK_WARPS,
               "the kernel has the threads that schedules have, and room for the sums of their warps");

/* log2 of a unit's words. */
static unsigned word_bits(const affine_tile_schedule *s) {
    return s->arrays.unit_bits - (unsigned)__builtin_ctzll(check_word_bytes((size_t)1 << s->arrays.unit_bits));
}

/* Where the words go that the table reads: P is applied to what the read side's places are sums of. */
static void fill_keys(const affine_checked_pass *p, check_record *record, affine_keys_64 *out) {
    const affine_tile_schedule *const s = &p->tiles;
    const perm_affine units = affine_on_units(&p->p, &s->arrays);
    const unsigned bits = word_bits(s), moves_from = s->vector_bits + s->thread_bits;
    const uint64_t *const index = s->read.index;
    *out = (affine_keys_64){.record = record, .run_words = (uint64_t)1 << s->arrays.run_bits << bits};
    out->origin = (gf2_apply(&units.a, s->read.origin) ^ units.c) << bits;
    for (unsigned k = 0; k < s->block_bits && k < AFFINE_TILES_LOG2_64; k++)
        out->tile[k] = gf2_apply(&units.a, s->read.block[k]) << bits;
    for (unsigned k = 0; k < s->thread_bits; k++)
        out->thread[k] = gf2_apply(&units.a, index[s->vector_bits + k]) << bits;
    for (unsigned k = 0; k < AFFINE_MOVES; k++)
        out->move[k] = gf2_apply(&units.a, affine_tile_sum(index + moves_from, k)) << bits;
    for (unsigned k = 0; k < 1U << (s->vector_bits + bits); k++)
        out->word[k] = gf2_apply(&units.a, k >> bits) << bits | (k & ((1U << bits) - 1));
}

static void narrow_all(const uint64_t *from, uint32_t *to, unsigned count) {
    for (unsigned k = 0; k < count; k++) to[k] = (uint32_t)from[k];
}

static void narrow_keys(const affine_keys_64 *from, affine_keys_32 *to) {
    to->record = from->record;
    to->run_words = from->run_words;
    to->origin = (uint32_t)from->origin;
    narrow_all(from->thread, to->thread, AFFINE_THREADS_LOG2);
    narrow_all(from->move, to->move, AFFINE_MOVES);
    narrow_all(from->tile, to->tile, AFFINE_TILES_LOG2_32);
    narrow_all(from->word, to->word, AFFINE_VECTOR_BYTES);
}

/* Numbers of words of all runs, too, are below 2^32. */
static bool fits_32(const affine_tile_schedule *s) {
    const unsigned run_bits = s->arrays.run_bits + word_bits(s);
    return affine_tile_fits_32(s) && run_bits <= 32 && s->arrays.count <= (uint64_t)1 << (32 - run_bits);
}

static launch *append_vectors(const affine_checked_pass *p, void *record, launch_list *out) {
    const size_t unit_bytes = (size_t)1 << p->tiles.arrays.unit_bits;
    struct affine_checked_64_arguments wide;
    affine_tile_table(&p->tiles, &wide.table.tiles);
    fill_keys(p, record, &wide.table.keys);
    if (!fits_32(&p->tiles)) return append_affine_checked_64(out, &KERNEL_affine_checked_64, unit_bytes, &wide);
    struct affine_checked_32_arguments narrow;
    affine_tile_narrow(&wide.table.tiles, &narrow.table.tiles);
    narrow_keys(&wide.table.keys, &narrow.table.keys);
    return append_affine_checked_32(out, &KERNEL_affine_checked_32, unit_bytes, &narrow);
}

/* All arrays, which are the runs or lie in them side by side. */
static void append_read(const affine_checked_pass *p, const void *from, void *record, launch_list *out) {
    const affine_arrays *const arrays = &p->tiles.arrays;
    const unsigned bits = p->p.a.m, in_run = arrays->run_bits - bits;
    const check_map affine = {bits, p->p.c, p->p.a.column};
    const check_there side = {.rows = from,
                              .row_bytes = (size_t)1 << arrays->unit_bits,
                              .n = (uint64_t)1 << bits,
                              .arrays = arrays->count << in_run,
                              .stride = in_run > 0 ? (uint64_t)1 << bits : arrays->stride,
                              .affine = &affine};
    check_append_read(&side, record, out);
}

static void append(const pass *p, const void *const *arrays, void *to, const void *from, launch_list *out) {
    const affine_checked_pass *const mine = &p->affine_checked;
    const affine_tile_schedule *const s = &mine->tiles;
    const launch_limits limits = {.access_bytes = launch_access_bytes(to, from)};
    void *const record = (void *)(uintptr_t)arrays[LAUNCH_RECORD];
    size_t shared = (size_t)1 << s->tile_bits << s->arrays.unit_bits;
    launch *work;
    if (limits.access_bytes == LAUNCH_VECTOR_BYTES) {
        work = append_vectors(mine, record, out);
        shared += sizeof(check_block);
    } else {
        append_read(mine, from, record, out);
        work = affine_tile_launch(s, &limits, out);
    }
    launch_set(work, (unsigned)affine_tile_blocks(s), 1U << s->thread_bits, shared, to, from);
}

static void print(const pass *p, FILE *stream) {
    affine_tile_print(&p->affine_checked.tiles, stream);
    fprintf(stream, ", whose words are added to the check as they are read");
}

static size_t alignment(const pass *p) { return (size_t)1 << p->affine_checked.tiles.arrays.unit_bits; }

const pass_kind PASS_AFFINE_CHECKED = {.name = "affine_checked",
                                       .print = print,
                                       .launches = append,
                                       .adds_read = true,
                                       .alignment = alignment,
                                       .predict = pass_predict};
