/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/scan/top_scan.h"

#include <string.h>

/* A loop for numbers of one type, which has as many bits as `word`: so the compiler makes vectors of it. Left as loops the vectors are as
 * fast, in a quarter of the bytes. */
#define SCAN(name, number, word, operator)                                                                     \
    static uint64_t name(const void *from, uint64_t blocks, uint64_t bits, uint32_t *parts) {                  \
        const number *at = from;                                                                               \
        number bound;                                                                                          \
        memcpy(&bound, &bits, sizeof bound);                                                                   \
        *parts = 0;                                                                                            \
        for (uint64_t k = 0; k < blocks; k++, at += TOP_BLOCK) {                                               \
            word any = 0;                                                                                      \
            _Pragma("GCC unroll 1") for (unsigned i = 0; i < TOP_BLOCK; i++) {                                 \
                any |= (word)(at[i] operator bound);                                                           \
            }                                                                                                  \
            if (any == 0) continue;                                                                            \
            _Pragma("GCC unroll 1") for (unsigned part = 0; part < TOP_BLOCK / TOP_PART; part++) {             \
                word some = 0;                                                                                 \
                for (unsigned i = 0; i < TOP_PART; i++)                                                        \
                    some |= (word)(at[part * TOP_PART + i] operator bound);                                    \
                *parts |= (uint32_t)(some != 0) << part;                                                       \
            }                                                                                                  \
            return k;                                                                                          \
        }                                                                                                      \
        return blocks;                                                                                         \
    }
#define SCANS(name, number, word)                                                                              \
    SCAN(name##_less, number, word, <)                                                                         \
    SCAN(name##_most, number, word, <=)                                                                        \
    SCAN(name##_greater, number, word, >)                                                                      \
    SCAN(name##_least, number, word, >=)

typedef uint64_t scan(const void *from, uint64_t blocks, uint64_t bits, uint32_t *parts);

SCANS(i8, int8_t, uint8_t)
SCANS(i16, int16_t, uint16_t)
SCANS(i32, int32_t, uint32_t)
SCANS(i64, int64_t, uint64_t)
SCANS(u8, uint8_t, uint8_t)
SCANS(u16, uint16_t, uint16_t)
SCANS(u32, uint32_t, uint32_t)
SCANS(u64, uint64_t, uint64_t)
SCANS(f32, float, uint32_t)
SCANS(f64, double, uint64_t)

#define OF(name)                                                                                               \
    {                                                                                                          \
        {name##_most, name##_less}, { name##_least, name##_greater }                                           \
    }
#define NONE                                                                                                   \
    {                                                                                                          \
        {NULL, NULL}, { NULL, NULL }                                                                           \
    }

/* [kind][log2 of bytes][descending][strict]; the host's compiler has no halves. */
static scan *const scans[3][4][2][2] = {
    [RIFFLE_SORT_KEY_SIGNED] = {OF(i8), OF(i16), OF(i32), OF(i64)},
    [RIFFLE_SORT_KEY_UNSIGNED] = {OF(u8), OF(u16), OF(u32), OF(u64)},
    [RIFFLE_SORT_KEY_FLOAT] = {NONE, NONE, OF(f32), OF(f64)},
};

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
    scan *const by = scans[field->kind][__builtin_ctz(field->bytes)][field->descending][is_strict];
    return by != NULL ? by(from, blocks, bits, parts) : 0;
}
