/* SPDX-License-Identifier: Apache-2.0 */
#include "program/pass.h"

#include <stdlib.h>

/* From the end on: what comes after the last move is in dst, what comes before it is in the other array. */
void program_route(program_passes *passes) {
    program_array at = PROGRAM_DST;
    for (size_t k = passes->count; k-- > 0;) {
        program_pass *const pass = &passes->passes[k];
        pass->to = at;
        if (pass->moves) at = at == PROGRAM_DST ? PROGRAM_WORKSPACE : PROGRAM_DST;
        pass->from = k == 0 ? PROGRAM_SRC : at;
    }
}

bool program_moves(const program_passes *passes) {
    for (size_t k = 0; k < passes->count; k++)
        if (passes->passes[k].moves) return true;
    return false;
}

bool program_wants_workspace(const program_passes *passes) {
    for (size_t k = 0; k < passes->count; k++)
        if (passes->passes[k].to == PROGRAM_WORKSPACE) return true;
    return false;
}

void program_passes_free(program_passes *passes) {
    for (size_t k = 0; passes->passes != NULL && k < passes->count; k++) free(passes->passes[k].stages);
    free(passes->passes);
    free(passes->own);
    riffle_program_free(passes->program);
    *passes = (program_passes){0};
}
