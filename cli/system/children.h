/* SPDX-License-Identifier: Apache-2.0
 *
 * The processes that this thread has started, or that have come to it from those that ended, as the system lists them. Safe in a
 * signal's handler.
 */
#ifndef RIFFLE_CLI_SYSTEM_CHILDREN_H
#define RIFFLE_CLI_SYSTEM_CHILDREN_H

/** Sends each child the signal, which is to end it, and waits for its end, one after another, until there is none. */
void children_end(int signal_number);

#endif
