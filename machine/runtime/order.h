/* SPDX-License-Identifier: Apache-2.0
 *
 * What the running thread does for the order of its accesses and others': fences, and strong accesses (check/releases.h).
 */
#ifndef RIFFLE_MACHINE_RUNTIME_ORDER_H
#define RIFFLE_MACHINE_RUNTIME_ORDER_H

#include "machine/runtime/launch_state.h"

/** Has the order know what the running thread comes after. */
void order_know(launch_state *l);

/** A segment of the running thread ends. False without memory. */
bool order_part(launch_state *l);

/** A fence of the device's scope. False without memory. */
bool order_fence(launch_state *l);

/** An access of global memory that is about to be made: MACHINE_READ and so on, with its marks. *follows: it writes, and the thread has
 *  acquired what the last strong write there released. False without memory. */
bool order_access(launch_state *l, uintptr_t address, unsigned how, bool *follows);

#endif
