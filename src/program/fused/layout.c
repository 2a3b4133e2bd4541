/* SPDX-License-Identifier: Apache-2.0 */
#include "program/fused/layout.h"

#include <string.h>

#include "perm/gf2_span.h"
#include "program/fused/tile_span.h"

uint64_t layout_place(const uint64_t *places, uint64_t u) {
    uint64_t place = 0;
    for (; u != 0; u &= u - 1) place ^= places[__builtin_ctzll(u)];
    return place;
}

/* Gauss and Jordan, by the lowest bits first. */
void layout_side_make(const uint64_t *places, unsigned count, layout_side *out) {
    memset(out, 0, sizeof *out);
    for (unsigned j = 0; j < count; j++) {
        out->vector[j] = (uint64_t)1 << j;
        out->place[j] = places[j];
    }
    for (unsigned row = 0; row < count; row++) {
        unsigned best = row;
        for (unsigned j = row + 1; j < count; j++)
            if ((out->place[j] & -out->place[j]) < (out->place[best] & -out->place[best])) best = j;
        const uint64_t vector = out->vector[best], place = out->place[best], pivot = place & -place;
        out->vector[best] = out->vector[row];
        out->place[best] = out->place[row];
        out->vector[row] = vector;
        out->place[row] = place;
        for (unsigned j = 0; j < count; j++) {
            if (j == row || (out->place[j] & pivot) == 0) continue;
            out->vector[j] ^= vector;
            out->place[j] ^= place;
        }
    }
    while (out->units < count && out->place[out->units] == (uint64_t)1 << out->units) out->units++;
}

bool layout_swap_lanes(const layout *from, layout *to) {
    if (from->held_bits > LAYOUT_LANE_BITS || from->thread_bits < LAYOUT_LANE_BITS) return false;
    *to = *from;
    for (unsigned k = 0; k < from->held_bits; k++) {
        to->held[k] = from->thread[k];
        to->thread[k] = from->held[k];
    }
    return true;
}

bool layout_swap_warps(const layout *from, unsigned count, unsigned first, layout *to) {
    if (count == 0 || count > from->held_bits || LAYOUT_LANE_BITS + first + count > from->thread_bits)
        return false;
    *to = *from;
    for (unsigned k = 0; k < count; k++) {
        const unsigned held = from->held_bits - count + k, thread = LAYOUT_LANE_BITS + first + k;
        to->held[held] = from->thread[thread];
        to->thread[thread] = from->held[held];
    }
    return true;
}

bool layout_cycle(const layout *from, layout *to) {
    if (from->held_bits != LAYOUT_LANE_BITS || from->thread_bits <= LAYOUT_LANE_BITS) return false;
    const unsigned kept = 2 * LAYOUT_LANE_BITS - from->thread_bits;
    *to = *from;
    for (unsigned k = 0; k < LAYOUT_LANE_BITS; k++) {
        to->thread[k] = from->held[k];
        to->held[k] = from->thread[k < kept ? k : LAYOUT_LANE_BITS + k - kept];
    }
    for (unsigned k = LAYOUT_LANE_BITS; k < from->thread_bits; k++)
        to->thread[k] = from->thread[k - LAYOUT_LANE_BITS + kept];
    return true;
}

void layout_complete(layout *out, unsigned held, const uint64_t *candidates, unsigned count) {
    tile_span span = {.count = 0};
    unsigned threads = 0;
    for (unsigned k = 0; k < held; k++) tile_span_add(&span, out->held[k]);
    for (unsigned j = 0; j < count; j++) {
        if (!tile_span_add(&span, candidates[j])) continue;
        if (held < out->held_bits) {
            out->held[held++] = candidates[j];
        } else {
            out->thread[threads++] = candidates[j];
        }
    }
}

uint32_t layout_coordinates(const layout *l, uint64_t v) {
    gf2_span span = {0};
    for (unsigned k = 0; k < l->held_bits; k++) gf2_span_add(&span, l->held[k]);
    for (unsigned k = 0; k < l->thread_bits; k++) gf2_span_add(&span, l->thread[k]);
    return (uint32_t)gf2_span_coordinates(&span, v);
}

bool layout_is_coalesced(const layout *l, const uint64_t *places, unsigned vector_bits, unsigned segment_bits) {
    const uint64_t within = ((uint64_t)1 << vector_bits) - 1;
    tile_span warp = {.count = 0};
    for (unsigned k = 0; k < l->held_bits; k++) {
        const uint64_t place = layout_place(places, l->held[k]);
        if (k < vector_bits ? place != (uint64_t)1 << k : (place & within) != 0) return false;
        if (k < vector_bits) tile_span_add(&warp, place);
    }
    for (unsigned k = 0; k < l->thread_bits; k++) {
        const uint64_t place = layout_place(places, l->thread[k]);
        if ((place & within) != 0) return false;
        if (k < LAYOUT_LANE_BITS) tile_span_add(&warp, place);
    }
    for (unsigned k = 0; k < segment_bits; k++)
        if (tile_span_rest(&warp, (uint64_t)1 << k) != 0) return false;
    return true;
}
