/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_SORT_EXPLAIN_H
#define RIFFLE_SORT_EXPLAIN_H

#include "sort/plan.h"

/** Exchanges of blocks with memory, and their bounds. */
typedef struct sort_exchanges {
    sort_model model;
    double elements; /**< in a block */
    double held;     /**< blocks that a processor holds */
    double blocks;   /**< that all elements fill; 0: nothing is known */
    struct {
        double permuting, comparing; /**< exchanges of all processors together (models/io_bounds.h) */
    } bound;                         /**< zeros where elements are counted */
} sort_exchanges;

sort_exchanges sort_exchanges_of(const riffle_sort_plan *plan);

#endif
