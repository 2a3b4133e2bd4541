/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/limits/sample.h"

#include "base/splitmix.h"

/* The blocks of which one can be counted, where as many accesses are left for the rest. */
static uint64_t stretch(uint64_t turn, uint64_t turns, const sample_spent *spent) {
    const uint64_t rest = turns - turn;
    if (spent->blocks == 0) return 1;
    if (spent->accesses >= spent->left) return rest;
    const double mean = (double)spent->accesses / (double)spent->blocks;
    const double wanted = mean * (double)rest, left = (double)(spent->left - spent->accesses);
    if (wanted <= left) return 1;
    return wanted / left >= (double)rest - 1 ? rest : 1 + (uint64_t)(wanted / left);
}

uint64_t sample_weight(block_sample *s, uint64_t turn, uint64_t turns, const sample_spent *spent) {
    if (spent->left == 0) return 0;
    if (turn >= s->end) {
        s->length = stretch(turn, turns, spent);
        uint64_t number = turn;
        s->pick = turn + splitmix_next(&number) % s->length;
        s->end = turn + s->length;
    }
    return turn == s->pick ? s->length : 0;
}
