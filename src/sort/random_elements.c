/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/random_elements.h"

#include <string.h>

#include "base/half.h"

uint64_t sort_mixed(uint64_t k) {
    uint64_t word = (k + 1) * UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return word ^ word >> 29;
}

/* As many bits as a float has between 1/2 and 1. */
static void set_float(size_t bytes, uint64_t word, void *to) {
    const double number = (double)(word >> 11) * 0x1p-53;
    const float single = (float)(word >> 40) * 0x1p-24F;
    const uint16_t half = half_from_float((float)(word >> 53) * 0x1p-11F);
    memcpy(to, bytes == 8 ? (const void *)&number : bytes == 4 ? (const void *)&single : &half, bytes);
}

static void fill(uint64_t n, const riffle_sort_key *key, unsigned char *elements) {
    const size_t e = key->elem_bytes;
    for (size_t k = 0; k < (size_t)n * e; k += 4) {
        const uint32_t word = (uint32_t)sort_mixed(k);
        memcpy(elements + k, &word, n * e - k < sizeof word ? n * e - k : sizeof word);
    }
    for (unsigned f = 0; f < key->fields; f++) {
        const riffle_sort_field *const field = &key->field[f];
        if (field->kind != RIFFLE_SORT_KEY_FLOAT) continue;
        for (uint64_t i = 0; i < n; i++)
            set_float(field->bytes, sort_mixed(i + ((uint64_t)f << 40)), elements + i * e + field->offset);
    }
}

riffle_status sort_fill_random(uint64_t n, const riffle_sort_key *key, uint64_t streams, void *elements) {
    const riffle_sort_options options = {.segments = streams};
    riffle_sort_plan *plan;
    fill(n, key, elements);
    if (streams == 0) return RIFFLE_OK;
    riffle_status status = riffle_sort_plan_create(n, key, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status != RIFFLE_OK) return status;
    status = riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = elements, .from_keys = elements});
    riffle_sort_plan_free(plan);
    return status;
}
