/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/cpu/short/short.h"

/* Line i and line i + d, for each i of which bit p is r. */
static void add_pairs(short_network *out, unsigned p, unsigned r, unsigned d) {
    for (unsigned i = 0; i + d < out->length; i++) {
        if ((i & p) != r) continue;
        out->pair[out->count][0] = (uint8_t)i;
        out->pair[out->count++][1] = (uint8_t)(i + d);
    }
}

void short_network_make(unsigned length, short_network *out) {
    unsigned top = 1;
    while (2 * top < length) top *= 2;
    out->length = length;
    out->count = 0;
    for (unsigned p = top; p > 0; p /= 2) {
        add_pairs(out, p, 0, p);
        for (unsigned q = top; q > p; q /= 2) add_pairs(out, p, p, q - p);
    }
}
