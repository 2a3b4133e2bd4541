/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the thread that launches and one that wants the report though the other may never be done:
 *
 *     idle --launch--> running --its threads have left--> folding --the report has it--> idle
 *       \                 \
 *        `----- closed ----'      by who waits no longer; whoever launches then sleeps for ever
 *
 * While it is folding the report is being written, so nobody closes it then.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_LIMITS_GATE_H
#define RIFFLE_MACHINE_RUNTIME_LIMITS_GATE_H

#include <stdatomic.h>
#include <stdbool.h>

typedef enum gate_phase { GATE_IDLE, GATE_RUNNING, GATE_FOLDING, GATE_CLOSED } gate_phase;

typedef struct gate {
    atomic_int phase;
    atomic_bool stops; /**< a launch is asked to end: heeded where its threads come to the machine */
} gate;

/** Called by the launching thread. It does not return if the gate has been closed. */
void gate_pass(gate *g, gate_phase from, gate_phase to);

/** Called by the launching thread, which is idle again. */
void gate_end(gate *g);

/** Closes it: as soon as nothing runs, or after a second or two, for a kernel that never comes to the machine; false then. */
bool gate_close(gate *g);

#endif
