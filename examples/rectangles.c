/* SPDX-License-Identifier: Apache-2.0
 *
 * rectangles: the smallest rectangle around each segment of a labelled image, of any direction, by one call for the hulls of
 * all segments. The pixels of each segment lie one behind the other, and `first` says where each begins.
 *
 *      . . 1 . . .        pixels      segment 1: (2,0) (1,1) (2,1) (3,1) (2,2)      segment 2: ...
 *      . 1 1 1 . 2        first       0                                            5
 *      . . 1 . 2 2
 */
#include <math.h>
#include <riffle.h>
#include <riffle/hull.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 400, GRID = 4, CELL = SIDE / GRID, SEGMENTS = GRID * GRID };

/* A segment in each cell of a grid: a bar of 60 by 20 pixels, turned by some degrees. */
static int label_at(int x, int y) {
    const int cell = y / CELL * GRID + x / CELL;
    const double angle = cell * 0.19, u = x % CELL - CELL / 2, v = y % CELL - CELL / 2;
    const double along = u * cos(angle) + v * sin(angle), across = v * cos(angle) - u * sin(angle);
    return fabs(along) <= 30 && fabs(across) <= 10 ? cell : -1;
}

/* Pixels by segment: counted, then put into place. */
static void collect(int16_t (*pixels)[2], uint64_t *first) {
    uint64_t place[SEGMENTS] = {0};
    for (int i = 0; i < SIDE * SIDE; i++)
        if (label_at(i % SIDE, i / SIDE) >= 0) place[label_at(i % SIDE, i / SIDE)]++;
    first[0] = 0;
    for (int k = 0; k < SEGMENTS; k++) first[k + 1] = first[k] + place[k];
    for (int k = 0; k < SEGMENTS; k++) place[k] = first[k];
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int label = label_at(i % SIDE, i / SIDE);
        if (label < 0) continue;
        pixels[place[label]][0] = (int16_t)(i % SIDE);
        pixels[place[label]++][1] = (int16_t)(i / SIDE);
    }
}

static int find_hulls(int16_t (*pixels)[2], const uint64_t *first, int16_t (*hulls)[2], uint64_t *lengths) {
    const riffle_hull_options options = {.segments = SEGMENTS, .points = true};
    riffle_hull_plan *plan = NULL;
    riffle_status status =
        riffle_hull_plan_create(first[SEGMENTS], RIFFLE_TYPE_I16, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status == RIFFLE_OK)
        status = riffle_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = hulls, .lengths = lengths, .points = pixels, .first = first});
    riffle_hull_plan_free(plan);
    return status == RIFFLE_OK;
}

/* False if a bar's rectangle is not about as large as the bar. */
static int show(int segment, uint64_t corners, const riffle_hull_measures *m) {
    const double length = fmax(m->rectangle_length, m->rectangle_breadth);
    const double breadth = fmin(m->rectangle_length, m->rectangle_breadth);
    printf("segment %2d: %2llu corners, %5.2f by %5.2f\n", segment, (unsigned long long)corners, length,
           breadth);
    return fabs(length - 60) < 2 && fabs(breadth - 20) < 2;
}

int main(void) {
    static int16_t pixels[SIDE * SIDE][2], hulls[SIDE * SIDE][2];
    uint64_t first[SEGMENTS + 1], lengths[SEGMENTS];
    collect(pixels, first);
    int is_right = find_hulls(pixels, first, hulls, lengths);
    for (int k = 0; is_right && k < SEGMENTS; k++) {
        riffle_hull_measures m;
        is_right = riffle_hull_measure(lengths[k], RIFFLE_TYPE_I16, hulls[first[k]], &m) == RIFFLE_OK;
        if (is_right && !show(k, lengths[k], &m))
            return fprintf(stderr, "rectangles: that is no bar\n"), EXIT_FAILURE;
    }
    if (!is_right) fprintf(stderr, "rectangles: %s\n", riffle_error_detail());
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
