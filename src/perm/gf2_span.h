/* SPDX-License-Identifier: Apache-2.0
 *
 * Subspaces of index bits over GF(2), built up vector by vector.
 */
#ifndef RIFFLE_PERM_GF2_SPAN_H
#define RIFFLE_PERM_GF2_SPAN_H

#include <stdbool.h>
#include <stdint.h>

/** The span of the vectors added: an echelon form, in which the leading bit of each vector leads no other.
 *  Zeroed it is the null space. */
typedef struct gf2_span {
    unsigned count;              /**< the dimension; at most 64 */
    uint64_t by_leading_bit[64]; /**< 0 where no vector has this leading bit */
    uint64_t parts[64]; /**< which of the vectors added make it up: bit k the k-th that made the span grow */
} gf2_span;

/** Adds v; false if it was inside already. */
bool gf2_span_add(gf2_span *s, uint64_t v);

/** v plus what of the span clears the leading bit of every vector of the echelon form in it; 0 if v lies
 *  inside. */
uint64_t gf2_span_reduce(const gf2_span *s, uint64_t v);

/** Which of the vectors that made the span grow add up to v, bit k the k-th; v must lie inside. */
uint64_t gf2_span_coordinates(const gf2_span *s, uint64_t v);

/** Sums of vectors whose images add up to 0: a basis of the kernel of a linear map that sends vector[k] to image[k], for
 *  k < count. Returns how many there are. out may be vector. */
unsigned gf2_kernel(unsigned count, const uint64_t *vector, const uint64_t *image, uint64_t *out);

#endif
