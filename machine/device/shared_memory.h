/* SPDX-License-Identifier: Apache-2.0
 *
 * The array that kernels of the library itself name shared_memory.
 */
#ifndef RIFFLE_MACHINE_DEVICE_SHARED_MEMORY_H
#define RIFFLE_MACHINE_DEVICE_SHARED_MEMORY_H

#include <stdint.h>

enum { MACHINE_MAX_SHARED_BYTES = 1 << 20 };

/** Dynamic shared memory of the running block, unless a machine has been given another place for it. */
extern uint64_t riffle_machine_shared_memory[];

#endif
