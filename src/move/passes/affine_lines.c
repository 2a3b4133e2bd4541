/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"

static void print(const pass *p, FILE *stream) {
    const affine_lines_schedule *const s = &p->affine_lines;
    const unsigned lines = 1u << s->width;
    fprintf(stream, ": 2^%u tiles, each reads %u and writes %u line%s of %d bytes", s->tile_bits, lines, lines,
            lines == 1 ? "" : "s", AFFINE_LINE_BYTES);
}

const pass_kind PASS_AFFINE_LINES = {.name = "affine_lines", .print = print, .run = cpu_affine_lines};
