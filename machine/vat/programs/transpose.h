/* SPDX-License-Identifier: Apache-2.0
 *
 * The transpose of a square matrix into another array, right behind the first (section 2.6.2, Figure 2.7).
 *
 * Row by row, the matrix is read along its rows and written down the columns: each write is a row away from the
 * one before. In the recursive layout (Morton's) the four quadrants of a matrix lie one behind the other, each
 * laid out the same way:
 *
 *      0  1 |  4  5        the bits of a place are those of row and column in turn, the column's
 *      2  3 |  6  7        the lower; to transpose is to transpose the quadrants and swap the
 *     ------+-------       second with the third, that is, to swap the bits of each pair.
 *      8  9 | 12 13
 *     10 11 | 14 15        Quadrant by quadrant, recursively, is the order of the places themselves.
 *
 * Whoever includes this has defined cells, load and store (all.h).
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_TRANSPOSE_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_TRANSPOSE_H

#include "machine/vat/programs/weigh.h"

/** 2 side^2 accesses. */
static uint64_t transpose_rows(cells a, uint64_t side) {
    uint64_t sum = 0;
    for (uint64_t row = 0; row < side; row++) {
        for (uint64_t column = 0; column < side; column++) {
            const uint64_t to = column * side + row;
            const uint64_t value = load(a, row * side + column);
            store(a, side * side + to, value);
            sum += weigh(value, to);
        }
    }
    return sum;
}

/** 2 n accesses; n is a power of four or 0. */
static uint64_t transpose_recursive(cells a, uint64_t n) {
    const uint64_t column_bits = UINT64_C(0x5555555555555555);
    uint64_t sum = 0;
    for (uint64_t place = 0; place < n; place++) {
        const uint64_t to = (place & column_bits) << 1 | (place >> 1 & column_bits);
        const uint64_t value = load(a, place);
        store(a, n + to, value);
        sum += weigh(value, to);
    }
    return sum;
}

#endif
