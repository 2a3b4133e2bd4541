/* SPDX-License-Identifier: Apache-2.0
 *
 * The product of two square matrices (section 2.5): three arrays of n elements, one behind the other, A, B and C = AB modulo 2^64.
 *
 * Row by row, as textbooks have it, B is read down its columns, a row away each time. In the recursive layout (transpose.h) a
 * product is eight products of quadrants, each of which lies in one piece:
 *
 *     | A0 A1 |   | B0 B1 |   | A0 B0 + A1 B2   A0 B1 + A1 B3 |
 *     | A2 A3 | x | B2 B3 | = | A2 B0 + A3 B2   A2 B1 + A3 B3 |
 *
 * down to single elements, whatever caches there are.
 *
 * Whoever includes this has defined cells, load and store (all.h).
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_MULTIPLY_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_MULTIPLY_H

#include "machine/vat/programs/weigh.h"

/** 2 side^3 + side^2 accesses. */
static uint64_t multiply_rows(cells a, uint64_t side) {
    const uint64_t n = side * side;
    uint64_t sum = 0;
    for (uint64_t row = 0; row < side; row++) {
        for (uint64_t column = 0; column < side; column++) {
            uint64_t product = 0;
            for (uint64_t k = 0; k < side; k++)
                product += load(a, row * side + k) * load(a, n + k * side + column);
            store(a, 2 * n + row * side + column, product);
            sum += weigh(product, row * side + column);
        }
    }
    return sum;
}

/* Adds the product of the squares of n elements at x and y to that at z. */
static uint64_t add_product(cells a, uint64_t n, uint64_t x, uint64_t y, uint64_t z) {
    if (n == 1) {
        const uint64_t value = load(a, z) + load(a, x) * load(a, y);
        store(a, z, value);
        return weigh(value, z);
    }
    const uint64_t q = n / 4;
    uint64_t sum = 0;
    for (uint64_t k = 0; k < 8; k++) {
        const uint64_t row = k >> 2, column = k >> 1 & 1, between = k & 1;
        sum += add_product(a, q, x + (2 * row + between) * q, y + (2 * between + column) * q,
                           z + (2 * row + column) * q);
    }
    return sum;
}

/** 4 n^(3/2) accesses; n is a power of four or 0, and C is 0. */
static uint64_t multiply_recursive(cells a, uint64_t n) { return n == 0 ? 0 : add_product(a, n, 0, n, 2 * n); }

#endif
