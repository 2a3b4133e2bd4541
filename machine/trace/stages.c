/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/trace/stages.h"

static bool is_same(const traced_lane *a, const traced_lane *b) {
    return a->address == b->address && a->array == b->array;
}

/* A bank serves one cell a stage: those before of its own that differ, or of atomics all. */
static unsigned shared_stage(const traced_round *round, unsigned bytes, const traced_lane *lane, unsigned k) {
    const uint64_t bank = stages_group(true, lane[k].address, bytes, round->width);
    unsigned stage = 0;
    for (unsigned j = 0; j < k; j++) {
        if (stages_group(true, lane[j].address, bytes, round->width) != bank) continue;
        if (round->op == RIFFLE_TRACE_OP_ATOMIC) {
            stage++;
        } else if (lane[j].address / bytes == lane[k].address / bytes && lane[j].array == lane[k].array) {
            return lane[j].stage;
        } else {
            stage = lane[j].stage + 1 > stage ? lane[j].stage + 1 : stage;
        }
    }
    return stage;
}

static bool shares_group(const traced_round *round, unsigned bytes, const traced_lane *a,
                         const traced_lane *b) {
    return a->array == b->array && stages_group(false, a->address, bytes, round->width) ==
                                       stages_group(false, b->address, bytes, round->width);
}

/* Stages of the group that lane k is the first of: one, or of atomics as many as its fullest address has lanes. */
static unsigned group_stages(const traced_round *round, unsigned bytes, const traced_lane *lane, unsigned lanes,
                             unsigned k) {
    unsigned most = 1;
    for (unsigned i = k; i < lanes && round->op == RIFFLE_TRACE_OP_ATOMIC; i++) {
        unsigned same = 0;
        if (!shares_group(round, bytes, &lane[i], &lane[k])) continue;
        for (unsigned j = k; j < lanes; j++) same += is_same(&lane[i], &lane[j]);
        most = same > most ? same : most;
    }
    return most;
}

/* Groups follow each other as their first lanes do. */
static unsigned global_stages(const traced_round *round, unsigned bytes, traced_lane *lane, unsigned lanes) {
    unsigned stages = 0;
    for (unsigned k = 0; k < lanes; k++) {
        unsigned first = 0, turn = 0;
        while (!shares_group(round, bytes, &lane[first], &lane[k])) first++;
        if (first == k) {
            lane[k].stage = stages;
            stages += group_stages(round, bytes, lane, lanes, k);
            continue;
        }
        for (unsigned j = first; j < k && round->op == RIFFLE_TRACE_OP_ATOMIC; j++)
            turn += is_same(&lane[j], &lane[k]);
        lane[k].stage = lane[first].stage + turn;
    }
    return stages;
}

unsigned stages_of(const traced_round *round, unsigned bytes, traced_lane *lane, unsigned lanes) {
    if (!round->is_shared) return global_stages(round, bytes, lane, lanes);
    unsigned stages = 0;
    for (unsigned k = 0; k < lanes; k++) {
        lane[k].stage = shared_stage(round, bytes, lane, k);
        stages = lane[k].stage + 1 > stages ? lane[k].stage + 1 : stages;
    }
    return stages;
}
