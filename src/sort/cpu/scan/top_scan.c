/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/scan/top_scan.h"

#include "base/processor/vectors.h"
#include "sort/cpu/scan/scans.h"

static const top_scans *scans_at_hand(void) {
#if defined(__x86_64__)
    if (vectors_has(VECTORS_AVX2)) return &top_scans_avx2;
#endif
    return &top_scans_portable;
}

/* A zero with a sign equals one without, as a number, and may come before it. */
static bool is_zero(const sort_field *field, uint64_t bits) {
    return field->kind == RIFFLE_SORT_KEY_FLOAT && (bits & sort_mask(field->bytes) / 2) == 0;
}

uint64_t top_next_block(const sort_field *field, bool is_merged, const void *from, uint64_t blocks,
                        top_bound bound, uint32_t *parts) {
    *parts = UINT32_MAX;
    const bool is_float = field->kind == RIFFLE_SORT_KEY_FLOAT;
    const uint64_t numbers = sort_numbers(field->kind, field->bytes);
    if (is_float && bound.code >= numbers) return 0; /* a NaN is less than nothing */
    const uint64_t bits = sort_bits_of(field, bound.code);
    const bool is_strict = bound.is_strict && (is_merged || !is_zero(field, bits));
    const top_scans *const scans = scans_at_hand();
    top_scan *const by = (*scans)[field->kind][__builtin_ctz(field->bytes)][field->descending][is_strict];
    return by != NULL ? by(from, blocks, bits, parts) : 0;
}
