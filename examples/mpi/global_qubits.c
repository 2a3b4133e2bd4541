/* SPDX-License-Identifier: Apache-2.0
 *
 * global_qubits [QUBITS [SEED]]: a state vector over all ranks, whose qubits change places, the global ones (the highest bits of an index, which say the rank)
 * with local ones, too, in one exchange: in the opposite order, or in one that the seed draws. mpirun -n 4 global_qubits 20; the number of ranks is a power of two.
 */
#include <stdlib.h>

#include "riffle/mpi.h"

/* The amplitude of a basis state, for the check. */
static double amplitude(uint64_t state) { return (double)state + 0.5; }

/* to[q] is where qubit q goes, the same on all ranks. */
static void order_qubits(unsigned qubits, unsigned seed, unsigned to[static RIFFLE_MAX_BITS]) {
    for (unsigned q = 0; q < qubits; q++) to[q] = qubits - 1 - q;
    for (unsigned q = qubits; seed != 0 && q > 1; q--) {
        seed = seed * 1103515245 + 12345;
        const unsigned other = (seed >> 16) % q, kept = to[q - 1];
        to[q - 1] = to[other];
        to[other] = kept;
    }
}

static int run(unsigned qubits, unsigned seed, int rank, int ranks) {
    unsigned to[RIFFLE_MAX_BITS];
    order_qubits(qubits, seed, to);
    riffle_perm *perm = NULL;
    riffle_mpi_plan *plan = NULL;
    if (riffle_perm_bits(qubits, to, &perm) != RIFFLE_OK ||
        riffle_mpi_plan_create(perm, sizeof(double), MPI_COMM_WORLD, NULL, &plan) != RIFFLE_OK) {
        fprintf(stderr, "%s\n", riffle_error_detail());
        return 1;
    }
    const uint64_t own = ((uint64_t)1 << qubits) / (uint64_t)ranks, first = own * (uint64_t)rank;
    double *const before = malloc(own * sizeof *before), *const after = malloc(own * sizeof *after);
    uint64_t wrong = before == NULL || after == NULL, bytes, messages;
    for (uint64_t i = 0; i < own && wrong == 0; i++) before[i] = amplitude(first + i);
    if (wrong == 0 && riffle_mpi_execute(plan, after, before) != RIFFLE_OK) wrong = 1;
    riffle_perm *back = NULL;
    if (riffle_perm_invert(perm, &back) != RIFFLE_OK) wrong = 1;
    for (uint64_t i = 0; i < own && wrong == 0; i++)
        wrong += after[i] != amplitude(riffle_perm_at(back, first + i));
    riffle_mpi_plan_volume(plan, &bytes, &messages);
    if (rank == 0)
        printf("%u qubits over %d ranks: %llu bytes in %llu messages, %s\n", qubits, ranks,
               (unsigned long long)bytes, (unsigned long long)messages,
               wrong == 0 ? "as it should be" : "WRONG");
    free(before);
    free(after);
    riffle_perm_free(back);
    riffle_perm_free(perm);
    riffle_mpi_plan_free(plan);
    return wrong != 0;
}

int main(int argc, char **argv) {
    int rank, ranks;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const unsigned qubits = argc > 1 ? (unsigned)atoi(argv[1]) : 20,
                   seed = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    const int failed = qubits <= RIFFLE_MAX_BITS ? run(qubits, seed, rank, ranks) : 1;
    MPI_Finalize();
    return failed;
}
