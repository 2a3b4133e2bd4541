/* SPDX-License-Identifier: Apache-2.0
 *
 * Planning the axes_tile pass: choose the mode, grow the tile while it fits, order the tiles.
 *
 * The tile grows by lengthening in turn the two stretches that it shall have of src and of dst:
 *
 *     src 16, dst 64 bytes -> 16, 96 -> 24, 96 -> 24, 128 -> 32, 128 -> ... -> 256, 1024
 *
 * dst's stretch is the longer one: its two ends are lines that another tile completes, and a line written
 * in two goes costs a read and a second write, where a line of src that two tiles read is still in a cache. Where src has long
 * rows and the array is larger than the caches, src's stretch begins with 256 bytes.
 */
#include "plan/axes/tile.h"

#include <string.h>

#include "base/processor/vectors.h"

/** Runs that are copied one by one are copied in pieces of at most so much, so that a few huge runs occupy all threads. */
#define DIRECT_PIECE_BYTES ((uint64_t)64 << 10)

/** Bytes that a kernel for words takes at a time along an axis, where it can. */
#define REGISTER_BYTES ((size_t)64)

/** The longest stage of words that are turned into long rows. */
#define NEAREST_STAGE_BYTES ((size_t)32 << 10)

enum { LINE = 64 };

static bool is_word(size_t bytes) {
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16;
}

/** Fills run_bytes, rank, where the runs start, and the axes' extents and strides. */
static void take(const strided_move *move, axes_tile_schedule *s) {
    const ptrdiff_t elem_bytes = (ptrdiff_t)move->elem_bytes;
    s->run_bytes = move->elem_bytes;
    s->src_start = (ptrdiff_t)move->src_offset * elem_bytes;
    s->dst_start = (ptrdiff_t)move->dst_offset * elem_bytes;
    for (unsigned k = 0; k < move->rank; k++) {
        const strided_axis *axis = &move->axis[k];
        if (k == 0 && axis->src_stride == 1 && axis->dst_stride == 1) {
            s->run_bytes *= (size_t)axis->length;
        } else {
            s->axes[s->rank++] = (axes_tile_axis){axis->length, 1, (ptrdiff_t)axis->src_stride * elem_bytes,
                                                  (ptrdiff_t)axis->dst_stride * elem_bytes};
        }
    }
}

/** How far apart in src the neighbours along axis k are; those of stride 0 say nothing of where others are. */
static size_t src_distance(const axes_tile_schedule *s, unsigned k) {
    const ptrdiff_t stride = s->axes[k].src_stride;
    return stride == 0 ? SIZE_MAX : (size_t)(stride < 0 ? -stride : stride);
}

/** Puts the axes into by_src, src's fastest first. */
static void order_by_src(axes_tile_schedule *s) {
    for (unsigned k = 0; k < s->rank; k++) {
        unsigned at = k;
        while (at > 0 && src_distance(s, s->by_src[at - 1]) > src_distance(s, k)) {
            s->by_src[at] = s->by_src[at - 1];
            at--;
        }
        s->by_src[at] = (unsigned char)k;
    }
    s->a = s->by_src[0];
}

/** Runs of axis k that a tile is best a multiple of: whole blocks of registers for words, and along dst whole
 *  lines, which where dst's rows begin at lines leave no line in two halves. */
static uint64_t best_multiple(const axes_tile_schedule *s, unsigned k) {
    const size_t line = LINE;
    const size_t unit = s->run_bytes & -s->run_bytes; /* the largest power of two that divides it */
    const bool matters = k == 0 || (k == s->a && s->mode == AXES_TILE_WORDS);
    return matters && unit < line ? line / unit : 1;
}

/** Widens axis k's tile to `want` or a little more, so that no tile is left with a narrow rest. */
static void widen(axes_tile_schedule *s, unsigned k, uint64_t want) {
    axes_tile_axis *axis = &s->axes[k];
    const uint64_t pieces = (axis->extent + want / 4) / want;
    uint64_t tile = pieces > 1 ? (axis->extent + pieces - 1) / pieces : axis->extent;
    const uint64_t block = best_multiple(s, k);
    tile = (tile + block - 1) / block * block;
    if (tile > axis->extent) tile = axis->extent;
    if (tile > axis->tile) axis->tile = tile;
}

/** Takes axes from the fast end of src or dst until a stretch is `bytes` long. */
static void cover(axes_tile_schedule *s, bool of_src, size_t bytes) {
    uint64_t want = (bytes + s->run_bytes - 1) / s->run_bytes;
    for (unsigned i = 0; i < s->rank && want > 1; i++) {
        const unsigned k = of_src ? s->by_src[i] : i;
        if (of_src && s->axes[k].src_stride == 0) return;
        const uint64_t extent = s->axes[k].extent;
        widen(s, k, want < extent ? want : extent);
        want = (want + extent - 1) / extent;
    }
}

/** The number of axes over which a tile's stretch of dst runs: whole ones without gaps and the first that is cut. */
static unsigned joined_axes(const axes_tile_schedule *s) {
    size_t stretch = s->run_bytes;
    for (unsigned k = 0; k < s->rank; k++) {
        if ((size_t)s->axes[k].dst_stride != stretch) return k;
        if (s->axes[k].tile < s->axes[k].extent) return k + 1;
        stretch *= (size_t)s->axes[k].extent;
    }
    return s->rank;
}

/** The bytes of stage that a tile takes. */
static size_t stage_bytes(const axes_tile_schedule *s) {
    const unsigned joined = joined_axes(s);
    size_t bytes = s->run_bytes;
    for (unsigned k = 0; k < s->rank; k++) {
        if (k == joined) bytes = axes_tile_pitch(bytes);
        bytes *= (size_t)s->axes[k].tile;
        if (bytes > 2 * AXES_TILE_STAGE_BYTES) return bytes;
    }
    return axes_tile_pitch(bytes);
}

/** The next of the lengths 16, 24, 32, 48, 64, 96, ... */
static size_t longer(size_t bytes) {
    return (bytes & (bytes - 1)) == 0 ? bytes + bytes / 2 : bytes + bytes / 3;
}

/** Bytes of a row that kernels turn at a time: a vector, or the pieces that vectors are made of. */
static size_t block_bytes(void) {
    const vector_set set = vectors_for(LOOPS_AXES);
    return set == VECTORS_AVX512 || set == VECTORS_AVX512_VBMI ? 64 : 16;
}

/** True if runs are copied one by one. AVX-512's kernel fetches runs and streams them, which pays for longer ones, too. */
static bool is_direct(const axes_tile_schedule *s, dst_place place) {
    enum { LONG_RUN = 2 << 10, LONG_STREAMED_RUN = 4 << 10 };
    if (s->rank == 0) return true;
    const ptrdiff_t run = (ptrdiff_t)s->run_bytes;
    const bool is_streamed = s->stream || (place == DST_FAR && run % LINE == 0);
    const bool is_kernels =
        is_streamed && block_bytes() == LINE && s->axes[0].dst_stride == run && s->axes[0].src_stride >= run;
    return s->run_bytes >= (size_t)(is_kernels ? LONG_STREAMED_RUN : LONG_RUN);
}

/** The stretch of src that growing begins with. Lines of src that are read in longer runs cost less, so of long rows several are
 *  taken before dst's stretch grows, where the stage has room; with AVX-512 that took a fifth longer. */
static size_t first_stretch(const axes_tile_schedule *s, size_t limit) {
    enum { SHORTEST = 16, LINES = 256, LONG_ROW = 1024 };
    const axes_tile_axis *const a = &s->axes[s->a];
    if (!s->stream || block_bytes() > SHORTEST || limit < AXES_TILE_STAGE_BYTES) return SHORTEST;
    return a->src_stride == (ptrdiff_t)s->run_bytes && a->extent >= LONG_ROW / s->run_bytes ? LINES : SHORTEST;
}

/** Cuts tiles so that their stretches are so long or a little longer. */
static void cut(axes_tile_schedule *s, size_t src_bytes, size_t dst_bytes) {
    for (unsigned k = 0; k < s->rank; k++) s->axes[k].tile = 1;
    cover(s, true, src_bytes);
    cover(s, false, dst_bytes);
    s->joined = joined_axes(s);
}

/** The largest tile whose stage takes at most `limit` bytes. */
static void grow_tile(axes_tile_schedule *s, size_t limit) {
    size_t src_bytes = first_stretch(s, limit);
    size_t dst_bytes = 64;
    cut(s, 1, 1);
    axes_tile_schedule best = *s;
    for (unsigned step = 0; step < 56; step++) {
        cut(s, src_bytes, dst_bytes);
        if (stage_bytes(s) <= limit) best = *s;
        if (step % 2 == 0) dst_bytes = longer(dst_bytes);
        if (step % 2 == 1) src_bytes = longer(src_bytes);
    }
    *s = best;
}

/** True if words of src follow each other along a, and b is another axis: then registers hold both. */
static bool is_transpose(const axes_tile_schedule *s) {
    return s->a != 0 && s->axes[s->a].src_stride == (ptrdiff_t)s->run_bytes;
}

/** True if dst's rows begin at lines wherever dst does: words are then turned without a stage. */
static bool rows_are_lines(const axes_tile_schedule *s) {
    ptrdiff_t places = 0;
    for (unsigned k = 1; k < s->rank; k++) places |= s->axes[k].dst_stride;
    return places % LINE == 0;
}

/** True if words are turned from lines of src into long rows of dst, which share lines, through a stage. Words of 1, 2 and 16 bytes took
 *  longer so, and all words with AVX-512. */
static bool has_shared_lines(const axes_tile_schedule *s) {
    enum { LONG_ROW = 4 * LINE };
    return s->stream && block_bytes() < LINE && (s->run_bytes == 4 || s->run_bytes == 8) &&
           !rows_are_lines(s) && s->axes[0].extent * s->run_bytes >= LONG_ROW &&
           s->axes[s->a].extent * s->run_bytes >= LINE;
}

/** The tile for these: a line of src, and the longest stretch of dst that leaves the stage in the nearest cache. Each stretch has two lines
 *  that another tile completes, which cost more than longer runs of src would save. */
static void grow_stretch(axes_tile_schedule *s) {
    cut(s, 1, 1);
    axes_tile_schedule best = *s;
    for (size_t dst_bytes = LINE; dst_bytes < NEAREST_STAGE_BYTES; dst_bytes = longer(dst_bytes)) {
        cut(s, LINE, dst_bytes);
        if (stage_bytes(s) <= NEAREST_STAGE_BYTES) best = *s;
    }
    *s = best;
}

/** True if the bytes of src under a tile lie within 2 GiB, as the offsets of GATHER must. */
static bool offsets_fit(const axes_tile_schedule *s) {
    size_t reach = 0;
    for (unsigned k = 0; k < s->rank; k++)
        if (s->axes[k].src_stride != 0) reach += (size_t)(s->axes[k].tile - 1) * src_distance(s, k);
    return reach < (size_t)INT32_MAX;
}

/** The share of the words in a block of registers that a tile's a and b fill, as one over something. */
static uint64_t waste(const axes_tile_schedule *s) {
    const uint64_t block = block_bytes() / s->run_bytes;
    const uint64_t a = s->axes[s->a].tile;
    const uint64_t b = s->axes[0].tile;
    const uint64_t whole = (a + block - 1) / block * block * ((b + block - 1) / block * block);
    return whole / (a * b);
}

/** True if axis `inner` is short and whole, and axis `outer`, which is long enough to fill registers, continues it on that
 *  side; in src perhaps towards lower addresses. */
static bool few_then(const axes_tile_schedule *s, unsigned inner, unsigned outer, bool in_src) {
    const axes_tile_axis *in = &s->axes[inner], *out = &s->axes[outer];
    if (in->extent > AXES_TILE_MAX_PLANES || s->run_bytes >= 16) return false;
    if (out->extent * s->run_bytes < REGISTER_BYTES) return false;
    return in_src ? src_distance(s, outer) == src_distance(s, inner) * in->extent
                  : out->dst_stride == in->dst_stride * (ptrdiff_t)in->extent;
}

/** True if words are turned into whole lines of columns that lie whole pages apart: these are of a few sets of the caches, which lines lose
 *  before they are full, also where the array as such would stay in a cache. */
static bool has_far_columns(const axes_tile_schedule *s) {
    enum { PAGE = 4096 };
    return is_transpose(s) && block_bytes() == LINE && (s->run_bytes == 4 || s->run_bytes == 8) &&
           rows_are_lines(s) && s->axes[s->a].dst_stride % PAGE == 0 &&
           s->axes[0].extent * s->run_bytes % LINE == 0;
}

/** Chooses the mode for words, and the tile. */
static void plan_words(axes_tile_schedule *s) {
    axes_tile_schedule gather = *s;
    s->mode = AXES_TILE_WORDS;
    gather.mode = AXES_TILE_GATHER;
    if (is_transpose(s) && has_shared_lines(s))
        grow_stretch(s);
    else
        grow_tile(s, AXES_TILE_STAGE_BYTES);
    if (s->a == 1 && src_distance(s, 1) == s->run_bytes && few_then(s, 0, 1, false)) {
        s->mode = AXES_TILE_INTERLEAVE;
    } else if (is_transpose(s) && s->by_src[1] == 0 && few_then(s, s->a, 0, true)) {
        s->mode = AXES_TILE_SEPARATE;
    } else if (!is_transpose(s) || waste(s) > (s->run_bytes >= 4 ? 2 : 8)) {
        grow_tile(&gather, AXES_TILE_GATHER_STAGE_BYTES);
        if (!is_transpose(s)) s->mode = AXES_TILE_RUNS_ANY;
        if (offsets_fit(&gather)) *s = gather;
    }
}

/** True if rows of src are read from their ends on, and are long enough for vectors. */
static bool is_reversed(const axes_tile_schedule *s) {
    enum { PIECE = 16 };
    return s->run_bytes <= PIECE && s->axes[0].src_stride == -(ptrdiff_t)s->run_bytes &&
           s->axes[0].extent * s->run_bytes >= REGISTER_BYTES;
}

/** Flipped rows. */
static void plan_reversed(axes_tile_schedule *s) {
    grow_tile(s, AXES_TILE_STAGE_BYTES);
    s->mode = AXES_TILE_REVERSED;
}

/** Short runs that are no words. Longer ones of them go straight to dst and through the caches, whatever the array's length: they cost less
 *  there than by a stage and around them. With AVX-512 they are streamed, those of whole lines without a stage, which is no slower than to
 *  leave them in a cache that is far, and faster where src is not there. */
static void plan_runs(axes_tile_schedule *s, dst_place place) {
    enum { LONGER_RUN = 48 };
    const bool is_kernels = block_bytes() == LINE;
    if (s->run_bytes >= LONGER_RUN && !is_kernels) s->stream = false;
    if (place == DST_FAR && is_kernels && s->run_bytes % LINE == 0) s->stream = true;
    grow_tile(s, AXES_TILE_STAGE_BYTES);
    s->mode = s->axes[0].src_stride >= (ptrdiff_t)s->run_bytes ? AXES_TILE_RUNS : AXES_TILE_RUNS_ANY;
}

/** Makes the run axis 0, in bytes, and cuts it into pieces. */
static void plan_direct(axes_tile_schedule *s) {
    memmove(&s->axes[1], &s->axes[0], s->rank * sizeof s->axes[0]);
    s->rank++;
    for (unsigned k = 1; k < s->rank; k++) s->axes[k].tile = 1;
    const uint64_t bytes = s->run_bytes;
    s->axes[0] = (axes_tile_axis){bytes, bytes < DIRECT_PIECE_BYTES ? bytes : DIRECT_PIECE_BYTES, 1, 1};
    s->mode = AXES_TILE_DIRECT;
    s->joined = 1;
    order_by_src(s);
}

/** The rank of an axis among the loops: a, then by the shorter of the steps that it makes in src and dst. */
static size_t loop_step(const axes_tile_schedule *s, unsigned k) {
    const axes_tile_axis *axis = &s->axes[k];
    if (k == s->a) return 0;
    const size_t dst = (size_t)axis->dst_stride, src = axis->src_stride != 0 ? src_distance(s, k) : 0;
    return s->mode == AXES_TILE_DIRECT || dst < src ? dst : src;
}

/** Orders the loops over tiles, a first: its next tile has the other part of the lines of src just read. */
static void order_loops(axes_tile_schedule *s) {
    s->tiles = 1;
    for (unsigned k = 0; k < s->rank; k++) {
        unsigned at = k;
        while (at > 0 && loop_step(s, s->loops[at - 1]) > loop_step(s, k)) {
            s->loops[at] = s->loops[at - 1];
            at--;
        }
        s->loops[at] = (unsigned char)k;
        s->tiles *= (s->axes[k].extent + s->axes[k].tile - 1) / s->axes[k].tile;
    }
}

/** Bytes of src that lie together in a tile, or so close that no line between them is left out. */
static size_t src_stretch(const axes_tile_schedule *s) {
    size_t stretch = s->run_bytes;
    for (unsigned i = 0; i < s->rank && src_distance(s, s->by_src[i]) <= stretch + LINE; i++)
        stretch += (size_t)(s->axes[s->by_src[i]].tile - 1) * src_distance(s, s->by_src[i]);
    return stretch;
}

/** True if the next tile is fetched while a tile is written, so that reads and writes overlap. Lines that lie alone, often at multiples of
 *  one power of two, would drive each other out of the cache until their turn comes; and where rows are so short that to turn them takes longer
 *  than to read them, it is better to read meanwhile. With AVX-512 it gained nothing. */
static bool is_fetched_whole(const axes_tile_schedule *s) {
    enum { SHORT_ROW = LINE + LINE / 2, SHORT_STRETCH = 2 * LINE };
    if (s->mode == AXES_TILE_GATHER) return true;
    if (block_bytes() >= LINE) return false;
    const bool is_quick = s->mode == AXES_TILE_SEPARATE || s->axes[s->a].tile * s->run_bytes >= SHORT_ROW;
    return (s->mode == AXES_TILE_WORDS || s->mode == AXES_TILE_SEPARATE) && is_quick &&
           src_stretch(s) > SHORT_STRETCH;
}

void axes_tile_plan(const strided_move *move, dst_place place, axes_tile_schedule *out) {
    memset(out, 0, sizeof *out);
    if (strided_elements(move) == 0) return;
    out->stream = place == DST_PAST;
    take(move, out);
    order_by_src(out);
    if (is_direct(out, place)) {
        plan_direct(out);
    } else if (out->axes[0].dst_stride != (ptrdiff_t)out->run_bytes) {
        grow_tile(out, AXES_TILE_STAGE_BYTES);
        out->mode = AXES_TILE_APART;
    } else if (is_reversed(out)) {
        plan_reversed(out);
    } else if (is_word(out->run_bytes)) {
        plan_words(out);
    } else {
        plan_runs(out, place);
    }
    out->fetches_tiles = is_fetched_whole(out);
    if (out->mode == AXES_TILE_WORDS && place == DST_FAR) out->stream = has_far_columns(out);
    out->fetches_src = place == DST_PAST;
    out->fetches_dst = place == DST_FAR && out->mode == AXES_TILE_WORDS && !out->stream;
    order_loops(out);
}
