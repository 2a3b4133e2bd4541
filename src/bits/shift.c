/* SPDX-License-Identifier: Apache-2.0 */
#include "bits/shift.h"

#include "base/arithmetic.h"
#include "bits/cpu/loops.h"

enum { CHUNK = 32 << 10 /* bytes of dst */ };

bits_shift bits_shift_of(const perm_rotation *rotation) {
    return (bits_shift){rotation->reflected, rotation->offset + (rotation->reflected ? 1 : 0)};
}

/* An array in hand, and what of it. */
typedef struct shifting {
    const bits_packed *packed;
    const bits_shift *shift;
    const bits_loops *loops;
    uint8_t *dst;
    const uint8_t *src;
} shifting;

/* The element of src that element j of dst is. */
static uint64_t source_of(const shifting *s, uint64_t j) {
    const uint64_t n = s->packed->n, cut = s->shift->cut;
    if (!s->shift->is_reversed) return j < cut ? j + (n - cut) : j - cut;
    return j < cut ? cut - 1 - j : n - 1 - (j - cut);
}

/* Bytes element by element, where a run begins or ends within one. */
static void move_byte(const shifting *s, uint64_t byte) {
    const uint64_t each = bits_of_byte(s->packed), first = byte * each;
    unsigned value = 0;
    for (uint64_t j = first; j < min(first + each, s->packed->n); j++)
        value |= bits_element(s->packed, s->src, source_of(s, j)) << bits_place(s->packed, j);
    s->dst[byte] = (uint8_t)value;
}

/* Whole bytes of one run. */
static void move_bytes(const shifting *s, uint64_t first, uint64_t end) {
    const bits_packed *const p = s->packed;
    const uint64_t each = bits_of_byte(p), least = s->shift->is_reversed ? end * each - 1 : first * each;
    const uint64_t from = source_of(s, least);
    const bits_loop_shift by = {(unsigned)(from % each) * p->elem_bits, p->is_big, 8 - p->elem_bits};
    (s->shift->is_reversed ? s->loops->shift_back : s->loops->shift)(s->dst + first, s->src + from / each,
                                                                     (size_t)(end - first), &by);
}

/* Bytes first to end - 1, of which those up to the run's last element are the run's. */
static uint64_t move_run(const shifting *s, uint64_t first, uint64_t end, uint64_t last) {
    const uint64_t whole = min(end, last / bits_of_byte(s->packed));
    if (first < whole) {
        move_bytes(s, first, whole);
        first = whole;
    }
    if (first < end) move_byte(s, first++);
    return first;
}

static void move_chunk(const shifting *s, uint64_t first, uint64_t end) {
    first = s->shift->cut > first * bits_of_byte(s->packed) ? move_run(s, first, end, s->shift->cut) : first;
    if (first < end) move_run(s, first, end, s->packed->n);
}

void bits_shift_run(const bits_packed *packed, const bits_shift *shift, uint8_t *dst, const uint8_t *src,
                    team_member me) {
    const uint64_t chunks = ceil_div((uint64_t)packed->array_bytes, (uint64_t)CHUNK);
    const team_share mine = team_share_of(chunks * packed->batch, me);
    for (uint64_t k = mine.first; k < mine.end; k++) {
        const size_t array = (size_t)(k / chunks) * packed->array_bytes;
        const shifting s = {packed, shift, bits_loops_best(), dst + array, src + array};
        const uint64_t first = k % chunks * CHUNK;
        move_chunk(&s, first, min(first + CHUNK, (uint64_t)packed->array_bytes));
    }
}
