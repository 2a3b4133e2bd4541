/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine that the command runs on, as far as it can tell.
 */
#ifndef RIFFLE_CLI_SYSTEM_MACHINE_H
#define RIFFLE_CLI_SYSTEM_MACHINE_H

#include <stddef.h>

#include "riffle.h"

/** The processor's name as the system gives it, "unknown" where it gives none. */
void machine_cpu(char *name, size_t capacity);

/** Processors that the system has online. */
long machine_cores(void);

/** Threads that OpenMP would start. */
int machine_threads(void);

/** The system's setting for transparent huge pages: "always", "madvise", "never" or "unknown". */
void machine_huge_pages(char *setting, size_t capacity);

/** RIFFLE_OK if the engine is there, that is, if it can plan to move one byte; else why not. */
riffle_status machine_try_engine(riffle_engine engine);

#endif
