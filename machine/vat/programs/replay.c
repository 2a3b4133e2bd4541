/* SPDX-License-Identifier: Apache-2.0
 *
 * The programs reporting their accesses: each is made, and its address goes to a sink, a batch at a time.
 * Once the sink has refused a batch the program goes on to its end without reporting.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "machine/library.h"

enum { BATCH = 2048 };

typedef struct recorder {
    uint64_t *array;
    riffle_vat_sink *sink;
    void *context;
    riffle_status status;
    size_t filled;
    uint64_t addresses[BATCH];
    bool stores[BATCH];
} recorder;

typedef recorder *cells;

static void report_batch(recorder *r) {
    if (r->status == RIFFLE_OK) r->status = r->sink(r->context, r->addresses, r->stores, r->filled);
    r->filled = 0;
}

static inline void report(recorder *r, uint64_t i, bool is_store) {
    r->stores[r->filled] = is_store;
    r->addresses[r->filled++] = i * sizeof *r->array;
    if (r->filled == BATCH) report_batch(r);
}

static inline uint64_t load(cells a, uint64_t i) {
    report(a, i, false);
    return a->array[i];
}

static inline void store(cells a, uint64_t i, uint64_t value) {
    report(a, i, true);
    a->array[i] = value;
}

#include "machine/vat/programs/all.h"

riffle_status vat_program_feed(riffle_vat_program program, uint64_t n, uint64_t seed, uint64_t *array,
                               riffle_vat_sink *sink, void *context, uint64_t *checksum) {
    RETURN_IF_NULL(checksum);
    if (sink == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "sink is NULL");
    if (vat_program_elements(program, n) > 0) RETURN_IF_NULL(array);
    const riffle_status status = program_check(program, n);
    if (status != RIFFLE_OK) return status;
    recorder r = {.array = array, .sink = sink, .context = context};
    const uint64_t sum = run_program(program, n, seed, &r);
    if (r.filled > 0) report_batch(&r);
    if (r.status == RIFFLE_OK) *checksum = sum;
    return r.status;
}

static riffle_status feed_cache(void *vat, const uint64_t *addresses, const bool *stores, size_t count) {
    (void)stores; /* a load and a store are translated alike */
    return vat_access(vat, addresses, count);
}

riffle_status vat_program_replay(riffle_vat_program program, uint64_t n, uint64_t seed, uint64_t *array,
                                 riffle_vat *vat, uint64_t *checksum) {
    RETURN_IF_NULL(vat);
    return vat_program_feed(program, n, seed, array, feed_cache, vat, checksum);
}
