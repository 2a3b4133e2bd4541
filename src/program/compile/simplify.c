/* SPDX-License-Identifier: Apache-2.0
 *
 * Which stages may change places, and which do nothing where they stand.
 */
#include <stdlib.h>
#include <string.h>

#include "program/compile/normal.h"

enum { LOOK_BACK = 64 }; /* stages before one that are searched for what cancels it */

static unsigned properties(const program_stage *stage) {
    const op_record *record = op_record_of(stage->op.kind);
    return record != NULL ? record->properties : 0;
}

/* True if none of the functionals changes along a direction of `moving`. */
static bool invariant(const uint64_t *functionals, unsigned count, const program_stage *moving) {
    for (unsigned k = 0; k < count; k++)
        for (unsigned t = 0; t < moving->bits; t++)
            if (functional_along(functionals[k], moving->direction[t]) != 0) return false;
    return true;
}

/* True if they never touch the same element: a condition of one is the opposite of one of the other. */
static bool apart(const program_stage *a, const program_stage *b) {
    for (unsigned i = 0; i < a->conditions; i++)
        for (unsigned j = 0; j < b->conditions; j++)
            if ((a->condition[i] ^ b->condition[j]) == PROGRAM_ONE) return true;
    return false;
}

/* A swap takes the groups of the other stage to groups, as they are. */
static bool swap_commutes(const program_stage *swap, const program_stage *other) {
    return invariant(other->position, other->bits, swap) &&
           invariant(other->condition, other->conditions, swap) &&
           invariant(other->index, other->index_bits, swap) &&
           invariant(swap->condition, swap->conditions, other);
}

/* Both are linear, and act on different factors of a tensor product. */
static bool factors_commute(const program_stage *a, const program_stage *b, riffle_type type) {
    const unsigned both = properties(a) & properties(b);
    if (!op_is_exact(type) || (both & (OP_LINEAR | OP_XOR_LINEAR)) == 0) return false;
    return invariant(a->position, a->bits, b) && invariant(b->position, b->bits, a) &&
           invariant(a->condition, a->conditions, b) && invariant(b->condition, b->conditions, a);
}

bool stages_commute(const program_stage *a, const program_stage *b, riffle_type type) {
    if (apart(a, b)) return true;
    if (a->op.kind == RIFFLE_OP_SWAP && swap_commutes(a, b)) return true;
    if (b->op.kind == RIFFLE_OP_SWAP && swap_commutes(b, a)) return true;
    return factors_commute(a, b, type);
}

static bool same_vectors(const uint64_t *a, const uint64_t *b, unsigned count) {
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool same_stage(const program_stage *a, const program_stage *b) {
    return op_equal(&a->op, &b->op) && a->bits == b->bits && a->conditions == b->conditions &&
           a->index_bits == b->index_bits && same_vectors(a->direction, b->direction, a->bits) &&
           same_vectors(a->position, b->position, a->bits) &&
           same_vectors(a->condition, b->condition, a->conditions) &&
           same_vectors(a->index, b->index, a->index_bits);
}

/* Takes stage `at` away, and the one before it that it undoes; true if nothing is left of it. */
static bool cancels(program_normal *normal, size_t at, riffle_type type) {
    const program_stage *stage = &normal->stages[at];
    const unsigned kind = properties(stage);
    if ((kind & (OP_INVOLUTION | OP_IDEMPOTENT)) == 0) return false;
    const size_t first = at > LOOK_BACK ? at - LOOK_BACK : 0;
    for (size_t k = at; k-- > first;) {
        if (same_stage(&normal->stages[k], stage)) {
            if ((kind & OP_INVOLUTION) == 0) return true;
            memmove(&normal->stages[k], &normal->stages[k + 1], (at - k - 1) * sizeof *stage);
            normal->count--;
            return true;
        }
        if (!stages_commute(&normal->stages[k], stage, type)) return false;
    }
    return false;
}

/* normal->count grows again, over the stages that were kept. */
void program_simplify(program_normal *normal, riffle_type type) {
    const size_t count = normal->count;
    normal->count = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t at = normal->count;
        if (at != k) normal->stages[at] = normal->stages[k];
        if (!cancels(normal, at, type)) normal->count++;
    }
}
