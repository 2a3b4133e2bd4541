/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving tiles. A tile is read in long stretches of src, permuted on the way into the stage, which holds it
 * in dst's order, and leaves in long stretches of dst:
 *
 *     src  ====....====....====       a few lines each, prefetched while the tile before is at work
 *            \\      ||      //       transposes in registers
 *     stage  ==================       in the cache, one stretch of dst after the other
 *             |       |      |
 *     dst  .==|=======|======|=.      whole lines streamed around the caches, the two ends stored
 *
 * The stage is what lets every line of dst be written whole although the rows of an odd shape begin
 * anywhere within a line; it costs a trip through the cache, which is cheaper than the read for ownership
 * that plain stores to dst would cost. Where dst stays in the caches a tile goes straight to it, and so do planes that are woven,
 * words that are turned where dst's rows begin at lines, and with AVX-512 runs of whole lines: their kernels write whole lines.
 */
#include "move/cpu/passes/axes_tile.h"

#include <string.h>

#include "base/simd/stream.h"
#include "move/cpu/passes/reverse_run/reverse_run.h"

enum { MAX_AXES = RIFFLE_MAX_RANK + 1, LINE = 64 };

/** Steps through a box of indices, the first axis fastest, keeping two byte offsets. */
typedef struct box_walk {
    unsigned rank;
    uint64_t index[MAX_AXES];
    uint64_t extent[MAX_AXES];
    ptrdiff_t src_step[MAX_AXES];
    ptrdiff_t dst_step[MAX_AXES];
    ptrdiff_t src;
    ptrdiff_t dst;
} box_walk;

static void box_add(box_walk *walk, uint64_t extent, ptrdiff_t src_step, ptrdiff_t dst_step) {
    if (extent == 1) return;
    const unsigned k = walk->rank++;
    walk->index[k] = 0;
    walk->extent[k] = extent;
    walk->src_step[k] = src_step;
    walk->dst_step[k] = dst_step;
}

/** To the next index; back to the first one, and false, after the last. */
static bool box_next(box_walk *walk) {
    for (unsigned k = 0; k < walk->rank; k++) {
        walk->src += walk->src_step[k];
        walk->dst += walk->dst_step[k];
        if (++walk->index[k] < walk->extent[k]) return true;
        walk->src -= walk->src_step[k] * (ptrdiff_t)walk->extent[k];
        walk->dst -= walk->dst_step[k] * (ptrdiff_t)walk->extent[k];
        walk->index[k] = 0;
    }
    return false;
}

/** One tile in hand. */
typedef struct tile {
    const axes_tile_schedule *schedule;
    const tile_kernels *kernels;
    uint8_t *stage;
    const uint8_t *src;
    const uint8_t *next_src; /**< the tile after this one */
    uint8_t *dst;
    uint64_t extents[MAX_AXES];
    ptrdiff_t stage_strides[MAX_AXES];
    ptrdiff_t dst_strides[MAX_AXES];
    size_t stretch_bytes;   /**< bytes of dst that lie together */
    const int32_t *offsets; /**< in src of a stretch's words (GATHER) */
} tile;

/** Lays the tile out in the stage: axes in dst's order, a stretch on every pitch. */
static void lay_out(tile *t) {
    const axes_tile_schedule *s = t->schedule;
    size_t stride = s->run_bytes;
    for (unsigned k = 0; k < s->rank; k++) {
        if (k == s->joined) stride = axes_tile_pitch(stride);
        t->stage_strides[k] = (ptrdiff_t)stride;
        stride *= (size_t)t->extents[k];
        if (k < s->joined) t->stretch_bytes = stride;
    }
}

/** The walk over the tile's stretches: src against where axis k's neighbours are `strides[k]` bytes apart. */
static box_walk stretches(const tile *t, const ptrdiff_t *strides) {
    const axes_tile_schedule *s = t->schedule;
    box_walk walk = {.rank = 0};
    for (unsigned k = s->joined; k < s->rank; k++)
        box_add(&walk, t->extents[k], s->axes[k].src_stride, strides[k]);
    return walk;
}

/** ... the stage against dst. */
static box_walk staged_stretches(const tile *t) {
    box_walk walk = {.rank = 0};
    for (unsigned k = t->schedule->joined; k < t->schedule->rank; k++)
        box_add(&walk, t->extents[k], t->stage_strides[k], t->dst_strides[k]);
    return walk;
}

/** Moves the block that each step of the walk finds. */
static void move_blocks(const tile *t, tile_block_kernel *kernel, tile_block *block, box_walk walk,
                        uint8_t *to) {
    block->next = NULL;
    do {
        block->src = t->src + walk.src;
        block->dst = to + walk.dst;
        kernel(block);
    } while (box_next(&walk));
}

/** Asks for the block's lines of dst, all of them before the first is stored to. */
static void prefetch_dst(const tile_block *block) {
    const size_t bytes = block->rows * block->run_bytes;
    for (size_t c = 0; c < block->cols; c++) {
        const uint8_t *const column = block->dst + c * block->dst_col, *line = column - (uintptr_t)column % LINE;
        for (; line < column + bytes; line += LINE) __builtin_prefetch(line, 1);
    }
}

/** Rows of a block whose lines of dst, asked for at once, leave src's room in the nearest cache; two lines of a column at least, as they come in
 *  pairs. */
static size_t rows_at_once(const tile_block *block) {
    enum { SHARE = 10 << 10 };
    const size_t lines = SHARE / (block->cols * LINE);
    return LINE / block->run_bytes * (lines > 2 ? lines : 2);
}

/** The rows that a part of a block, of the rows from `first` on, is to fetch: rows further on, or at the block's end of the next block. */
static const uint8_t *rows_ahead(const tile_block *block, size_t first, size_t rows) {
    enum { ROWS_AHEAD = 32 };
    const size_t distance = rows > ROWS_AHEAD ? rows : ROWS_AHEAD;
    const size_t at = first + (distance < block->rows ? distance : block->rows);
    return at < block->rows ? tile_src(block, at, 0) : block->next + (ptrdiff_t)(at - block->rows) * block->src_row;
}

/** Moves a block by so many rows at a time, of which dst's lines are asked for first; the last part has the rest of the rows, too. */
static void move_asking(tile_block_kernel *kernel, const tile_block *block, size_t rows) {
    tile_block part = *block;
    for (size_t r = 0; r < block->rows; r += part.rows) {
        part.rows = block->rows - r < 2 * rows ? block->rows - r : rows;
        part.src = tile_src(block, r, 0);
        part.dst = block->dst + r * block->dst_row;
        part.next = rows_ahead(block, r, part.rows);
        prefetch_dst(&part);
        kernel(&part);
    }
}

/** ... and has it fetch the block that comes so many rows later that these are there when their turn comes; behind the tile's last
 *  blocks come the next tile's. */
static void move_blocks_fetching(const tile *t, tile_block_kernel *kernel, tile_block *block, box_walk walk,
                                 uint8_t *to) {
    enum { ROWS_AHEAD = 64 };
    const bool asks = t->schedule->fetches_dst;
    const size_t at_once = asks ? rows_at_once(block) : block->rows;
    box_walk ahead = walk;
    const uint8_t *fetched = t->src; /* the tile that `ahead` is in */
    for (size_t rows = 0; rows < ROWS_AHEAD; rows += block->rows)
        if (!box_next(&ahead)) fetched = t->next_src;
    do {
        block->src = t->src + walk.src;
        block->dst = to + walk.dst;
        block->next = fetched + ahead.src;
        if (!box_next(&ahead)) fetched = t->next_src;
        if (block->rows >= 2 * at_once) {
            move_asking(kernel, block, at_once);
        } else {
            if (asks) prefetch_dst(block);
            kernel(block);
        }
    } while (box_next(&walk));
}

/** src -> `to`, axis k's neighbours `strides[k]` bytes apart there, by blocks of a x b, in src's order. */
static void fill_by_blocks(const tile *t, tile_block_kernel *kernel, uint8_t *to, const ptrdiff_t *strides) {
    const axes_tile_schedule *s = t->schedule;
    const bool two = s->a != 0; /* else one column */
    box_walk walk = {.rank = 0};
    for (unsigned i = 0; i < s->rank; i++) {
        const unsigned k = s->by_src[i];
        if (k != s->a && k != 0) box_add(&walk, t->extents[k], s->axes[k].src_stride, strides[k]);
    }
    tile_block block = {.rows = (size_t)t->extents[0],
                        .cols = two ? (size_t)t->extents[s->a] : 1,
                        .src_row = s->axes[0].src_stride,
                        .src_col = two ? s->axes[s->a].src_stride : 0,
                        .dst_row = (size_t)strides[0],
                        .dst_col = two ? (size_t)strides[s->a] : 0,
                        .run_bytes = s->run_bytes,
                        .stream = s->stream && to == t->dst};
    const bool is_streamed =
        block.stream && (s->mode == AXES_TILE_RUNS || (s->mode == AXES_TILE_WORDS && s->fetches_src));
    const bool fetches = to == t->stage ? !s->fetches_tiles : is_streamed || s->fetches_dst;
    (fetches ? move_blocks_fetching : move_blocks)(t, kernel, &block, walk, to);
}

/** The offset in src of each word of a whole tile's stretch: all that tiles need, since a stretch is cut only along its
 *  last axis, and begins alike. */
static const int32_t *offsets_of_stretch(const axes_tile_schedule *s, uint8_t *stage) {
    int32_t *const offsets = (int32_t *)(void *)(stage + AXES_TILE_GATHER_STAGE_BYTES);
    box_walk words = {.rank = 0};
    for (unsigned k = 0; k < s->joined; k++) box_add(&words, s->axes[k].tile, s->axes[k].src_stride, 0);
    size_t count = 0;
    do offsets[count++] = (int32_t)words.src;
    while (box_next(&words));
    return offsets;
}

/** src -> `to` word by word. */
static void fill_by_offsets(const tile *t, tile_gather_kernel *kernel, uint8_t *to, const ptrdiff_t *strides) {
    const size_t words = t->stretch_bytes / t->schedule->run_bytes;
    box_walk walk = stretches(t, strides);
    do kernel(to + walk.dst, t->src + walk.src, t->offsets, words);
    while (box_next(&walk));
}

/** Columns whose rows lie in src the other way round, one run behind the other. */
static void reverse_columns(const tile_block *b) {
    reverse_run *const reverse = reverse_runs[vectors_for(LOOPS_REVERSALS)];
    for (size_t c = 0; c < b->cols; c++)
        reverse((char *)b->dst + c * b->dst_col, (const char *)tile_src(b, 0, c) + b->run_bytes, b->rows,
                b->run_bytes, false);
}

/** src -> `to`, the stage or dst. */
static void fill(const tile *t, uint8_t *to, const ptrdiff_t *strides) {
    const tile_kernels *kernels = t->kernels;
    const axes_tile_schedule *s = t->schedule;
    const unsigned word = tile_word(s->run_bytes);
    tile_block_kernel *kernel = NULL;
    switch (s->mode) {
    case AXES_TILE_DIRECT: break;
    case AXES_TILE_RUNS: kernel = to == t->stage || s->stream ? kernels->runs : tile_apart(s->run_bytes); break;
    case AXES_TILE_APART:
    case AXES_TILE_RUNS_ANY: kernel = tile_apart(s->run_bytes); break;
    case AXES_TILE_REVERSED: kernel = reverse_columns; break;
    case AXES_TILE_WORDS: kernel = kernels->transpose[word]; break;
    case AXES_TILE_INTERLEAVE:
        kernel = s->axes[s->a].src_stride < 0 ? tile_interleave_turned : kernels->interleave[word];
        break;
    case AXES_TILE_SEPARATE:
        kernel = s->axes[0].src_stride < 0 ? tile_separate_turned : kernels->separate[word];
        break;
    case AXES_TILE_GATHER: fill_by_offsets(t, kernels->gather[word], to, strides); break;
    }
    if (kernel != NULL) fill_by_blocks(t, kernel, to, strides);
}

/** Asks for the lines of dst that the tile shares with others: their stores shall not wait. */
static void prefetch_ends(const tile *t) {
    box_walk walk = staged_stretches(t);
    do {
        __builtin_prefetch(t->dst + walk.dst, 1);
        __builtin_prefetch(t->dst + walk.dst + t->stretch_bytes - 1, 1);
    } while (box_next(&walk));
}

/** The way through the next tile's src, to fetch it while this tile is written, where the schedule has that. */
typedef struct prefetcher {
    box_walk walk;
    const uint8_t *src;
    size_t
        stretch_bytes; /**< bytes of src that lie together, or so close that no line between them is left out */
    size_t at;         /**< bytes of the stretch in hand that are fetched */
    size_t left;       /**< stretches not fetched yet */
} prefetcher;

static prefetcher prefetch_start(const tile *t) {
    const axes_tile_schedule *s = t->schedule;
    prefetcher p = {.src = t->next_src, .stretch_bytes = s->run_bytes, .left = 1};
    for (unsigned i = 0; i < s->rank && s->axes[s->by_src[i]].src_stride != 0; i++) {
        const unsigned k = s->by_src[i];
        const ptrdiff_t stride = s->axes[k].src_stride, reach = stride * (ptrdiff_t)(t->extents[k] - 1);
        const size_t distance = (size_t)(stride < 0 ? -stride : stride);
        if (p.left == 1 && distance <= p.stretch_bytes + 64) {
            p.stretch_bytes += (size_t)(reach < 0 ? -reach : reach);
            if (reach < 0) p.src += reach;
        } else {
            box_add(&p.walk, t->extents[k], stride, 0);
            p.left *= (size_t)t->extents[k];
        }
    }
    return p;
}

/** Fetches the next `count` lines, or as many as are left. */
static void prefetch_some(prefetcher *p, size_t count) {
    for (; count > 0 && p->left > 0; count--) {
        const uint8_t *const stretch = p->src + p->walk.src;
        __builtin_prefetch(stretch + p->at, 0, 2);
        p->at += LINE;
        if (p->at < p->stretch_bytes) continue;
        __builtin_prefetch(stretch + p->stretch_bytes - 1, 0, 2);
        p->at = 0, p->left--;
        box_next(&p->walk);
    }
}

/** stage -> dst. */
static void empty_stage(const tile *t) {
    box_walk walk = staged_stretches(t);
    do t->kernels->copy(t->dst + walk.dst, t->stage + walk.src, t->stretch_bytes, t->schedule->stream);
    while (box_next(&walk));
}

/** ... some lines of it at a time, and with each as many of the next tile's src. */
static void empty_stage_fetching(const tile *t) {
    enum { PIECE = 8 * LINE };
    box_walk walk = staged_stretches(t);
    prefetcher ahead = prefetch_start(t);
    size_t pieces = t->stretch_bytes / PIECE + 1;
    for (unsigned k = 0; k < walk.rank; k++) pieces *= (size_t)walk.extent[k];
    const size_t share = (ahead.left * ((ahead.stretch_bytes + LINE - 1) / LINE) + pieces - 1) / pieces;
    do {
        uint8_t *const to = t->dst + walk.dst;
        const uint8_t *const from = t->stage + walk.src;
        size_t done = 0, next = PIECE - (uintptr_t)to % LINE;
        for (; done < t->stretch_bytes; done = next, next += PIECE) {
            if (next > t->stretch_bytes) next = t->stretch_bytes;
            prefetch_some(&ahead, share);
            t->kernels->copy(to + done, from + done, next - done, t->schedule->stream);
        }
    } while (box_next(&walk));
}

/** True if the stretches of dst along all axes but 0 and `but` begin at lines where the first does. */
static bool rows_are_lines(const tile *t, unsigned but) {
    ptrdiff_t places = 0;
    for (unsigned k = 1; k < t->schedule->rank; k++)
        if (t->extents[k] > 1 && k != but) places |= t->dst_strides[k];
    return places % LINE == 0;
}

/** True if words are turned and rows of dst begin all alike within lines, and fill some, so that these can be streamed from where they are
 *  turned. Short rows that do not begin at lines go through the stage, where several make up a line. */
static bool streams_turned(const tile *t) {
    enum { LONG_ROW = 8 * LINE, PIECE = 16 };
    const axes_tile_schedule *s = t->schedule;
    if (s->mode != AXES_TILE_WORDS || (uintptr_t)t->dst % s->run_bytes != 0 || !rows_are_lines(t, 0))
        return false;
    const size_t row = (size_t)t->extents[0] * s->run_bytes;
    const bool is_whole = ((uintptr_t)t->dst | row) % LINE == 0;
    return (is_whole || row >= LONG_ROW) && t->extents[s->a] * s->run_bytes >= PIECE;
}

/** True if planes are woven, and each stretch that the kernel writes begins at a line. */
static bool streams_woven(const tile *t) {
    return t->schedule->mode == AXES_TILE_INTERLEAVE && (uintptr_t)t->dst % LINE == 0 &&
           rows_are_lines(t, t->schedule->a);
}

/** True if runs are whole lines of dst, and begin at them. */
static bool streams_runs(const tile *t) {
    return t->schedule->mode == AXES_TILE_RUNS && t->schedule->run_bytes % LINE == 0 &&
           (uintptr_t)t->dst % LINE == 0 && rows_are_lines(t, 0);
}

/** True if the kernel streams straight to dst. */
static bool streams_lines(const tile *t) {
    return (t->kernels->streams_turned && streams_turned(t)) ||
           (t->kernels->streams_woven && streams_woven(t)) || (t->kernels->streams_runs && streams_runs(t));
}

/** Moves one tile. */
static void move_tile(tile *t) {
    if (t->schedule->mode == AXES_TILE_DIRECT) {
        t->kernels->copy(t->dst, t->src, (size_t)t->extents[0], t->schedule->stream);
        return;
    }
    lay_out(t);
    if (!axes_tile_is_staged(t->schedule) || streams_lines(t)) {
        fill(t, t->dst, t->dst_strides);
        return;
    }
    prefetch_ends(t);
    fill(t, t->stage, t->stage_strides);
    (t->schedule->fetches_tiles ? empty_stage_fetching : empty_stage)(t);
}

/** The walk over tiles, set to tile number `first`. */
static box_walk tiles_from(const axes_tile_schedule *s, uint64_t first) {
    box_walk walk = {.rank = s->rank};
    for (unsigned i = 0; i < s->rank; i++) {
        const axes_tile_axis *axis = &s->axes[s->loops[i]];
        walk.extent[i] = (axis->extent + axis->tile - 1) / axis->tile;
        walk.index[i] = first % walk.extent[i];
        walk.src_step[i] = (ptrdiff_t)axis->tile * axis->src_stride;
        walk.dst_step[i] = (ptrdiff_t)axis->tile * axis->dst_stride;
        walk.src += walk.src_step[i] * (ptrdiff_t)walk.index[i];
        walk.dst += walk.dst_step[i] * (ptrdiff_t)walk.index[i];
        first /= walk.extent[i];
    }
    return walk;
}

/** Moves tiles first..last-1. */
static void move_tiles(const tile_kernels *kernels, const axes_tile_schedule *s, uint8_t *dst,
                       const uint8_t *src, uint64_t first, uint64_t last) {
    _Alignas(64) uint8_t stage[AXES_TILE_STAGE_BYTES];
    box_walk walk = tiles_from(s, first);
    tile t = {.schedule = s, .kernels = kernels, .stage = stage};
    for (unsigned k = 0; k < s->rank; k++) t.dst_strides[k] = s->axes[k].dst_stride;
    if (s->mode == AXES_TILE_GATHER) t.offsets = offsets_of_stretch(s, stage);
    for (uint64_t number = first; number < last; number++) {
        t.src = src + walk.src;
        t.dst = dst + walk.dst;
        for (unsigned i = 0; i < s->rank; i++) {
            const axes_tile_axis *axis = &s->axes[s->loops[i]];
            const uint64_t left = axis->extent - walk.index[i] * axis->tile;
            t.extents[s->loops[i]] = left < axis->tile ? left : axis->tile;
        }
        box_next(&walk);
        t.next_src = src + walk.src;
        move_tile(&t);
    }
    if (s->stream) stream_finish();
}

void axes_tile_move(const tile_kernels *kernels, const cpu_move *move, team_member me) {
    const axes_tile_schedule *const s = &move->p->axes_tile;
    if (s->tiles == 0) return; /* src and dst may be NULL */
    uint8_t *const dst = (uint8_t *)move->dst + s->dst_start;
    const uint8_t *const src = (const uint8_t *)move->src + s->src_start;
    const uint64_t pieces = me.count > 1 ? 8 * (uint64_t)me.count : 1;
    const uint64_t each = (s->tiles + pieces - 1) / pieces;
    for (;;) {
        const team_share some = team_take(s->tiles, each, move->taken);
        if (some.first == some.end) return;
        move_tiles(kernels, s, dst, src, some.first, some.end);
    }
}

void cpu_axes_tile(const cpu_move *move, team_member me) { axes_tile_move(tile_kernels_best(), move, me); }
