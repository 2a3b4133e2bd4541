/* SPDX-License-Identifier: Apache-2.0
 *
 * A permutation used once: elements are spread by tile of dst as they come, then placed tile by tile (plan/once/spread.h).
 */
#include <string.h>

#include "base/element_size.h"
#include "base/simd/stream.h"
#include "move/cpu/passes/loops.h"

enum { BATCH = 1024, TILES_TAKEN = 4 };

static const uint32_t NO_CHUNK = UINT32_MAX;

/* A member's part of the workspace. Places count those of lines from the workspace's beginning. */
typedef struct spread_view {
    char *records;
    uint32_t *before; /* each chunk's */
    uint32_t *next;   /* each tile's place for the next record; always in a chunk that is there */
} spread_view;

static size_t line_of_numbers(const spread_schedule *s) {
    const size_t a_line = SPREAD_LINE_BYTES / sizeof(uint32_t);
    return (s->tiles + a_line - 1) / a_line * a_line;
}

static spread_view view_of(const spread_schedule *s, void *workspace, unsigned member) {
    const spread_layout at = spread_workspace(s);
    char *const base = workspace;
    return (spread_view){.records = base + at.records,
                         .before = (uint32_t *)(void *)(base + at.before),
                         .next = (uint32_t *)(void *)(base + at.next) + member * line_of_numbers(s)};
}

static uint32_t *members_of(const spread_schedule *s, void *workspace) {
    return (uint32_t *)(void *)((char *)workspace + spread_workspace(s).count);
}

/* ------------------------------------------------------------------- spreading */

/* The places that a member writes to. */
typedef struct spreader {
    spread_view view;
    char *lines; /* one for each tile */
    uint32_t free;
    unsigned tile_bits;
} spreader;

/* The tile's next chunk. */
static void begin_chunk(spreader *w, size_t tile, uint32_t before) {
    w->view.before[w->free] = before;
    w->view.next[tile] = w->free++ * SPREAD_CHUNK_PLACES;
}

static void send_line(const spreader *w, size_t tile, uint32_t place) {
    stream_copy(w->view.records + (size_t)(place / SPREAD_LINE_PLACES) * SPREAD_LINE_BYTES,
                w->lines + tile * SPREAD_LINE_BYTES, SPREAD_LINE_BYTES);
}

/* The tile's line of this place has all its records. */
ALWAYS_INLINE void end_line(spreader *w, size_t tile, uint32_t place) {
    const uint32_t next = (place | (SPREAD_LINE_PLACES - 1)) + 1;
    send_line(w, tile, place);
    w->view.next[tile] = next;
    if (next % SPREAD_CHUNK_PLACES == 0) begin_chunk(w, tile, place / SPREAD_CHUNK_PLACES);
}

ALWAYS_INLINE void spread_batch(spreader *w, const char *from, const uint64_t *images, size_t count,
                                size_t elem_bytes) {
    for (size_t k = 0; k < count; k++, from += elem_bytes) {
        const size_t tile = images[k] >> w->tile_bits;
        const uint16_t low = (uint16_t)(images[k] & ((1u << w->tile_bits) - 1));
        const uint32_t place = w->view.next[tile], number = place % SPREAD_LINE_PLACES;
        char *const record = w->lines + tile * SPREAD_LINE_BYTES + number * spread_record_bytes(elem_bytes);
        memcpy(record, from, elem_bytes);
        memcpy(record + elem_bytes, &low, sizeof low);
        if (number + 1 < spread_line(elem_bytes))
            w->view.next[tile] = place + 1;
        else
            end_line(w, tile, place);
    }
}

/* Lines that are not whole go with whatever is behind their records. */
static void send_rest(const spreader *w, const spread_schedule *s) {
    for (size_t tile = 0; tile < s->tiles; tile++)
        if (w->view.next[tile] % SPREAD_LINE_PLACES != 0) send_line(w, tile, w->view.next[tile]);
}

void cpu_once_spread(const cpu_move *move, team_member me) {
    const spread_schedule *const s = &move->p->spread;
    const team_share mine = team_share_of(s->n, me);
    spreader w = {.view = view_of(s, move->dst, me.number),
                  .lines = (char *)move->staging + me.number * spread_staging_bytes(s),
                  .free = (uint32_t)spread_first_chunk(s, me.number, mine.first),
                  .tile_bits = s->tile_bits};
    if (me.number == 0) *members_of(s, move->dst) = me.count;
    for (size_t tile = 0; tile < s->tiles; tile++) begin_chunk(&w, tile, NO_CHUNK);
    uint64_t images[BATCH];
    for (uint64_t first = mine.first; first < mine.end; first += BATCH) {
        const size_t count = mine.end - first < BATCH ? mine.end - first : BATCH;
        const char *const from = (const char *)move->src + first * s->elem_bytes;
        riffle_perm_map(s->map, first, count, images); /* in range, so it cannot fail */
        CALL_FOR_ELEMENT_SIZE(s->elem_bytes, spread_batch, &w, from, images, count)
    }
    send_rest(&w, s);
    stream_finish();
}

/* --------------------------------------------------------------------- placing */

ALWAYS_INLINE void place_line(char *tile, const char *record, uint32_t count, size_t elem_bytes) {
    for (uint32_t k = 0; k < count; k++, record += spread_record_bytes(elem_bytes)) {
        uint16_t low;
        memcpy(&low, record + elem_bytes, sizeof low);
        memcpy(tile + low * elem_bytes, record, elem_bytes);
    }
}

/* Chunks of a tile lie anywhere: while a line is placed, one of the chunk that comes after is fetched. */
ALWAYS_INLINE void place_run(char *tile, const char *chunk, uint32_t places, const char *after,
                             size_t elem_bytes) {
    const char *const end = chunk + places / SPREAD_LINE_PLACES * SPREAD_LINE_BYTES;
    for (const char *line = chunk; line < end; line += SPREAD_LINE_BYTES) {
        __builtin_prefetch(after + (line - chunk), 0, 2);
        place_line(tile, line, spread_line(elem_bytes), elem_bytes);
    }
    place_line(tile, end, places % SPREAD_LINE_PLACES, elem_bytes);
}

static void place_records(char *tile, const char *chunk, uint32_t places, const char *after,
                          size_t elem_bytes) {
    CALL_FOR_ELEMENT_SIZE(elem_bytes, place_run, tile, chunk, places, after)
}

/* A member's chunks of a tile, the last one first, which need not be whole. */
static void place_chunks(const spread_schedule *s, const spread_view *v, size_t number, char *tile) {
    uint32_t at = v->next[number] / SPREAD_CHUNK_PLACES, places = v->next[number] % SPREAD_CHUNK_PLACES;
    for (; at != NO_CHUNK; at = v->before[at], places = SPREAD_CHUNK_PLACES) {
        const uint32_t after = v->before[at] != NO_CHUNK ? v->before[at] : at;
        place_records(tile, v->records + (size_t)at * SPREAD_CHUNK_BYTES, places,
                      v->records + (size_t)after * SPREAD_CHUNK_BYTES, s->elem_bytes);
    }
}

static void place_tile(const cpu_move *move, size_t number, char *tile) {
    const spread_schedule *const s = &move->p->spread;
    void *const workspace = (void *)(uintptr_t)move->src;
    const uint64_t first = (uint64_t)number << s->tile_bits, longest = (uint64_t)1 << s->tile_bits;
    const size_t length = s->n - first < longest ? s->n - first : longest;
    const uint32_t members = *members_of(s, workspace);
    for (unsigned k = 0; k < members; k++) {
        const spread_view v = view_of(s, workspace, k);
        place_chunks(s, &v, number, tile);
    }
    stream_copy((char *)move->dst + first * s->elem_bytes, tile, length * s->elem_bytes);
}

void cpu_once_place(const cpu_move *move, team_member me) {
    const spread_schedule *const s = &move->p->spread;
    char *const tile = (char *)move->staging + me.number * spread_staging_bytes(s);
    for (;;) {
        const team_share some = team_take(s->tiles, TILES_TAKEN, move->taken);
        if (some.first == some.end) break;
        for (uint64_t k = some.first; k < some.end; k++) place_tile(move, (size_t)k, tile);
    }
    stream_finish();
}
