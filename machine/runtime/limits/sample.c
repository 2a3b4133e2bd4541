/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/limits/sample.h"

/* The blocks of which one can be counted, where as many accesses are left for the rest. */
static uint64_t stretch(uint64_t turn, uint64_t turns, const sample_spent *spent) {
    if (spent->blocks == 0) return 1;
    const double mean = (double)spent->accesses / (double)spent->blocks;
    const double wanted = mean * (double)(turns - turn), left = (double)(spent->left - spent->accesses);
    return wanted <= left ? 1 : 1 + (uint64_t)(wanted / left);
}

bool sample_takes(block_sample *s, uint64_t turn, uint64_t turns, const sample_spent *spent) {
    if (spent->accesses >= spent->left) return false;
    if (turn >= s->end) {
        const uint64_t length = stretch(turn, turns, spent);
        s->pick = turn + (turn * UINT64_C(0x9e3779b97f4a7c15) >> 32) % length;
        s->end = turn + length;
    }
    return turn == s->pick;
}
