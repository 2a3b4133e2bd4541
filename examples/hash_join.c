/* SPDX-License-Identifier: Apache-2.0
 *
 * hash_join [N]: a hash join of two tables of N rows, orders and customers, as databases do it in memory. Both tables are cut into partitions
 * by a hash of the key, so that rows with one key meet in one partition, whose hash table fits into a cache. Each order finds its
 * customer, and the amounts of all are added up by the customers' regions.
 */
#include <riffle.h>
#include <riffle/group.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGIONS = 5, PARTITION_ROWS = 2048, EMPTY = 0 };

/* A row of either table: customers have a region, orders an amount. Keys are not 0. */
typedef struct row {
    uint32_t key, value;
} row;

typedef struct table {
    row *rows;
    uint32_t *keys; /* the column by which it is joined */
    uint64_t n;
} table;

/* A table in partitions. */
typedef struct partitions {
    row *rows;
    uint64_t *first; /* where each begins; one number more than there are partitions */
} partitions;

static void *allocate(size_t bytes) {
    void *const out = calloc(1, bytes + 1);
    if (out == NULL) {
        fprintf(stderr, "hash_join: no memory\n");
        exit(EXIT_FAILURE);
    }
    return out;
}

static uint32_t mix(uint64_t number) { return (uint32_t)(riffle_group_hash(number) >> 32); }

static table make_table(uint64_t n) {
    return (table){allocate(n * sizeof(row)), allocate(n * sizeof(uint32_t)), n};
}

static void set_row(const table *t, uint64_t k, uint32_t key, uint32_t value) {
    t->rows[k] = (row){key, value};
    t->keys[k] = key;
}

static partitions cut(const table *t, uint64_t count) {
    const riffle_group_options options = {.by = RIFFLE_GROUP_BY_HASH};
    partitions out = {allocate(t->n * sizeof *out.rows), allocate((count + 1) * sizeof *out.first)};
    riffle_group_plan *plan = NULL;
    if (riffle_group_plan_create(t->n, sizeof(row), RIFFLE_TYPE_U32, count, RIFFLE_ENGINE_CPU, &options,
                                 &plan) != RIFFLE_OK ||
        riffle_group_execute(plan, &(riffle_group_arrays){.rows = out.rows,
                                                          .from_rows = t->rows,
                                                          .keys = t->keys,
                                                          .offsets = out.first}) != RIFFLE_OK) {
        fprintf(stderr, "hash_join: %s\n", riffle_error_detail());
        exit(EXIT_FAILURE);
    }
    riffle_group_plan_free(plan);
    return out;
}

/* ------------------------------------------------------------------ one partition */

/* A hash table with linear probing; the low bits of the hash are its own, since the high ones chose the partition. */
typedef struct hashed {
    row *slots;
    uint32_t mask;
} hashed;

static uint32_t slot_of(const hashed *h, uint32_t key) {
    uint32_t slot = (uint32_t)riffle_group_hash(key) & h->mask;
    while (h->slots[slot].key != EMPTY && h->slots[slot].key != key) slot = (slot + 1) & h->mask;
    return slot;
}

static void hash_rows(hashed *h, const row *rows, uint64_t n) {
    uint32_t slots = 16;
    while (slots < 2 * n) slots *= 2;
    h->mask = slots - 1;
    h->slots = realloc(h->slots, slots * sizeof *h->slots);
    if (h->slots == NULL) exit(EXIT_FAILURE);
    memset(h->slots, 0, slots * sizeof *h->slots);
    for (uint64_t k = 0; k < n; k++) h->slots[slot_of(h, rows[k].key)] = rows[k];
}

static void join(const partitions *customers, const partitions *orders, uint64_t count,
                 uint64_t sums[REGIONS]) {
    hashed h = {0};
    for (uint64_t p = 0; p < count; p++) {
        hash_rows(&h, customers->rows + customers->first[p], customers->first[p + 1] - customers->first[p]);
        for (uint64_t k = orders->first[p]; k < orders->first[p + 1]; k++) {
            const row *const found = &h.slots[slot_of(&h, orders->rows[k].key)];
            if (found->key != EMPTY) sums[found->value] += orders->rows[k].value;
        }
    }
    free(h.slots);
}

/* Customer k has key 3 k + 1; an order of another key has no customer. */
int main(int argc, char **argv) {
    const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    if (n == 0 || n > 1000000000) {
        fprintf(stderr, "usage: hash_join [N], N from 1 to 10^9\n");
        return EXIT_FAILURE;
    }
    const table customers = make_table(n), orders = make_table(n);
    uint64_t wanted[REGIONS] = {0}, sums[REGIONS] = {0};
    for (uint64_t k = 0; k < n; k++)
        set_row(&customers, k, (uint32_t)(3 * (n - 1 - k) + 1), mix(n - 1 - k) % REGIONS);
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t customer = mix(k + n) % n;
        const uint32_t amount = mix(k) % 1000;
        const int has_none = k % 10 == 9;
        set_row(&orders, k, (uint32_t)(3 * customer + (has_none ? 2 : 1)), amount);
        if (!has_none) wanted[mix(customer) % REGIONS] += amount;
    }
    const uint64_t wished = n / PARTITION_ROWS + 1,
                   count = wished < RIFFLE_GROUP_MAX_GROUPS ? wished : RIFFLE_GROUP_MAX_GROUPS;
    partitions left = cut(&customers, count), right = cut(&orders, count);
    join(&left, &right, count, sums);
    printf("%llu orders met their customers in %llu partitions; sums of regions:", (unsigned long long)n,
           (unsigned long long)count);
    for (int k = 0; k < REGIONS; k++) printf(" %llu", (unsigned long long)sums[k]);
    printf("\n");
    const int is_right = memcmp(sums, wanted, sizeof sums) == 0;
    if (!is_right) fprintf(stderr, "hash_join: the sums are wrong\n");
    free(left.rows), free(left.first), free(right.rows), free(right.first);
    free(customers.rows), free(customers.keys), free(orders.rows), free(orders.keys);
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
