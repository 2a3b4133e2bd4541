/* SPDX-License-Identifier: Apache-2.0
 *
 * Closed forms of what address translation costs (Jurkiewicz, Mehlhorn; dissertation, chapter 2): faults of a
 * translation cache between bounds, each a function of its own with its section and conditions.
 *
 * All counts are faults: times tau they are the chapter's costs. Unless a function says otherwise its
 * conditions are the asymptotic order relations of section 2.4, of which faults need three: K >= 2; m/P <= K^d
 * <= 2m/P for the m cells in use; d <= W, and W small beside m. An upper bound is one for the strategy that its
 * proof describes, hence for MIN; LRU pays at most twice that bound for half the cache (Lemma 2.1). The chapter
 * does not count the root, which is inserted once: an upper bound marked "+ root" may be exceeded by that one
 * fault.
 */
#ifndef RIFFLE_MACHINE_VAT_COSTS_H
#define RIFFLE_MACHINE_VAT_COSTS_H

#include <stddef.h>

#include "riffle/vat.h"

/** The machine of the formulas. A cell is what an address names; for the programs, an element of 8 bytes. */
typedef struct vat_machine {
    double fanout; /**< K, from 2 on */
    double page;   /**< P in cells, from 1 on */
    double height; /**< d, from 1 on */
    double cache;  /**< W in nodes, more than d */
} vat_machine;

/* ------------------------------------------------------------------ scans */

/** Reads n consecutive cells: d + sum over i <= d of ceil(n / (P K^i)) at most (section 2.4, Sequential
 *  Access). For LRU, from any start; + root. */
double vat_scan_most(double n, vat_machine machine);

/** The same in one term: below 2d + n/P * K/(K - 1). For LRU, from any start; + root. */
double vat_scan_most_closed(double n, vat_machine machine);

/** Every node of the range must be inserted once (Proposition 2.30 and the extremal paths): the sum of
 *  ceil(n / (P K^i)) at least, for any strategy on a cache that starts empty. */
double vat_scan_least(double n, vat_machine machine);

/** n reads at random places of n cells: n/k * (1 + log(n/P)) at most, k = log K (Lemma 2.27). For LRU; + root.
 *  Rests on K^d <= 2m/P, that is, d <= (1 + log(m/P))/k; where that is not so, n d is the bound. */
double vat_random_scan_most(double n, vat_machine machine);

/** The same: n/k * log(n / (P W)) at least in expectation, 0 for n <= P W (Lemma 2.27). For strategies that do
 *  not know the future. */
double vat_random_scan_least(double n, vat_machine machine);

/* --------------------------------------------------------------- searches */

/** n binary searches for random elements of n cells: n/k * log(2n/P) * log(2nd/W) at most (section 2.4, Binary
 *  Search, the bound from which Lemma 2.28 is refined). W >= 2d. */
double vat_binary_search_most(double n, vat_machine machine);

/** The same as Lemma 2.28 states it: n/(2k) * log(2nd / (P W))^2. The lemma's sum rounds no logarithm up, which
 *  is worth up to n * log(2nd / (P W)) faults more; counted faults do exceed it, so take it for an order of
 *  growth. */
double vat_binary_search_order(double n, vat_machine machine);

/** The same: n/(4k) * log(n / (4 P W))^2 at least in expectation, 0 for n <= 4 P W (Lemma 2.28). For ISLRU,
 *  hence for LRU. */
double vat_binary_search_least(double n, vat_machine machine);

/* ------------------------------------------------------------------ heaps */

/** Turns n cells into a heap: 2d + 1 + (p + 1) 2n/P + sum over p < i < z of n/2^i * (ceil((i - p)/k) + 2) + n d
 *  log(n) / 2^z at most, p = log P, z = min(log n, floor((W - 2d - 1) / floor(log_K(n/P))) - 1): section 2.4,
 *  Heapify, with its constants spelled out, which makes it O(d + n p/P). Assumes that siblings lie in one page;
 *  W >= 2d + 1 + 2 log_K(n/P). */
double vat_heapify_most(double n, vat_machine machine);

/** The same: d + p n/(2P) at least where W < n/(2P), else d (section 2.4). For LRU. */
double vat_heapify_least(double n, vat_machine machine);

/** Heapsort of n cells. The chapter bounds only its heapify. This adds the chapter's argument for binary
 *  search, applied to n descents in a heap: the first P W/4 elements are 2 P W/4 / P = W/2 nodes and stay in
 *  the cache, and each of the log(4n / (P W)) steps below costs d at most: n/k * log(2n/P) * log(4n / (P W)) in
 *  all. Assumes that siblings lie in one page; W >= 4d. */
double vat_heapsort_most(double n, vat_machine machine);

/* ---------------------------------------------- cache-oblivious algorithms */

/** C(M, B, n): blocks of B cells that an algorithm moves for an input of size n, with a cache of M cells. */
typedef double vat_io(double cache, double block, double n);

/** The sum over 0 <= i <= d of C(a K^i P, K^i P, n), a = floor(W/d), at most (Theorem 2.32). C must need no
 *  tall cache (M >= B^2). The theorem's d parts of the cache serve the levels below the root, which wants a
 *  cell besides: + root, and W + 1 nodes. */
double vat_cache_oblivious_most(vat_io *io, double n, vat_machine machine);

/** The instances of section 2.5, without the constants that its O() hides. */
vat_io vat_io_scan;            /**< 2 + floor(n/B) */
vat_io vat_io_quicksort;       /**< (2 + n/B) * log(n/B): the section's n/B, and two blocks at the ends */
vat_io vat_io_van_emde_boas;   /**< log_B n for one search among n cells */
vat_io vat_io_matrix_multiply; /**< n^3 / (M^(1/2) B) for sides of n cells in a recursive layout */

/** The same with its constant, for matrices of n cells, a power of four, one behind the other, and blocks of a power of two: subsquares
 *  of q cells, the largest of which three fit, are multiplied (n/q)^(3/2) times, and each time loaded at most. */
vat_io vat_io_multiply;

/** The recursive transpose, not among the section's: 2 (2 + floor(n/B)) for n cells in a recursive layout, M >=
 *  4B. Each subsquare is consecutive in both matrices, so it is two scans. */
vat_io vat_io_transpose;

/** One search in van Emde Boas layout: log_P n + log_K n * ln(log_P(P K^d)) at most, up to the constant of C
 *  (section 2.5: the sum above, closed by an integral; its last step, to log_P m, needs m = P K^d). P >= 2. */
double vat_van_emde_boas_most(double n, vat_machine machine);

/** Multiplies matrices of sides of n cells in a recursive layout: n^3 / (a^(1/2) P^(3/2)) * K^(3/2) / (K^(3/2)
 *  - 1) at most, up to the constant of C (section 2.5). For matrices that are much larger than the cache's W/d
 *  pages. */
double vat_matrix_multiply_most(double n, vat_machine machine);

/* --------------------------------------------------- consecutive or random */

/** A CAT (Definition 2.33): `accesses` that use pages in increasing or decreasing order, `per_page` of them for
 *  each page in their range on average: 2d + K/(K - 1) * accesses/per_page at most. With per_page >= tau that
 *  is O(tau d + accesses) of cost, which the operations outweigh (Lemma 2.34). For LRU. */
double vat_cat_most(double accesses, double per_page, vat_machine machine);

/** A RAT (Definition 2.35): d faults an access at most (Lemma 2.36). For LRU; + root. */
double vat_rat_most(double accesses, vat_machine machine);

/** The same where a share of the accesses (their fraction times the probability, in expectation) is each to a
 *  part of `part` cells, a node's K^j P, that was not used since W faults: log_K(part/P) + 1 faults each (Lemma
 *  2.36). For LRU. */
double vat_rat_least(double accesses, double share, double part, vat_machine machine);

/** Fisher and Yates on n cells: a CAT and a RAT: 2d + K/(K - 1) * n/P + n/k * (1 + log(n/P)) at most. For LRU,
 *  W >= 2d + 2; + root. */
double vat_permute_most(double n, vat_machine machine);

/** The same: of the first n/2 swaps one in two goes to one of 4W parts of n/(4W) cells that has rested since W
 *  faults, so it is a RAT of share 1/4: n/4 * log_K(n / (4 P W)) at least in expectation (section 2.6.2), 0 for
 *  n <= 4 P W. */
double vat_permute_least(double n, vat_machine machine);

/** Transposes a square matrix of n cells row by row into another: n d for the writes, and a scan, at most
 *  (section 2.6.2). For LRU, W >= 2d + 2; + root. */
double vat_transpose_rows_most(double n, vat_machine machine);

/** The same: Theta(n d) at least: where sides are of P cells or more and more than W, LRU reuses no node of
 *  n^(1/2) cells or fewer, which is floor(log_K(n^(1/2) / P)) + 1 faults a write. Else what a scan of both
 *  matrices costs. For LRU. */
double vat_transpose_rows_least(double n, vat_machine machine);

/** Two scans of n cells by Theorem 2.32 (vat_io_transpose). */
double vat_transpose_recursive_most(double n, vat_machine machine);

/** Multiplies square matrices of n cells row by column: n^(3/2) d for reads down columns, a scan of a row for each of n rows and
 *  columns, and n d for what is written, at most. For LRU, W >= 3d + 3; + root. */
double vat_multiply_rows_most(double n, vat_machine machine);

/** The same: as for the transpose row by row, floor(log_K(n^(1/2) / P)) + 1 faults for each of n^(3/2) reads down a column at least
 *  where sides are of P cells or more and more than W. Else what a scan of three matrices costs. For LRU. */
double vat_multiply_rows_least(double n, vat_machine machine);

/** The product in the recursive layout by Theorem 2.32 (vat_io_multiply). n is a power of four. */
double vat_multiply_recursive_most(double n, vat_machine machine);

/* -------------------------------------------------------- virtual machines */

/** The levels of the tree below the node that has `bytes` from address 0 on below it, from 1 to the tree's height. */
double vat_used_height(double bytes, const riffle_vat_options *tree);

/* --------------------------------------------------------- external memory */

/** T_EM (section 2.1.1): the expected time of n reads at random places of n elements in a memory hierarchy
 *  whose level i, 0 <= i < levels, holds sizes[i] elements (increasing) and takes times[i] an access;
 *  times[levels] is that of the memory behind. In the unit of the times. The denominator of Figure 2.2. */
double em_random_scan_time(double n, size_t levels, const double *sizes, const double *times);

#endif
