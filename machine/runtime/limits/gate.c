/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "machine/runtime/limits/gate.h"

#include <time.h>
#include <unistd.h>

enum { TURN_NANOSECONDS = 1000000, PATIENT_TURNS = 1500 };

static bool moves(gate *g, gate_phase from, gate_phase to) {
    int phase = (int)from;
    return atomic_compare_exchange_strong(&g->phase, &phase, (int)to);
}

void gate_pass(gate *g, gate_phase from, gate_phase to) {
    const bool begins = from == GATE_IDLE;
    if (!(begins && atomic_load(&g->stops)) && moves(g, from, to)) return;
    for (;;) pause();
}

void gate_end(gate *g) { moves(g, GATE_FOLDING, GATE_IDLE); }

bool gate_close(gate *g) {
    const struct timespec turn = {.tv_nsec = TURN_NANOSECONDS};
    atomic_store(&g->stops, true);
    for (unsigned turns = 0; !moves(g, GATE_IDLE, GATE_CLOSED); turns++) {
        if (turns >= PATIENT_TURNS && moves(g, GATE_RUNNING, GATE_CLOSED)) return false;
        nanosleep(&turn, NULL);
    }
    return true;
}
