/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves of random tables as they were measured on a CPU: two threads, elements of 4 bytes, as multiples of a copy by two threads of the
 * same array (bench/results/epyc-zen3.json, xeon-avx512-2-threads.json). Moves one by one take the longer beside a copy the longer the
 * array is: the last cache holds less of it, and the caches of translations too.
 */
#ifndef RIFFLE_MODELS_MEASURED_H
#define RIFFLE_MODELS_MEASURED_H

#include "base/processor/vectors.h"

enum { MEASURED_ELEM_BYTES = 4 };

typedef enum measured_move {
    MEASURED_SCATTER,
    MEASURED_GATHER,
    MEASURED_BUCKET, /**< two passes */
    MEASURED_MOVES
} measured_move;

/** The set of the measured processor that is the nearest to the one at hand: VECTORS_AVX512_VBMI's where there is AVX-512, else
 *  VECTORS_AVX2's. */
vector_set measured_here(void);

/** Multiples of a copy's time for an array of so many bytes, on the measured processor with that set. Between lengths that were
 *  measured it is linear in their logarithms, and beyond them that of the nearest. */
double measured_copies(measured_move move, vector_set measured, double array_bytes);

#endif
