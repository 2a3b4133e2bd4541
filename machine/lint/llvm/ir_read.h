/* SPDX-License-Identifier: Apache-2.0
 *
 * One function of LLVM's text while it is read: its values by their names, of which some are used before they are defined.
 */
#ifndef RIFFLE_MACHINE_LINT_LLVM_IR_READ_H
#define RIFFLE_MACHINE_LINT_LLVM_IR_READ_H

#include "machine/lint/llvm/ir_types.h"

typedef struct ir_reader {
    ir_module *module;
    ir_function *function;
    size_t slots; /* a power of two */
    struct {
        ir_name name;
        unsigned value; /* 1 + its number; 0: free */
    } * slot;
    unsigned block;
    bool no_memory;
} ir_reader;

/** A new value, or the operand behind those that there are. */
unsigned ir_add_value(ir_reader *r, ir_value value);
void ir_add_operand(ir_reader *r, unsigned value, int64_t scale);

/** The value, or block, of a name, which need not be defined yet. */
unsigned ir_named_value(ir_reader *r, ir_name name);
unsigned ir_named_block(ir_reader *r, ir_name name);

/** Reads a value of the type: a local or global name, a number or a constant expression. */
unsigned ir_take_value(ir_reader *r, const char **at, unsigned type);

/** Reads the indices of a getelementptr behind its first type; `v` gets its operands. */
void ir_take_gep(ir_reader *r, const char **at, ir_value *v);

/** Reads one instruction, the text of a line. */
void ir_take_instruction(ir_reader *r, const char *line);

#endif
