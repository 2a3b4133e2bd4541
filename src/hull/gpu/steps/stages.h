/* SPDX-License-Identifier: Apache-2.0
 *
 * All steps of a hull as one cooperative kernel, or, where blocks cannot wait for each other, as a launch a step: by sorting, and
 * by the dissertation's algorithm. The size of an element stands for a record's kind (hull/kernels/record.h).
 */
#ifndef RIFFLE_HULL_GPU_STEPS_STAGES_H
#define RIFFLE_HULL_GPU_STEPS_STAGES_H

#include "hull/kernels/sorted/sorted.h"
#include "papers/hull/kernels/paper.h"

enum { HULL_STEPS_THREADS = 512, HULL_STEPS_BLOCKS = 2 }; /* threads of a block; fewest of a multiprocessor */

/** Numbers in the family. */
enum { HULL_STEPS_SORTED, HULL_STEPS_PAPER };

#endif
