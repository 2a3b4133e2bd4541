/* SPDX-License-Identifier: Apache-2.0
 *
 * Races of two writes, from when the later one is about to be made until it can be seen whether it changed anything: the
 * hooks come before an access, and know no values.
 */
#ifndef RIFFLE_MACHINE_CHECK_RACES_H
#define RIFFLE_MACHINE_CHECK_RACES_H

#include "machine/check/hazards.h"
#include "machine/check/shadow.h"

enum { RACES_KEPT = 64, RACE_BYTES = 16 };

typedef struct race {
    hazard_access access;
    shadow_finding found;
    const void *pc;
    unsigned char before[RACE_BYTES]; /**< bytes that the other thread has written */
} race;

typedef struct races {
    unsigned count;
    race race[RACES_KEPT];
} races;

#endif
