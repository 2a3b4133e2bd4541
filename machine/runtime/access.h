/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of an access that copies and calls want too.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_ACCESS_H
#define RIFFLE_MACHINE_RUNTIME_ACCESS_H

#include "machine/runtime/launch_state.h"

/** True if the array has all of these bytes. */
bool access_is_held(const machine_array *array, uintptr_t address, unsigned bytes);

/** Learns which kernel runs, of those that declare shared arrays, from where its code is. */
enum { ACCESS_MOST_ASKED = 256 };
void access_know_kernel(launch_state *l, const void *pc);

/** The path of calls by which a site is told apart. */
uint32_t access_call(const launch_state *l, uint32_t call);

/** The steps of the running lane. */
lane_steps *access_steps(launch_state *l);

/** Counts an access of the running lane that is checked elsewhere. */
void access_count(launch_state *l, uintptr_t address, unsigned bytes, report_op op, const void *pc);

/** Checks a copy's access to these bytes as the running thread's, and counts nothing; *site gets the site, as shadow_accessor has it. The array, or NULL
 *  where they are in none. */
machine_array *access_bulk(launch_state *l, uintptr_t address, size_t bytes, report_op op, const void *pc,
                           uint16_t *site);

#endif
