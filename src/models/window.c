/* SPDX-License-Identifier: Apache-2.0 */
#include "models/window.h"

#include <string.h>

uint64_t window_start(uint64_t n, unsigned k) {
    return n > WINDOW_ELEMENTS ? (n - WINDOW_ELEMENTS) / (WINDOW_SAMPLES - 1) * k : 0;
}

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

riffle_status window_sample(const riffle_perm *perm, unsigned group, double *out) {
    const uint64_t n = riffle_perm_length(perm);
    const size_t count = n < WINDOW_ELEMENTS ? (size_t)n : WINDOW_ELEMENTS;
    uint64_t place[WINDOW_ELEMENTS];
    size_t groups = 0;
    for (unsigned k = 0; k < WINDOW_SAMPLES; k++) {
        const riffle_status status = riffle_perm_map(perm, window_start(n, k), count, place);
        if (status != RIFFLE_OK) return status;
        groups += window_groups(place, count, group);
    }
    *out = count > 0 ? (double)groups / (double)(WINDOW_SAMPLES * count) : 0;
    return RIFFLE_OK;
}
