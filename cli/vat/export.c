/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/export.h"

enum { ELEMENT = 8, MOST_WIDTH = 1 << 16 };

vat_export vat_export_of(const char *program, uint64_t page) {
    const uint64_t width = page < ELEMENT ? 1 : page / ELEMENT;
    return (vat_export){.program = program, .width = width < MOST_WIDTH ? (uint32_t)width : MOST_WIDTH};
}

riffle_status vat_export_add(vat_export *exported, riffle_trace *trace, const uint64_t *addresses,
                             const bool *stores, size_t count) {
    riffle_status status = RIFFLE_OK;
    for (size_t k = 0; k < count && status == RIFFLE_OK; ++k) {
        exported->rounds += stores[k] != exported->was_store;
        exported->was_store = stores[k];
        const riffle_trace_access access = {.kernel = exported->program,
                                            .array = "array",
                                            .address = &addresses[k],
                                            .round = exported->rounds,
                                            .lanes = 1,
                                            .width = exported->width,
                                            .latency = 1,
                                            .bytes = ELEMENT,
                                            .op = stores[k] ? RIFFLE_TRACE_OP_WRITE : RIFFLE_TRACE_OP_READ};
        status = riffle_trace_add(trace, &access);
    }
    return status;
}
