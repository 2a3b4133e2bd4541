/* SPDX-License-Identifier: Apache-2.0
 *
 * Permutations that no spec describes and nothing recognizes, made as tables:
 *
 *     bit-reversal except 2   bit reversal, two entries of the table exchanged; n a power of two
 *     shuffled blocks 2^12    each block of 2^12 neighbours shuffled within itself (Fisher, Yates)
 *     shuffled blocks 2^20    the same of 2^20
 *     reverse with 1% noise   n / 200 pairs of entries of a reversal exchanged at random
 *     reverse Cuthill-McKee   the ordering of a matrix on the 3-D grid of the greatest side^3 <= n cells, each
 *                             coupled to its 6 neighbours (a 7-point stencil) and numbered naturally, x
 *                             fastest: breadth first from a corner, neighbours in order of degree, then
 *                             reversed (Cuthill, McKee 1969); P(cell) is its place in the order. Cells beyond the cube stay.
 */
#ifndef RIFFLE_BENCH_SUITES_KINDS_TABLES_H
#define RIFFLE_BENCH_SUITES_KINDS_TABLES_H

#include "riffle.h"

/** The permutation of that name, or of that spec, for n <= 2^32; free it. The last one is remembered, since the
 *  next row often wants it again. */
riffle_status bench_table_perm(const char *name, uint64_t n, riffle_perm **out);

#endif
