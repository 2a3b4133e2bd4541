/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of a kernel, one thread of each, that are tried for an example: drawn from few sizes, most of them at the edges.
 */
#ifndef RIFFLE_MACHINE_LINT_CLAIMS_LAUNCHES_H
#define RIFFLE_MACHINE_LINT_CLAIMS_LAUNCHES_H

#include <stdio.h>

#include "machine/lint/forms/form.h"
#include "machine/lint/llvm/walk.h"

typedef struct launches {
    const forms *s;
    unsigned side[3];
    bool used[3]; /**< the kernel's threads or blocks differ along that axis */
    uint64_t state;
} launches;

void launches_begin(launches *d, const forms *s, const unsigned side[3]);

/** The k-th: a thread of a block of a grid, and integers that are not negative for parameters. */
void launches_draw(launches *d, unsigned k, walk *w);

/** True if the polynomial over sizes and parameters is not the number that the machine has for it: it has overflowed. */
bool launches_overflow(const symbols *s, const walk *w, const poly *a, int64_t wrapped);

/** True if the blocks are of more threads than the kernel's __launch_bounds__ take. */
bool launches_are_refused(const forms *s, walk *w, const unsigned side[3]);

/** "threadIdx.x = 256, blockDim.x = 288, n = 7" */
void launches_say(const walk *w, FILE *out);

#endif
