/* SPDX-License-Identifier: Apache-2.0
 *
 * gates [QUBITS [GATES]]: a random quantum circuit on a state vector, as one program. Qubit k is bit k of an amplitude's index.
 * Where a simulator goes through the state once a gate, a program takes few passes: gates on different qubits share
 * them, and what only moves amplitudes (X, and NOT under a control) costs none. The result must be a plain loop's.
 */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "support.h"

/* A gate on qubit k is one on qubit 0 of every k-th neighbour: parm 1 takes even and odd indices apart. Under a control
 * it is done to the sub-array of that qubit's ones alone, which has one bit less. */
static const char definitions[] = "h 0 = pair butterfly | map (scale 2^(-0.5))\n"
                                  "h k = parm 1 (h (k-1))\n"
                                  "x 0 = pair swap\n"
                                  "x k = parm 1 (x (k-1))\n"
                                  "z k = parm 2^k id (map negate)\n"
                                  "cx c t = parm 2^c id (x t)\n"
                                  "cz c t = parm 2^c id (z t)\n";

enum { KINDS = 5, ROOM = 1 << 20 };
static const char *const names[KINDS] = {"h", "x", "z", "cx", "cz"};

typedef struct gate {
    int kind;
    unsigned control, target;
} gate;

static gate random_gate(unsigned qubits) {
    gate g = {.kind = rand() % KINDS, .target = (unsigned)rand() % qubits};
    if (qubits < 2) g.kind %= 3;
    do g.control = (unsigned)rand() % (qubits < 2 ? 2 : qubits);
    while (g.control == g.target);
    return g;
}

/* The gate as text; the target of a control counts without that qubit. */
static int print_gate(gate g, size_t room, char *text) {
    if (g.kind < 3) return snprintf(text, room, " | %s %u", names[g.kind], g.target);
    return snprintf(text, room, " | %s %u %u", names[g.kind], g.control, g.target - (g.target > g.control));
}

static void apply(gate g, float complex *state, size_t n) {
    const size_t bit = (size_t)1 << g.target, control = g.kind < 3 ? 0 : (size_t)1 << g.control;
    for (size_t k = 0; k < n; k++) {
        if ((k & bit) != 0 || (k & control) != control) continue;
        const float complex a = state[k], b = state[k | bit];
        switch (g.kind) {
        case 0:
            state[k] = (a + b) * (float)sqrt(0.5);
            state[k | bit] = (a - b) * (float)sqrt(0.5);
            break;
        case 2:
        case 4: state[k | bit] = -b; break;
        default: state[k] = b, state[k | bit] = a;
        }
    }
}

int main(int argc, char **argv) {
    static const char usage[] = "gates [QUBITS [GATES]]   with 1 <= QUBITS <= 28, 0 <= GATES <= 10000";
    const unsigned qubits = (unsigned)argument(argc, argv, 1, 20, 1, 28, usage);
    const int count = (int)argument(argc, argv, 2, 100, 0, 10000, usage);
    const size_t n = (size_t)1 << qubits, bytes = n * sizeof(float complex);
    float complex *const state = buffer(bytes), *const result = buffer(bytes);
    char *const text = malloc(ROOM);
    if (text == NULL) return 1;
    for (size_t k = 0; k < n; k++)
        state[k] = (float)rand() / (float)RAND_MAX + I * (float)rand() / (float)RAND_MAX;

    strcpy(text, "id");
    size_t length = strlen(text);
    gate *const gates = calloc((size_t)count + 1, sizeof *gates);
    if (gates == NULL) return 1;
    for (int k = 0; k < count; k++) {
        gates[k] = random_gate(qubits);
        length += (size_t)print_gate(gates[k], ROOM - length, text + length);
    }
    riffle_program_plan *const circuit = plan(text, definitions, qubits, RIFFLE_TYPE_C64, 1);
    double begin = now();
    check(riffle_program_execute(circuit, result, state));
    const double seconds = now() - begin;
    begin = now();
    for (int k = 0; k < count; k++) apply(gates[k], state, n);
    const double loop_seconds = now() - begin;
    double error = 0;
    for (size_t k = 0; k < n; k++) error = fmax(error, (double)cabsf(state[k] - result[k]));
    printf("%d gates on %u qubits: %u stages in %u passes, %.2f ms; a loop a gate %.2f ms; off by %.1e\n",
           count, qubits, riffle_program_plan_stages(circuit), riffle_program_plan_passes(circuit),
           1e3 * seconds, 1e3 * loop_seconds, error);
    riffle_program_plan_free(circuit);
    free(gates);
    free(text);
    riffle_buffer_free(result, bytes);
    riffle_buffer_free(state, bytes);
    return error < 1e-5 * (1 + sqrt(count)) ? 0 : 1;
}
