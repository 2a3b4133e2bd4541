/* SPDX-License-Identifier: Apache-2.0
 *
 * Proven bounds and values of the expected congestion of a layout under a pattern. Each function returns NAN where nothing
 * is proven.
 */
#ifndef RIFFLE_CLI_CONGESTION_THEORY_H
#define RIFFLE_CLI_CONGESTION_THEORY_H

#include "congestion/pattern.h"

/** The least bound that is proven here: the congestion itself where the layout fixes it (1, w), and otherwise
 *
 *      sum over t >= 1 of min(1, w / t!)
 *
 *  For any w different requests to RAS, RAP or w^2 P: let t of them be able to meet in bank u at all (different
 *  rows, and in one plane different columns). Given the others of its plane each does so with probability at
 *  most 1 / (w - number of those), so all t with at most (w - t)! / w!. There are at most C(w, t) such choices,
 *  so the bank holds t or more requests with probability at most C(w, t) (w - t)! / w! = 1 / t!, and some bank
 *  does with probability at most w / t!. Random requests meet in a bank with probability w^-t, so they fall
 *  under it in every layout. NAN for 3P, R1P and 1P w^2 R under requests chosen against them, whose rotations
 *  are sums that depend on each other. */
double congestion_bound(const riffle_layout *layout, const pattern *asked);

/** The bound that the proof of Theorem 2 of the RAP paper gives, 2 (T + 1/2) with T = e^2 ln w / ln ln w,
 *  wherever the sum above applies; w >= 4.
 *
 *  In the paper's Lemma 4 a bank gets more than T requests of a half warp with probability below w^-2.
 *  Corrected here: the union is over w banks, not w/2, so some bank does with probability below 1/w (the paper
 *  prints 1/(2w)); and a half warp's congestion is at most w/2, not w. The two slips cancel: E[Y] < T +
 *  (1/w)(w/2) = T + 1/2, and a warp has two halves. */
double congestion_theorem2(const riffle_layout *layout, const pattern *asked);

/** The expectation itself where requests fall into banks independently: one element of each of w rows in RAS
 *  (or of as many planes in w^2 P and 1P w^2 R), and random requests in any layout, equal ones merged. */
double congestion_expected(const riffle_layout *layout, const pattern *asked);

#endif
