/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/affine/exchange.h"

#include "base/arithmetic.h"

static const uint64_t ONE = 1;

/* True if segments of 2^bits units move as one, whole ones in each run. */
static bool moves_segments(const perm_affine *p, const affine_arrays *arrays, unsigned bits) {
    if (bits > arrays->run_bits || !involution_is(p)) return false;
    for (unsigned j = 0; j < bits; j++)
        if (p->a.column[j] != ONE << j) return false;
    return true;
}

/* True if neighbouring vectors of a segment are neighbouring pairs: not so where one goes to another. */
static bool numbers_segments(const involution_orbits *o, unsigned vector_bits, unsigned bits) {
    for (unsigned j = vector_bits; j < bits; j++)
        if (o->plain <= j - vector_bits || o->basis[j - vector_bits] != ONE << j) return false;
    return true;
}

bool affine_exchange_plan(const perm_affine *p, const affine_arrays *arrays, unsigned segment_bits,
                          const affine_tile_policy *policy, affine_exchange_schedule *out) {
    const perm_affine all = affine_on_units(p, arrays);
    const unsigned vector_bits = AFFINE_VECTOR_BITS - arrays->unit_bits;
    if (policy->vector_bits != AFFINE_VECTOR_BITS) return false;
    const unsigned within = segment_bits - arrays->unit_bits;
    if (!moves_segments(&all, arrays, within)) return false;
    affine_exchange_schedule s = {.arrays = *arrays, .vector_bits = vector_bits};
    const gf2_matrix vector = gf2_identity(vector_bits);
    involution_plan(&all, vector.column, vector_bits, &s.orbits);
    if (!numbers_segments(&s.orbits, vector_bits, within)) return false;
    const unsigned most = min(s.orbits.plain, EXCHANGE_THREAD_BITS + EXCHANGE_MOVE_BITS);
    if (most < policy->lane_bits) return false;
    s.thread_bits = min(min(most, EXCHANGE_THREAD_BITS), policy->thread_bits);
    s.move_bits = min(most - s.thread_bits, EXCHANGE_MOVE_BITS);
    s.run_blocks = (s.orbits.orbits - s.orbits.still) >> (s.thread_bits + s.move_bits);
    s.displacement = gf2_apply(&all.a, s.orbits.origin) ^ s.orbits.origin ^ all.c;
    for (unsigned i = 0; i < s.orbits.bits; i++)
        s.displaces[i] = gf2_apply(&all.a, s.orbits.basis[i]) ^ s.orbits.basis[i];
    *out = s;
    return true;
}

double affine_exchange_share(const affine_exchange_schedule *s) {
    const double all = (double)(ONE << s->orbits.bits);
    return (all - (double)s->orbits.still) / all;
}

unsigned affine_exchange_segment_bits(const affine_exchange_schedule *s) {
    unsigned bits = s->vector_bits;
    while (bits - s->vector_bits < s->orbits.plain && s->orbits.basis[bits - s->vector_bits] == ONE << bits)
        bits++;
    return bits + s->arrays.unit_bits;
}
