/* SPDX-License-Identifier: Apache-2.0 */
#include "orders.h"

#include <stdio.h>
#include <stdlib.h>

#include "../support/reverse_bits.h"
#include "check.h"

static void exchange(uint64_t *values, uint64_t i, uint64_t j) {
    const uint64_t held = values[i];
    values[i] = values[j];
    values[j] = held;
}

/* Fisher and Yates. */
static void shuffle(uint64_t *values, uint64_t count) {
    for (uint64_t k = count; k > 1; k--) exchange(values, k - 1, check_random() % k);
}

static void fill_blocks(uint64_t n, uint64_t *values, uint64_t block) {
    for (uint64_t i = 0; i < n; i++) values[i] = i;
    for (uint64_t start = 0; start < n; start += block)
        shuffle(values + start, n - start < block ? n - start : block);
}

static void fill_strided(uint64_t n, uint64_t *values, uint64_t step) {
    uint64_t next = 0;
    for (uint64_t start = 0; start < step; start++)
        for (uint64_t i = start; i < n; i += step) values[i] = next++;
}

static void fill_noisy(uint64_t n, uint64_t *values) {
    for (uint64_t i = 0; i < n; i++) values[i] = n - 1 - i;
    for (uint64_t k = 0; k < n; k += 200) exchange(values, check_random() % n, check_random() % n);
}

static riffle_status create_table(order kind, uint64_t n, uint64_t parameter, riffle_perm **out) {
    uint64_t *values = malloc(n * sizeof *values);
    if (!check(values != NULL, "values")) abort();
    switch (kind) {
    case ORDER_BLOCKS: fill_blocks(n, values, parameter); break;
    case ORDER_STRIDED: fill_strided(n, values, parameter); break;
    case ORDER_NOISY: fill_noisy(n, values); break;
    case ORDER_BITS: reverse_bits(n, values); break;
    default: fill_blocks(n, values, n); break;
    }
    const riffle_status status = riffle_perm_table_u64(n, values, out);
    free(values);
    return status;
}

riffle_perm *order_create(order kind, uint64_t n, char name[ORDER_NAME_BYTES]) {
    static const char *const names[ORDERS] = {"random",  "reverse", "rotation", "bit reversal",
                                              "a table", "blocks",  "strided",  "noisy reversal"};
    static const unsigned blocks[] = {2, 7, 32, 100, 4096};
    const bool is_power = (n & (n - 1)) == 0;
    riffle_perm *perm = NULL;
    riffle_status status;
    uint64_t parameter = 0;
    if (kind == ORDER_RANDOM) parameter = check_random();
    if (kind == ORDER_ROTATION) parameter = check_random() % n;
    if (kind == ORDER_BLOCKS) parameter = blocks[check_random() % (sizeof blocks / sizeof blocks[0])];
    if (kind == ORDER_STRIDED) parameter = 2 + check_random() % 300;
    snprintf(name, ORDER_NAME_BYTES, "%s (%llu)", names[kind], (unsigned long long)parameter);
    if (kind == ORDER_RANDOM) {
        status = riffle_perm_random(n, parameter, &perm);
    } else if (kind == ORDER_REVERSE) {
        status = riffle_perm_reverse(n, &perm);
    } else if (kind == ORDER_ROTATION) {
        status = riffle_perm_rotate(n, (int64_t)parameter, &perm);
    } else if (kind == ORDER_BITS && is_power) {
        status = riffle_perm_bit_reversal(n, &perm);
    } else {
        status = create_table(kind, n, parameter, &perm);
    }
    if (!check(status == RIFFLE_OK, "%s of %llu: not made", name, (unsigned long long)n)) abort();
    return perm;
}

void *order_entries(const riffle_perm *perm, size_t entry_bytes) {
    const size_t n = (size_t)riffle_perm_length(perm);
    uint64_t *values = malloc((n + 1) * sizeof *values);
    if (!check(values != NULL && riffle_perm_map(perm, 0, n, values) == RIFFLE_OK, "values")) abort();
    if (entry_bytes == sizeof *values) return values;
    uint32_t *short_values = malloc((n + 1) * sizeof *short_values);
    if (!check(short_values != NULL, "values")) abort();
    for (size_t k = 0; k < n; k++) short_values[k] = (uint32_t)values[k];
    free(values);
    return short_values;
}
