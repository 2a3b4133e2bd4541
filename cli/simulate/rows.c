/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/rows.h"

#include <string.h>

#include "bench/word.h"

/* Numbers from 0 on that a type has; signed ones have a bit less. */
static uint64_t numbers_of(riffle_type type) {
    const bool is_signed =
        type == RIFFLE_TYPE_I8 || type == RIFFLE_TYPE_I16 || type == RIFFLE_TYPE_I32 || type == RIFFLE_TYPE_I64;
    const size_t bits = 8 * riffle_type_bytes(type) - (is_signed ? 1 : 0);
    return bits < 64 ? (uint64_t)1 << bits : UINT64_MAX;
}

static void fill_keys(riffle_type type, uint64_t groups, uint64_t count, void *keys) {
    const size_t bytes = riffle_type_bytes(type);
    const uint64_t numbers = numbers_of(type), among = groups < numbers ? groups : numbers;
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t key = bench_hash(k) % among;
        memcpy((char *)keys + k * bytes, &key, bytes); /* little-endian */
    }
}

static riffle_status group(const simulated_rows *r, const riffle_machine_options *machine,
                           riffle_report **out) {
    const riffle_group_options options = {.keys_per_row = r->keys,
                                          .check = r->check,
                                          .columns = r->columns.count,
                                          .column_bytes = r->columns.of};
    const uint64_t count = r->n * r->keys;
    const size_t bytes = (size_t)count * riffle_type_bytes(r->type);
    void *keys;
    riffle_status status = riffle_buffer_create(bytes, &keys);
    if (status != RIFFLE_OK) return status;
    if (r->type <= RIFFLE_TYPE_U64) fill_keys(r->type, r->groups, count, keys);
    status =
        riffle_simulate_group(r->n, (size_t)r->row_bytes, r->type, r->groups, keys, &options, machine, out);
    riffle_buffer_free(keys, bytes);
    return status;
}

/* A GPU's places have 4 bytes. */
static riffle_status bring_back(const simulated_rows *r, const riffle_machine_options *machine,
                                riffle_report **out) {
    const riffle_ungroup_task task = rows_back_task(&r->back, r->n, r->keys, r->row_bytes, sizeof(uint32_t));
    const size_t bytes = (size_t)(r->n * r->keys) * sizeof(uint32_t);
    void *places;
    riffle_status status = riffle_buffer_create(bytes, &places);
    if (status != RIFFLE_OK) return status;
    fill_keys(RIFFLE_TYPE_U32, r->back.rows, r->n * r->keys, places);
    status = riffle_simulate_ungroup(&task, places, r->back.weights, machine, out);
    riffle_buffer_free(places, bytes);
    return status;
}

riffle_status rows_simulate(const simulated_rows *rows, const riffle_machine_options *machine,
                            riffle_report **out) {
    return rows->back.rows > 0 ? bring_back(rows, machine, out) : group(rows, machine, out);
}
