/* SPDX-License-Identifier: Apache-2.0
 *
 * transform: the program of docs/tutorial-c.md. An FFT whose bit reversal is riffle's, and a quantum gate on a
 * distant qubit whose index bits riffle exchanges. Each result is compared with a plain computation.
 */
#include <complex.h>
#include <math.h>
#include <riffle.h>
#include <stdio.h>
#include <stdlib.h>

enum { BITS = 10, N = 1 << BITS, ARRAYS = 4 };

static void check(riffle_status status) {
    if (status == RIFFLE_OK) return;
    fprintf(stderr, "transform: %s: %s\n", riffle_status_string(status), riffle_error_detail());
    exit(1);
}

/* Plan once: everything that can fail or take time happens here. */
static riffle_plan *plan_bit_reversal(void) {
    riffle_perm *perm;
    riffle_plan *plan;
    check(riffle_perm_bit_reversal(N, &perm));
    check(riffle_plan_create(perm, sizeof(double complex), RIFFLE_ENGINE_CPU, NULL, &plan));
    check(riffle_plan_explain(plan, stdout));
    riffle_perm_free(perm); /* the plan keeps what it needs */
    return plan;
}

/* Execute often: the reversal goes from `in` to `out`, the butterflies work on `out`. */
static void fft(const riffle_plan *reversal, double complex *out, const double complex *in) {
    check(riffle_execute(reversal, out, in));
    for (size_t half = 1; half < N; half *= 2)
        for (size_t block = 0; block < N; block += 2 * half)
            for (size_t k = 0; k < half; k++) {
                double complex *even = &out[block + k], *odd = even + half;
                const double complex turned = cexp(-I * acos(-1) * (double)k / (double)half) * *odd;
                *odd = *even - turned;
                *even += turned;
            }
}

/* The k-th output by the definition. */
static double complex dft(const double complex *in, size_t k) {
    double complex sum = 0;
    for (size_t j = 0; j < N; j++) sum += in[j] * cexp(-2 * I * acos(-1) * (double)(j * k % N) / (double)N);
    return sum;
}

/* Index bit 0 goes to bit `qubit` and back: an exchange is its own inverse. */
static riffle_plan *plan_exchange(unsigned qubit) {
    unsigned to[BITS];
    riffle_perm *perm;
    riffle_plan *plan;
    for (unsigned k = 0; k < BITS; k++) to[k] = k;
    to[0] = qubit;
    to[qubit] = 0;
    check(riffle_perm_bits(BITS, to, &perm));
    check(riffle_plan_create(perm, sizeof(double complex), RIFFLE_ENGINE_CPU, NULL, &plan));
    riffle_perm_free(perm);
    return plan;
}

/* A Hadamard gate on the qubit of index bit 0: neighbours meet. */
static void hadamard(double complex *state) {
    for (size_t k = 0; k < N; k += 2) {
        const double complex a = state[k], b = state[k + 1];
        state[k] = (a + b) * sqrt(0.5);
        state[k + 1] = (a - b) * sqrt(0.5);
    }
}

static void hadamard_on(const riffle_plan *exchange, double complex *state, double complex *scratch) {
    check(riffle_execute(exchange, scratch, state));
    hadamard(scratch);
    check(riffle_execute(exchange, state, scratch));
}

/* The value that a gate on `qubit` should have given amplitude k. */
static double complex plain_gate(const double complex *state, unsigned qubit, size_t k) {
    const size_t bit = (size_t)1 << qubit;
    const double complex a = state[k & ~bit], b = state[k | bit];
    return (k & bit ? a - b : a + b) * sqrt(0.5);
}

static double test_fft(const riffle_plan *reversal, const double complex *in, double complex *out) {
    double error = 0;
    fft(reversal, out, in);
    for (size_t k = 0; k < N; k++) error = fmax(error, cabs(out[k] - dft(in, k)));
    return error;
}

static double test_gate(const double complex *in, double complex *state, double complex *scratch) {
    const unsigned qubit = 7;
    double error = 0;
    riffle_plan *exchange = plan_exchange(qubit);
    for (size_t k = 0; k < N; k++) state[k] = in[k];
    hadamard_on(exchange, state, scratch);
    for (size_t k = 0; k < N; k++) error = fmax(error, cabs(state[k] - plain_gate(in, qubit, k)));
    riffle_plan_free(exchange);
    return error;
}

int main(void) {
    static double complex in[N], out[N], scratch[N];
    double fft_error = 0, gate_error = 0;
    riffle_plan *reversal = plan_bit_reversal();
    for (int array = 0; array < ARRAYS; array++) {
        for (size_t k = 0; k < N; k++) in[k] = rand() / (double)RAND_MAX + I * (rand() / (double)RAND_MAX);
        fft_error = fmax(fft_error, test_fft(reversal, in, out));
        gate_error = fmax(gate_error, test_gate(in, out, scratch));
    }
    riffle_plan_free(reversal);
    printf("%d FFTs of %d points: %s\n", ARRAYS, N, fft_error < 1e-10 ? "right" : "WRONG");
    printf("a gate on qubit 7 of %d: %s\n", BITS, gate_error < 1e-14 ? "right" : "WRONG");
    return fft_error < 1e-10 && gate_error < 1e-14 ? 0 : 1;
}
