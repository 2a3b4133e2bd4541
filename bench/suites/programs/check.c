/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks of programs' results. A sorted array is looked at whole. A few elements of a transform are compared with its definition,
 * and its sum of squares with a law: a transform multiplies it by the length of an array.
 */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "bench/data.h"
#include "bench/word.h"
#include "programs/programs.h"

enum { SAMPLES = 8, CHUNK = 4096, VALUES = 9, HALVES = 3 };

static uint64_t elements_of(const bench_row *row) { return bench_row_arrays(row) * row->n; }

static int small_of(uint64_t k) { return (int)(bench_hash(k) % VALUES) - VALUES / 2; }

/* -1, 0 and 1 as halves: sums of 2^15 of them are seldom above 2048, to which halves are exact. */
static uint16_t half_of(uint64_t k) {
    static const uint16_t halves[HALVES] = {0xbc00, 0, 0x3c00};
    return halves[bench_hash(k) % HALVES];
}

void bench_program_fill(const bench_row *row, void *src) {
    const uint64_t numbers = elements_of(row) * (row->type == RIFFLE_TYPE_C64 ? 2 : 1);
    uint16_t *const halves = src;
    uint32_t *const words = src;
    int32_t *const integers = src;
    float *const floats = src;
    double *const doubles = src;
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < numbers; ++k) {
        if (row->type == RIFFLE_TYPE_F16) {
            halves[k] = half_of(k);
        } else if (row->type == RIFFLE_TYPE_U32) {
            words[k] = (uint32_t)bench_hash(k);
        } else if (row->type == RIFFLE_TYPE_I32) {
            integers[k] = small_of(k);
        } else if (row->type == RIFFLE_TYPE_F64) {
            doubles[k] = small_of(k);
        } else {
            floats[k] = (float)small_of(k);
        }
    }
}

bool bench_is_sorted(const bench_row *row, const void *src, const void *dst) {
    const uint32_t *const before = src, *const after = dst;
    uint64_t wrong = 0, sum = 0; /* sum of hashes: 0 where the same numbers are there */
#pragma omp parallel for schedule(static) reduction(+ : wrong, sum)
    for (uint64_t k = 0; k < elements_of(row); ++k) {
        wrong += k % row->n > 0 && after[k] < after[k - 1];
        sum += bench_hash(after[k]) - bench_hash(before[k]);
    }
    return wrong == 0 && sum == 0;
}

/* A half that is a whole number, or infinite or none: those are 0. */
static int64_t whole_half(uint16_t half) {
    const int exponent = (half >> 10 & 31) - 25;
    const int64_t fraction = (half & 1023) | 1024;
    if ((half & 0x7fff) == 0 || exponent > 5) return 0;
    const int64_t size = exponent >= 0 ? fraction << exponent : fraction >> -exponent;
    return (half & 0x8000) != 0 ? -size : size;
}

static int64_t whole_at(const bench_row *row, const void *data, uint64_t k) {
    if (row->type == RIFFLE_TYPE_F16) return whole_half(((const uint16_t *)data)[k]);
    if (row->type == RIFFLE_TYPE_I32) return ((const int32_t *)data)[k];
    const double found = row->type == RIFFLE_TYPE_F64 ? ((const double *)data)[k] : ((const float *)data)[k];
    return fabs(found) < 0x1p62 ? (int64_t)found : 0;
}

static int64_t hadamard_at(const bench_row *row, const void *src, uint64_t first, uint64_t y) {
    int64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (uint64_t x = 0; x < row->n; ++x) {
        const int64_t value = whole_at(row, src, first + x);
        sum += __builtin_parityll(x & y) ? -value : value;
    }
    return sum;
}

bool bench_is_hadamard(const bench_row *row, const void *src, const void *dst) {
    uint64_t squares = 0; /* modulo 2^64 */
#pragma omp parallel for schedule(static) reduction(+ : squares)
    for (uint64_t k = 0; k < elements_of(row); ++k) {
        const uint64_t before = (uint64_t)whole_at(row, src, k), after = (uint64_t)whole_at(row, dst, k);
        squares += after * after - before * before * row->n;
    }
    bool right = squares == 0;
    for (uint64_t s = 0; right && s < SAMPLES; ++s) {
        const uint64_t at = bench_hash(s) % elements_of(row), y = at % row->n;
        right = hadamard_at(row, src, at - y, y) == whole_at(row, dst, at);
    }
    return right;
}

static double _Complex root(uint64_t k, uint64_t n) {
    const double angle = -2 * 3.14159265358979323846 * (double)(k % n) / (double)n;
    return cos(angle) + I * sin(angle);
}

static double _Complex fourier_at(const bench_row *row, const float _Complex *array, uint64_t y) {
    double re = 0, im = 0;
#pragma omp parallel for schedule(static) reduction(+ : re, im)
    for (uint64_t begin = 0; begin < row->n; begin += CHUNK) {
        double _Complex w = root(begin * y, row->n), sum = 0;
        const double _Complex step = root(y, row->n);
        for (uint64_t x = begin; x < row->n && x < begin + CHUNK; ++x, w *= step)
            sum += (double _Complex)array[x] * w;
        re += creal(sum);
        im += cimag(sum);
    }
    return re + I * im;
}

static double squares_of(const float *numbers, uint64_t count) {
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (uint64_t k = 0; k < count; ++k) sum += (double)numbers[k] * (double)numbers[k];
    return sum;
}

bool bench_is_fourier(const bench_row *row, const void *src, const void *dst) {
    const double near = 1e-5, n = (double)row->n;
    const double before = squares_of(src, 2 * elements_of(row)), after = squares_of(dst, 2 * elements_of(row));
    bool right = fabs(after - before * n) <= near * before * n;
    const double usual = sqrt(before / (double)elements_of(row) * n); /* size of an element of dst */
    for (uint64_t s = 0; right && s < SAMPLES; ++s) {
        const uint64_t at = bench_hash(s) % elements_of(row), y = at % row->n;
        const float _Complex *const array = (const float _Complex *)src + (at - y);
        right = cabs(fourier_at(row, array, y) - (double _Complex)((const float _Complex *)dst)[at]) <=
                near * usual;
    }
    return right;
}
