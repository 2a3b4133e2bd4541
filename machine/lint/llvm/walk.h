/* SPDX-License-Identifier: Apache-2.0
 *
 * One thread's way through a kernel, with numbers for all that a launch gives: integers as the machine has them, of so many bits. What
 * is read from memory is not known; where that decides the way, it ends.
 */
#ifndef RIFFLE_MACHINE_LINT_LLVM_WALK_H
#define RIFFLE_MACHINE_LINT_LLVM_WALK_H

#include "machine/lint/llvm/ir.h"

typedef enum walk_kind { WALK_UNKNOWN, WALK_NUMBER, WALK_GLOBAL, WALK_ARGUMENT } walk_kind;

/** A number, or an address: so many bytes behind a global of the module or what an argument points to. */
typedef struct walk_value {
    walk_kind kind;
    unsigned base; /**< the global, or the argument's value */
    int64_t at;
} walk_value;

/** What CUDA gives a thread: threadIdx, blockIdx, blockDim and gridDim, as the kernel's symbols are ordered. */
enum { WALK_THREAD, WALK_BLOCK, WALK_BLOCK_DIM, WALK_GRID_DIM, WALK_INDICES };

typedef struct walk {
    const ir_module *m;
    const ir_function *f;
    int64_t index[WALK_INDICES][3];
    int64_t *argument; /**< of each value that is an integer parameter */
    /* its own */
    bool *is_made;
    walk_value *made;
    unsigned *first, *inside; /**< values of block k: inside[first[k]] to inside[first[k + 1] - 1] */
    unsigned depth;
} walk;

/** Makes room. RIFFLE_ERROR_OUT_OF_MEMORY without memory; walk_free in any case. */
riffle_status walk_begin(walk *w, const ir_module *m, const ir_function *f);
void walk_free(walk *w);

/** A value as it is now. */
walk_value walk_value_of(walk *w, unsigned value);

/** Goes from the kernel's begin on, and calls `see` in each block; up to its end, until `see` says false, or for so many blocks. */
void walk_run(walk *w, unsigned blocks, bool (*see)(void *context, unsigned block), void *context);

#endif
