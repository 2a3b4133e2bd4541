/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of GPUs that are later than the machine is a model of, from Blackwell on: PTX's, CUDA's and CuTe's.
 */
#ifndef RIFFLE_MACHINE_LINT_ARCHITECTURE_BEYOND_H
#define RIFFLE_MACHINE_LINT_ARCHITECTURE_BEYOND_H

#include <stdbool.h>

/** True if the PTX instruction is one of theirs. */
bool beyond_is_instruction(const char *instruction);

enum { BEYOND_WORD = 96 };

/** The first name of theirs in C++, outside of comments, "SM100_MMA_F16BF16_SS" or "tcgen05_alloc", and its line, from 1 on. */
typedef struct beyond_name {
    char word[BEYOND_WORD];
    unsigned line;
} beyond_name;

bool beyond_find(const char *text, beyond_name *out);

/** The same in a line of a file, of all where it is 0. False also if the file cannot be read. */
bool beyond_find_in_file(const char *path, unsigned line, beyond_name *out);

#endif
