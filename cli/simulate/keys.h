/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys of rows that are grouped on the memory machine, the same in each run.
 */
#ifndef RIFFLE_CLI_SIMULATE_KEYS_H
#define RIFFLE_CLI_SIMULATE_KEYS_H

#include "riffle/group.h"

/** Fills with `count` keys of an integer's type whose groups are drawn evenly: of 0 to groups - 1 all that the type has. */
void keys_fill(riffle_type type, uint64_t groups, uint64_t count, void *keys);

#endif
