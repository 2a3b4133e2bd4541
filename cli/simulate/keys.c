/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/keys.h"

#include <string.h>

#include "bench/word.h"

/* Numbers from 0 on that a type has; signed ones have a bit less. */
static uint64_t numbers_of(riffle_type type) {
    const bool is_signed =
        type == RIFFLE_TYPE_I8 || type == RIFFLE_TYPE_I16 || type == RIFFLE_TYPE_I32 || type == RIFFLE_TYPE_I64;
    const size_t bits = 8 * riffle_type_bytes(type) - (is_signed ? 1 : 0);
    return bits < 64 ? (uint64_t)1 << bits : UINT64_MAX;
}

void keys_fill(riffle_type type, uint64_t groups, uint64_t count, void *keys) {
    const size_t bytes = riffle_type_bytes(type);
    const uint64_t numbers = numbers_of(type), among = groups < numbers ? groups : numbers;
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t key = bench_hash(k) % among;
        memcpy((char *)keys + k * bytes, &key, bytes); /* little-endian */
    }
}
