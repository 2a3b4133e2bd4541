/* SPDX-License-Identifier: Apache-2.0
 *
 * orders [N]: a table of orders, sorted by customer and, within one, by amount, the greatest first; the order of it as indices;
 * and the five greatest amounts of all.
 */
#include <inttypes.h>
#include <riffle/sort.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct purchase {
    uint32_t customer;
    uint32_t day;
    double amount;
} purchase;

static int sort_by(const riffle_sort_key *key, uint64_t n, const riffle_sort_options *options,
                   const riffle_sort_arrays *arrays) {
    riffle_sort_plan *plan = NULL;
    const int failed = riffle_sort_plan_create(n, key, RIFFLE_ENGINE_CPU, options, &plan) != RIFFLE_OK ||
                       riffle_sort_execute(plan, arrays) != RIFFLE_OK;
    if (failed) fprintf(stderr, "orders: %s\n", riffle_error_detail());
    riffle_sort_plan_free(plan);
    return failed;
}

static int is_sorted(const purchase *sorted, const purchase *from, const uint32_t *indices, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        const purchase *const this = &sorted[i], *const before = &sorted[i > 0 ? i - 1 : 0];
        if (this->customer < before->customer) return 0;
        if (this->customer == before->customer && this->amount > before->amount) return 0;
        if (this->day != from[indices[i]].day) return 0;
    }
    return 1;
}

int main(int argc, char **argv) {
    const uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000, shown = n < 5 ? n : 5;
    purchase *const from = malloc((n + 1) * sizeof *from), *const sorted = malloc((n + 1) * sizeof *sorted);
    purchase *const top = malloc((n + 1) * sizeof *top);
    uint32_t *const indices = malloc((n + 1) * sizeof *indices);
    if (from == NULL || sorted == NULL || top == NULL || indices == NULL) return 1;
    uint64_t random = 1;
    for (uint64_t i = 0; i < n; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        from[i] =
            (purchase){(uint32_t)(random >> 40) % 1000, (uint32_t)i, (double)(random >> 33 & 0xffff) / 100};
    }

    /* By customer, then by amount, descending. Records move whole, and equal ones keep their order. */
    riffle_sort_key key = {.elem_bytes = sizeof(purchase), .fields = 2};
    key.field[0] = (riffle_sort_field){
        .kind = RIFFLE_SORT_KEY_UNSIGNED, .bytes = 4, .offset = offsetof(purchase, customer)};
    key.field[1] = (riffle_sort_field){
        .kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 8, .offset = offsetof(purchase, amount), .descending = true};
    const riffle_sort_options with_indices = {.index_bytes = 4};
    if (sort_by(&key, n, &with_indices,
                &(riffle_sort_arrays){.keys = sorted, .indices = indices, .from_keys = from}))
        return 1;
    if (!is_sorted(sorted, from, indices, n)) return fprintf(stderr, "orders: not sorted\n"), 1;

    /* The greatest of all: the first few by amount alone. */
    const riffle_sort_options first = {.task = RIFFLE_SORT_TASK_TOP, .count = shown};
    key.fields = 1;
    key.field[0] = key.field[1];
    if (sort_by(&key, n, &first, &(riffle_sort_arrays){.keys = top, .from_keys = from})) return 1;
    for (uint64_t i = 0; i < shown; i++)
        printf("%.2f by customer %" PRIu32 " on day %" PRIu32 "\n", top[i].amount, top[i].customer, top[i].day);
    free(from), free(sorted), free(top), free(indices);
    return 0;
}
