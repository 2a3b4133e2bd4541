/* SPDX-License-Identifier: Apache-2.0
 *
 * SIGINT, SIGTERM and SIGHUP during a long measurement: the first one is remembered, so that the work can stop
 * at its next step and report what there is; the second one kills as usual.
 */
#ifndef RIFFLE_CLI_SYSTEM_INTERRUPT_H
#define RIFFLE_CLI_SYSTEM_INTERRUPT_H

#include <stdbool.h>

/** From now on the first signal is remembered. Signals that are ignored (nohup) stay so. */
void interrupt_catch(void);

/** True once a signal came. */
bool interrupt_came(void);

/** Ends the process by the signal that came, so that whoever started it sees what happened. */
void interrupt_die(void);

#endif
