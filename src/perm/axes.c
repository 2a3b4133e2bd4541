/* SPDX-License-Identifier: Apache-2.0
 *
 * Axes permutations: an index is written in mixed-radix digits and read back with the digits in another
 * order. Inside, each digit knows its extent and its stride in the output, so that
 *
 *     i = d0 + e0 (d1 + e1 (d2 + ...))   ->   P(i) = d0 s0 + d1 s1 + d2 s2 + ...      0 <= dk < ek
 *
 * Invariant: the strides, sorted, are 1, and each the one before times its digit's extent. In normal form no
 * extent is 1 and no digit continues the one before it (s(k+1) = sk ek); then the identity is the one
 * permutation of up to one digit.
 */
#include <inttypes.h>
#include <string.h>

#include "base/status.h"
#include "perm/kind.h"

enum { MOST_DIGITS = 2 * RIFFLE_MAX_RANK }; /* a composition cuts at the bounds of both its parts */

/* Brings digits into normal form in place; returns how many remain. */
static unsigned normalize(unsigned count, perm_digit *digits) {
    unsigned kept = 0;
    for (unsigned k = 0; k < count; k++) {
        if (digits[k].extent == 1) continue;
        if (kept > 0 && digits[k].stride == digits[kept - 1].stride * digits[kept - 1].extent) {
            digits[kept - 1].extent *= digits[k].extent;
        } else {
            digits[kept++] = digits[k];
        }
    }
    return kept;
}

/* The digits of an array of this shape and order, for n > 0. */
static unsigned digits_of(unsigned rank, const uint64_t *shape, const unsigned *order, perm_digit *digits) {
    uint64_t stride = 1;
    for (unsigned k = rank; k-- > 0;) {
        digits[rank - 1 - order[k]] = (perm_digit){shape[order[k]], stride};
        stride *= shape[order[k]];
    }
    return normalize(rank, digits);
}

static void set_own_shapes(perm_axes *axes) {
    axes->input.rank = axes->output.rank = axes->rank;
    for (unsigned k = 0; k < axes->rank; k++) {
        axes->input.dimension[k] = axes->shape[k];
        axes->output.dimension[k] = axes->shape[axes->order[k]];
    }
}

/* ----------------------------------------------------------- constructors */

/* The product of the dimensions: 0 if one is 0, else failing beyond the largest length. */
static riffle_status product_of(const char *what, unsigned rank, const uint64_t *shape, uint64_t *product) {
    *product = 1;
    for (unsigned k = 0; k < rank; k++)
        if (shape[k] == 0) *product = 0;
    for (unsigned k = 0; k < rank && *product != 0; k++) {
        if (shape[k] > RIFFLE_MAX_LENGTH / *product) {
            return fail(RIFFLE_ERROR_LENGTH, "%s: the shape has more elements than the largest length, 2^%d",
                        what, RIFFLE_MAX_BITS);
        }
        *product *= shape[k];
    }
    return RIFFLE_OK;
}

static riffle_status create_named(const char *what, unsigned rank, const uint64_t *shape, const unsigned *order,
                                  riffle_perm **out) {
    uint64_t n;
    riffle_status status = product_of(what, rank, shape, &n);
    riffle_perm *perm;
    if (status == RIFFLE_OK) status = perm_create(PERM_AXES, n, &perm);
    if (status != RIFFLE_OK) return status;
    perm_axes *axes = &perm->axes;
    axes->rank = rank;
    memcpy(axes->shape, shape, rank * sizeof *shape);
    memcpy(axes->order, order, rank * sizeof *order);
    if (n > 0) axes->digits = digits_of(rank, shape, order, axes->digit);
    set_own_shapes(axes);
    *out = perm;
    return RIFFLE_OK;
}

riffle_status riffle_perm_transpose(uint64_t rows, uint64_t cols, riffle_perm **out) {
    RETURN_IF_NULL(out);
    return create_named("transpose", 2, (uint64_t[]){rows, cols}, (unsigned[]){1, 0}, out);
}

riffle_status riffle_perm_axes(unsigned rank, const uint64_t *shape, const unsigned *order, riffle_perm **out) {
    RETURN_IF_NULL(shape, order, out);
    if (rank == 0 || rank > RIFFLE_MAX_RANK) {
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "axes: rank %u is not from 1 to %d", rank, RIFFLE_MAX_RANK);
    }
    uint64_t seen = 0;
    for (unsigned k = 0; k < rank; k++) {
        if (order[k] >= rank) {
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "axes: there is no axis %u in an array of rank %u",
                        order[k], rank);
        }
        if (seen >> order[k] & 1)
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "axes: the order names axis %u twice", order[k]);
        seen |= (uint64_t)1 << order[k];
    }
    return create_named("axes", rank, shape, order, out);
}

/* The order of `rank` digits by falling stride, as input axes; false if the strides are no mixed radix. */
static bool order_by_stride(unsigned rank, const perm_digit *digits, unsigned *order) {
    uint64_t expected = 1;
    for (unsigned k = rank; k-- > 0;) {
        unsigned found = 0;
        while (found < rank && digits[found].stride != expected) found++;
        if (found == rank) return false;
        order[k] = rank - 1 - found;
        expected *= digits[found].extent; /* grows every time, so that no digit is found twice */
    }
    return true;
}

riffle_status axes_create(uint64_t n, unsigned count, const perm_digit *digits, const perm_shape *input,
                          const perm_shape *output, riffle_perm **out) {
    perm_digit normal[MOST_DIGITS];
    memcpy(normal, digits, count * sizeof *digits);
    unsigned rank = normalize(count, normal), order[MOST_DIGITS];
    *out = NULL;
    if (rank > RIFFLE_MAX_RANK || !order_by_stride(rank, normal, order)) return RIFFLE_OK;
    if (rank <= 1) return rotation_create(n, false, 0, out);
    uint64_t shape[RIFFLE_MAX_RANK];
    for (unsigned k = 0; k < rank; k++) shape[k] = normal[rank - 1 - k].extent;
    riffle_status status = create_named("axes", rank, shape, order, out);
    if (status == RIFFLE_OK && input != NULL) {
        (*out)->axes.input = *input;
        (*out)->axes.output = *output;
    }
    return status;
}

/* ------------------------------------------------------------- operations */

static void axes_apply(const riffle_perm *perm, size_t count, uint64_t *values) {
    const perm_axes *axes = &perm->axes;
    for (size_t k = 0; k < count; k++) {
        uint64_t rest = values[k], sum = 0;
        for (unsigned d = 0; d < axes->digits; d++) {
            sum += rest % axes->digit[d].extent * axes->digit[d].stride;
            rest /= axes->digit[d].extent;
        }
        values[k] = sum;
    }
}

/* Counts through the digits: runs along the fastest, a carry to the next ones between runs. */
static void axes_map(const riffle_perm *perm, uint64_t first, size_t count, uint64_t *out) {
    const perm_digit *digit = perm->axes.digit;
    uint64_t position[RIFFLE_MAX_RANK] = {0}, sum = 0, rest = first;
    for (unsigned d = 0; d < perm->axes.digits; d++) {
        position[d] = rest % digit[d].extent;
        rest /= digit[d].extent;
        sum += position[d] * digit[d].stride;
    }
    for (size_t done = 0; done < count;) {
        uint64_t left = perm->n > 1 ? digit[0].extent - position[0] : 1;
        size_t run = count - done < left ? count - done : (size_t)left;
        for (size_t k = 0; k < run; k++) out[done + k] = sum + k * digit[0].stride;
        done += run;
        if (done == count) return;
        sum -= position[0] * digit[0].stride;
        position[0] = 0;
        for (unsigned d = 1; d < perm->axes.digits; d++) {
            sum += digit[d].stride;
            if (++position[d] < digit[d].extent) break;
            sum -= position[d] * digit[d].stride;
            position[d] = 0;
        }
    }
}

static riffle_status axes_invert(const riffle_perm *perm, riffle_perm **out) {
    const perm_axes *axes = &perm->axes;
    uint64_t shape[RIFFLE_MAX_RANK];
    unsigned order[RIFFLE_MAX_RANK];
    for (unsigned k = 0; k < axes->rank; k++) {
        shape[k] = axes->shape[axes->order[k]];
        order[axes->order[k]] = k;
    }
    riffle_status status = create_named("axes", axes->rank, shape, order, out);
    if (status != RIFFLE_OK) return status;
    (*out)->axes.input = axes->output;
    (*out)->axes.output = axes->input;
    return RIFFLE_OK;
}

/* Cuts a digit, given by its stride between the two parts, at the digits of `then` and appends the pieces with
 * their strides in the output; false where the bounds do not divide each other. */
static bool cut(perm_digit piece, const perm_axes *then, perm_digit *pieces, unsigned *count) {
    uint64_t begin = 1; /* the stride of then's digit d in its input */
    for (unsigned d = 0; d < then->digits && piece.extent > 1; begin *= then->digit[d++].extent) {
        uint64_t extent = then->digit[d].extent;
        if (piece.stride >= begin * extent) continue;
        uint64_t within = piece.stride / begin;
        if (piece.stride % begin != 0 || extent % within != 0 || *count == MOST_DIGITS) return false;
        uint64_t room = extent / within, taken = piece.extent < room ? piece.extent : room;
        if (room % taken != 0 || piece.extent % taken != 0) return false;
        pieces[(*count)++] = (perm_digit){taken, within * then->digit[d].stride};
        piece = (perm_digit){piece.extent / taken, piece.stride * taken};
    }
    return true;
}

static riffle_status axes_compose(const riffle_perm *first, const riffle_perm *then, riffle_perm **out) {
    perm_digit pieces[MOST_DIGITS];
    unsigned count = 0;
    for (unsigned d = 0; d < first->axes.digits; d++)
        if (!cut(first->axes.digit[d], &then->axes, pieces, &count)) return RIFFLE_OK;
    return axes_create(first->n, count, pieces, &first->axes.input, &then->axes.output, out);
}

static bool axes_as_affine(const riffle_perm *perm, perm_affine *out) {
    if (!perm_is_power_of_two(perm->n)) return false; /* every dimension divides n */
    *out = affine_through(perm);
    return true;
}

const perm_operations axes_operations = {
    .apply = axes_apply,
    .map = axes_map,
    .invert = axes_invert,
    .compose = axes_compose,
    .as_affine = axes_as_affine,
};

const perm_shape *perm_output(const riffle_perm *perm) {
    return perm->kind == PERM_AXES ? &perm->axes.output : &perm->output;
}

unsigned riffle_perm_output_shape(const riffle_perm *perm, uint64_t shape[RIFFLE_MAX_RANK]) {
    if (perm == NULL || shape == NULL) return 0;
    const perm_shape *output = perm_output(perm);
    memcpy(shape, output->dimension, output->rank * sizeof *shape);
    return output->rank;
}
