/* SPDX-License-Identifier: Apache-2.0 */
#include "move/predict/once/warps.h"

#include "base/arithmetic.h"

void once_turns(const once_warp *w, uint64_t begin, uint64_t end, const once_stream *stream, unsigned count) {
    for (uint64_t k = begin + w->first; k < end; k += w->work->block_x) {
        const uint64_t cells = min(end - k, (uint64_t)PATTERN_LANES);
        for (unsigned s = 0; s < count; s++) {
            const unsigned site = stream[s].site;
            pattern_run(w->out, site, w->out->done[site]++, stream[s].at + k * w->out->site[site].bytes, cells);
        }
    }
}

void once_copy(const once_warp *w, uint64_t end, bool by_vectors, size_t elem_bytes,
               const once_stream stream[4]) {
    const uint64_t units = ONCE_VECTOR / elem_bytes, whole = by_vectors ? end / units : 0;
    once_turns(w, 0, whole, stream, 2);
    once_turns(w, whole * units, end, stream + 2, 2);
}

static bool is_whole(uint64_t at, uint32_t count, uint64_t word) { return count >= 4 && at % word == 0; }

void once_quads(const once_warp *w, unsigned whole, unsigned unit, uint64_t at,
                const uint32_t count[PATTERN_LANES]) {
    const uint64_t bytes = w->out->site[unit].bytes, word = w->out->site[whole].bytes, quad = 4 * bytes;
    for (uint64_t part = 0; part < quad; part += word) {
        pattern_lanes lanes = {0};
        for (unsigned l = 0; l < PATTERN_LANES; l++)
            if (is_whole(at + l * quad, count[l], word)) pattern_lane(&lanes, at + l * quad + part);
        pattern_next(w->out, whole, &lanes);
    }
    for (unsigned i = 0; i < 4; i++) {
        pattern_lanes lanes = {0};
        for (unsigned l = 0; l < PATTERN_LANES; l++)
            if (i < count[l] && !is_whole(at + l * quad, count[l], word))
                pattern_lane(&lanes, at + l * quad + i * bytes);
        pattern_next(w->out, unit, &lanes);
    }
}
