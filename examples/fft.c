/* SPDX-License-Identifier: Apache-2.0
 *
 * fft [LOG2_N]: a radix-2 FFT of 2^LOG2_N complex numbers (20 by default) whose bit reversal is riffle's.
 * The result must be FFTW's; prints the largest relative error and the share of the reversal.
 */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <riffle.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check(riffle_status status) {
    if (status == RIFFLE_OK) return;
    fprintf(stderr, "fft: %s: %s\n", riffle_status_string(status), riffle_error_detail());
    exit(1);
}

/* The butterflies after the reversal: blocks of 2, 4, ... n become transforms of their halves' length. */
static void butterflies(double complex *x, size_t n, const double complex *root) {
    for (size_t half = 1; half < n; half *= 2)
        for (size_t block = 0; block < n; block += 2 * half)
            for (size_t k = 0; k < half; k++) {
                double complex *even = &x[block + k], *odd = even + half;
                double complex turned = root[k * (n / (2 * half))] * *odd;
                *odd = *even - turned;
                *even += turned;
            }
}

/* The largest distance of two elements over the largest element of `right`. */
static double largest_error(const double complex *x, const double complex *right, size_t n) {
    double error = 0, size = 0;
    for (size_t k = 0; k < n; k++) {
        error = fmax(error, cabs(x[k] - right[k]));
        size = fmax(size, cabs(right[k]));
    }
    return error / size;
}

int main(int argc, char **argv) {
    char *end = "";
    long m = argc > 1 ? strtol(argv[1], &end, 10) : 20;
    if (argc > 2 || *end || m < 1 || m > 28) {
        fprintf(stderr, "usage: fft [LOG2_N]   with 1 <= LOG2_N <= 28\n");
        return 2;
    }
    size_t n = (size_t)1 << m, bytes = n * sizeof(double complex);
    void *memory[4];
    for (int k = 0; k < 4; k++) check(riffle_buffer_create(bytes, &memory[k]));
    double complex *in = memory[0], *x = memory[1], *root = memory[2], *right = memory[3];

    fftw_plan fftw = fftw_plan_dft_1d((int)n, in, right, FFTW_FORWARD, FFTW_ESTIMATE);
    for (size_t k = 0; k < n; k++) {
        in[k] = rand() / (double)RAND_MAX - 0.5 + I * (rand() / (double)RAND_MAX - 0.5);
        root[k] = cexp(-2 * I * acos(-1) * (double)k / (double)n);
    }
    riffle_perm *reversal;
    riffle_plan *plan;
    check(riffle_perm_bit_reversal(n, &reversal));
    check(riffle_plan_create(reversal, sizeof *x, RIFFLE_ENGINE_CPU, NULL, &plan));

    double start = now();
    check(riffle_execute(plan, x, in));
    double reversed = now();
    butterflies(x, n, root);
    double finish = now();
    fftw_execute(fftw);

    double error = largest_error(x, right, n);
    printf("%zu points in %.1f ms, %.1f %% of it the bit reversal; off FFTW by %.1e\n", n,
           1e3 * (finish - start), 100 * (reversed - start) / (finish - start), error);

    fftw_destroy_plan(fftw);
    fftw_cleanup();
    riffle_plan_free(plan);
    riffle_perm_free(reversal);
    for (int k = 0; k < 4; k++) riffle_buffer_free(memory[k], bytes);
    return error < 1e-14 * (double)m ? 0 : 1;
}
