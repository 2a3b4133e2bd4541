/* SPDX-License-Identifier: Apache-2.0
 *
 * The accesses of a program of the model as a trace of riffle/trace.h: one warp of one lane, a time unit an access, the page as the
 * address group (of pages above 2^19 bytes, pieces of that size).
 */
#ifndef RIFFLE_CLI_VAT_EXPORT_H
#define RIFFLE_CLI_VAT_EXPORT_H

#include "riffle/trace.h"

typedef struct vat_export {
    const char *program;
    uint32_t width;  /* elements of a page */
    uint64_t rounds; /* loads, or stores, one behind the other are a round */
    bool was_store;
} vat_export;

vat_export vat_export_of(const char *program, uint64_t page);

riffle_status vat_export_add(vat_export *exported, riffle_trace *trace, const uint64_t *addresses,
                             const bool *stores, size_t count);

#endif
