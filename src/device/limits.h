/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits of a device, as it describes itself.
 */
#ifndef RIFFLE_DEVICE_LIMITS_H
#define RIFFLE_DEVICE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/** The limits that launches keep to, and the numbers that their shapes depend on. */
typedef struct device_limits {
    unsigned width;           /**< lanes of a warp */
    unsigned block_threads;   /**< max of a block */
    unsigned multiprocessors; /**< that a launch should keep busy */
    unsigned capability;      /**< a GPU's, 90 for 9.0; else 0 */
    size_t shared_bytes;      /**< max of a block */
    uint64_t l2_bytes, memory_bytes;
} device_limits;

#endif
