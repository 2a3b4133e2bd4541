/* SPDX-License-Identifier: Apache-2.0
 *
 * walsh [LENGTH [ROWS]]: the normalized fast Walsh-Hadamard transform of each row of a matrix of floats, of any length: rows
 * are padded with zeros to a power of two, as libraries for neural networks do, which stop at 2^15. The transform
 * undoes itself; prints how far the rows are off after two of them, and its time beside a copy's.
 */
#include <math.h>
#include <string.h>

#include "support.h"

static const char usage[] = "walsh [LENGTH [ROWS]]   with 1 <= LENGTH <= 2^28, 1 <= ROWS <= 2^20";

/* The definition: element k of a row's transform. */
static double element(const float *row, size_t n, size_t k) {
    double sum = 0;
    for (size_t x = 0; x < n; x++) sum += __builtin_parityll(x & k) ? -(double)row[x] : (double)row[x];
    return sum / sqrt((double)n);
}

static double largest_difference(const float *a, const float *b, size_t count) {
    double largest = 0;
    for (size_t k = 0; k < count; k++) largest = fmax(largest, fabs((double)a[k] - (double)b[k]));
    return largest;
}

int main(int argc, char **argv) {
    const size_t length = (size_t)argument(argc, argv, 1, 100000, 1, 1L << 28, usage);
    const size_t rows = (size_t)argument(argc, argv, 2, 64, 1, 1L << 20, usage);
    unsigned bits = 0;
    while ((size_t)1 << bits < length) bits++;
    const size_t n = (size_t)1 << bits, bytes = rows * n * sizeof(float);
    float *const matrix = buffer(bytes), *const once = buffer(bytes), *const twice = buffer(bytes);
    memset(matrix, 0, bytes);
    for (size_t row = 0; row < rows; row++)
        for (size_t k = 0; k < length; k++) matrix[row * n + k] = (float)rand() / (float)RAND_MAX - 0.5F;

    riffle_program_plan *const walsh = plan("walsh n", NULL, bits, RIFFLE_TYPE_F32, rows);
    check(riffle_program_execute(walsh, once, matrix));
    double begin = now();
    check(riffle_program_execute(walsh, twice, once));
    const double seconds = now() - begin;
    double off = largest_difference(twice, matrix, rows * n);
    for (size_t k = 0; k < 8; k++) { /* elements of the last row */
        const size_t at = (size_t)rand() % n, start = (rows - 1) * n;
        off = fmax(off, fabs(element(matrix + start, n, at) - (double)once[start + at]));
    }
    begin = now();
    memcpy(twice, once, bytes);
    printf("%zu rows of %zu, padded to %zu: %u passes, %.2f ms, a copy %.2f ms; off by %.1e\n", rows, length, n,
           riffle_program_plan_passes(walsh), 1e3 * seconds, 1e3 * (now() - begin), off);
    riffle_program_plan_free(walsh);
    riffle_buffer_free(twice, bytes);
    riffle_buffer_free(once, bytes);
    riffle_buffer_free(matrix, bytes);
    return off < 1e-5 * (bits + 1) ? 0 : 1;
}
