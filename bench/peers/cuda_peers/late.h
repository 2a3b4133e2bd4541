/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of the time that a run has.
 */
#ifndef RIFFLE_BENCH_PEERS_LATE_H
#define RIFFLE_BENCH_PEERS_LATE_H

#include "peers.h"
#include "system/clock.h"

/** True if it is too late to begin a row. */
static inline bool peers_are_late(const peers_choice *choice) {
    return choice->until > 0 && seconds_now() > choice->until;
}

#endif
