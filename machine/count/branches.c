/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/branches.h"

#include <string.h>

#include "machine/count/rounds.h"

static uint64_t lanes_of(const warp_access *a) {
    uint64_t set = 0;
    for (unsigned k = 0; k < a->lanes; k++) set |= UINT64_C(1) << a->lane[k];
    return set;
}

/* None that is nvcc's own, nor a part of a wider one. */
static bool lacks_code(const merge_access *a) { return a->site->code.none && a->widest <= a->access.bytes; }

static bool may_be_one(const merge_access *a, const merge_access *b) {
    return (lacks_code(a) || lacks_code(b)) && a->call == b->call && a->block != b->block &&
           a->access.op == b->access.op && a->access.space == b->access.space &&
           a->access.bytes == b->access.bytes &&
           place_array(a->access.at[0]) == place_array(b->access.at[0]);
}

/* Both in ascending order of lanes. */
static void unite(warp_access *to, const warp_access *from) {
    const warp_access own = *to;
    unsigned a = 0, b = 0;
    for (to->lanes = own.lanes + from->lanes; a + b < to->lanes;) {
        const bool first = b == from->lanes || (a < own.lanes && own.lane[a] < from->lane[b]);
        to->lane[a + b] = first ? own.lane[a] : from->lane[b];
        to->at[a + b] = first ? own.at[a] : from->at[b];
        /* Not in one expression: both sides use a and b. */
        if (first)
            a++;
        else
            b++;
    }
}

static void take_out(branches *b, unsigned k) {
    memmove(&b->held[k], &b->held[k + 1], (--b->count - k) * sizeof b->held[0]);
}

bool branches_join(branches *b, merge_access *one) {
    for (unsigned k = 0; k < b->count; k++) {
        const merge_access *held = &b->held[k];
        if (!may_be_one(held, one) || (lanes_of(&held->access) & lanes_of(&one->access)) != 0) continue;
        unite(&one->access, &held->access);
        take_out(b, k);
        return true;
    }
    return false;
}

bool branches_must_end(const branches *b, const merge_access *next) {
    if (b->count == 0) return false;
    if (b->count == BRANCHES_HELD) return true;
    const uint64_t own = lanes_of(&b->held[0].access), its = lanes_of(&next->access);
    return (own & its) != 0 && (its & ~own) != 0;
}

void branches_hold(branches *b, const merge_access *one) { b->held[b->count++] = *one; }

bool branches_next(branches *b, merge_access *out) {
    if (b->count == 0) return false;
    *out = b->held[0];
    take_out(b, 0);
    return true;
}
