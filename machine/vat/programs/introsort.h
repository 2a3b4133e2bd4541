/* SPDX-License-Identifier: Apache-2.0
 *
 * Introsort, the chapter's quicksort (Musser: Introspective sorting and selection algorithms, 1997): parts are
 * split around the median of their first, middle and last element; short parts are sorted by insertion, and
 * parts that more splits lead to than should be by heapsort.
 *
 * Whoever includes this has defined cells, load and store (all.h).
 */
#ifndef RIFFLE_MACHINE_VAT_PROGRAMS_INTROSORT_H
#define RIFFLE_MACHINE_VAT_PROGRAMS_INTROSORT_H

#include "machine/vat/programs/heap.h"
#include "machine/vat/programs/weigh.h"

enum { INSERTION_SORT_LENGTH = 16 };

static uint64_t insertion_sort(cells a, uint64_t base, uint64_t n) {
    uint64_t sum = 0;
    for (uint64_t i = 1; i < n; i++) {
        const uint64_t value = load(a, base + i);
        uint64_t hole = i, before;
        while (hole > 0 && (before = load(a, base + hole - 1)) > value) store(a, base + hole--, before);
        store(a, base + hole, value);
        sum += weigh(value, base + hole);
    }
    return sum;
}

static uint64_t median_of_three(uint64_t x, uint64_t y, uint64_t z) {
    const uint64_t low = x < y ? x : y, high = x < y ? y : x;
    return z < low ? low : z > high ? high : z;
}

/* Splits n >= 3 elements into two parts, neither of them empty, with no element of the left one larger than one
 * of the right (Hoare). Returns the length of the left one. No scan leaves the array: of the first, middle and
 * last element two are at least the median and two at most, and after a swap the swapped elements stop the
 * scans. */
static uint64_t partition(cells a, uint64_t base, uint64_t n) {
    const uint64_t pivot = median_of_three(load(a, base), load(a, base + n / 2), load(a, base + n - 1));
    uint64_t left = 0, right = n - 1;
    for (;;) {
        uint64_t low, high;
        while ((low = load(a, base + left)) < pivot) left++;
        while ((high = load(a, base + right)) > pivot) right--;
        if (left >= right) return right + 1;
        store(a, base + left++, high);
        store(a, base + right--, low);
    }
}

static uint64_t sort_part(cells a, uint64_t base, uint64_t n, unsigned splits_left) {
    uint64_t sum = 0;
    while (n > INSERTION_SORT_LENGTH) {
        if (splits_left-- == 0) return sum + heapsort(a, base, n);
        const uint64_t left = partition(a, base, n);
        sum += weigh(left, base) + sort_part(a, base + left, n - left, splits_left);
        n = left;
    }
    return sum + insertion_sort(a, base, n);
}

static uint64_t introsort(cells a, uint64_t n) {
    const unsigned levels = n > 1 ? 63 - (unsigned)__builtin_clzll(n) : 0;
    return sort_part(a, 0, n, 2 * levels);
}

#endif
