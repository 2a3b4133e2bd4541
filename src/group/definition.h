/* SPDX-License-Identifier: Apache-2.0
 *
 * The definition of grouping, by the plainest way to it: entries are counted, and then put into their groups one after another.
 * Engines are compared with it. Each of several columns is grouped as if it were alone.
 */
#ifndef RIFFLE_GROUP_DEFINITION_H
#define RIFFLE_GROUP_DEFINITION_H

#include "group/plan.h"

/** The key of an entry, extended to 64 bits. */
uint64_t group_key_at(const riffle_group_plan *plan, const void *keys, uint64_t entry);

/** Groups rows of host memory, as a plan of any engine says. */
riffle_status group_definition(const riffle_group_plan *plan, const riffle_group_arrays *arrays);

#endif
