/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_CLI_SYSTEM_CLOCK_H
#define RIFFLE_CLI_SYSTEM_CLOCK_H

/** Seconds since some fixed moment, on a clock that never jumps. */
double seconds_now(void);

#endif
