/* SPDX-License-Identifier: Apache-2.0
 *
 * P is evaluated once, in chunks; where elements go is kept as row and column. The colours are the first step
 * as they stand; the other two are the rows and columns put in the order of the colours.
 */
#include "papers/schedules/scheduled.h"

#include "base/arithmetic.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads/team.h"
#include "papers/schedules/edge_colouring.h"

/* ------------------------------------------------------------------- the shape */

static bool fits(matrix_shape shape, uint64_t longest) {
    return shape.rows <= longest && shape.cols <= longest && shape.rows < (UINT64_C(1) << 32) / shape.cols;
}

/* n = 2^m as 2^floor(m/2) x 2^ceil(m/2). */
static matrix_shape shape_by_bits(uint64_t n, unsigned width) {
    const unsigned m = (unsigned)__builtin_ctzll(n);
    const uint64_t rows = UINT64_C(1) << (m / 2), cols = UINT64_C(1) << (m - m / 2);
    return (matrix_shape){rows > width ? rows : width, cols > width ? cols : width};
}

static matrix_shape shape_with_cols(uint64_t n, uint64_t cols, unsigned width) {
    return (matrix_shape){round_up(n / cols + (n % cols > 0 ? 1 : 0), width), cols};
}

/* The least padding among shapes that are at least as wide as high, and at most about twice so. */
static matrix_shape shape_by_search(uint64_t n, unsigned width, uint64_t longest) {
    uint64_t shortest = width;
    while (shortest * shortest < n) shortest += width;
    matrix_shape best = shape_with_cols(n, shortest, width);
    for (uint64_t cols = shortest; cols <= shortest + shortest / 2 && cols <= longest; cols += width) {
        const matrix_shape shape = shape_with_cols(n, cols, width);
        if (shape.rows * shape.cols < best.rows * best.cols) best = shape;
    }
    return best;
}

riffle_status scheduled_shape(uint64_t n, uint64_t row_length, unsigned width, uint64_t longest,
                              matrix_shape *out) {
    const uint64_t elements = n > 0 ? n : 1;
    matrix_shape shape;
    if (row_length > 0) {
        shape =
            shape_with_cols(elements, row_length < longest ? round_up(row_length, width) : row_length, width);
    } else {
        const bool bits = (elements & (elements - 1)) == 0;
        if (bits) shape = shape_by_bits(elements, width);
        if (!bits || !fits(shape, longest)) shape = shape_by_search(elements, width, longest);
    }
    if (!fits(shape, longest)) {
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "%llu elements fill a %llu x %llu matrix, but a row or column holds at most %llu "
                    "and a matrix less than 2^32; choose another algorithm%s",
                    (unsigned long long)n, (unsigned long long)shape.rows, (unsigned long long)shape.cols,
                    (unsigned long long)longest, row_length > 0 ? " or row length" : "");
    }
    *out = shape;
    return RIFFLE_OK;
}

/* --------------------------------------------------------------- the three steps */

/* Where the elements go, in the order of the elements. */
typedef struct destinations {
    uint16_t *row, *col;
} destinations;

static size_t elements_of(matrix_shape shape) { return (size_t)(shape.rows * shape.cols); }

static riffle_status create_list(matrix_shape shape, uint16_t **out) {
    void *list = NULL;
    const riffle_status status =
        buffer_create("a scheduled permutation", elements_of(shape) * sizeof(uint16_t), &list);
    *out = list;
    return status;
}

static void free_list(matrix_shape shape, uint16_t *list) {
    riffle_buffer_free(list, elements_of(shape) * sizeof *list);
}

enum { CHUNK = 2048 };

/* values[k] = P(first + k), the identity from n on. */
static riffle_status evaluate(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *values) {
    const uint64_t n = riffle_perm_length(perm);
    const uint64_t left = first < n ? n - first : 0;
    const size_t inside = left < count ? (size_t)left : count;
    for (size_t k = inside; k < count; k++) values[k] = first + k;
    return inside > 0 ? riffle_perm_map(perm, first, inside, values) : RIFFLE_OK;
}

typedef struct finding {
    const riffle_perm *perm;
    matrix_shape shape;
    const destinations *to;
    riffle_status *status;
} finding;

static void find_share(const void *context, team_member me) {
    const finding *const f = context;
    const uint32_t cols = (uint32_t)f->shape.cols; /* n < 2^32, and short divisions are fast */
    const team_share mine = team_share_of(elements_of(f->shape), me);
    uint64_t values[CHUNK];
    for (uint64_t first = mine.first; first < mine.end; first += CHUNK) {
        const size_t count = min(mine.end - first, (uint64_t)CHUNK);
        const riffle_status evaluated = evaluate(f->perm, first, count, values);
        if (evaluated != RIFFLE_OK) {
            __atomic_store_n(f->status, evaluated, __ATOMIC_RELAXED);
            return;
        }
        for (size_t k = 0; k < count; k++) {
            const uint32_t value = (uint32_t)values[k];
            f->to->row[first + k] = (uint16_t)(value / cols);
            f->to->col[first + k] = (uint16_t)(value % cols);
        }
    }
}

static riffle_status find_destinations(const riffle_perm *perm, matrix_shape shape, unsigned threads,
                                       const destinations *to) {
    riffle_status status = RIFFLE_OK;
    team_run(threads, find_share, &(finding){perm, shape, to, &status});
    return status;
}

static riffle_status colour_elements(matrix_shape shape, const uint16_t *row, unsigned threads,
                                     uint16_t *colour) {
    const edge_graph graph = {(uint32_t)shape.rows, (uint32_t)shape.cols, row};
    const size_t bytes = edge_colouring_workspace_bytes(graph.nodes, graph.degree);
    void *workspace;
    const riffle_status status = buffer_create("colouring a permutation", bytes, &workspace);
    if (status != RIFFLE_OK) return status;
    edge_colour(&graph, threads, workspace, colour);
    riffle_buffer_free(workspace, bytes);
    return RIFFLE_OK;
}

typedef struct following {
    const scheduled_steps *steps;
    const destinations *to;
} following;

/* The second and third step from the first. */
static void follow_colours(const void *context, team_member me) {
    const following *const f = context;
    const scheduled_steps *const steps = f->steps;
    const uint64_t rows = steps->shape.rows, cols = steps->shape.cols;
    const team_share mine = team_share_of(rows, me);
    for (uint64_t i = mine.first; i < mine.end; i++) {
        for (uint64_t e = i * cols; e < (i + 1) * cols; e++) {
            const uint64_t colour = steps->before[e];
            steps->between[colour * rows + i] = f->to->row[e];
            steps->after[f->to->row[e] * cols + colour] = f->to->col[e];
        }
    }
}

static riffle_status make_steps(const riffle_perm *perm, unsigned threads, scheduled_steps *steps,
                                destinations *to) {
    const matrix_shape shape = steps->shape;
    riffle_status status = create_list(shape, &to->row);
    if (status == RIFFLE_OK) status = create_list(shape, &to->col);
    if (status == RIFFLE_OK) status = find_destinations(perm, shape, threads, to);
    if (status == RIFFLE_OK) status = create_list(shape, &steps->before);
    if (status == RIFFLE_OK) status = colour_elements(shape, to->row, threads, steps->before);
    if (status == RIFFLE_OK) status = create_list(shape, &steps->between);
    if (status == RIFFLE_OK) status = create_list(shape, &steps->after);
    if (status == RIFFLE_OK) team_run(threads, follow_colours, &(following){steps, to});
    return status;
}

riffle_status scheduled_factor(const riffle_perm *perm, matrix_shape shape, unsigned threads,
                               scheduled_steps *out) {
    scheduled_steps steps = {.shape = shape};
    destinations to = {NULL, NULL};
    const riffle_status status = make_steps(perm, threads, &steps, &to);
    free_list(shape, to.row);
    free_list(shape, to.col);
    if (status != RIFFLE_OK) scheduled_free(&steps);
    *out = steps;
    return status;
}

void scheduled_free(scheduled_steps *steps) {
    free_list(steps->shape, steps->before);
    free_list(steps->shape, steps->between);
    free_list(steps->shape, steps->after);
    *steps = (scheduled_steps){.shape = {0, 0}};
}
