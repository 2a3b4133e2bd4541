/* SPDX-License-Identifier: Apache-2.0 */
#include "program/explain.h"

#include <inttypes.h>

#include "base/names.h"
#include "base/status.h"

enum { STAGES_SHOWN = 40 };

static const char *stage_name(const program_stage *stage) {
    return stage->op.kind == RIFFLE_OP_OWN ? stage->op.source : op_record_of(stage->op.kind)->name;
}

/* A coordinate vector as an index of memory as the pass reads it. */
static uint64_t in_memory(const program_pass *pass, uint64_t u) {
    uint64_t x = 0;
    for (; u != 0; u &= u - 1) x ^= pass->read[__builtin_ctzll(u)];
    return x;
}

static void explain_stage(const program_pass *pass, const program_stage *stage, FILE *stream) {
    fprintf(stream, "    %s", stage_name(stage));
    for (unsigned t = 0; t < stage->bits; t++)
        fprintf(stream, "%s x and x ^ 0x%" PRIx64, t == 0 ? " of" : ",", in_memory(pass, stage->direction[t]));
    if (stage->index_bits > 0)
        fprintf(stream, ", by %u bit%s of the index", stage->index_bits, plural(stage->index_bits));
    if (stage->conditions > 0)
        fprintf(stream, ", where %u condition%s", stage->conditions,
                stage->conditions == 1 ? " holds" : "s hold");
    fputc('\n', stream);
}

static void explain_pass(const program_pass *pass, size_t number, FILE *stream) {
    if (pass->stage_count > 0) {
        fprintf(stream, "pass %zu: %zu stage%s in tiles of 2^%u, in runs of 2^%u", number + 1,
                pass->stage_count, plural(pass->stage_count), pass->tile_bits, pass->lane_bits);
    } else {
        fprintf(stream, "pass %zu: a BMMC in tiles of 2^%u, in runs of 2^%u", number + 1, pass->tile_bits,
                pass->lane_bits);
    }
    if (pass->moves)
        fprintf(stream, "; written where the program moves them, in runs of 2^%u", pass->write_lane_bits);
    fputc('\n', stream);
    for (size_t k = 0; k < pass->stage_count && k < STAGES_SHOWN; k++)
        explain_stage(pass, &pass->stages[k], stream);
    if (pass->stage_count > STAGES_SHOWN)
        fprintf(stream, "    and %zu more\n", pass->stage_count - STAGES_SHOWN);
}

/* One operation a pass; the paper's; these; and what no grouping is below. */
static void explain_count(const program_passes *passes, riffle_program_algorithm algorithm, FILE *stream) {
    if (algorithm == RIFFLE_PROGRAM_ALGORITHM_PAPER) {
        const size_t bmmcs = passes->count - passes->operations;
        fprintf(stream, "passes:    %zu, the paper's way: %zu operation%s and %zu BMMC%s\n", passes->count,
                passes->operations, plural(passes->operations), bmmcs, plural(bmmcs));
    } else {
        fprintf(stream, "passes:    %zu fused; no grouping in such tiles has fewer than %u\n", passes->count,
                passes->bound);
        fprintf(stream,
                "           bit by bit %zu; the paper's way %zu, with a BMMC where elements lie differently\n",
                passes->operations, passes->paper_passes);
    }
}

static void explain_loops(vector_loops loops, FILE *stream) {
    const vector_set here = vectors_for(loops), best = vectors_best_for(loops);
    fprintf(stream, "loops:     %s", vectors_name(here));
    if (here != best) fprintf(stream, "; those of %s are the best", vectors_name(best));
    fputc('\n', stream);
}

static void explain_size(const riffle_program_plan *plan, FILE *stream) {
    if (plan->arrays == 1)
        fprintf(stream, "program:   2^%u elements", plan->passes.n);
    else
        fprintf(stream, "program:   %" PRIu64 " elements, %" PRIu64 " times 2^%u,", program_plan_elements(plan),
                plan->arrays, plan->passes.n);
    fprintf(stream, " of type %s, on %s\n", riffle_type_string(plan->type), plan->engine->name);
}

static riffle_status written(FILE *stream) {
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}

riffle_status riffle_program_plan_explain(const riffle_program_plan *plan, FILE *stream) {
    RETURN_IF_NULL(plan, stream);
    const program_passes *const passes = &plan->passes;
    explain_size(plan, stream);
    if (plan->engine->loops != NULL) explain_loops(plan->engine->loops(plan->type), stream);
    fprintf(stream, "stages:    %zu, each on all pairs in one direction\n", passes->stages);
    explain_count(passes, plan->algorithm, stream);
    fprintf(stream, "in place:  %s\n",
            !program_moves(passes) ? "yes"
            : plan->algorithm == RIFFLE_PROGRAM_ALGORITHM_PAPER
                ? "no: each BMMC goes from one array to another"
                : "no: elements move in the end, and the first pass moves them");
    for (size_t k = 0; k < passes->count; k++) explain_pass(&passes->passes[k], k, stream);
    return written(stream);
}

void program_explain_members(const riffle_program_plan *plan, FILE *stream) {
    const program_passes *const passes = &plan->passes;
    fprintf(stream,
            "\"n\":%" PRIu64 ",\"type\":\"%s\",\"engine\":\"%s\",\"algorithm\":\"%s\",\"stages\":%zu,"
            "\"passes\":%zu,\"bound\":%u,\"bit_by_bit\":%zu,\"paper\":%zu,\"in_place\":%s",
            program_plan_elements(plan), riffle_type_string(plan->type), plan->engine->name,
            riffle_program_algorithm_string(plan->algorithm), passes->stages, passes->count, passes->bound,
            passes->operations, passes->paper_passes, program_moves(passes) ? "false" : "true");
}

riffle_status riffle_program_plan_explain_json(const riffle_program_plan *plan, FILE *stream) {
    RETURN_IF_NULL(plan, stream);
    fputc('{', stream);
    program_explain_members(plan, stream);
    fputs("}\n", stream);
    return written(stream);
}
