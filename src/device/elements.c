/* SPDX-License-Identifier: Apache-2.0 */
#include "device/elements.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/half.h"

static uint64_t word_of(uint64_t k) {
    uint64_t word = (k + 1) * UINT64_C(0x9e3779b97f4a7c15);
    word ^= word >> 29;
    word *= UINT64_C(0xbf58476d1ce4e5b9);
    return word ^ word >> 32;
}

/* The float of an element's part: half, float or double. */
static riffle_type part_of(riffle_type type) {
    return type == RIFFLE_TYPE_C64 ? RIFFLE_TYPE_F32 : type == RIFFLE_TYPE_C128 ? RIFFLE_TYPE_F64 : type;
}

static uint64_t parts_of(riffle_type type, uint64_t count) {
    return type >= RIFFLE_TYPE_C64 ? 2 * count : count;
}

static void set(riffle_type part, void *data, uint64_t k, uint64_t word) {
    const double number = (double)(word >> 53) / 2048 - 0.5;
    switch (part) {
    case RIFFLE_TYPE_F16: ((uint16_t *)data)[k] = half_from_float((float)number); break;
    case RIFFLE_TYPE_F32: ((float *)data)[k] = (float)number; break;
    case RIFFLE_TYPE_F64: ((double *)data)[k] = number; break;
    default: memcpy((char *)data + k * riffle_type_bytes(part), &word, riffle_type_bytes(part));
    }
}

void elements_fill(riffle_type type, uint64_t count, void *data) {
    for (uint64_t k = 0; k < parts_of(type, count); k++) set(part_of(type), data, k, word_of(k));
}

static double at(riffle_type part, const void *data, uint64_t k) {
    switch (part) {
    case RIFFLE_TYPE_F16: return (double)half_to_float(((const uint16_t *)data)[k]);
    case RIFFLE_TYPE_F32: return (double)((const float *)data)[k];
    default: return ((const double *)data)[k];
    }
}

/* Tolerance over the largest number: some roundings of the type. */
static double tolerance_of(riffle_type part) {
    return part == RIFFLE_TYPE_F16 ? 0.01 : part == RIFFLE_TYPE_F32 ? 1e-5 : 1e-13;
}

static bool is_near(double a, double b, double most) {
    return isfinite(a) && isfinite(b) ? fabs(a - b) <= most : !isfinite(a) && !isfinite(b);
}

uint64_t elements_first_difference(riffle_type type, uint64_t count, const void *got, const void *wanted) {
    const size_t bytes = riffle_type_bytes(type);
    const riffle_type part = part_of(type);
    double most = 0;
    uint64_t k = 0;
    if (type < RIFFLE_TYPE_F16) {
        while (k < count && memcmp((const char *)got + k * bytes, (const char *)wanted + k * bytes, bytes) == 0)
            k++;
        return k;
    }
    const uint64_t parts = parts_of(type, count);
    for (uint64_t i = 0; i < parts; i++)
        if (isfinite(at(part, wanted, i))) most = fmax(most, fabs(at(part, wanted, i)));
    most *= tolerance_of(part);
    while (k < parts && is_near(at(part, got, k), at(part, wanted, k), most)) k++;
    return k / (parts / count);
}
