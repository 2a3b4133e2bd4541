/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock that measurements go by. Who includes it asks for POSIX first.
 */
#ifndef RIFFLE_DEVICE_CLOCK_H
#define RIFFLE_DEVICE_CLOCK_H

#include <time.h>

/** Seconds of a clock that only goes forward. */
static inline double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
