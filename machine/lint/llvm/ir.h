/* SPDX-License-Identifier: Apache-2.0
 *
 * LLVM's text of kernels, as clang writes it with or without types of pointers: the functions of one section, each as a table of values
 * in static single assignment, with the types' sizes put into numbers.
 *
 *     %a = getelementptr [4 x [33 x float]], ... @tile, i64 0, i64 %y, i64 %x   ->   base tile, + 132 * y, + 4 * x
 *
 * What is not known here is a value of IR_OTHER: nothing is concluded from it.
 */
#ifndef RIFFLE_MACHINE_LINT_LLVM_IR_H
#define RIFFLE_MACHINE_LINT_LLVM_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "riffle.h"

typedef enum ir_op {
    IR_OTHER, /**< its operands are all that it depends on */
    IR_CONSTANT,
    IR_ARGUMENT,
    IR_GLOBAL,
    IR_ADD,
    IR_SUB,
    IR_MUL,
    IR_SHL,
    IR_LSHR,
    IR_ASHR,
    IR_AND,
    IR_OR,
    IR_XOR,
    IR_UDIV,
    IR_SDIV,
    IR_UREM,
    IR_SREM,
    IR_CAST, /**< between integers of other widths, and pointers: the number stays, as long as it fits */
    IR_GEP,
    IR_LOAD,
    IR_STORE, /**< operands: value, address */
    IR_ATOMIC,
    IR_PHI,
    IR_SELECT,
    IR_COMPARE,
    IR_CALL,
    IR_ALLOCA,
} ir_op;

/** Predicates of comparisons, and what holds where one does not. */
typedef enum ir_predicate { IR_EQ, IR_NE, IR_LT, IR_LE, IR_GT, IR_GE, IR_PREDICATES } ir_predicate;

/** A name in the text. */
typedef struct ir_name {
    const char *text;
    unsigned length;
} ir_name;

enum { IR_NONE = UINT32_MAX };

typedef struct ir_value {
    ir_op op;
    bool is_unsigned; /**< of a comparison, division or widening cast */
    bool is_volatile;
    bool is_exact; /**< of arithmetic: of signed numbers it does not wrap around (nsw) */
    bool is_copy; /**< of an argument: a structure by value, where a copy of it lies */
    uint8_t predicate;
    uint16_t bits;            /**< of an integer, else 0 */
    unsigned block;           /**< IR_NONE for constants, arguments and globals */
    unsigned first, operands; /**< in the function's list of operands */
    unsigned location;        /**< a number of metadata; IR_NONE: none */
    int64_t
        number; /**< a constant; a GEP's constant bytes; bytes accessed; a global's, alloca's or argument's own number */
    ir_name name; /**< an argument's, of the function that is called, or the value's own */
} ir_value;

/** An operand: of a GEP beside the first, one that counts `scale` bytes; of a phi with the block that it comes from. */
typedef struct ir_operand {
    unsigned value;
    int64_t scale;
} ir_operand;

typedef struct ir_block {
    ir_name name;
    unsigned
        condition; /**< by which the block branches to next[0], else to next[1]; IR_NONE if to all of them for reasons not known */
    unsigned first_next, nexts;
    unsigned location; /**< of its branch */
} ir_block;

typedef struct ir_function {
    unsigned location; /**< of its DISubprogram */
    ir_name name;
    bool is_read; /**< false: something in it is written in a way that is not known */
    size_t values, value_capacity, operands, operand_capacity, blocks, block_capacity, nexts, next_capacity;
    ir_value *value;
    ir_operand *operand;
    ir_block *block;
    unsigned *next;
} ir_function;

typedef struct ir_global {
    ir_name name;
    bool is_shared, is_constant;
    uint64_t bytes; /**< 0: not known here, as dynamic shared memory's */
} ir_global;

struct ir_types;

typedef struct ir_module {
    const char *text;
    size_t functions, function_capacity, globals, global_capacity, metadata;
    ir_function *function;
    ir_global *global;
    const char **meta; /**< text of each node by its number, NULL if there is none */
    struct ir_types *types;
} ir_module;

/** A place in the source. */
typedef struct ir_place {
    ir_name file;
    unsigned line;
    bool in_header; /**< in one of the machine's, called there */
    ir_name header; /**< which one */
} ir_place;

/** Reads a module's kernels; the text has to outlive it, and ir_free frees it in any case. RIFFLE_ERROR_OUT_OF_MEMORY without memory. */
riffle_status ir_read(const char *text, const char *section, ir_module *out);
void ir_free(ir_module *m);

/** Where a node of metadata is, a place or a function's, outside of headers in the folder. */
ir_place ir_place_of(const ir_module *m, unsigned location, const char *folder);

/** The name in the source of a function. */
ir_name ir_source_name(const ir_module *m, const ir_function *f);

/** True if a call is of that function, or of one whose name begins so. */
bool ir_is_named(const ir_value *v, const char *name);
bool ir_begins_with(const ir_value *v, const char *name);

static inline const ir_operand *ir_operand_of(const ir_function *f, const ir_value *v, unsigned k) {
    return &f->operand[v->first + k];
}

#endif
