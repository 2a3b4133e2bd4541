/* SPDX-License-Identifier: Apache-2.0 */
#include "program/compile/normal.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "program/term.h"

/* The program's index in the array as it lies: for each of its bits t a functional and a direction. */
typedef struct frame {
    unsigned n;
    uint64_t functional[RIFFLE_MAX_BITS];
    uint64_t direction[RIFFLE_MAX_BITS];
} frame;

typedef struct walk {
    program_normal *out;
    unsigned halvings;
    uint64_t which[RIFFLE_MAX_BITS]; /* the functionals of the parms around this place, outermost first */
    unsigned conditions;
    uint64_t condition[RIFFLE_MAX_BITS];
} walk;

static riffle_status walk_program(walk *w, const riffle_program *program, frame *f);

static riffle_status grow(program_normal *normal) {
    const size_t capacity = normal->capacity == 0 ? 64 : 2 * normal->capacity;
    program_stage *stages = realloc(normal->stages, capacity * sizeof *stages);
    if (stages != NULL) normal->stages = stages;
    program_layout *layouts = stages != NULL ? realloc(normal->layouts, capacity * sizeof *layouts) : NULL;
    if (layouts == NULL)
        return fail_memory("a program's stages", capacity * (sizeof *stages + sizeof *layouts));
    normal->layouts = layouts;
    normal->capacity = capacity;
    return RIFFLE_OK;
}

/* A stage more, on what the frame has first, under the conditions of this place in the program; *out is NULL where it
 * fails. */
static riffle_status append(walk *w, const frame *f, program_stage **out) {
    program_normal *const normal = w->out;
    *out = NULL;
    riffle_status status = normal->count == normal->capacity ? grow(normal) : RIFFLE_OK;
    if (status != RIFFLE_OK) return status;
    program_layout *const layout = &normal->layouts[normal->count];
    memcpy(layout->place, f->functional, f->n * sizeof *f->functional);
    for (unsigned k = 0; k < w->halvings; k++) layout->place[normal->n - 1 - k] = w->which[k];
    *out = &normal->stages[normal->count++];
    memset(*out, 0, sizeof **out);
    (*out)->conditions = w->conditions;
    memcpy((*out)->condition, w->condition, w->conditions * sizeof *w->condition);
    return RIFFLE_OK;
}

static uint64_t sum_of(const uint64_t *vectors, uint64_t chosen) {
    uint64_t sum = 0;
    for (; chosen != 0; chosen &= chosen - 1) sum ^= vectors[__builtin_ctzll(chosen)];
    return sum;
}

static void move_frame(const perm_affine *map, frame *f) {
    const frame before = *f;
    gf2_matrix inverse;
    gf2_invert(&map->a, &inverse, NULL);
    for (unsigned t = 0; t < f->n; t++) {
        const uint64_t constant = (map->c >> t & 1) != 0 ? PROGRAM_ONE : 0;
        f->functional[t] = sum_of(before.functional, gf2_row(&map->a, t)) ^ constant;
        f->direction[t] = sum_of(before.direction, inverse.column[t]);
    }
}

static riffle_status walk_apply(walk *w, const riffle_program *program, frame *f) {
    if (program->op.kind == RIFFLE_OP_SWAP) { /* it moves, and that is all */
        f->functional[0] ^= PROGRAM_ONE;
        return RIFFLE_OK;
    }
    program_stage *stage;
    riffle_status status = append(w, f, &stage);
    if (status != RIFFLE_OK) return status;
    const unsigned bits = program->bits;
    stage->op = program->op;
    stage->bits = bits;
    memcpy(stage->direction, f->direction, bits * sizeof *f->direction);
    memcpy(stage->position, f->functional, bits * sizeof *f->functional);
    if (op_is_indexed(&program->op)) {
        stage->index_bits = op_index_bits(&program->op, f->n - bits);
        memcpy(stage->index, f->functional + bits, stage->index_bits * sizeof *f->functional);
    }
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------- parm */

static void enter_halves(uint64_t mask, const frame *whole, frame *half) {
    const unsigned pivot = parm_pivot(mask);
    half->n = whole->n - 1;
    for (unsigned j = 0, k = 0; j < whole->n; j++) {
        if (j == pivot) continue;
        half->functional[k] = whole->functional[j];
        half->direction[k++] = whole->direction[j] ^ ((mask >> j & 1) != 0 ? whole->direction[pivot] : 0);
    }
}

/* `which` is the functional that tells the halves apart, `across` changes it and no sub-index. */
static void leave_halves(uint64_t mask, const frame *half, uint64_t which, uint64_t across, frame *whole) {
    const unsigned pivot = parm_pivot(mask);
    uint64_t at_pivot = which;
    for (unsigned j = 0, k = 0; j < whole->n; j++) {
        if (j == pivot) continue;
        const bool in_mask = (mask >> j & 1) != 0;
        if (in_mask) at_pivot ^= half->functional[k];
        whole->functional[j] = half->functional[k];
        whole->direction[j] = half->direction[k++] ^ (in_mask ? across : 0);
    }
    whole->functional[pivot] = at_pivot;
    whole->direction[pivot] = across;
}

/* Where bit `source` of the sub-index by f is 1, elements that differ in bit `target` change places. */
static riffle_status append_swap(walk *w, const frame *f, unsigned target, unsigned source) {
    program_stage *stage;
    frame first = *f;
    first.functional[target] = f->functional[0];
    first.functional[0] = f->functional[target];
    riffle_status status = append(w, &first, &stage);
    if (status != RIFFLE_OK) return status;
    stage->op.kind = RIFFLE_OP_SWAP;
    stage->bits = 1;
    stage->direction[0] = f->direction[target];
    stage->position[0] = f->functional[target];
    stage->condition[stage->conditions++] = f->functional[source] ^ PROGRAM_ONE;
    return RIFFLE_OK;
}

typedef struct row_operation {
    unsigned target, source; /* row target += row source */
} row_operation;

/* The additions of rows, the last first, whose product is the matrix of these rows. At most n^2. */
static size_t take_apart(unsigned n, uint64_t *rows, row_operation *out) {
    size_t count = 0;
    for (unsigned k = 0; k < n; k++) {
        unsigned with = k;
        while ((rows[with] >> k & 1) == 0) with++;
        if (with != k) {
            rows[k] ^= rows[with];
            out[count++] = (row_operation){k, with};
        }
        for (unsigned r = 0; r < n; r++) {
            if (r == k || (rows[r] >> k & 1) == 0) continue;
            rows[r] ^= rows[k];
            out[count++] = (row_operation){r, k};
        }
    }
    return count;
}

/* The second half lies by `second`, the first by *half. Moves the second one's elements with swaps, so that it lies by *half
 * too but for a constant: and that depends on the half. */
static riffle_status unite(walk *w, const frame *second, uint64_t which, frame *half, uint64_t *across) {
    uint64_t rows[RIFFLE_MAX_BITS] = {0}, differs = 0;
    for (unsigned t = 0; t < half->n; t++) {
        for (unsigned u = 0; u < half->n; u++)
            rows[t] |= (uint64_t)functional_along(second->functional[t], half->direction[u]) << u;
        differs |= (second->functional[t] ^ sum_of(half->functional, rows[t])) >> 63 << t;
    }
    row_operation operations[RIFFLE_MAX_BITS * RIFFLE_MAX_BITS];
    for (size_t k = take_apart(half->n, rows, operations); k > 0; k--) {
        const riffle_status status = append_swap(w, half, operations[k - 1].target, operations[k - 1].source);
        if (status != RIFFLE_OK) return status;
    }
    *across ^= sum_of(half->direction, differs);
    for (; differs != 0; differs &= differs - 1) half->functional[__builtin_ctzll(differs)] ^= which;
    return RIFFLE_OK;
}

static riffle_status walk_parm(walk *w, const riffle_program *program, frame *f) {
    const uint64_t which = sum_of(f->functional, program->mask);
    uint64_t across = f->direction[parm_pivot(program->mask)];
    frame half;
    enter_halves(program->mask, f, &half);
    riffle_status status;
    w->which[w->halvings++] = which;
    if (program->first == program->second) {
        status = walk_program(w, program->first, &half);
    } else {
        frame second = half;
        w->condition[w->conditions++] = which;
        status = walk_program(w, program->first, &half);
        w->condition[w->conditions - 1] ^= PROGRAM_ONE;
        if (status == RIFFLE_OK) status = walk_program(w, program->second, &second);
        if (status == RIFFLE_OK) status = unite(w, &second, which, &half, &across);
        w->conditions--;
    }
    w->halvings--;
    if (status == RIFFLE_OK) leave_halves(program->mask, &half, which, across, f);
    return status;
}

static riffle_status walk_program(walk *w, const riffle_program *program, frame *f) {
    riffle_status status;
    switch (program->kind) {
    case PROGRAM_MOVE: move_frame(&program->map, f); return RIFFLE_OK;
    case PROGRAM_APPLY: return walk_apply(w, program, f);
    case PROGRAM_PARM: return walk_parm(w, program, f);
    case PROGRAM_THEN: break;
    }
    status = walk_program(w, program->first, f);
    return status == RIFFLE_OK ? walk_program(w, program->second, f) : status;
}

/* ------------------------------------------------------------- the whole */

perm_affine program_map_of(unsigned n, const uint64_t *functionals) {
    uint64_t rows[RIFFLE_MAX_BITS];
    perm_affine map = {.c = 0};
    for (unsigned t = 0; t < n; t++) {
        rows[t] = functionals[t] & ~PROGRAM_ONE;
        map.c |= (functionals[t] >> 63) << t;
    }
    map.a = gf2_from_rows(n, rows);
    return map;
}

riffle_status program_normalize(const riffle_program *program, program_normal *out) {
    *out = (program_normal){.n = program->n};
    frame f = {.n = program->n};
    for (unsigned t = 0; t < f.n; t++) f.functional[t] = f.direction[t] = (uint64_t)1 << t;
    walk w = {.out = out};
    riffle_status status = walk_program(&w, program, &f);
    if (status == RIFFLE_OK) {
        out->map = program_map_of(f.n, f.functional);
    } else {
        program_normal_free(out);
    }
    return status;
}

bool program_same_map(const perm_affine *a, const perm_affine *b) {
    return a->c == b->c && memcmp(a->a.column, b->a.column, a->a.m * sizeof *a->a.column) == 0;
}

size_t program_paper_passes(const program_normal *normal) {
    const unsigned n = normal->n;
    size_t passes = normal->count;
    program_layout at;
    for (unsigned t = 0; t < n; t++) at.place[t] = (uint64_t)1 << t;
    for (size_t k = 0; k < normal->count; k++) {
        passes += memcmp(&at, &normal->layouts[k], n * sizeof *at.place) != 0;
        memcpy(&at, &normal->layouts[k], n * sizeof *at.place);
    }
    const perm_affine last = program_map_of(n, at.place);
    return program_same_map(&last, &normal->map) ? passes : passes + 1;
}

void program_normal_free(program_normal *normal) {
    free(normal->stages);
    free(normal->layouts);
    *normal = (program_normal){0};
}
