/* SPDX-License-Identifier: Apache-2.0
 *
 * The orbits of an involution on cosets, as plan/affine/involution.h numbers them.
 */
#ifndef RIFFLE_MOVE_KERNELS_AFFINE_ORBITS_H
#define RIFFLE_MOVE_KERNELS_AFFINE_ORBITS_H

#include <stdint.h>

/* involution_coset. */
template <class place>
static __device__ inline place coset_of_orbit(place orbit, place fixed, place far, uint32_t bits,
                                              uint32_t moved, uint32_t plain) {
    if (far != 0 || orbit < fixed) return orbit;
    const uint32_t low_bits = bits - moved - 1;
    const place rest = orbit - fixed, c = 1 + (rest >> low_bits), low = rest & (((place)1 << low_bits) - 1);
    uint32_t gap = plain; /* the image bit at the leading bit of c */
    for (place above = c >> 1; above != 0; above >>= 1) ++gap;
    const place below = ((place)1 << gap) - 1;
    return c << (low_bits + 1) | (low & ~below) << 1 | (low & below);
}

#endif
