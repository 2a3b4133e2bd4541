/* SPDX-License-Identifier: Apache-2.0 */
#include "program/cpu/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "perm/gf2_span.h"
#include "program/cpu/groups.h"
#include "program/twiddle.h"

static uint64_t sum_of(const uint64_t *vectors, uint64_t chosen) {
    uint64_t sum = 0;
    for (; chosen != 0; chosen &= chosen - 1) sum ^= vectors[__builtin_ctzll(chosen)];
    return sum;
}

static void *make(size_t count, size_t bytes, riffle_status *status) {
    void *room = *status == RIFFLE_OK ? calloc(count + 1, bytes) : NULL;
    if (*status == RIFFLE_OK && room == NULL) *status = fail_memory("a program's schedule", count * bytes);
    return room;
}

/* ------------------------------------------------------------------- rows */

static riffle_status make_rows(line_pass *out) {
    const program_pass *pass = out->pass;
    riffle_status status = RIFFLE_OK;
    out->rows = (size_t)1 << (pass->tile_bits - pass->lane_bits);
    out->row = make(out->rows, sizeof *out->row, &status);
    for (size_t r = 0; status == RIFFLE_OK && r < out->rows; r++)
        out->row[r] = sum_of(pass->read + pass->lane_bits, r);
    return status;
}

/* A basis of where the tile is written that begins with unit vectors: each with the coordinates that it comes from. */
static void write_basis(const program_pass *pass, uint64_t *index, uint32_t *cell) {
    gf2_span all = {0}, chosen = {0};
    for (unsigned j = 0; j < pass->tile_bits; j++) gf2_span_add(&all, pass->write[j]);
    unsigned count = 0;
    for (unsigned j = 0; j < pass->write_lane_bits; j++) {
        index[count] = (uint64_t)1 << j;
        gf2_span_add(&chosen, index[count]);
        cell[count++] = (uint32_t)gf2_span_coordinates(&all, (uint64_t)1 << j);
    }
    const uint64_t lanes = ((uint64_t)1 << pass->write_lane_bits) - 1;
    for (unsigned j = 0; j < pass->tile_bits; j++) {
        if (!gf2_span_add(&chosen, pass->write[j])) continue;
        index[count] = pass->write[j] & ~lanes;
        uint32_t from = (uint32_t)1 << j;
        for (uint64_t k = pass->write[j] & lanes; k != 0; k &= k - 1) from ^= cell[__builtin_ctzll(k)];
        cell[count++] = from;
    }
}

static uint32_t sum_of_cells(const uint32_t *cells, size_t chosen) {
    uint32_t sum = 0;
    for (; chosen != 0; chosen &= chosen - 1) sum ^= cells[__builtin_ctzll(chosen)];
    return sum;
}

static riffle_status make_moved_rows(line_pass *out) {
    const program_pass *pass = out->pass;
    if (!pass->moves) return RIFFLE_OK;
    uint64_t index[RIFFLE_MAX_BITS];
    uint32_t cell[RIFFLE_MAX_BITS];
    write_basis(pass, index, cell);
    moved_rows *const moved = &out->moved;
    const size_t lanes = (size_t)1 << pass->write_lane_bits;
    riffle_status status = RIFFLE_OK;
    moved->count = (size_t)1 << (pass->tile_bits - pass->write_lane_bits);
    moved->index = make(moved->count, sizeof *moved->index, &status);
    moved->cell = make(moved->count, sizeof *moved->cell, &status);
    moved->lane_cell = make(lanes, sizeof *moved->lane_cell, &status);
    for (size_t r = 0; status == RIFFLE_OK && r < moved->count; r++) {
        moved->index[r] = sum_of(index + pass->write_lane_bits, r);
        moved->cell[r] = sum_of_cells(cell + pass->write_lane_bits, r);
    }
    for (size_t l = 0; status == RIFFLE_OK && l < lanes; l++) moved->lane_cell[l] = sum_of_cells(cell, l);
    return status;
}

/* ------------------------------------------------------------------ stages */

/* The lines of a micro tile: closed under some directions, in terms of lines. */
typedef struct micro {
    unsigned lane_bits; /* log2 of a line's elements */
    unsigned bits;
    gf2_span span;
    uint64_t line[MICRO_LINES];
} micro;

static bool micro_add(micro *m, uint64_t line, unsigned most) {
    gf2_span wider = m->span;
    if (!gf2_span_add(&wider, line)) return true;
    if (wider.count > most) return false;
    for (unsigned k = 0; k < 1U << m->bits; k++) m->line[k + (1U << m->bits)] = m->line[k] ^ line;
    m->bits++;
    m->span = wider;
    return true;
}

static void fill_lanes(uint8_t *lanes, unsigned element_bits, uint64_t functional) {
    for (unsigned b = 0; b < LINE_BYTES; b++)
        lanes[b] = functional_along(functional, b >> element_bits) != 0 ? 0xff : 0;
}

static bool touches_lanes(uint64_t vector, unsigned lane_bits) {
    return (vector & (((uint64_t)1 << lane_bits) - 1)) != 0;
}

static void fill_pairs(const micro *m, line_stage *s) {
    const uint64_t direction = s->stage->bits > 0 ? s->stage->direction[0] : 0,
                   across = direction >> m->lane_bits;
    const uint64_t position = s->stage->bits > 0 ? s->stage->position[0] : 0;
    s->within = across == 0;
    for (unsigned r = 0; r < 1U << m->bits; r++) {
        const uint64_t other = m->line[r] ^ across;
        const unsigned here = functional_along(position, m->line[r] << m->lane_bits);
        const unsigned there = functional_along(position, other << m->lane_bits);
        if (!s->within && (here != there ? here != 0 : m->line[r] > other))
            continue; /* its pair has been, or comes */
        const unsigned k = s->count++;
        s->first[k] = (uint32_t)m->line[r] * LINE_BYTES;
        s->second[k] = (uint32_t)other * LINE_BYTES;
        s->turned = (uint16_t)(s->turned | here << k);
        for (unsigned t = 0; t < s->stage->index_bits; t++)
            s->pair_index[k] |= (uint64_t)functional_along(s->stage->index[t], m->line[r] << m->lane_bits) << t;
    }
}

static riffle_status fill_conditions(const micro *m, unsigned element_bits, line_stage *s) {
    const unsigned count = s->stage->conditions;
    if (count == 0) return RIFFLE_OK;
    s->conditions = aligned_alloc(LINE_BYTES, count * sizeof *s->conditions);
    if (s->conditions == NULL) return fail_memory("a stage's conditions", count * sizeof *s->conditions);
    for (unsigned c = 0; c < count; c++) {
        line_condition *const condition = &s->conditions[c];
        condition->functional = s->stage->condition[c];
        condition->at = 0;
        for (unsigned k = 0; k < s->count; k++) {
            const uint64_t u = (uint64_t)(s->first[k] / LINE_BYTES) << m->lane_bits;
            condition->at = (uint16_t)(condition->at | functional_along(condition->functional, u) << k);
        }
        fill_lanes(condition->lanes, element_bits, condition->functional);
    }
    return RIFFLE_OK;
}

static double (*make_roots(unsigned bits, unsigned order, unsigned shift, riffle_status *status))[2] {
    double(*roots)[2] = make((size_t)1 << bits, sizeof *roots, status);
    for (uint64_t i = 0; *status == RIFFLE_OK && i >> bits == 0; i++) {
        const twiddle w = twiddle_at((int)order, i << shift);
        roots[i][0] = w.re;
        roots[i][1] = w.im;
    }
    return roots;
}

/* Lanes change few bits of i, as a rule: their roots are the other bits' root times one of these. */
static riffle_status fill_turns(line_stage *s) {
    line_roots *const roots = &s->roots;
    const uint64_t known = ((uint64_t)1 << roots->bits) - 1;
    for (unsigned l = 0; l < LINE_BYTES; l++) roots->lanes |= s->lane_index[l] & known;
    const unsigned bits = (unsigned)__builtin_popcountll(roots->lanes);
    if (bits > LINE_LANES_MOST) return RIFFLE_OK;
    const size_t bytes = sizeof(double) * LINE_TURNS * LINE_REALS << bits;
    roots->turns = aligned_alloc(LINE_BYTES, bytes);
    if (roots->turns == NULL) return fail_memory("a stage's roots of unity", bytes);
    for (uint64_t set = 0; set >> bits == 0; set++) {
        uint64_t i = 0, left = roots->lanes;
        for (unsigned at = 0; left != 0; left &= left - 1) i |= (set >> at++ & 1U) << __builtin_ctzll(left);
        line_turns_fill(s, i, roots->turns + set * LINE_TURNS * LINE_REALS);
    }
    return RIFFLE_OK;
}

static riffle_status fill_roots(line_stage *s) {
    riffle_status status = RIFFLE_OK;
    line_roots *const roots = &s->roots;
    roots->inverse = s->stage->op.parameter < 0;
    roots->bits = (unsigned)(roots->inverse ? -s->stage->op.parameter : s->stage->op.parameter);
    roots->low_bits = (roots->bits + 1) / 2;
    roots->low = make_roots(roots->low_bits, roots->bits, 0, &status);
    roots->high = make_roots(roots->bits - roots->low_bits, roots->bits, roots->low_bits, &status);
    return status == RIFFLE_OK ? fill_turns(s) : status;
}

static riffle_status choose_kernel(const line_operations *operations, unsigned lane_bits, line_stage *s) {
    const program_stage *stage = s->stage;
    line_runner *const between = s->own == NULL && line_operation_takes(stage->op.kind, s->type)
                                     ? operations->plain[stage->op.kind]
                                     : NULL;
    s->kernel = line_kernel_find(operations, stage->op.kind, s->type);
    s->run = operations->general;
    if (s->own != NULL) s->kernel = line_kernel_own;
    if (s->kernel == NULL) s->kernel = line_kernel_plain;
    const bool plain = stage->bits == 1 && !s->within && stage->conditions == 0 &&
                       !touches_lanes(stage->direction[0] | stage->position[0], lane_bits);
    if (plain && between != NULL) s->run = between;
    const bool turns = stage->op.kind == RIFFLE_OP_ROTATE || stage->op.kind == RIFFLE_OP_TWIDDLE;
    return turns ? fill_roots(s) : RIFFLE_OK;
}

/* How lanes are shuffled, and which are second elements. */
static void fill_lanes_of_pair(const line_pass *out, line_stage *s) {
    const unsigned lane_bits = 6 - out->element_bits;
    s->lane_xor = (unsigned)(s->stage->direction[0] & (((uint64_t)1 << lane_bits) - 1)) << out->element_bits;
    for (unsigned b = 0; b < LINE_BYTES; b++) s->order[b] = (uint8_t)(b ^ s->lane_xor);
    fill_lanes(s->role, out->element_bits, s->stage->position[0]);
    s->has_roles = touches_lanes(s->stage->position[0], lane_bits);
}

static riffle_status make_stage(const micro *m, const line_pass *out, const line_operations *operations,
                                line_stage *s) {
    if (s->stage->bits > 0) fill_lanes_of_pair(out, s);
    for (unsigned l = 0; l >> m->lane_bits == 0; l++)
        for (unsigned t = 0; t < s->stage->index_bits; t++)
            s->lane_index[l] |= (uint64_t)functional_along(s->stage->index[t], l) << t;
    fill_pairs(m, s);
    riffle_status status = fill_conditions(m, out->element_bits, s);
    return status == RIFFLE_OK ? choose_kernel(operations, m->lane_bits, s) : status;
}

/* Where micro tiles begin: sums of the lines that complete the span. */
static riffle_status make_bases(const micro *m, unsigned line_bits, const uint64_t *complement,
                                line_group *group) {
    riffle_status status = RIFFLE_OK;
    group->micro_tiles = (size_t)1 << (line_bits - m->bits);
    group->base = make(group->micro_tiles, sizeof *group->base, &status);
    for (size_t k = 0; status == RIFFLE_OK && k < group->micro_tiles; k++)
        group->base[k] = (uint32_t)sum_of(complement, k) * LINE_BYTES;
    return status;
}

static void unit_complement(const micro *m, unsigned line_bits, uint64_t *complement) {
    for (unsigned j = 0; j < line_bits; j++)
        if (m->span.by_leading_bit[j] == 0) *complement++ = (uint64_t)1 << j;
}

static void run_general(const line_group *g, char *tile, uint64_t u, line_part part) {
    const unsigned element_bits = (unsigned)__builtin_ctzll(riffle_type_bytes(g->stages->type));
    for (size_t m = part.first; m < part.end; m++)
        for (size_t k = 0; k < g->count; k++)
            g->stages[k].run(&g->stages[k], tile, g->base[m], u | g->base[m] >> element_bits);
}

/* As many stages as share a micro tile. */
static riffle_status make_general(const line_pass *out, const line_operations *operations, line_group *group) {
    const unsigned most = out->line_bits < MICRO_BITS ? out->line_bits : MICRO_BITS;
    micro m = {.lane_bits = 6 - out->element_bits};
    const size_t left = (size_t)(out->stages + out->pass->stage_count - group->stages);
    for (; group->count < left; group->count++) {
        const program_stage *stage = group->stages[group->count].stage;
        if (line_groups_take(out, stage)) break;
        if (!micro_add(&m, stage->bits > 0 ? stage->direction[0] >> m.lane_bits : 0, most)) break;
    }
    for (unsigned j = 0; m.bits < most; j++) micro_add(&m, (uint64_t)1 << j, most);
    group->run = run_general;
    uint64_t complement[RIFFLE_MAX_BITS];
    unit_complement(&m, out->line_bits, complement);
    riffle_status status = make_bases(&m, out->line_bits, complement, group);
    for (size_t k = 0; k < group->count && status == RIFFLE_OK; k++)
        status = make_stage(&m, out, operations, &group->stages[k]);
    return status;
}

/* ------------------------------------------------------- groups in registers */

/* The runner of a table for the stage's operation; NULL where it is none's. */
static group_runner *group_runner_of(group_runner *const *table, const line_stage *s) {
    const riffle_op_kind op = s->stage->op.kind;
    return line_operation_takes(op, s->type) ? table[op] : NULL;
}

static bool is_free_pair(const program_stage *stage) {
    return stage->bits == 1 && stage->conditions == 0 && stage->index_bits == 0;
}

/* True if no bit of the stage is a lane's, and it acts on another factor than those of the group. */
static bool crosses(const line_group *group, const program_stage *stage, unsigned lane_bits) {
    if (!is_free_pair(stage) || stage->op.kind != group->stages->stage->op.kind) return false;
    if (touches_lanes(stage->direction[0] | stage->position[0], lane_bits)) return false;
    for (size_t k = 0; k < group->count; k++) {
        const program_stage *before = group->stages[k].stage;
        if (functional_along(before->position[0], stage->direction[0]) != 0 ||
            functional_along(stage->position[0], before->direction[0]) != 0)
            return false;
    }
    return true;
}

/* The lines that complete the span, changed by directions so that positions are 0 in them. */
static void first_complement(const micro *m, const line_group *group, unsigned line_bits,
                             uint64_t *complement) {
    unit_complement(m, line_bits, complement);
    for (unsigned j = 0; j < line_bits - m->bits; j++)
        for (size_t k = 0; k < group->count; k++)
            if (functional_along(group->stages[k].stage->position[0], complement[j] << m->lane_bits) != 0)
                complement[j] ^= m->line[1U << k];
}

/* A group of one operation between lines, or with no stage if there is none. */
static riffle_status make_cross(const line_pass *out, const line_operations *operations, line_group *group) {
    micro m = {.lane_bits = 6 - out->element_bits};
    group_runner *const run = group_runner_of(operations->cross, group->stages);
    const size_t left = (size_t)(out->stages + out->pass->stage_count - group->stages);
    while (run != NULL && group->count < left && group->count < operations->cross_most &&
           crosses(group, group->stages[group->count].stage, m.lane_bits)) {
        micro_add(&m, group->stages[group->count].stage->direction[0] >> m.lane_bits, MICRO_BITS);
        group->count++;
    }
    if (group->count == 0) return RIFFLE_OK;
    group->run = run;
    for (unsigned r = 0; r < 1U << m.bits; r++) group->offset[r] = (uint32_t)m.line[r] * LINE_BYTES;
    uint64_t complement[RIFFLE_MAX_BITS];
    first_complement(&m, group, out->line_bits, complement);
    return make_bases(&m, out->line_bits, complement, group);
}

/* True if the stage is within lines and the same in all of them. */
static bool stays_within(const line_group *group, const program_stage *stage, unsigned lane_bits,
                         unsigned tile_bits) {
    const uint64_t lines = (((uint64_t)1 << tile_bits) - 1) >> lane_bits << lane_bits;
    return is_free_pair(stage) && stage->op.kind == group->stages->stage->op.kind &&
           stage->direction[0] >> lane_bits == 0 && (stage->position[0] & lines) == 0;
}

/* A group of one operation within lines, or with no stage if there is none. */
static void make_within(const line_pass *out, const line_operations *operations, line_group *group) {
    const unsigned lane_bits = 6 - out->element_bits;
    group->run = group_runner_of(operations->within, group->stages);
    group->micro_tiles = (size_t)1 << out->line_bits;
    const size_t left = (size_t)(out->stages + out->pass->stage_count - group->stages);
    while (group->run != NULL && group->count < left && group->count < WITHIN_MOST &&
           stays_within(group, group->stages[group->count].stage, lane_bits, out->pass->tile_bits)) {
        fill_lanes_of_pair(out, &group->stages[group->count]);
        group->count++;
    }
}

static riffle_status make_group(const line_pass *out, const line_operations *operations, line_group *group) {
    if (line_groups_take(out, group->stages->stage)) return line_groups_make(out, group);
    make_within(out, operations, group);
    if (group->count > 0) return RIFFLE_OK;
    riffle_status status = make_cross(out, operations, group);
    return status == RIFFLE_OK && group->count == 0 ? make_general(out, operations, group) : status;
}

static riffle_status make_stages(line_pass *out, riffle_type type, const line_operations *operations,
                                 const own_operations *own) {
    const size_t count = out->pass->stage_count;
    riffle_status status = RIFFLE_OK;
    out->group = make(count, sizeof *out->group, &status);
    if (status != RIFFLE_OK) return status;
    const size_t bytes = (count + 1) * sizeof *out->stages;
    out->stages = aligned_alloc(LINE_BYTES, bytes);
    if (out->stages == NULL) return fail_memory("a program's schedule", bytes);
    memset(out->stages, 0, bytes);
    for (size_t k = 0; k < count; k++) {
        out->stages[k].stage = &out->pass->stages[k];
        out->stages[k].type = type;
        out->stages[k].own = own != NULL ? own_operations_find(own, out->stages[k].stage) : NULL;
    }
    for (size_t done = 0; done < count && status == RIFFLE_OK; done += out->group[out->groups++].count) {
        out->group[out->groups].stages = &out->stages[done];
        status = make_group(out, operations, &out->group[out->groups]);
    }
    return status;
}

riffle_status line_pass_make(const program_pass *pass, riffle_type type, const line_operations *operations,
                             const own_operations *own, line_pass *out) {
    *out = (line_pass){.pass = pass, .element_bits = (unsigned)__builtin_ctzll(riffle_type_bytes(type))};
    const unsigned bits = pass->tile_bits + out->element_bits;
    out->line_bits = bits > 6 ? bits - 6 : 0;
    riffle_status status = make_rows(out);
    if (status == RIFFLE_OK) status = make_moved_rows(out);
    return status == RIFFLE_OK ? make_stages(out, type, operations, own) : status;
}

void line_pass_free(line_pass *pass) {
    for (size_t k = 0; pass->stages != NULL && k < pass->pass->stage_count; k++) {
        free(pass->stages[k].conditions);
        free((void *)(uintptr_t)pass->stages[k].roots.low);
        free((void *)(uintptr_t)pass->stages[k].roots.high);
        free(pass->stages[k].roots.turns);
    }
    for (size_t k = 0; pass->group != NULL && k < pass->pass->stage_count; k++) free(pass->group[k].base);
    free(pass->group);
    free(pass->stages);
    free(pass->row);
    free(pass->moved.index);
    free(pass->moved.cell);
    free(pass->moved.lane_cell);
    *pass = (line_pass){0};
}
