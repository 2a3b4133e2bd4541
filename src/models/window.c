/* SPDX-License-Identifier: Apache-2.0 */
#include "models/window.h"

#include <string.h>

/* A hash table of twice as many slots as groups, each searched for from its own slot on. */
size_t window_groups(const uint64_t *place, size_t count, unsigned group) {
    enum { SLOTS = 2 * WINDOW_ELEMENTS, SLOT_BITS = 13 };
    uint64_t slot[SLOTS]; /* a group's number plus 1 */
    size_t groups = 0;
    memset(slot, 0, sizeof slot);
    for (size_t i = 0; i < count; i++) {
        const uint64_t value = place[i] / group + 1;
        size_t at = (size_t)(value * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
        while (slot[at] != 0 && slot[at] != value) at = (at + 1) % SLOTS;
        groups += slot[at] == 0;
        slot[at] = value;
    }
    return groups;
}

riffle_status window_read_perm(const void *from, uint64_t first, size_t count, uint64_t *out) {
    return riffle_perm_map(from, first, count, out);
}

riffle_status window_sample(window_reader *read, const void *from, uint64_t n, unsigned group, double *out) {
    const size_t count = n < WINDOW_ELEMENTS ? (size_t)n : WINDOW_ELEMENTS;
    const uint64_t step = (n - count) / (WINDOW_SAMPLES - 1);
    uint64_t place[WINDOW_ELEMENTS];
    size_t groups = 0;
    for (unsigned k = 0; k < WINDOW_SAMPLES; k++) {
        const riffle_status status = read(from, k * step, count, place);
        if (status != RIFFLE_OK) return status;
        groups += window_groups(place, count, group);
    }
    *out = count > 0 ? (double)groups / (double)(WINDOW_SAMPLES * count) : 0;
    return RIFFLE_OK;
}
