/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "hull/picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SIZE = 480, /* pixels of the longer side */
    MARGIN = 12,
    MOST_POINTS = 2000, /* that are drawn, and corners */
    MOST_DOTS = 150,    /* corners that have a dot of their own */
};

typedef struct place {
    double x, y;
} place;

/* From coordinates to pixels. y goes down in a picture. */
typedef struct frame {
    place least;
    double scale, width, height;
} frame;

#define PAIR(coordinate)                                                                                       \
    {                                                                                                          \
        const coordinate *const at = (const coordinate *)pairs + 2 * k;                                        \
        return (place){(double)at[0] / 2, (double)at[1] / 2};                                                  \
    }

/* Halves, so that no difference is too large for a double. */
static place half_of(riffle_type type, const void *pairs, uint64_t k) {
    switch (type) {
    case RIFFLE_TYPE_I8: PAIR(int8_t)
    case RIFFLE_TYPE_I16: PAIR(int16_t)
    case RIFFLE_TYPE_I32: PAIR(int32_t)
    case RIFFLE_TYPE_I64: PAIR(int64_t)
    case RIFFLE_TYPE_U8: PAIR(uint8_t)
    case RIFFLE_TYPE_U16: PAIR(uint16_t)
    case RIFFLE_TYPE_U32: PAIR(uint32_t)
    case RIFFLE_TYPE_U64: PAIR(uint64_t)
    case RIFFLE_TYPE_F32: PAIR(float)
    default: PAIR(double)
    }
}

static void stretch(place at, place *least, place *most) {
    *least = (place){fmin(least->x, at.x), fmin(least->y, at.y)};
    *most = (place){fmax(most->x, at.x), fmax(most->y, at.y)};
}

/* Corners of the rectangle may be beyond doubles. */
static bool has_rectangle(const hull_picture *p) {
    bool is_finite = p->measures != NULL && p->corners > 0;
    for (unsigned k = 0; is_finite && k < 4; k++)
        is_finite = isfinite(p->measures->rectangle[k][0]) && isfinite(p->measures->rectangle[k][1]);
    return is_finite;
}

static frame frame_of(const hull_picture *p) {
    place least = {0}, most = {0};
    if (p->corners > 0) least = most = half_of(p->type, p->hull, 0);
    for (uint64_t k = 1; k < p->corners; k++) stretch(half_of(p->type, p->hull, k), &least, &most);
    for (unsigned k = 0; has_rectangle(p) && k < 4; k++)
        stretch((place){p->measures->rectangle[k][0] / 2, p->measures->rectangle[k][1] / 2}, &least, &most);
    const double width = most.x - least.x, height = most.y - least.y, longer = fmax(width, height);
    const double scale = longer > 0 && isfinite((double)SIZE / longer) ? (double)SIZE / longer : 0;
    return (frame){least, scale, width * scale, height * scale};
}

static place pixel(const frame *f, place half) {
    return (place){(double)MARGIN + (half.x - f->least.x) * f->scale,
                   (double)MARGIN + f->height - (half.y - f->least.y) * f->scale};
}

static place pixel_of(const hull_picture *p, const frame *f, const void *pairs, uint64_t k) {
    return pixel(f, half_of(p->type, pairs, k));
}

static uint64_t step_for(uint64_t n) { return (n + MOST_POINTS - 1) / MOST_POINTS; }

static void draw_points(const hull_picture *p, const frame *f, FILE *to) {
    fprintf(to, "<path stroke=\"#5b7083\" stroke-width=\"1.6\" stroke-linecap=\"round\" d=\"");
    for (uint64_t k = 0; k < p->n; k += step_for(p->n)) {
        const place at = pixel_of(p, f, p->points, k);
        fprintf(to, "M%.1f %.1fh0", at.x, at.y);
    }
    fprintf(to, "\"/>\n");
}

static void draw_hull(const hull_picture *p, const frame *f, FILE *to) {
    fprintf(
        to,
        "<polygon fill=\"#f2a33a\" fill-opacity=\"0.18\" stroke=\"#c06010\" stroke-width=\"1.5\" points=\"");
    for (uint64_t k = 0; k < p->corners; k += step_for(p->corners)) {
        const place at = pixel_of(p, f, p->hull, k);
        fprintf(to, "%s%.1f,%.1f", k > 0 ? " " : "", at.x, at.y);
    }
    fprintf(to, "\"/>\n");
    for (uint64_t k = 0; p->corners <= MOST_DOTS && k < p->corners; k++) {
        const place at = pixel_of(p, f, p->hull, k);
        fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"#c06010\"/>\n", at.x, at.y);
    }
}

static void draw_measures(const hull_picture *p, const frame *f, FILE *to) {
    fprintf(to, "<polygon fill=\"none\" stroke=\"#2a6f4e\" stroke-dasharray=\"6 4\" points=\"");
    for (unsigned k = 0; has_rectangle(p) && k < 4; k++) {
        const place at = pixel(f, (place){p->measures->rectangle[k][0] / 2, p->measures->rectangle[k][1] / 2});
        fprintf(to, "%s%.1f,%.1f", k > 0 ? " " : "", at.x, at.y);
    }
    const place from = pixel_of(p, f, p->hull, p->measures->diameter_ends[0]);
    const place end = pixel_of(p, f, p->hull, p->measures->diameter_ends[1]);
    fprintf(to,
            "\"/>\n<line stroke=\"#7a2e8e\" stroke-dasharray=\"2 3\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
            "y2=\"%.1f\"/>\n",
            from.x, from.y, end.x, end.y);
}

char *hull_draw(const hull_picture *p, size_t *bytes) {
    const frame f = frame_of(p);
    const double width = f.width + 2 * MARGIN, height = f.height + 2 * MARGIN;
    char *text = NULL;
    FILE *const to = open_memstream(&text, bytes);
    if (to == NULL) return NULL;
    fprintf(
        to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n",
        width, height, width, height);
    fprintf(to, "<title>%llu points and their hull, %llu corners</title>\n", (unsigned long long)p->n,
            (unsigned long long)p->corners);
    fprintf(to, "<rect width=\"%.0f\" height=\"%.0f\" rx=\"8\" fill=\"#fff\"/>\n", width, height);
    draw_points(p, &f, to);
    draw_hull(p, &f, to);
    if (p->measures != NULL && p->corners > 0) draw_measures(p, &f, to);
    fprintf(to, "</svg>\n");
    const bool is_whole = !ferror(to);
    if (fclose(to) == 0 && is_whole) return text;
    free(text);
    return NULL;
}
