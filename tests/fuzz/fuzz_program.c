/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the text of programs: the first byte chooses n, the rest is definitions and, after a line of dashes, the program. A
 * text that is read must be evaluated to the same by plain recursion, by its passes, and by the paper's; whatever is not must
 * say why. Texts that name files are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "papers/program/paper.h"
#include "program/term.h"

static void require(int holds) {
    if (!holds) abort();
}

enum { MOST_BITS = 7 };

/* One stage on data that lies in the pass's coordinates. */
static void run_stage(const program_stage *stage, uint64_t count, uint32_t *data) {
    for (uint64_t u = 0; u < count; u++) {
        unsigned stays = 0;
        for (unsigned k = 0; k < stage->conditions; k++) stays |= functional_at(stage->condition[k], u);
        for (unsigned t = 0; t < stage->bits; t++) stays |= functional_at(stage->position[t], u);
        if (stays != 0) continue;
        require(stage->bits <= 1); /* groups are users' operations */
        const uint64_t v = stage->bits == 0 ? u : u ^ stage->direction[0];
        uint32_t pair[2] = {data[u], data[v]};
        op_apply(&stage->op, RIFFLE_TYPE_U32, 0, pair);
        if (stage->bits != 0) data[v] = pair[1];
        data[u] = pair[0];
    }
}

static void run_pass(const program_pass *pass, uint32_t *data) {
    uint32_t tiles[1 << MOST_BITS];
    const uint64_t count = (uint64_t)1 << pass->n;
    for (unsigned side = 0; side < 2; side++) {
        const uint64_t *vectors = side == 0 ? pass->read : pass->write;
        for (uint64_t u = 0; u < count; u++) {
            uint64_t at = side == 0 ? 0 : pass->write_origin;
            for (unsigned j = 0; j < pass->n; j++) at ^= (u >> j & 1) != 0 ? vectors[j] : 0;
            if (side == 0) tiles[u] = data[at];
            if (side == 1) data[at] = tiles[u];
        }
        for (size_t k = 0; side == 0 && k < pass->stage_count; k++) run_stage(&pass->stages[k], count, tiles);
    }
}

static void require_same(const riffle_program *program, unsigned n, program_compiler *compiler) {
    uint32_t expected[1 << MOST_BITS], data[1 << MOST_BITS];
    for (uint32_t i = 0; i < 1U << n; i++) expected[i] = data[i] = i * 2654435761U;
    if (riffle_program_evaluate(program, RIFFLE_TYPE_U32, expected) != RIFFLE_OK) return;
    program_passes passes;
    require(compiler(program, RIFFLE_TYPE_U32, &(program_policy){5, 1}, &passes) == RIFFLE_OK);
    for (size_t k = 0; k < passes.count; k++) run_pass(&passes.passes[k], data);
    require(memcmp(expected, data, sizeof *data << n) == 0);
    program_passes_free(&passes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 2048) return 0;
    const unsigned n = data[0] % (MOST_BITS + 1);
    char *text = malloc(size);
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    char *program_text = text, *definitions = NULL, *line = strstr(text, "\n---\n");
    if (line != NULL) {
        definitions = text;
        line[1] = '\0';
        program_text = line + 5;
    }
    const int names_a_file =
        strstr(program_text, "table") != NULL || (definitions != NULL && strstr(definitions, "table") != NULL);
    riffle_program *program = NULL;
    if (!names_a_file && riffle_program_parse(program_text, definitions, n, &program) == RIFFLE_OK) {
        require(riffle_program_bits(program) == n);
        if (program->leaves <= 1000) {
            require_same(program, n, program_compile);
            require_same(program, n, paper_compile);
        }
        riffle_program_free(program);
    } else {
        require(program == NULL && (names_a_file || riffle_error_detail()[0] != '\0'));
    }
    free(text);
    return 0;
}
