/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_CLI_SYSTEM_SIGNAL_STACK_H
#define RIFFLE_CLI_SYSTEM_SIGNAL_STACK_H

/** Gives the thread that calls it a stack for signals (SA_ONSTACK), unless it has one: where its own is full, code that calls
 *  itself without end, a handler has no other. Without memory it does nothing. It is never given back. */
void signal_stack_make(void);

#endif
