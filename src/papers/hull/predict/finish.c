/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's hull, followed: finalization.
 */
#include "base/arithmetic.h"
#include "papers/hull/predict/add.h"

static bool is_corner(const paper_record *own) { return own->index != HULL_PAPER_NONE; }

/* A processor's part of the cells; its end is that of the next one's. */
static uint32_t part_of(const paper_follow *f, uint32_t processor) {
    return paper_part(f->bin[HULL_PAPER_EDGES], f->processors, processor);
}

static riffle_status live(paper_follow *f) {
    enum { ALL, CORNER, CELLS, FIRST, COUNTED };
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        const uint32_t end = part_of(f, k + 1);
        uint32_t count = 0;
        f->best[k].index = HULL_PAPER_NONE;
        paper_uniform(f, ALL, PATTERN_READ, sizeof(uint32_t), k, 1);
        paper_stored(f, CORNER, k, 1);
        for (uint32_t at = part_of(f, k); at < end; at += PAPER_LANES)
            paper_members(f, CELLS, PATTERN_READ, k, at, min(end - at, (uint32_t)PAPER_LANES));
        for (uint32_t at = part_of(f, k); at < end; at++) {
            const paper_record *const own = &f->cells[0][at];
            if (!is_corner(own)) continue;
            count++;
            if (!is_corner(&f->best[k]) || paper_before(own, &f->best[k])) f->best[k] = *own;
        }
        f->counts[0][k] = count;
        paper_one_member(f, FIRST, PATTERN_WRITE, k, 1);
        paper_uniform(f, COUNTED, PATTERN_WRITE, sizeof(uint32_t), k, 2);
    }
    return paper_step_end(f);
}

/* Lanes look for the first corner of all: places of those that have one, and their y where x is equal, the record of a better one. */
static void seek_first(paper_follow *f, unsigned site) {
    paper_record least[PAPER_LANES];
    for (unsigned lane = 0; lane < PAPER_LANES; lane++) least[lane] = f->best[0];
    for (uint32_t at = 0; at < f->processors; at += PAPER_LANES) {
        const uint32_t count = min(f->processors - at, (uint32_t)PAPER_LANES);
        uint32_t are_there = 0, are_better = 0;
        for (uint32_t lane = 0; lane < count; lane++) {
            const paper_record *const own = &f->best[at + lane];
            if (!is_corner(own)) continue;
            are_there++;
            if (is_corner(&least[lane]) && !paper_before(own, &least[lane])) continue;
            are_better++;
            least[lane] = *own;
        }
        paper_indices(f, site, 0, at, count);
        if (are_there > 0) paper_stages(f, site + 1, PATTERN_READ, 4, 0, min(are_there, 4U));
        if (are_better > 0)
            for (unsigned member = 0; member < 2; member++)
                paper_stages(f, site + 2, PATTERN_READ, 4, 0, min(are_better, 4U));
    }
}

static riffle_status order(paper_follow *f) {
    enum { SCANNED, LEAST = SCANNED + PAPER_SCAN_SITES, SOUGHT, FOUND = SOUGHT + 3, LENGTH, LENGTHS };
    paper_step_begin(f);
    paper_add_scan(f, SCANNED, 0, 0, f->processors);
    paper_one_member(f, LEAST, PATTERN_READ, 0, 1);
    seek_first(f, SOUGHT);
    paper_uniform(f, FOUND, PATTERN_READ, sizeof(uint32_t), 0, 2);
    paper_uniform(f, LENGTH, PATTERN_WRITE, sizeof(uint32_t), 0, 2);
    paper_uniform(f, LENGTHS, PATTERN_WRITE, sizeof(uint64_t), 0, 1);
    return paper_step_end(f);
}

/* Corners go to their places backwards, which begin again once. */
static riffle_status write(paper_follow *f) {
    enum { ALL, ASKED, CELLS, WRITTEN };
    uint32_t place = 0;
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        const uint32_t end = part_of(f, k + 1);
        paper_uniform(f, ALL, PATTERN_READ, sizeof(uint32_t), k, 1);
        paper_uniform(f, ASKED, PATTERN_READ, sizeof(uint32_t), k, 3);
        for (uint32_t at = part_of(f, k); at < end; at += PAPER_LANES) {
            const uint32_t cells = min(end - at, (uint32_t)PAPER_LANES);
            uint32_t count = 0;
            paper_indices(f, CELLS, k, at, cells);
            for (uint32_t lane = 0; lane < cells; lane++) count += is_corner(&f->cells[0][at + lane]);
            paper_run(f, WRITTEN, PATTERN_WRITE, sizeof(uint32_t), k, place * sizeof(uint32_t),
                      sizeof(uint32_t), count);
            place += count;
        }
    }
    f->length = place;
    return paper_step_end(f);
}

riffle_status paper_finish(paper_follow *f) {
    riffle_status status = live(f);
    if (status == RIFFLE_OK) status = order(f);
    return status == RIFFLE_OK ? write(f) : status;
}
