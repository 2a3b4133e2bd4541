/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"
#include "perm/perm.h"

static void print(const pass *p, FILE *stream) {
    fprintf(stream, ": %u tiles of 2^%u elements", p->spread.tiles, p->spread.tile_bits);
}

static void release(pass *p) { riffle_perm_free(p->spread.map); }

const pass_kind PASS_ONCE_SPREAD = {
    .name = "once_spread", .print = print, .free = release, .run = cpu_once_spread};

const pass_kind PASS_ONCE_PLACE = {.name = "once_place", .print = print, .run = cpu_once_place};
