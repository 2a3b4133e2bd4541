/* SPDX-License-Identifier: Apache-2.0
 *
 * qubits [QUBITS [SEED]]: puts the qubits of a state vector on the GPU in a random new order, in place: the
 * vector may fill the memory, for no second one is needed. Qubit k is bit k of an amplitude's index, so the
 * move is a permutation of index bits, which takes one pass or two.
 */
#include "gpu.h"

enum { MOST_QUBITS = 34 };

typedef struct amplitude {
    double re, im;
} amplitude;

static void draw_order(unsigned qubits, unsigned seed, unsigned *to) {
    srand(seed);
    for (unsigned k = 0; k < qubits; k++) { // qubit k goes to place to[k]
        const unsigned other = (unsigned)rand() % (k + 1);
        to[k] = to[other];
        to[other] = k;
    }
}

static size_t new_index(size_t index, unsigned qubits, const unsigned *to) {
    size_t moved = 0;
    for (unsigned k = 0; k < qubits; k++) moved |= (index >> k & 1) << to[k];
    return moved;
}

static void fill(amplitude *state, size_t n) {
    for (size_t i = 0; i < n; i++) state[i] = (amplitude){(double)i, -(double)i};
}

static size_t count_wrong(const amplitude *state, unsigned qubits, const unsigned *to) {
    size_t wrong = 0;
    for (size_t i = 0; i < (size_t)1 << qubits; i++) {
        const amplitude here = state[new_index(i, qubits, to)];
        wrong += here.re != (double)i || here.im != -(double)i;
    }
    return wrong;
}

/* For half the vector copied onto the other half, which wants no second one either, twice the time counts. */
static times time_move(const riffle_plan *plan, char *state, size_t bytes) {
    times best = time_beside_copy(plan, state, state, state + bytes / 2, state, bytes / 2);
    best.copy_ms *= 2;
    return best;
}

int main(int argc, char **argv) {
    const unsigned qubits = (unsigned)argument(argc, argv, 1, 26, 1, MOST_QUBITS);
    const unsigned seed = (unsigned)argument(argc, argv, 2, 1, 0, 1u << 31);
    const size_t n = (size_t)1 << qubits, bytes = n * sizeof(amplitude);
    unsigned to[MOST_QUBITS];
    draw_order(qubits, seed, to);
    need_gpu();
    amplitude *host = host_array(bytes);
    fill(host, n);
    void *state = device_array(bytes);
    to_device(state, host, bytes);

    riffle_perm *order;
    riffle_plan *plan;
    const riffle_plan_options options = {.in_place = true};
    check(riffle_perm_bits(qubits, to, &order));
    check(riffle_plan_create(order, sizeof(amplitude), RIFFLE_ENGINE_CUDA, &options, &plan));
    const unsigned passes = riffle_plan_passes(plan);
    printf("%u qubits, %.1f MiB, to a new order in %u pass%s and %zu bytes of workspace\n", qubits,
           (double)bytes / (1 << 20), passes, passes == 1 ? "" : "es", riffle_plan_workspace_bytes(plan));
    check(riffle_cuda_execute(plan, state, state, NULL, 0, NULL));
    to_host(host, state, bytes);
    const size_t wrong = count_wrong(host, qubits, to);

    const times best = time_move(plan, state, bytes);
    printf("reordered in %.3f ms, copied in %.3f ms; ratio %.2f\n", (double)best.move_ms, (double)best.copy_ms,
           (double)(best.move_ms / best.copy_ms));
    printf("%zu amplitudes out of place\n", wrong);
    riffle_plan_free(plan);
    riffle_perm_free(order);
    must(cudaFree(state), "freeing");
    free(host);
    return wrong == 0 ? 0 : 1;
}
