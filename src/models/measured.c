/* SPDX-License-Identifier: Apache-2.0 */
#include "models/measured.h"

#include <math.h>

enum { LENGTHS = 4 };

/* log2 of the arrays' bytes. */
static const double LENGTH[LENGTHS] = {22, 26, 28, 30};

static const double COPIES[VECTOR_SETS][MEASURED_MOVES][LENGTHS] = {
    [VECTORS_AVX2] = {[MEASURED_SCATTER] = {11.5, 12.0, 15.0, 24.8},
                      [MEASURED_GATHER] = {6.6, 13.4, 20.8, 25.1},
                      [MEASURED_BUCKET] = {6.7, 3.8, 3.9, 7.3}},
    [VECTORS_AVX512_VBMI] = {[MEASURED_SCATTER] = {22.0, 11.7, 23.8, 36.8},
                             [MEASURED_GATHER] = {8.4, 13.3, 28.5, 35.2},
                             [MEASURED_BUCKET] = {4.5, 2.9, 4.5, 4.6}},
};

vector_set measured_here(void) { return vectors_has(VECTORS_AVX512) ? VECTORS_AVX512_VBMI : VECTORS_AVX2; }

double measured_copies(measured_move move, vector_set measured, double array_bytes) {
    const double *const copies = COPIES[measured][move];
    const double length = log2(array_bytes);
    if (length <= LENGTH[0]) return copies[0];
    for (unsigned k = 1; k < LENGTHS; k++) {
        const double share = (length - LENGTH[k - 1]) / (LENGTH[k] - LENGTH[k - 1]);
        if (share <= 1) return copies[k - 1] + share * (copies[k] - copies[k - 1]);
    }
    return copies[LENGTHS - 1];
}
