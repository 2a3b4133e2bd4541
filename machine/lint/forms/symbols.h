/* SPDX-License-Identifier: Apache-2.0
 *
 * The symbols of a kernel's indices: what CUDA gives a thread, the kernel's parameters, the turns of its loops, and values that are no
 * sum of these: quotients, remainders, bits, and others, of which only what they depend on is known.
 */
#ifndef RIFFLE_MACHINE_LINT_FORMS_SYMBOLS_H
#define RIFFLE_MACHINE_LINT_FORMS_SYMBOLS_H

#include "machine/lint/forms/graph.h"
#include "machine/lint/forms/poly.h"

/** What differs between threads of a block: threadIdx by its axes, and anything else. */
enum { DEPENDS_X = 1, DEPENDS_Y = 2, DEPENDS_Z = 4, DEPENDS_THREAD = 7, DEPENDS_UNKNOWN = 8 };

/** CUDA's most threads of a block. */
enum { SYMBOLS_MOST_THREADS = 1024 };

typedef enum symbol_kind {
    SYMBOL_THREAD, /**< threadIdx, of an axis, as the next three */
    SYMBOL_BLOCK,
    SYMBOL_BLOCK_DIM,
    SYMBOL_GRID_DIM,
    SYMBOL_ARGUMENT, /**< the integer parameter of that value */
    SYMBOL_TURN,     /**< turns before this one of the loop of that header */
    SYMBOL_DIVIDE,   /**< a / by, rounded down */
    SYMBOL_MODULO,   /**< a mod by, from 0 to by - 1 */
    SYMBOL_BITS,     /**< a op b */
    SYMBOL_OTHER,    /**< that value */
    SYMBOL_ROW,      /**< threadIdx.x / 32, where a warp is part of a row */
    SYMBOL_ROWS,     /**< blockDim.x / 32 then */
} symbol_kind;

/** Of a number that a loop multiplies: if it is first * factor^turn as an integer, and does not wrap around. */
typedef enum symbol_growth { GROWTH_OPEN, GROWTH_EXACT, GROWTH_WRAPS } symbol_growth;

typedef struct symbol {
    symbol_kind kind;
    unsigned value; /**< an axis, a header, or a value of the function */
    unsigned depends;
    unsigned home;    /**< the block in which it arises, IR_NONE: before the first */
    int64_t most;     /**< it is at most so much */
    bool is_positive; /**< at least 0 */
    ir_op op;
    int64_t by;
    poly *a, *b;
    int64_t first,
        factor; /**< it is first, first * factor, ... in turns of a loop; factor 0: nothing is known */
    symbol_growth growth;
} symbol;

typedef struct symbols {
    const ir_function *f;
    size_t count, capacity;
    symbol *entry; /* 0 is none */
    bool no_memory;
} symbols;

bool symbols_begin(symbols *s, const ir_function *f);
void symbols_free(symbols *s);

/** The symbol, which is made where there is none. Those with polynomials get copies. */
uint16_t symbols_plain(symbols *s, symbol_kind kind, unsigned value);
uint16_t symbols_other(symbols *s, unsigned value, unsigned depends, unsigned home);
poly symbols_divide(symbols *s, const poly *a, int64_t by);
poly symbols_modulo(symbols *s, const poly *a, int64_t by);
poly symbols_bits(symbols *s, ir_op op, const poly *a, const poly *b);

unsigned symbols_depends(const symbols *s, const poly *a);

/** True if the polynomial, or one inside its symbols, has a symbol that arises in the loop of the header. */
bool symbols_arise_inside(const symbols *s, const graph *g, unsigned header, const poly *a);

/** Its smallest and largest value, as far as numbers bound it. False if they do not. */
bool symbols_range(const symbols *s, const poly *a, int64_t *least, int64_t *most);
bool symbols_is_positive(const symbols *s, const poly *a);

#endif
