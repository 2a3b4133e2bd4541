/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a thread spins: it makes the same few accesses over and over, and finds the same there, so that it cannot go on before
 * another writes. An access is taken as the anchor, and what comes between it and its next likeness is a turn:
 *
 *     read flag (0)   read flag (0)   read flag (0) ...      turns of one access
 *     \_ anchor       \_ a turn, like the one before
 *
 * An anchor that does not come again within the longest turn is given up for another.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_THREAD_SPIN_H
#define RIFFLE_MACHINE_RUNTIME_THREAD_SPIN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    SPIN_LONGEST = 32, /**< accesses of a turn, at most */
    SPIN_TURNS = 128,  /**< like turns after which a thread counts as spinning */
};

typedef struct spin {
    uint64_t anchor, turn,
        last_turn; /**< the accesses of the turn that is under way, and of the last, as one number each */
    uint32_t length, last_length;
    uint32_t like;  /**< turns like the one before, in a row */
    uint32_t looks; /**< of these, since the thread last gave way */
} spin;

/** An access with what is there before it, as one number. */
static inline uint64_t spin_number(const void *pc, uintptr_t address, unsigned bytes) {
    uint64_t value[2] = {0, 0};
    switch (bytes) {
    case 1: memcpy(value, (const void *)address, 1); break;
    case 2: memcpy(value, (const void *)address, 2); break;
    case 4: memcpy(value, (const void *)address, 4); break;
    case 8: memcpy(value, (const void *)address, 8); break;
    default: memcpy(value, (const void *)address, 16);
    }
    const uint64_t mixed = ((uintptr_t)pc ^ (uint64_t)address << 20) * UINT64_C(0x9e3779b97f4a7c15);
    return (mixed ^ value[0] ^ value[1] << 1) * UINT64_C(0xd6e8feb86659fd93) | 1;
}

/** Notes one; true at the end of a turn of a thread that spins. */
static inline bool spin_access(spin *s, uint64_t number) {
    if (number != s->anchor) {
        if (++s->length > s->last_length) s->like = 0;
        s->turn = (s->turn ^ number) * UINT64_C(0x9e3779b97f4a7c15);
        if (s->length > SPIN_LONGEST) *s = (spin){.anchor = number};
        return false;
    }
    const bool like = s->turn == s->last_turn && s->length == s->last_length;
    s->like = like ? s->like + 1 : 0;
    s->last_turn = s->turn;
    s->last_length = s->length;
    s->turn = s->length = 0;
    if (s->like < SPIN_TURNS) s->looks = 0;
    return s->like >= SPIN_TURNS;
}

static inline bool spin_is_on(const spin *s) { return s->like >= SPIN_TURNS; }

#endif
