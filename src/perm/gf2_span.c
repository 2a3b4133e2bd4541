/* SPDX-License-Identifier: Apache-2.0 */
#include "perm/gf2_span.h"

static unsigned leading_bit(uint64_t v) { return 63 - (unsigned)__builtin_clzll(v); }

/* The rest of v outside the span, and what of the span was added to get there. */
static uint64_t reduce(const gf2_span *s, uint64_t v, uint64_t *parts) {
    *parts = 0;
    for (uint64_t open = v; open != 0;) {
        const unsigned bit = leading_bit(open);
        v ^= s->by_leading_bit[bit];
        open ^= s->by_leading_bit[bit];
        *parts ^= s->parts[bit];
        open &= ((uint64_t)1 << bit) - 1;
    }
    return v;
}

bool gf2_span_add(gf2_span *s, uint64_t v) {
    uint64_t parts;
    const uint64_t rest = reduce(s, v, &parts);
    if (rest == 0) return false;
    s->by_leading_bit[leading_bit(rest)] = rest;
    s->parts[leading_bit(rest)] = parts | (uint64_t)1 << s->count;
    s->count++;
    return true;
}

uint64_t gf2_span_reduce(const gf2_span *s, uint64_t v) {
    uint64_t parts;
    return reduce(s, v, &parts);
}

uint64_t gf2_span_coordinates(const gf2_span *s, uint64_t v) {
    uint64_t parts;
    reduce(s, v, &parts);
    return parts;
}

unsigned gf2_kernel(unsigned count, const uint64_t *vector, const uint64_t *image, uint64_t *out) {
    gf2_span images = {0};
    uint64_t source[64];
    unsigned found = 0;
    for (unsigned k = 0; k < count; k++) {
        uint64_t v = vector[k];
        if (gf2_span_add(&images, image[k])) {
            source[images.count - 1] = v;
            continue;
        }
        for (uint64_t by = gf2_span_coordinates(&images, image[k]); by != 0; by &= by - 1)
            v ^= source[__builtin_ctzll(by)];
        out[found++] = v;
    }
    return found;
}
