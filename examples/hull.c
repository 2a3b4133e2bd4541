/* SPDX-License-Identifier: Apache-2.0
 *
 * hull [N]: the convex hull of a cloud of N points, and what there is to measure of it. The points are on a circle of
 * radius 1 and within it, as a scanner might see a pillar; so area and diameter are known nearly.
 */
#include <math.h>
#include <riffle.h>
#include <riffle/hull.h>
#include <riffle/indices.h>
#include <stdio.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* Golden angles spread evenly. */
static void scan(double (*points)[2], uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        const double angle = 2.399963229728653 * (double)i,
                     radius = i % 2 == 0 ? 1 : sqrt((double)i / (double)n);
        points[i][0] = radius * cos(angle);
        points[i][1] = radius * sin(angle);
    }
}

/* The corners' indices; returns how many, or 0 after a complaint. */
static uint64_t find_corners(double (*points)[2], uint64_t n, uint32_t *corners) {
    riffle_hull_plan *plan = NULL;
    uint64_t length = 0;
    if (riffle_hull_plan_create(n, RIFFLE_TYPE_F64, RIFFLE_ENGINE_CPU, NULL, &plan) != RIFFLE_OK ||
        riffle_hull_execute(
            plan, &(riffle_hull_arrays){.hulls = corners, .lengths = &length, .points = points}) != RIFFLE_OK)
        fprintf(stderr, "hull: %s\n", riffle_error_detail());
    riffle_hull_plan_free(plan);
    return length;
}

static int measure(double (*points)[2], uint64_t n, const uint32_t *corners, uint64_t length,
                   double (*hull)[2]) {
    const riffle_indices indices = {corners, sizeof *corners, length, n};
    riffle_hull_measures m;
    if (riffle_take(&indices, sizeof *hull, hull, points, NULL) != RIFFLE_OK ||
        riffle_hull_measure(length, RIFFLE_TYPE_F64, hull, &m) != RIFFLE_OK) {
        fprintf(stderr, "hull: %s\n", riffle_error_detail());
        return EXIT_FAILURE;
    }
    printf("%llu of %llu points are corners; area %.6f, diameter %.6f, smallest rectangle %.6f by %.6f\n",
           (unsigned long long)length, (unsigned long long)n, m.area, m.diameter, m.rectangle_length,
           m.rectangle_breadth);
    const double most = 40 / (double)n; /* the circle's own points are as close as that */
    const int is_right = m.area <= PI && m.area > PI - most && m.diameter <= 2 + 1e-9 && m.diameter > 2 - most;
    if (!is_right) fprintf(stderr, "hull: that is no circle\n");
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000000;
    double(*const points)[2] = malloc(n * sizeof *points), (*const hull)[2] = malloc(n * sizeof *hull);
    uint32_t *const corners = malloc(n * sizeof *corners);
    int exit_status = EXIT_FAILURE;
    if (points != NULL && hull != NULL && corners != NULL) {
        scan(points, n);
        const uint64_t length = find_corners(points, n, corners);
        if (length > 0) exit_status = measure(points, n, corners, length, hull);
    }
    free(corners);
    free(hull);
    free(points);
    return exit_status;
}
