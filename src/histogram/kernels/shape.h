/* SPDX-License-Identifier: Apache-2.0
 *
 * The shape of a histogram's launch, for kernels and for who launches them.
 */
#ifndef RIFFLE_HISTOGRAM_KERNELS_SHAPE_H
#define RIFFLE_HISTOGRAM_KERNELS_SHAPE_H

enum {
    HISTOGRAM_THREADS = 256,
    HISTOGRAM_WARPS = HISTOGRAM_THREADS / 32,
    HISTOGRAM_BLOCKS = 8,     /* a multiprocessor */
    HISTOGRAM_WORD_BYTES = 8, /* that a thread reads at once */
    HISTOGRAM_VALUES = 256,   /* that a byte can have */
    HISTOGRAM_SHARED_BYTES = 4 * HISTOGRAM_WARPS * HISTOGRAM_VALUES,
};

#endif
