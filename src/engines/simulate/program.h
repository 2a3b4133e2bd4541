/* SPDX-License-Identifier: Apache-2.0
 *
 * A compiled program on the memory machine: the launches of its passes, one after the other.
 */
#ifndef RIFFLE_ENGINES_SIMULATE_PROGRAM_H
#define RIFFLE_ENGINES_SIMULATE_PROGRAM_H

#include "machine/runtime/machine.h"
#include "program/pass.h"

/** Does the passes to `count` arrays of 2^n elements at `data`, by way of the machine's memory: in place, or from one array
 *  to another where a pass moves. */
riffle_status simulate_program(machine *m, const program_passes *passes, riffle_type type, uint64_t count,
                               void *data);

#endif
