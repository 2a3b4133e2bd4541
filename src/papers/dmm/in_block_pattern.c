/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/dmm/in_block_pattern.h"

#include "base/arithmetic.h"

/* A site of each table is behind that of the first one. */
enum { SITE_SRC, SITE_PUT, SITE_GET, SITE_DST, SITE_TABLE, SITE_PUT_TABLE = SITE_TABLE + IN_BLOCK_TABLES };
enum { MOVE_READ, MOVE_WRITE, MOVE_TABLE };

/* Describes a warp's k-th turn through the loop, of numbers begin .. end - 1. */
typedef void (*warp_turn)(const in_block_move *w, uint64_t turn, uint64_t begin, uint64_t end, pattern *out);

static void each_turn(const in_block_move *w, uint64_t count, warp_turn describe, pattern *out) {
    const unsigned width = out->machine->width;
    for (uint64_t start = 0; start < count; start += w->threads) {
        for (uint64_t lane = 0; lane < w->threads; lane += width) {
            const uint64_t end = min(start + min(lane + width, (uint64_t)w->threads), count);
            if (start + lane < end) describe(w, start / w->threads, start + lane, end, out);
        }
    }
}

/* ------------------------------------------------------------- around the move */

static void move_array(const in_block_move *w, uint64_t turn, uint64_t begin, uint64_t end, pattern *out) {
    const uint64_t array = out->first * w->n;
    pattern_run(out, SITE_SRC, turn, (array + begin) * w->elem_bytes, end - begin);
    pattern_run(out, SITE_DST, turn, (array + begin) * w->elem_bytes, end - begin);
}

static void load_tables(const in_block_move *w, uint64_t turn, uint64_t begin, uint64_t end, pattern *out) {
    const uint64_t bytes = sizeof(uint16_t);
    for (unsigned t = 0; t < w->tables; t++)
        pattern_run(out, SITE_TABLE + t, turn, (t * (uint64_t)w->cells + begin) * bytes, end - begin);
    for (unsigned t = 0; t < w->tables; t++) pattern_run(out, SITE_PUT_TABLE + t, turn, 0, end - begin);
}

static void put(const in_block_move *w, uint64_t turn, uint64_t begin, uint64_t end, pattern *out) {
    (void)w;
    pattern_run(out, SITE_PUT, turn, 0, end - begin);
}

static void get(const in_block_move *w, uint64_t turn, uint64_t begin, uint64_t end, pattern *out) {
    (void)w;
    pattern_run(out, SITE_GET, turn, 0, end - begin);
}

static bool pads(const in_block_move *w) { return w->algorithm == RIFFLE_ALGORITHM_CONFLICT_FREE; }

void in_block_pattern_around(const in_block_move *w, pattern *out) {
    const uint64_t moves = pads(w) ? w->cells : w->n; /* padding is moved too */
    pattern_declare(out, SITE_SRC, PATTERN_GLOBAL, PATTERN_READ, w->elem_bytes);
    pattern_declare(out, SITE_DST, PATTERN_GLOBAL, PATTERN_WRITE, w->elem_bytes);
    pattern_declare(out, SITE_PUT, PATTERN_SHARED, PATTERN_WRITE, w->elem_bytes);
    pattern_declare(out, SITE_GET, PATTERN_SHARED, PATTERN_READ, w->elem_bytes);
    for (unsigned t = 0; t < w->tables; t++) {
        pattern_declare(out, SITE_TABLE + t, PATTERN_GLOBAL, PATTERN_READ, sizeof(uint16_t));
        pattern_declare(out, SITE_PUT_TABLE + t, PATTERN_SHARED, PATTERN_WRITE, sizeof(uint16_t));
    }
    for (unsigned block = 0; block < w->blocks; block++) {
        pattern_alike(out, block, 1);
        each_turn(w, w->n, move_array, out);
    }
    pattern_alike(out, 0, w->blocks);
    each_turn(w, moves, load_tables, out);
    each_turn(w, moves, put, out);
    each_turn(w, w->n, get, out);
}

/* ------------------------------------------------------------------- the move */

/* a[table[k]], or a[k] where there is no table. */
static void access_by(const in_block_move *w, unsigned site, const uint16_t *table, uint64_t turn,
                      uint64_t begin, uint64_t end, pattern *out) {
    pattern_lanes lanes = {0};
    for (uint64_t k = begin; k < end; k++) pattern_lane(&lanes, (table != NULL ? table[k] : k) * w->elem_bytes);
    pattern_access(out, site, (size_t)turn, &lanes);
}

/* Cells of b begin at a multiple of the width, so that banks are those of the places in it. */
static void move(const in_block_move *w, uint64_t turn, uint64_t begin, uint64_t end, pattern *out) {
    const bool gathers = w->algorithm == RIFFLE_ALGORITHM_GATHER,
               scatters = w->algorithm == RIFFLE_ALGORITHM_SCATTER;
    access_by(w, MOVE_READ, gathers || pads(w) ? w->host[0] : NULL, turn, begin, end, out);
    access_by(w, MOVE_WRITE, pads(w) ? w->host[1] : scatters ? w->host[0] : NULL, turn, begin, end, out);
    for (unsigned t = 0; t < w->tables; t++) pattern_run(out, MOVE_TABLE + t, turn, 0, end - begin);
}

void in_block_pattern_move(const in_block_move *w, pattern *out) {
    pattern_declare(out, MOVE_READ, PATTERN_SHARED, PATTERN_READ, w->elem_bytes);
    pattern_declare(out, MOVE_WRITE, PATTERN_SHARED, PATTERN_WRITE, w->elem_bytes);
    for (unsigned t = 0; t < w->tables; t++)
        pattern_declare(out, MOVE_TABLE + t, PATTERN_SHARED, PATTERN_READ, sizeof(uint16_t));
    pattern_alike(out, 0, w->blocks);
    each_turn(w, pads(w) ? w->cells : w->n, move, out);
}
