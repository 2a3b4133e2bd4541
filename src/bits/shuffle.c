/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit transpositions on the host: arrays in pieces, which threads share.
 */
#include "bits/shuffle.h"

#include "base/arithmetic.h"
#include "base/names.h"
#include "base/simd/stream.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "base/threads/threads.h"
#include "plan/request/streaming.h"

static const char *const names[] = {[RIFFLE_BIT_ORDER_LITTLE] = "little", [RIFFLE_BIT_ORDER_BIG] = "big"};
static const name_table orders = {"bit order", names, RIFFLE_BIT_ORDER_BIG + 1};

const char *riffle_bit_order_string(riffle_bit_order order) { return name_of(&orders, order); }
riffle_status riffle_bit_order_parse(const char *name, riffle_bit_order *out) {
    return name_parse(&orders, name, (unsigned *)out);
}
size_t riffle_bit_order_list(riffle_bit_order *out, size_t capacity) {
    return name_list(&orders, (unsigned *)out, capacity);
}

uint64_t riffle_bits_bytes(uint64_t n, uint64_t elem_bits) {
    uint64_t bits;
    if (__builtin_mul_overflow(n, elem_bits, &bits)) return UINT64_MAX;
    return ceil_div(bits, (uint64_t)8);
}

void shuffle_arrays(const bit_shuffle *s, call_array out[SHUFFLE_ARRAYS]) {
    const char *const elements = "elements", *const planes = "planes";
    out[SHUFFLE_SRC] =
        call_array_of_bytes(s->to_planes ? elements : planes, s->src, shuffle_src_bytes(s), ARRAY_READ);
    out[SHUFFLE_DST] =
        call_array_of_bytes(s->to_planes ? planes : elements, s->dst, shuffle_dst_bytes(s), ARRAY_WRITTEN);
}

riffle_status shuffle_check_arrays(const bit_shuffle *s) {
    call_array arrays[SHUFFLE_ARRAYS];
    shuffle_arrays(s, arrays);
    const riffle_status status = arrays_check(arrays, SHUFFLE_ARRAYS);
    return status == RIFFLE_OK ? arrays_check_apart(arrays, SHUFFLE_ARRAYS, SHUFFLE_DST) : status;
}

static riffle_status check_sizes(const bit_shuffle *s) {
    uint64_t planes, all;
    if (s->width != 1 && s->width != 2 && s->width != 4 && (s->width % 8 != 0 || s->width == 0))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "elements of %zu bits; bits are transposed of elements of 1, 2, 4 or a multiple of 8 bits",
                    s->width);
    if (s->n > RIFFLE_MAX_LENGTH || s->batch > RIFFLE_MAX_LENGTH)
        return fail(RIFFLE_ERROR_LENGTH, "%llu arrays of %llu elements are more than arrays have",
                    (unsigned long long)s->batch, (unsigned long long)s->n);
    if (__builtin_mul_overflow(riffle_bits_bytes(s->n, 1), s->width, &planes) || planes > PTRDIFF_MAX / 8 ||
        __builtin_mul_overflow(planes, s->batch, &all) || all > PTRDIFF_MAX)
        return fail(RIFFLE_ERROR_LENGTH,
                    "%llu array%s of %llu elements of %zu bits: more bytes than memory has addresses",
                    (unsigned long long)s->batch, plural(s->batch), (unsigned long long)s->n, s->width);
    return RIFFLE_OK;
}

riffle_status bits_options_take(const riffle_bits_options *options, riffle_bits_options *out) {
    *out = options != NULL ? *options : (riffle_bits_options){0};
    if (out->batch == 0) out->batch = 1;
    if ((unsigned)out->order < orders.count) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "there is no bit order with number %d", (int)out->order);
}

riffle_status shuffle_describe(uint64_t n, uint64_t elem_bits, bool to_planes,
                               const riffle_bits_options *options, bit_shuffle *out) {
    riffle_bits_options asked;
    const riffle_status status = bits_options_take(options, &asked);
    if (status != RIFFLE_OK) return status;
    *out = (bit_shuffle){.n = n,
                         .batch = asked.batch,
                         .width = (size_t)elem_bits,
                         .is_big = asked.order == RIFFLE_BIT_ORDER_BIG,
                         .to_planes = to_planes,
                         .threads = asked.threads};
    return check_sizes(out);
}

riffle_status shuffle_take(uint64_t n, uint64_t elem_bits, bool to_planes, void *dst, const void *src,
                           const riffle_bits_options *options, bit_shuffle *out) {
    const riffle_status status = shuffle_describe(n, elem_bits, to_planes, options, out);
    if (status != RIFFLE_OK) return status;
    out->dst = dst;
    out->src = src;
    return shuffle_check_arrays(out);
}

/* Pieces of 16 KiB, so that elements and stage share a first-level cache, and lines of planes are whole. */
static shuffle_cut cut_of(const bit_shuffle *s) {
    enum { PIECE_BYTES = 16 << 10 };
    const uint64_t bytes = max(s->width / 8, (size_t)1), plane = shuffle_plane_bytes(s);
    const uint64_t run = max((uint64_t)SHUFFLE_LEAST_RUN,
                             min((uint64_t)SHUFFLE_MOST_RUN, PIECE_BYTES / max(s->width, (size_t)8) / 64 * 64));
    const uint64_t most = SHUFFLE_STAGE_BYTES / (8 * (run + SHUFFLE_GAP_BYTES)), groups = ceil_div(bytes, most);
    return (shuffle_cut){
        .run = run, .columns = ceil_div(bytes, groups), .runs = ceil_div(plane, run), .groups = groups};
}

typedef struct shuffling {
    const bit_shuffle *s;
    shuffle_cut cut;
    bool stream;
} shuffling;

static shuffle_piece piece_of(const shuffling *w, uint64_t k) {
    const bit_shuffle *const s = w->s;
    const shuffle_cut *const cut = &w->cut;
    const uint64_t each = cut->runs * cut->groups, within = k % each;
    const size_t first = (size_t)(within / cut->groups) * cut->run,
                 column = (size_t)(within % cut->groups) * cut->columns;
    return (shuffle_piece){.s = s,
                           .loops = bits_loops_best(),
                           .tiles = tile_kernels_best(),
                           .pitch = cut->run + SHUFFLE_GAP_BYTES,
                           .stream = w->stream,
                           .array = k / each,
                           .first = first,
                           .run = min(cut->run, shuffle_plane_bytes(s) - first),
                           .column = column,
                           .columns = min(cut->columns, s->width / 8 - column)};
}

static void shuffle_share(const void *context, team_member me) {
    const shuffling *const w = context;
    const team_share mine = team_share_of(w->cut.runs * w->cut.groups * w->s->batch, me);
    if (mine.first == mine.end) return;
    shuffle_piece next = piece_of(w, mine.first);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const shuffle_piece p = next;
        const bool is_last = k + 1 == mine.end;
        if (!is_last) next = piece_of(w, k + 1);
        if (w->s->width < 8)
            shuffle_parts(&p);
        else
            shuffle_bytes(&p, is_last ? NULL : &next);
    }
    if (w->stream) stream_finish();
}

static riffle_status shuffle(uint64_t n, uint64_t elem_bits, bool to_planes, void *dst, const void *src,
                             const riffle_bits_options *options) {
    bit_shuffle s;
    const riffle_status status = shuffle_take(n, elem_bits, to_planes, dst, src, options, &s);
    if (status != RIFFLE_OK || n == 0) return status;
    const size_t bytes = shuffle_dst_bytes(&s);
    const shuffling work = {&s, cut_of(&s), is_streamed(bytes)};
    team_run(threads_for(bytes, BYTES_A_THREAD, threads_most(s.threads)), shuffle_share, &work);
    return RIFFLE_OK;
}

riffle_status riffle_bitshuffle(uint64_t n, uint64_t elem_bits, void *planes, const void *elements,
                                const riffle_bits_options *options) {
    return shuffle(n, elem_bits, true, planes, elements, options);
}

riffle_status riffle_bitunshuffle(uint64_t n, uint64_t elem_bits, void *elements, const void *planes,
                                  const riffle_bits_options *options) {
    return shuffle(n, elem_bits, false, elements, planes, options);
}
