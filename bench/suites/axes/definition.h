/* SPDX-License-Identifier: Apache-2.0
 *
 * An order of axes by its definition, as the kernel that checks takes it: element x of src has a place along each axis,
 * and in dst each axis has a step.
 */
#ifndef RIFFLE_BENCH_SUITES_AXES_DEFINITION_H
#define RIFFLE_BENCH_SUITES_AXES_DEFINITION_H

#include <stdint.h>

enum { BENCH_MOST_AXES = 32 };

typedef struct bench_definition {
    uint32_t rank;
    uint64_t shape[BENCH_MOST_AXES]; /**< src's shape, row-major */
    uint64_t step[BENCH_MOST_AXES];  /**< steps of src's axes in dst, in elements */
} bench_definition;

#endif
