/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of a program: a tree whose nodes handles share by counting references.
 *
 *     MOVE    an affine permutation                        n bits
 *     APPLY   an operation on groups of neighbours         n bits
 *     PARM    first where the mask's sum is 0, else second n - 1 bits each
 *     THEN    first, then second                           n bits each
 */
#ifndef RIFFLE_PROGRAM_TERM_H
#define RIFFLE_PROGRAM_TERM_H

#include <stdatomic.h>

#include "perm/perm.h"
#include "riffle/program.h"

typedef enum program_kind { PROGRAM_MOVE, PROGRAM_APPLY, PROGRAM_PARM, PROGRAM_THEN } program_kind;

enum {
    PROGRAM_MAX_LEAVES = 65536,
    PROGRAM_MAX_DEPTH = 4096, /* most depth of the tree: functions walk it by recursion */
};

/** Where in a text an operation stands; text is NULL where it comes from none. Static storage. */
typedef struct program_place {
    const char *text;
    unsigned line, column;
} program_place;

struct riffle_program {
    atomic_uint references;
    program_kind kind;
    unsigned n, depth, leaves;
    union {
        perm_affine map; /**< MOVE */
        struct {
            riffle_op op; /**< its source is the term's own */
            unsigned bits;
            program_place place;
        };
        struct { /**< PARM, THEN */
            uint64_t mask;
            riffle_program *first, *second;
        };
    };
};

/** riffle_program_apply of an operation that stands somewhere. */
riffle_status program_apply_at(unsigned n, unsigned bits, const riffle_op *op, const program_place *place,
                               riffle_program **out);

/** A program that does nothing. */
riffle_status program_identity(unsigned n, riffle_program **out);

/** Where the operation with this source, which is the program's, stands: "program, line 1, character 6: ", or nothing. */
void program_print_place_of(const riffle_program *program, const char *source, size_t room, char *out);

/** RIFFLE_ERROR_UNSUPPORTED, with the place, if an operation of the program lacks the type. */
riffle_status program_check_type(const riffle_program *program, riffle_type type);

/** Where the operation with this source, which is the program's, stands: "program, line 1, character 6: ", or nothing. */
void program_print_place_of(const riffle_program *program, const char *source, size_t room, char *out);

/** RIFFLE_ERROR_UNSUPPORTED, with the place, if the program has a user's operation: for who runs built-in ones alone. */
riffle_status program_check_built_in(const riffle_program *program);

/** The place of bit lsb(mask), which parm leaves out of a sub-index. */
static inline unsigned parm_pivot(uint64_t mask) { return (unsigned)__builtin_ctzll(mask); }

/** The sub-index of x: x without bit `pivot`. */
static inline uint64_t parm_sub_index(uint64_t x, unsigned pivot) {
    const uint64_t low = ((uint64_t)1 << pivot) - 1;
    return (x & low) | (x >> 1 & ~low);
}

/** The index of what has this sub-index in sub-array `second` (0 or 1). */
static inline uint64_t parm_index(uint64_t mask, uint64_t sub_index, unsigned second) {
    const unsigned pivot = parm_pivot(mask);
    const uint64_t low = ((uint64_t)1 << pivot) - 1, rest = (sub_index & low) | (sub_index & ~low) << 1;
    return rest | (uint64_t)(((unsigned)__builtin_parityll(rest & mask)) ^ second) << pivot;
}

#endif
