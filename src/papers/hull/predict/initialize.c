/* SPDX-License-Identifier: Apache-2.0
 *
 * The dissertation's hull, followed: initialization, of which all but the bins depends on no point.
 */
#include <string.h>

#include "base/arithmetic.h"
#include "papers/hull/predict/add.h"

/* ------------------------------------------------------------- reading all points */

/* Where each array of a part's points is read: candidates, x, y. */
enum { CANDIDATES, X, Y, POINT_SITES };

typedef struct read_array {
    uint64_t offset, stride;
    unsigned bytes;
} read_array;

static uint32_t fewest_turns(const paper_follow *f) { return (uint32_t)(f->n / f->processors / PAPER_LANES); }

/* Turns of all lanes are alike within a part, since they go on by whole address groups. */
static void read_part(paper_follow *f, unsigned site, const read_array *of, uint32_t processor) {
    const uint64_t begin = paper_part(f->n, f->processors, processor),
                   end = paper_part(f->n, f->processors, processor + 1);
    const uint32_t alike = fewest_turns(f);
    for (uint64_t k = begin; k < end; k += PAPER_LANES) {
        paper_run(f, site, PATTERN_READ, of->bytes, processor, of->offset + k * of->stride, of->stride,
                  (uint32_t)min(end - k, (uint64_t)PAPER_LANES));
        if (k == begin && alike > 1) k += (uint64_t)(alike - 1) * PAPER_LANES;
    }
}

static void read_points(paper_follow *f, unsigned site) {
    const uint32_t c = (uint32_t)riffle_type_bytes(f->type);
    const read_array arrays[POINT_SITES] = {[CANDIDATES] = {0, sizeof(uint32_t), sizeof(uint32_t)},
                                            [X] = {0, 2 * (uint64_t)c, c},
                                            [Y] = {c, 2 * (uint64_t)c, c}};
    for (unsigned k = 0; k < POINT_SITES; k++) {
        for (uint32_t processor = 0; processor < f->processors; processor++)
            read_part(f, site + k, &arrays[k], processor);
        if (fewest_turns(f) > 1) pattern_repeat(&f->p, site + k, 0, fewest_turns(f) - 1);
    }
}

/* --------------------------------------------------------------------- corners */

enum { GIVEN, ANY = GIVEN + 2, POINTS = ANY + POINT_SITES, WRITTEN = POINTS + POINT_SITES };

static riffle_status find(paper_follow *f) {
    const uint32_t c = (uint32_t)riffle_type_bytes(f->type);
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        paper_uniform(f, GIVEN, PATTERN_READ, sizeof(uint32_t), k, 1);
        paper_uniform(f, GIVEN + 1, PATTERN_READ, sizeof(uint32_t), k, 1);
        paper_uniform(f, ANY + CANDIDATES, PATTERN_READ, sizeof(uint32_t), k, 1);
        paper_uniform(f, ANY + X, PATTERN_READ, c, k, 1);
        paper_uniform(f, ANY + Y, PATTERN_READ, c, k, 1);
        paper_one_whole(f, WRITTEN, PATTERN_WRITE, k, HULL_PAPER_EDGES);
    }
    read_points(f, POINTS);
    return paper_step_end(f);
}

static bool is_single(const paper_follow *f) {
    bool all = true;
    for (unsigned edge = 1; edge < HULL_PAPER_EDGES; edge++)
        all &= f->out.corner[edge].at.x == f->out.corner[0].at.x &&
               f->out.corner[edge].at.y == f->out.corner[0].at.y;
    return all;
}

static riffle_status quad(paper_follow *f) {
    enum { BEST, STORED, CORNERS, COUNTED, FOUND };
    const bool single = is_single(f);
    paper_step_begin(f);
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; edge++) {
        const uint32_t warp = edge % f->warps;
        for (uint32_t k = 0; k < f->processors; k += PAPER_LANES)
            paper_members(f, BEST, PATTERN_READ, warp, (uint64_t)edge * f->processors + k,
                          min(f->processors - k, (uint32_t)PAPER_LANES));
        paper_store(f, STORED, warp, 1);
    }
    paper_stored(f, CORNERS, 0, single ? HULL_PAPER_EDGES : 2);
    paper_uniform(f, COUNTED, PATTERN_WRITE, sizeof(uint32_t), 0, 7);
    if (single) {
        paper_uniform(f, FOUND, PATTERN_WRITE, sizeof(uint32_t), 0, 1);
        paper_uniform(f, FOUND + 1, PATTERN_WRITE, sizeof(uint64_t), 0, 1);
        f->is_done = true;
    }
    return paper_step_end(f);
}

/* ----------------------------------------------------------------------- bins */

static uint32_t part_of(const paper_follow *f, uint32_t index) {
    uint32_t part = (uint32_t)((uint64_t)index * f->processors / f->n);
    while (part + 1 < f->processors && paper_part(f->n, f->processors, part + 1) <= index) part++;
    while (part > 0 && paper_part(f->n, f->processors, part) > index) part--;
    return part;
}

static riffle_status count(paper_follow *f) {
    enum { CORNERS = WRITTEN, COUNTS };
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        paper_uniform(f, GIVEN, PATTERN_READ, sizeof(uint32_t), k, 1);
        paper_uniform(f, GIVEN + 1, PATTERN_READ, sizeof(uint32_t), k, 1);
        paper_stored(f, CORNERS, k, HULL_PAPER_EDGES);
        paper_uniform(f, COUNTS, PATTERN_WRITE, sizeof(uint32_t), k, HULL_PAPER_EDGES);
    }
    read_points(f, POINTS);
    return paper_step_end(f);
}

static void find_bins(paper_follow *f) {
    uint32_t above[HULL_PAPER_EDGES] = {0};
    for (uint32_t k = 0; k < f->out.points; k++) above[f->out.point[k].edge]++;
    f->bin[0] = 0;
    for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++) f->bin[edge + 1] = f->bin[edge] + above[edge] + 1;
}

static void place_corners(paper_follow *f) {
    for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++) {
        paper_record own = f->out.corner[edge];
        for (unsigned k = 0; k < edge; k++)
            if (own.at.x == f->out.corner[k].at.x && own.at.y == f->out.corner[k].at.y)
                own.index = HULL_PAPER_NONE;
        for (unsigned which = 0; which < 2; which++) f->cells[which][f->bin[edge]] = own;
    }
}

static riffle_status bins(paper_follow *f) {
    enum { OWNERS, SCANNED, SUMS = SCANNED + 2, PLACED, CORNERS, BIN, OF_PROBLEM, SUMMED, ADDED };
    uint32_t first = 0, left = f->out.points;
    paper_step_begin(f);
    find_bins(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        const uint32_t thread = k % (f->warps * PAPER_LANES);
        f->owner[0][k] = f->owner[1][k] = HULL_PAPER_NONE;
        if (thread % PAPER_LANES == 0)
            paper_uniform(f, OWNERS, PATTERN_WRITE, sizeof(uint32_t), thread / PAPER_LANES, 2);
    }
    for (uint32_t edge = 0; edge < HULL_PAPER_EDGES; edge++) {
        paper_add_scan(f, SCANNED, edge % f->warps, (uint64_t)edge * f->processors, f->processors);
        paper_uniform(f, SUMS, PATTERN_WRITE, sizeof(uint32_t), edge % f->warps, 1);
    }
    paper_uniform(f, SUMMED, PATTERN_WRITE, sizeof(uint32_t), 0, HULL_PAPER_EDGES + 2);
    place_corners(f);
    paper_stored(f, CORNERS, 0, 10);
    paper_uniform(f, BIN, PATTERN_READ, sizeof(uint32_t), 0, 3 * HULL_PAPER_EDGES + 1);
    if (f->kind == HULL_RECORD_F32)
        paper_one_member(f, PLACED, PATTERN_WRITE, 0, 2 * HULL_PAPER_EDGES);
    else
        paper_one_whole(f, PLACED, PATTERN_WRITE, 0, 2 * HULL_PAPER_EDGES);
    for (unsigned edge = 0; edge < HULL_PAPER_EDGES && f->out.points > 0; edge++) {
        paper_problem own = {.begin = f->bin[edge] + 1, .end = f->bin[edge + 1], .first = first};
        const uint32_t size = own.end - own.begin;
        left -= size;
        own.count = hull_paper_share(f->processors - first, size, left, f->out.points, f->processors);
        own.l = own.m = f->out.corner[edge];
        own.r = f->out.corner[(edge + 1) % HULL_PAPER_EDGES];
        first += own.count;
        paper_uniform(f, OF_PROBLEM, PATTERN_READ, sizeof(uint32_t), 0, 2);
        paper_stored(f, CORNERS, 0, 2);
        paper_adding added = {.tasks = 0};
        paper_add_problem(f, &added, &own, 0, false);
        paper_add_problems(f, ADDED, 0, &added);
    }
    return paper_step_end(f);
}

/* Points of a processor, turn after turn, go into a run of each bin. */
static riffle_status fill(paper_follow *f) {
    enum { CORNERS = WRITTEN, PLACES, FILLED };
    uint32_t place[HULL_PAPER_EDGES];
    paper_step_begin(f);
    for (uint32_t k = 0; k < f->processors; k++) {
        paper_uniform(f, GIVEN, PATTERN_READ, sizeof(uint32_t), k, 1);
        paper_uniform(f, GIVEN + 1, PATTERN_READ, sizeof(uint32_t), k, 1);
        paper_stored(f, CORNERS, k, HULL_PAPER_EDGES);
        paper_uniform(f, PLACES, PATTERN_READ, sizeof(uint32_t), k, 2 * HULL_PAPER_EDGES);
    }
    read_points(f, POINTS);
    for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++) place[edge] = f->bin[edge] + 1;
    for (uint32_t k = 0; k < f->out.points;) {
        const uint32_t part = part_of(f, f->out.point[k].is.index),
                       begin = paper_part(f->n, f->processors, part);
        const uint32_t turn = (f->out.point[k].is.index - begin) / PAPER_LANES;
        uint32_t here[HULL_PAPER_EDGES] = {0}, end = k;
        for (; end < f->out.points; end++) {
            const paper_point *const one = &f->out.point[end];
            if (one->is.index >= paper_part(f->n, f->processors, part + 1) ||
                (one->is.index - begin) / PAPER_LANES != turn)
                break;
            f->cells[0][place[one->edge] + here[one->edge]++] = one->is;
        }
        for (unsigned edge = 0; edge < HULL_PAPER_EDGES; edge++) {
            paper_members(f, FILLED, PATTERN_WRITE, part, place[edge], here[edge]);
            place[edge] += here[edge];
        }
        k = end;
    }
    return paper_step_end(f);
}

riffle_status paper_initialize(paper_follow *f) {
    riffle_status status = find(f);
    if (status == RIFFLE_OK) status = quad(f);
    if (status != RIFFLE_OK || f->is_done) return status;
    status = count(f);
    if (status == RIFFLE_OK) status = bins(f);
    return status == RIFFLE_OK ? fill(f) : status;
}
