/* SPDX-License-Identifier: Apache-2.0
 *
 * Layouts of shared memory that a machine tries beside the arrays as they are: RAP as hardware (Nakano, Matsumae, Ito 2014, section I), and
 * what it is compared with. A kernel is run once. Each of its accesses is counted under every drawing of the numbers.
 */
#ifndef RIFFLE_MACHINE_LAYOUT_SHARED_LAYOUT_H
#define RIFFLE_MACHINE_LAYOUT_SHARED_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "riffle/machine.h"

enum { SHARED_LAYOUT_MAX_SEEDS = 4096 };

/** One drawing. In each row of 32 words the banks are rotated by the row's number, or changed places by exclusive-or with it.
 *  Row r has number[r % rows]. */
typedef struct layout_rows {
    const uint8_t *number;
    unsigned rows;
    bool exclusive_or;
} layout_rows;

typedef struct shared_layout {
    unsigned seeds;  /**< drawings that are tried; 0: no layout is */
    unsigned rows;   /**< that have numbers of their own */
    uint8_t *number; /**< of the rows of each drawing, one drawing after the other */
    bool exclusive_or;
} shared_layout;

/** True if a machine can try it; true of RAW, which is none. */
bool shared_layout_is_one(riffle_layout_kind kind);

/** How many drawings are tried of a machine's layout; 0 if it tries none. */
unsigned shared_layout_seeds(const riffle_machine_options *options);

/** False without memory. */
bool shared_layout_init(shared_layout *layout, const riffle_machine_options *options);
void shared_layout_free(shared_layout *layout);

layout_rows shared_layout_rows(const shared_layout *layout, unsigned seed);

#endif
