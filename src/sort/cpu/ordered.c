/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/ordered.h"

#include "base/arithmetic.h"
#include "check/check.h"
#include "sort/cpu/key_bits.h"

static const unsigned char *element_at(const ordered *o, uint64_t place) {
    return (const unsigned char *)o->arrays->from_keys + place * o->plan->layout.elem_bytes;
}

static void add_element(const ordered *o, uint64_t place, check_sums *sums) {
    check_pair number = check_element_begin(0);
    check_element_take(&number, place);
    if (o->arrays->keys != NULL)
        check_take_bytes(&number, (const char *)element_at(o, place), o->plan->layout.elem_bytes);
    check_element_end(sums, number);
}

static void add(ordered *o, check_sums sums) {
    __atomic_fetch_add(&o->sums.first, sums.first, __ATOMIC_RELAXED);
}

void ordered_read(ordered *o, uint64_t first, uint64_t count) {
    check_sums sums = {0, 0};
    for (uint64_t i = first; i < first + count; i++) add_element(o, i, &sums);
    add(o, sums);
}

/* An element and the first 64 bits of its key. */
typedef struct known_element {
    uint64_t place, bits;
} known_element;

static known_element know(const ordered *o, uint64_t place) {
    return (known_element){place, key_bits_at(o->key, element_at(o, place), 0)};
}

/* True if an element may not stand behind another one: equal ones are in order of their places. */
static bool is_wrong(const ordered *o, known_element ahead, known_element behind) {
    const void *const layout = &o->plan->layout;
    if (ahead.bits != behind.bits) return ahead.bits > behind.bits;
    sort_before *const before = o->plan->is_number ? sort_before_by_number : sort_before_by_fields;
    if (before(layout, element_at(o, behind.place), element_at(o, ahead.place))) return true;
    return behind.place <= ahead.place &&
           !before(layout, element_at(o, ahead.place), element_at(o, behind.place));
}

static uint64_t entry(const void *entries, size_t entry_bytes, uint64_t i) {
    return entry_bytes == 4 ? ((const uint32_t *)entries)[i] : ((const uint64_t *)entries)[i];
}

/* The segment of an entry, and where it begins and ends. */
typedef struct named_segment {
    uint64_t number, first, end;
} named_segment;

static named_segment segment_of(const ordered *o, uint64_t i) {
    const uint64_t *const first = o->arrays->first;
    const uint64_t s =
        first != NULL ? last_not_above(first, o->plan->segments, i) : i / (o->plan->n / o->plan->segments);
    return (named_segment){s, sort_segment_first(o->plan, first, s), sort_segment_first(o->plan, first, s + 1)};
}

void ordered_take(ordered *o, const void *entries, size_t entry_bytes, uint64_t first, uint64_t count) {
    const bool is_read = o->arrays->keys != NULL;
    check_sums sums = {0, 0};
    uint64_t faults = 0;
    named_segment in = {0, 0, 0};
    known_element ahead = {0, 0};
    bool has_ahead = false;
    for (uint64_t i = first; i < first + count; i++) {
        if (i == first || i >= in.end) {
            in = segment_of(o, i);
            has_ahead = is_read && i > in.first && entry(entries, entry_bytes, i - 1) < o->plan->n;
            if (has_ahead) ahead = know(o, entry(entries, entry_bytes, i - 1));
        }
        const uint64_t place = entry(entries, entry_bytes, i);
        const bool is_here = place >= in.first && place < in.end;
        faults += !is_here;
        if (is_here) add_element(o, place, &sums);
        if (is_here && is_read) {
            const known_element own = know(o, place);
            faults += has_ahead && is_wrong(o, ahead, own);
            ahead = own;
        }
        has_ahead = is_here && is_read;
    }
    add(o, check_times(sums, UINT64_MAX));
    if (faults > 0) __atomic_fetch_add(&o->found.faults, faults, __ATOMIC_RELAXED);
}

riffle_status ordered_result(const ordered *o) {
    const check_sums lost = {o->sums.first, o->found.changed};
    return check_result("the sort", lost, (check_sums){0, 0}, o->found.faults);
}
