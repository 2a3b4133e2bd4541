/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums (XOR) of the vectors that the bits of a number choose. Straight code: `bits` is a constant. Included for places of
 * 32 and of 64 bits, so without a guard.
 */
static __device__ inline place PLACE(sum_of_bits)(const place *vectors, uint32_t bits, uint32_t number) {
    place sum = 0;
    UNROLL
    for (uint32_t k = 0; k < bits; ++k) sum ^= vectors[k] & (0 - (place)(number >> k & 1));
    return sum;
}

/* Where a run's tile begins. */
static __device__ inline place PLACE(start_of_tile)(const PLACE(affine_table_side) * side, uint32_t number) {
    return side->origin ^ PLACE(sum_of_bits)(side->tile, PLACE(tiles_log2), number);
}

/* The number of the tile that stands for an orbit (plan/involution.h, involution_coset). */
static __device__ inline uint32_t PLACE(tile_of_orbit)(const PLACE(affine_table) * t, uint32_t orbit) {
    if (orbit < t->direct) return orbit;
    const uint32_t rest = orbit - t->direct, low_bits = t->coset_bits - t->moved_bits - 1;
    const uint32_t c = 1 + (rest >> low_bits), low = rest & ((1u << low_bits) - 1);
    uint32_t below = 0; /* bits below the leading one of c */
    while (c >> below > 1) ++below;
    const uint32_t h = (low >> below << (below + 1)) | (low & ((1u << below) - 1));
    return c << (low_bits + 1) | h;
}
