/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows brought back on the host: a row's part at a time, of which all places are added up while it stays in the first-level cache.
 * Compiled so that no product and sum become one rounding (cmake/RiffleLibraries.cmake).
 */
#include "group/ungroup.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/half.h"

enum { PART_NUMBERS = 1024 };

static float from_half(uint16_t bits) { return half_to_float(bits); }
static uint16_t to_half(float value) { return half_from_float(value); }

static float from_bfloat(uint16_t bits) {
    const uint32_t word = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint16_t to_bfloat(float value) {
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    if ((word & 0x7fffffffU) > 0x7f800000U) return (uint16_t)(word >> 16 | 0x40U);
    return (uint16_t)((word + 0x7fffU + (word >> 16 & 1U)) >> 16);
}

static float same_float(float value) { return value; }
static double same_double(double value) { return value; }

/* add_NAME adds a part of a row of numbers, times a factor, to the sum; where `is_first`, the sum becomes that. */
#define SUM(name, number, wide, widen, narrow)                                                                 \
    static void add_##name(const number *row, size_t count, bool is_weighted, wide factor, bool is_first,      \
                           wide *sum) {                                                                        \
        if (!is_weighted) {                                                                                    \
            for (size_t k = 0; k < count; k++) sum[k] = is_first ? widen(row[k]) : sum[k] + widen(row[k]);     \
            return;                                                                                            \
        }                                                                                                      \
        for (size_t k = 0; k < count; k++) {                                                                   \
            const wide product = factor * widen(row[k]);                                                       \
            sum[k] = is_first ? product : sum[k] + product;                                                    \
        }                                                                                                      \
    }                                                                                                          \
    static void sum_##name(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays, uint64_t row, \
                           size_t first, size_t count) {                                                       \
        const size_t length = task->row_bytes / sizeof(number);                                                \
        number *const to = (number *)arrays->to + row * length + first;                                        \
        wide sum[PART_NUMBERS];                                                                                \
        bool is_first = true;                                                                                  \
        for (uint64_t e = row * task->keys_per_row; e < (row + 1) * task->keys_per_row; e++) {                 \
            const uint64_t place = ungroup_place(task, arrays->places, e);                                     \
            if (place == RIFFLE_GROUP_NOWHERE) continue;                                                       \
            const wide *const weights = arrays->weights;                                                       \
            add_##name((const number *)arrays->rows + place * length + first, count, weights != NULL,          \
                       weights != NULL ? weights[e] : 1, is_first, sum);                                       \
            is_first = false;                                                                                  \
        }                                                                                                      \
        for (size_t k = 0; k < count; k++) to[k] = is_first ? 0 : narrow(sum[k]);                              \
    }
SUM(f32, float, float, same_float, same_float)
SUM(f64, double, double, same_double, same_double)
SUM(f16, uint16_t, float, from_half, to_half)
SUM(bf16, uint16_t, float, from_bfloat, to_bfloat)

static void copy_row(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays, uint64_t row) {
    const uint64_t place = ungroup_place(task, arrays->places, row);
    char *const to = (char *)arrays->to + row * task->row_bytes;
    if (place == RIFFLE_GROUP_NOWHERE)
        memset(to, 0, task->row_bytes);
    else
        memcpy(to, (const char *)arrays->rows + place * task->row_bytes, task->row_bytes);
}

typedef void part_sum(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays, uint64_t row,
                      size_t first, size_t count);

void ungroup_rows(const riffle_ungroup_task *task, const riffle_ungroup_arrays *arrays, uint64_t first,
                  uint64_t end) {
    static part_sum *const sums[] = {[RIFFLE_UNGROUP_SUM_F32] = sum_f32,
                                     [RIFFLE_UNGROUP_SUM_F64] = sum_f64,
                                     [RIFFLE_UNGROUP_SUM_F16] = sum_f16,
                                     [RIFFLE_UNGROUP_SUM_BF16] = sum_bf16};
    const size_t number = ungroup_number_bytes(task->sum);
    for (uint64_t row = first; row < end; row++) {
        if (number == 0) {
            copy_row(task, arrays, row);
            continue;
        }
        const uint64_t length = task->row_bytes / number;
        for (uint64_t k = 0; k < length; k += PART_NUMBERS)
            sums[task->sum](task, arrays, row, (size_t)k, (size_t)min(length - k, (uint64_t)PART_NUMBERS));
    }
}
