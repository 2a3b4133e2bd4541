/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of a hull as a kernel, for the memory machine. A GPU makes all steps in one launch (hull/gpu/steps/steps.cu).
 */
#ifndef RIFFLE_HULL_GPU_STEPS_STEPS_H
#define RIFFLE_HULL_GPU_STEPS_STEPS_H

#include "hull/kernels/sorted/sorted_pass.h"
#include "papers/hull/kernels/paper_alone.h"

template <class record> __global__ void hull_sorted(const hull_sorted_table t, const hull_cursor c) {
    extern __shared__ uint64_t shared_memory[];
    hull_sorted_do<record>(&t, &c, shared_memory);
}

template <class record> __global__ void hull_paper(const hull_paper_table t, const hull_paper_cursor c) {
    extern __shared__ uint64_t shared_memory[];
    hull_paper_do<record>(&t, &c, shared_memory);
}

#endif
