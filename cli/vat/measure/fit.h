/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of the measured times the machines' costs explain.
 *
 * For a program with one kind of pages let t(n) be the time of one RAM operation, and x(n) what a machine says
 * that an operation costs: 1 on the RAM, block transfers on the EM, faults on the VAT. One constant c is fitted
 * by least squares, t(n) = t0 + c (x(n) - x0), over the sizes beyond the last-level cache. The cost of the cache-resident
 * operation is measured, not fitted, in one of two ways:
 *
 *     smallest   t0 is the least time of all sizes, x0 = 0: all growth must come from what x counts
 *     edge       t0 and x0 are those of the largest array within the last-level cache: growth beyond it must
 *
 * The share of the variance that is explained is R^2 = 1 - sum (t - t0 - c (x - x0))^2 / sum (t - mean t)^2 over the same
 * sizes: 0 for the RAM, whose best constant is the mean, and below 0 where a machine does worse than a
 * constant.
 */
#ifndef RIFFLE_CLI_VAT_MEASURE_FIT_H
#define RIFFLE_CLI_VAT_MEASURE_FIT_H

#include "vat/measure/measure.h"

typedef enum vat_predictor {
    VAT_BY_RAM,
    VAT_BY_EM,
    VAT_BY_LEAST, /**< the VAT's lower bound */
    VAT_BY_MOST,  /**< and its upper one */
    VAT_PREDICTORS,
} vat_predictor;

/** "ram", "em", "vat_least" or "vat_most". */
const char *vat_predictor_name(vat_predictor by);

typedef enum vat_base { VAT_FROM_SMALLEST, VAT_FROM_EDGE, VAT_BASES } vat_base;

/** "smallest" or "edge". */
const char *vat_base_name(vat_base from);

typedef struct vat_explained {
    bool is_known; /**< false where the chapter has no such bound, or x(n) does not change */
    double constant_ns, r2;
} vat_explained;

typedef struct vat_fit {
    unsigned sizes;         /**< beyond the last-level cache; with fewer than VAT_FIT_LEAST there is no fit */
    const vat_row *fastest; /**< the fastest row of all sizes: t0 of VAT_FROM_SMALLEST */
    const vat_row *edge;    /**< the largest within the last-level cache, or NULL */
    vat_explained by[VAT_PREDICTORS][VAT_BASES];
} vat_fit;

enum { VAT_FIT_LEAST = 3 };

/** Fits the rows of one program and kind of pages. Rows whose pages the system did not grant do not count. */
vat_fit vat_fit_rows(const vat_run *run, riffle_vat_program program, vat_pages pages);

#endif
