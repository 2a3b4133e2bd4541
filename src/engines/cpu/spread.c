/* SPDX-License-Identifier: Apache-2.0
 *
 * A permutation used once: elements are spread by tile of dst as they come, then placed tile by tile (plan/once/spread.h).
 */
#include <string.h>

#include "engines/cpu/element_size.h"
#include "engines/cpu/loops.h"
#include "engines/cpu/stream.h"

enum { BATCH = 1024, TILES_TAKEN = 4 };

static const uint32_t NO_CHUNK = UINT32_MAX;

/* A member's part of the workspace. Places count records from the workspace's beginning. */
typedef struct spread_view {
    char *records;
    uint32_t *before; /* of each chunk */
    uint32_t *next;   /* of each tile: where the next record goes; always in a chunk that is there */
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

/* What a member writes to. */
typedef struct spreader {
    spread_view view;
    char *lines; /* one for each tile */
    uint32_t free, chunk;
    unsigned tile_bits;
} spreader;

/* The tile's next chunk. */
static void begin_chunk(spreader *w, size_t tile, uint32_t before) {
    w->view.before[w->free] = before;
    w->view.next[tile] = w->free++ * w->chunk;
}

ALWAYS_INLINE void send_line(const spreader *w, size_t tile, uint32_t place, size_t record_bytes) {
    const uint32_t a_line = (uint32_t)(SPREAD_LINE_BYTES / record_bytes);
    stream_copy(w->view.records + (size_t)(place / a_line) * SPREAD_LINE_BYTES,
                w->lines + tile * SPREAD_LINE_BYTES, SPREAD_LINE_BYTES);
}

ALWAYS_INLINE void spread_batch(spreader *w, const char *from, const uint64_t *images, size_t count,
                                size_t elem_bytes) {
    const size_t record_bytes = spread_record_bytes(elem_bytes), low_bytes = spread_low_bytes(elem_bytes);
    const uint32_t a_line = (uint32_t)(SPREAD_LINE_BYTES / record_bytes);
    for (size_t k = 0; k < count; k++, from += elem_bytes) {
        const size_t tile = images[k] >> w->tile_bits;
        const uint32_t low = (uint32_t)images[k] & ((1u << w->tile_bits) - 1), place = w->view.next[tile];
        char *const record = w->lines + tile * SPREAD_LINE_BYTES + place % a_line * record_bytes;
        memcpy(record, from, elem_bytes);
        if (low_bytes == 2) {
            const uint16_t half = (uint16_t)low;
            memcpy(record + record_bytes - sizeof half, &half, sizeof half);
        } else {
            memcpy(record + record_bytes - sizeof low, &low, sizeof low);
        }
        w->view.next[tile] = place + 1;
        if ((place + 1) % a_line != 0) continue;
        send_line(w, tile, place, record_bytes);
        if ((place + 1) % w->chunk == 0) begin_chunk(w, tile, place / w->chunk);
    }
}

/* Lines that are not whole go with whatever is behind their records. */
static void send_rest(const spreader *w, const spread_schedule *s) {
    const size_t record_bytes = spread_record_bytes(s->elem_bytes);
    const uint32_t a_line = (uint32_t)(SPREAD_LINE_BYTES / record_bytes);
    for (size_t tile = 0; tile < s->tiles; tile++)
        if (w->view.next[tile] % a_line != 0) send_line(w, tile, w->view.next[tile], record_bytes);
}

void cpu_once_spread(const cpu_move *move, team_member me) {
    const spread_schedule *const s = &move->p->spread;
    const team_share mine = team_share_of(s->n, me);
    spreader w = {.view = view_of(s, move->dst, me.number),
                  .lines = (char *)move->staging + me.number * spread_staging_bytes(s),
                  .free = (uint32_t)spread_first_chunk(s, me.number, mine.first),
                  .chunk = spread_chunk(s),
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

ALWAYS_INLINE void place_run(char *tile, const char *record, uint32_t count, size_t elem_bytes) {
    const size_t record_bytes = spread_record_bytes(elem_bytes), low_bytes = spread_low_bytes(elem_bytes);
    for (uint32_t k = 0; k < count; k++, record += record_bytes) {
        uint16_t half;
        uint32_t low;
        memcpy(&half, record + record_bytes - sizeof half, sizeof half);
        memcpy(&low, record + record_bytes - sizeof low, sizeof low);
        memcpy(tile + (low_bytes == 2 ? half : low) * elem_bytes, record, elem_bytes);
    }
}

static void place_records(char *tile, const char *records, uint32_t count, size_t elem_bytes) {
    CALL_FOR_ELEMENT_SIZE(elem_bytes, place_run, tile, records, count)
}

/* Chunks of a tile lie anywhere: the next one is fetched while one is placed. */
static void fetch_chunk(const spread_view *v, uint32_t at) {
    if (at == NO_CHUNK) return;
    const char *const records = v->records + (size_t)at * SPREAD_CHUNK_BYTES;
    for (size_t k = 0; k < SPREAD_CHUNK_BYTES; k += SPREAD_LINE_BYTES) __builtin_prefetch(records + k, 0, 2);
}

/* A member's chunks of a tile, the last one first. */
static void place_chunks(const spread_schedule *s, const spread_view *v, size_t number, char *tile) {
    const uint32_t chunk = spread_chunk(s);
    uint32_t at = v->next[number] / chunk, count = v->next[number] % chunk;
    for (; at != NO_CHUNK; at = v->before[at], count = chunk) {
        fetch_chunk(v, v->before[at]);
        place_records(tile, v->records + (size_t)at * SPREAD_CHUNK_BYTES, count, s->elem_bytes);
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
