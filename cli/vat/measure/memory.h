/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory in pages of 4 KiB or of 2 MiB. The system is asked for them (madvise) and may not grant them; what it
 * did is read from /proc/self/smaps.
 */
#ifndef RIFFLE_CLI_VAT_MEASURE_MEMORY_H
#define RIFFLE_CLI_VAT_MEASURE_MEMORY_H

#include "vat/measure/measure.h"

typedef struct vat_memory {
    void *base;        /**< aligned to 2 MiB */
    size_t bytes;      /**< a multiple of 2 MiB */
    double huge_share; /**< share of the bytes in huge pages */
} vat_memory;

/** At least `bytes` bytes of zeros, all of them touched. False after a complaint. */
bool vat_memory_map(size_t bytes, vat_pages pages, vat_memory *out);

void vat_memory_unmap(vat_memory *memory);

#endif
