/* SPDX-License-Identifier: Apache-2.0
 *
 * The summand that the programs that write add to their checksum for a value put at a place: it tells orders apart.
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_WEIGH_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_WEIGH_H

#include <stdint.h>

static inline uint64_t weigh(uint64_t value, uint64_t place) { return value * (2 * place + 1); }

#endif
