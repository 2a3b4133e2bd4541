/* SPDX-License-Identifier: Apache-2.0
 *
 * Stages on lines. A tile lies in a buffer as lines of 64 bytes, and what a stage does to two lines at once is a kernel:
 * one for each operation and type. The coordinates of an element in the tile:
 *
 *      | number of its line | lane |           direction d = (line part, lane part), position f likewise
 *
 *      line part of d is 0     a line with itself, its lanes shuffled by XOR with the lane part
 *      else                    two lines, the second one shuffled
 *      lane part of f is not 0 in the lanes where it is 1 the two change their roles
 *
 * Stages run in groups, each of which goes through the tile once, by micro tiles: at most 16 lines that are closed under the
 * directions of the group, so that they stay in registers, or in the nearest cache, from one stage to the next.
 *
 *      cross     up to 4 stages of one operation between whole lines, on different factors of a tensor product: in registers,
 *                as many stages as the vectors' registers hold
 *      within    up to 8 stages of one operation within lines: a line is loaded once for all of them
 *      general   everything else, stage by stage
 *      groups    a user's operation on elements from anywhere (groups.h)
 */
#ifndef RIFFLE_PROGRAM_CPU_LINES_LINES_H
#define RIFFLE_PROGRAM_CPU_LINES_LINES_H

#include "base/processor/vectors.h"
#include "program/stage.h"

enum { LINE_BYTES = 64, MICRO_BITS = 4, MICRO_LINES = 1 << MICRO_BITS, WITHIN_MOST = 8 };

/** Eight bytes of a line, whatever its elements are. */
typedef uint64_t line_word __attribute__((may_alias));

typedef struct line_stage line_stage;
typedef struct line_group line_group;

/** The operation on each lane of two lines, or of one (y is then scratch); i is the sub-index of lane 0. */
typedef void line_kernel(const line_stage *s, void *x, void *y, uint64_t i);

/** A stage on one micro tile: lines at `tile` + (base ^ first[k]). u: the coordinates of its base. */
typedef void line_runner(const line_stage *s, char *tile, uint32_t base, uint64_t u);

/** Some of a group's micro tiles: [first, end). */
typedef struct line_part {
    size_t first, end;
} line_part;

/** A group on a part of the tile, whose coordinates begin with u. */
typedef void group_runner(const line_group *g, char *tile, uint64_t u, line_part part);

/** A user's operation on the elements of lines, one for each of a group; lane l has the sub-index base ^ lane[l]. */
typedef void line_own(void *const *line, const uint64_t *lane, uint64_t base);

/** A condition: 0 where the stage acts. */
typedef struct line_condition {
    uint64_t functional;
    uint16_t at; /**< bit k: what line first[k] adds to its value at the base */
    _Alignas(LINE_BYTES) uint8_t lanes[LINE_BYTES]; /**< 0xff in lanes that add 1 */
} line_condition;

/** Powers of a root of unity of order 2^bits: of i = high 2^low_bits + low, the product of two. */
typedef struct line_roots {
    unsigned bits, low_bits;
    bool inverse;
    const double (*low)[2], (*high)[2];
    uint64_t lanes; /**< bits of i that lanes change */
    double *turns;  /**< NULL where these are many; else, for each value of them, the turns of the lanes */
} line_roots;

/** The factors of a line y, element by element of its real numbers: y re + (y with parts exchanged) im, where im has the
 *  parts' signs. For the product of a number and each lane's root re = number.re turns[0] + number.im turns[1], im likewise by
 *  turns[2] and turns[3]. */
enum { LINE_TURNS = 4, LINE_REALS = 16, LINE_LANES_MOST = 6 };

struct line_stage {
    line_runner *run;
    line_kernel *kernel;
    line_own *own; /**< where the operation is a user's */
    const program_stage *stage;
    riffle_type type;
    unsigned count;                                   /**< pairs, or lines */
    uint32_t first[MICRO_LINES], second[MICRO_LINES]; /**< bytes from the base, by XOR */
    uint16_t turned;   /**< bit k: pair k has its second element first, where the base does not turn all */
    bool within;       /**< the pair is within a line; second[] means nothing */
    bool has_roles;    /**< role[] is not 0 everywhere */
    unsigned lane_xor; /**< bytes */
    _Alignas(LINE_BYTES) uint8_t order[LINE_BYTES]; /**< byte b of the shuffled line: where it was */
    _Alignas(LINE_BYTES) uint8_t role[LINE_BYTES];  /**< 0xff in lanes of x that are the second element */
    line_condition *conditions;                     /**< stage->conditions of them */
    uint64_t pair_index[MICRO_LINES];               /**< pair k adds this to i at the base */
    uint64_t lane_index[LINE_BYTES];                /**< and lane l */
    uint32_t place[LINE_BYTES]; /**< for groups: bytes from the base to lane l's first element */
    line_roots roots;
};

struct line_group {
    group_runner *run;
    size_t count;
    line_stage *stages; /**< the first of them */
    size_t micro_tiles; /**< a within group's are the tile's lines */
    uint32_t *base; /**< where micro tiles begin, in bytes; of cross groups in lines that are first elements, as
                                       far as the tile's number does not turn that */
    uint32_t offset
        [MICRO_LINES]; /**< a cross group's lines: bit t of their number is a step of stage t; of groups their
                                     members: bit t is a step of direction t */
};

enum { LINE_OPERATIONS = RIFFLE_OP_OWN };

/** The functions for one set of instructions; each has the element's type from its stage. */
typedef struct line_operations {
    unsigned cross_most;                   /**< stages of a cross group, at most MICRO_BITS */
    group_runner *cross[LINE_OPERATIONS];  /**< NULL but for operations on two elements without a sub-index */
    group_runner *within[LINE_OPERATIONS]; /**< NULL where cross is */
    line_runner *plain
        [LINE_OPERATIONS]; /**< a stage between whole lines that keep their roles; NULL where there is none */
    line_kernel *kernel[LINE_OPERATIONS]; /**< for `general` */
    line_runner *general;                 /**< any stage, by s->kernel */
} line_operations;

/** True if the functions of an operation take elements of a type. */
bool line_operation_takes(riffle_op_kind op, riffle_type type);

/** Its kernel for `general`; NULL where there is none. */
line_kernel *line_kernel_find(const line_operations *operations, riffle_op_kind op, riffle_type type);

/** The loops that programs of a type run. */
vector_loops line_loops(riffle_type type);

/** The best for a type that this processor has. */
const line_operations *line_operations_best(riffle_type type);
/** For each set that programs have loops for, and that is built here; else NULL. AVX-512 FP16's take halves alone. */
extern const line_operations *const line_operations_of[VECTOR_SETS];
extern const line_operations line_operations_portable;
#if defined(__x86_64__)
extern const line_operations line_operations_avx2, line_operations_avx512, line_operations_avx512fp16;
#elif defined(__aarch64__)
extern const line_operations line_operations_neon;
#endif

/** Where the lines of the first micro tile of a cross group are, in the tile with these coordinates. */
void line_cross_places(const line_group *g, unsigned bits, uint64_t u, uint32_t *at);

/** A kernel by op_apply, lane by lane, for operations that have none of their own. */
line_kernel line_kernel_plain;

/** A user's operation. */
line_kernel line_kernel_own;

/** The root of i. */
typedef struct line_root {
    double re, im;
} line_root;

static inline line_root line_root_at(const line_roots *roots, uint64_t i) {
    i &= ((uint64_t)1 << roots->bits) - 1;
    const double *const low = roots->low[i & (((uint64_t)1 << roots->low_bits) - 1)];
    const double *const high = roots->high[i >> roots->low_bits];
    const double re = low[0] * high[0] - low[1] * high[1], im = low[0] * high[1] + low[1] * high[0];
    return (line_root){re, roots->inverse ? -im : im};
}

/** The turns of lanes with i. */
void line_turns_fill(const line_stage *s, uint64_t i, double turns[LINE_TURNS * LINE_REALS]);

/** The turns of lanes with i, and the number that they are multiplied by. */
static inline const double *line_turns_at(const line_stage *s, uint64_t i, line_root *number,
                                          double scratch[LINE_TURNS * LINE_REALS]) {
    const line_roots *const roots = &s->roots;
    *number = (line_root){1, 0};
    if (roots->turns == NULL) {
        line_turns_fill(s, i, scratch);
        return scratch;
    }
    uint64_t set = 0;
    unsigned at = 0;
    for (uint64_t left = roots->lanes; left != 0; left &= left - 1)
        set |= (i >> __builtin_ctzll(left) & 1U) << at++;
    *number = line_root_at(roots, i & ~roots->lanes);
    return roots->turns + set * LINE_TURNS * LINE_REALS;
}

#endif
