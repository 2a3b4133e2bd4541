/* SPDX-License-Identifier: Apache-2.0
 *
 * qubits [QUBITS [SEED]]: puts the qubits of a state vector in a random new order, as a simulator does before
 * gates on distant qubits. Qubit k is bit k of an amplitude's index, so the move is a bit permutation.
 */
#include <complex.h>
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
    fprintf(stderr, "qubits: %s: %s\n", riffle_status_string(status), riffle_error_detail());
    exit(1);
}

static double seconds_to_execute(const riffle_plan *plan, void *dst, const void *src) {
    double start = now();
    check(riffle_execute(plan, dst, src));
    return now() - start;
}

static size_t new_index(size_t index, unsigned qubits, const unsigned *to) {
    size_t moved = 0;
    for (unsigned k = 0; k < qubits; k++) moved |= (index >> k & 1) << to[k];
    return moved;
}

static double norm(const double complex *state, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += creal(state[k] * conj(state[k]));
    return sqrt(sum);
}

int main(int argc, char **argv) {
    char *end = "", *seed_end = "";
    long qubits = argc > 1 ? strtol(argv[1], &end, 10) : 22;
    long seed = argc > 2 ? strtol(argv[2], &seed_end, 10) : 1;
    if (argc > 3 || *end || *seed_end || qubits < 1 || qubits > 30) {
        fprintf(stderr, "usage: qubits [QUBITS [SEED]]   with 1 <= QUBITS <= 30\n");
        return 2;
    }
    srand((unsigned)seed);
    unsigned m = (unsigned)qubits, to[30];
    for (unsigned k = 0; k < m; k++) { // qubit k goes to place to[k]
        unsigned other = (unsigned)rand() % (k + 1);
        to[k] = to[other];
        to[other] = k;
    }
    size_t n = (size_t)1 << m, bytes = n * sizeof(double complex);
    void *memory[2];
    for (int k = 0; k < 2; k++) check(riffle_buffer_create(bytes, &memory[k]));
    double complex *state = memory[0], *reordered = memory[1];
    double scale = sqrt(3.0 / (double)n) / (double)n;
    for (size_t k = 0; k < n; k++) state[k] = (double)k * cexp(I * (double)k) * scale; // |amplitude| tells k

    riffle_perm *perm, *identity;
    riffle_plan *plan, *copy;
    check(riffle_perm_bits(m, to, &perm));
    check(riffle_perm_identity(n, &identity));
    check(riffle_plan_create(perm, sizeof *state, RIFFLE_ENGINE_CPU, NULL, &plan));
    check(riffle_plan_create(identity, sizeof *state, RIFFLE_ENGINE_CPU, NULL, &copy));
    double copying = INFINITY, moving = INFINITY;
    for (int trial = 0; trial < 5; trial++) { // the best of five, after the pages are there
        copying = fmin(copying, seconds_to_execute(copy, reordered, state));
        moving = fmin(moving, seconds_to_execute(plan, reordered, state));
    }
    size_t wrong = 0;
    for (size_t k = 0; k < n; k++) wrong += reordered[new_index(k, m, to)] != state[k];
    double drift = fabs(norm(reordered, n) - norm(state, n));
    printf("%u qubits, %zu MiB: reordered in %.2f ms, copied in %.2f ms; ratio %.2f\n", m, bytes >> 20,
           1e3 * moving, 1e3 * copying, moving / copying);
    printf("%zu amplitudes out of place, norm changed by %.1e\n", wrong, drift);
    riffle_plan_free(plan);
    riffle_plan_free(copy);
    riffle_perm_free(perm);
    riffle_perm_free(identity);
    for (int k = 0; k < 2; k++) riffle_buffer_free(memory[k], bytes);
    return wrong == 0 && drift < 1e-9 ? 0 : 1;
}
