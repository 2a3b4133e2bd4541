/* SPDX-License-Identifier: Apache-2.0 */
#include "program/fused/pairs.h"

#include <stdlib.h>

#include "base/status.h"

/* An operation between the two elements of all pairs, the first one first. */
static bool is_within(const program_stage *stage) {
    const riffle_op_kind kind = stage->op.kind;
    return stage->bits == 1 && stage->direction[0] == 1 && stage->position[0] == 1 && stage->conditions == 0 &&
           (kind == RIFFLE_OP_BUTTERFLY || kind == RIFFLE_OP_ADD || kind == RIFFLE_OP_SUBTRACT);
}

/* True if a stage treats all pairs alike, by an operation that pairs have. */
static bool is_blind(const program_stage *stage) {
    if (stage->index_bits > 0 || stage->op.kind == RIFFLE_OP_MINMAX) return false;
    for (unsigned k = 0; k < stage->bits; k++)
        if (((stage->direction[k] | stage->position[k]) & 1) != 0) return false;
    for (unsigned k = 0; k < stage->conditions; k++)
        if ((stage->condition[k] & 1) != 0) return false;
    return true;
}

bool pairs_can(const program_pass *pass) {
    if (pass->tile_bits < 1 || pass->read[0] != 1 || pass->write[0] != 1 || (pass->write_origin & 1) != 0)
        return false;
    for (unsigned k = 1; k < pass->n; k++)
        if (((pass->read[k] | pass->write[k]) & 1) != 0) return false;
    for (size_t k = 0; k < pass->stage_count; k++)
        if (!is_within(&pass->stages[k]) && !is_blind(&pass->stages[k])) return false;
    return true;
}

static uint64_t halved(uint64_t functional) {
    return (functional & ~PROGRAM_ONE) >> 1 | (functional & PROGRAM_ONE);
}

static program_stage stage_of_pairs(const program_stage *stage) {
    program_stage out = *stage;
    if (is_within(stage)) out.bits = 0;
    for (unsigned k = 0; k < out.bits; k++) {
        out.direction[k] >>= 1;
        out.position[k] = halved(out.position[k]);
    }
    for (unsigned k = 0; k < out.conditions; k++) out.condition[k] = halved(out.condition[k]);
    return out;
}

riffle_status pairs_make(const program_pass *pass, program_pass *out) {
    *out = *pass;
    out->n--;
    out->tile_bits--;
    if (out->lane_bits > 0) out->lane_bits--;
    if (out->write_lane_bits > 0) out->write_lane_bits--;
    out->write_origin >>= 1;
    for (unsigned k = 0; k < out->n; k++) {
        out->read[k] = pass->read[k + 1] >> 1;
        out->write[k] = pass->write[k + 1] >> 1;
    }
    out->stages = malloc((pass->stage_count + 1) * sizeof *out->stages);
    if (out->stages == NULL) return fail_memory("stages on pairs", pass->stage_count * sizeof *out->stages);
    for (size_t k = 0; k < pass->stage_count; k++) out->stages[k] = stage_of_pairs(&pass->stages[k]);
    return RIFFLE_OK;
}
