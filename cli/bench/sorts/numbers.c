/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of a row. Each begins as one of 64 bits; a type takes the first of these, floats as parts of 1. Peers make the
 * same (bench/sort_peer.py).
 */
#include <math.h>
#include <string.h>

#include "bench/sorts/sorts.h"

/* splitmix64's mixing. */
static uint64_t mixed(uint64_t k) {
    k += 0x9e3779b97f4a7c15;
    k = (k ^ k >> 30) * 0xbf58476d1ce4e5b9;
    k = (k ^ k >> 27) * 0x94d049bb133111eb;
    return k ^ k >> 31;
}

static unsigned bits_below(uint64_t n) { return n < 2 ? 0 : 64 - (unsigned)__builtin_clzll(n - 1); }

static uint64_t reversed_bits(uint64_t k, unsigned bits) {
    uint64_t out = 0;
    for (unsigned b = 0; b < bits; b++) out |= (k >> b & 1) << (bits - 1 - b);
    return out;
}

static uint64_t uniform(uint64_t k, uint64_t n) { return (void)n, mixed(k); }
static uint64_t sorted(uint64_t k, uint64_t n) { return k * (UINT64_MAX / n); }
static uint64_t reversed(uint64_t k, uint64_t n) { return sorted(n - 1 - k, n); }
static uint64_t few(uint64_t k, uint64_t n) { return (void)n, mixed(k) >> 60 << 60; }
static uint64_t equal(uint64_t k, uint64_t n) { return (void)k, (void)n, (uint64_t)1 << 62; }
static uint64_t nearly(uint64_t k, uint64_t n) { return mixed(k) % 64 == 0 ? mixed(~k) : sorted(k, n); }

/* Number r as often as 1 / r, by inversion: r = n^u. */
static uint64_t zipf(uint64_t k, uint64_t n) {
    return (uint64_t)pow((double)n, (double)(mixed(k) >> 11) * 0x1p-53) * (UINT64_MAX / (n + 1));
}

/* Sixteen stretches, the odd ones from the middle on. */
static uint64_t staggered(uint64_t k, uint64_t n) {
    const uint64_t stretch = n / 16 + 1, which = k / stretch;
    return (which % 2 == 0 ? which / 2 : 8 + which / 2) * (UINT64_MAX / 17) + mixed(k) / 17;
}

/* Sorted, but for n together a number a step, anywhere in it; so k is a number of all segments. */
static uint64_t streams(uint64_t k, uint64_t n) { return sorted(k % n, n) + mixed(k) % (UINT64_MAX / n); }

static uint64_t alternating(uint64_t k, uint64_t n) {
    const unsigned bits = bits_below(n);
    return bits == 0 ? 0 : reversed_bits(k, bits) << (64 - bits);
}

typedef uint64_t shape(uint64_t k, uint64_t n);

static shape *shape_of(const char *by) {
    static const struct {
        const char *name;
        shape *number;
    } shapes[] = {{"uniform", uniform}, {"sorted", sorted},       {"reversed", reversed},
                  {"few", few},         {"equal", equal},         {"zipf", zipf},
                  {"nearly", nearly},   {"staggered", staggered}, {"alternating", alternating},
                  {"streams", streams}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        if (strcmp(shapes[k].name, by) == 0) return shapes[k].number;
    return NULL;
}

/* The half of a number of 11 bits as a part of 1: exact. */
static uint16_t half_of(uint64_t part) {
    if (part == 0) return 0;
    const unsigned top = 63 - (unsigned)__builtin_clzll(part);
    return (uint16_t)((top + 4) << 10 | (part << (10 - top) & 0x3ff));
}

/* The lower half of 16 bytes tells numbers apart that are close. */
static void write_wide(uint64_t number, char *to) {
    const uint64_t halves[2] = {mixed(number), number};
    memcpy(to, halves, sizeof halves);
}

/* Three fields, the first two of 1024 values each. */
static void write_row(uint64_t number, char *to) {
    const int64_t fields[3] = {(int64_t)(number >> 54), (int64_t)(mixed(number) >> 54),
                               (int64_t)mixed(~number)};
    memcpy(to, fields, sizeof fields);
}

static void write_number(riffle_type type, size_t elem_bytes, uint64_t number, char *to) {
    const size_t bytes = riffle_type_bytes(type);
    if (elem_bytes == 16) {
        write_wide(number, to);
        return;
    }
    if (elem_bytes == BENCH_SORT_ROW_BYTES) {
        write_row(number, to);
        return;
    }
    const float single = (float)(number >> 40) * 0x1p-24F;
    const double real = (double)(number >> 11) * 0x1p-53;
    const uint16_t half = half_of(number >> 53);
    const bool is_signed = type <= RIFFLE_TYPE_I64;
    const uint64_t bits = (is_signed ? number ^ (uint64_t)1 << 63 : number) >> (64 - 8 * bytes);
    switch (type) {
    case RIFFLE_TYPE_F16: memcpy(to, &half, bytes); break;
    case RIFFLE_TYPE_F32: memcpy(to, &single, bytes); break;
    case RIFFLE_TYPE_F64: memcpy(to, &real, bytes); break;
    default: memcpy(to, &bits, bytes);
    }
}

bool bench_sort_is_merge(const bench_row *row) { return strcmp(row->by, "streams") == 0; }

bool bench_sort_fill(const bench_row *row, void *numbers) {
    shape *const number = shape_of(row->by);
    const uint64_t segments = row->batch > 0 ? row->batch : 1;
    const bool is_uniform =
        strcmp(row->by, "uniform") == 0 || bench_sort_is_merge(row); /* segments differ then */
    char *const to = numbers;
    if (number == NULL) return false;
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < segments * row->n; i++)
        write_number(row->type, row->elem_bytes, number(is_uniform ? i : i % row->n, row->n),
                     to + i * row->elem_bytes);
    return true;
}

/* -------------------------------------------------------------------- checks */

typedef unsigned __int128 wide;

static wide code_of_row(const char *from) {
    uint64_t fields[3];
    memcpy(fields, from, sizeof fields);
    return (wide)(fields[0] << 10 | fields[1]) << 64 | (fields[2] ^ (uint64_t)1 << 63);
}

/* A number that orders those that bench_sort_fill writes. */
static wide code_of(const bench_row *row, const void *numbers, uint64_t i) {
    wide bits = 0;
    if (bench_sort_is_rows(row)) return code_of_row((const char *)numbers + i * row->elem_bytes);
    memcpy(&bits, (const char *)numbers + i * row->elem_bytes, row->elem_bytes);
    return row->type <= RIFFLE_TYPE_I64 ? bits ^ (wide)1 << (8 * row->elem_bytes - 1) : bits;
}

static uint64_t mixed_wide(wide code) { return mixed((uint64_t)code ^ mixed((uint64_t)(code >> 64))); }

/* Whether segment numbers first .. end - 1 are in order and the same, as far as a sum of what is made of each can tell. */
static bool is_segment_sorted(const bench_row *row, const void *numbers, const void *found, uint64_t first,
                              uint64_t end) {
    uint64_t sum = 0, wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, wrong) if (end - first > 1 << 20)
    for (uint64_t i = first; i < end; i++) {
        const wide this = code_of(row, found, i);
        if (i > first) wrong += this < code_of(row, found, i - 1);
        sum += mixed_wide(this) - mixed_wide(code_of(row, numbers, i));
    }
    return sum == 0 && wrong == 0;
}

static uint64_t index_at(const bench_row *row, const void *indices, uint64_t i) {
    uint64_t index = 0;
    memcpy(&index, (const char *)indices + i * row->entry_bytes, row->entry_bytes);
    return index;
}

static bool is_segment_ordered(const bench_row *row, const void *numbers, const void *indices, uint64_t first,
                               uint64_t end) {
    uint64_t sum = 0, wrong = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, wrong) if (end - first > 1 << 20)
    for (uint64_t i = first; i < end; i++) {
        const uint64_t index = index_at(row, indices, i), last = index_at(row, indices, i > first ? i - 1 : i);
        sum += mixed(index) - mixed(i);
        if (index < first || index >= end || last < first || last >= end) {
            wrong++;
            continue;
        }
        const wide this = code_of(row, numbers, index), before = code_of(row, numbers, last);
        if (i > first) wrong += this < before || (this == before && index <= last);
    }
    return sum == 0 && wrong == 0;
}

bool bench_sort_is_right(const bench_row *row, const void *numbers, const void *sorted_numbers,
                         const void *indices) {
    const uint64_t all = row->n * (row->batch > 0 ? row->batch : 1);
    const uint64_t length = bench_sort_is_merge(row) ? all : row->n;
    for (uint64_t first = 0; first < all; first += length) {
        const uint64_t end = first + length;
        if (sorted_numbers != NULL && !is_segment_sorted(row, numbers, sorted_numbers, first, end))
            return false;
        if (indices != NULL && !is_segment_ordered(row, numbers, indices, first, end)) return false;
    }
    return true;
}
