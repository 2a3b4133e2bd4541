/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's threads. Its runtime ends a process in which it cannot start one that it wants, so how many there
 * can be is found out beforehand, by starting them, all at a time, and letting them go. Then OpenMP starts
 * them, and keeps them. Each gets a stack for signals (signal_stack.h).
 */
#ifndef RIFFLE_CLI_SYSTEM_THREADS_H
#define RIFFLE_CLI_SYSTEM_THREADS_H

/** To be called before any other function that uses threads: from now on OpenMP gives `wanted` of them (0: as
 *  many as before), at most the processors or what it gave, or as many as the system lets this process have: if
 *  those are fewer, complains at `place`. Returns how many. */
unsigned threads_settle(const char *place, unsigned wanted);

#endif
