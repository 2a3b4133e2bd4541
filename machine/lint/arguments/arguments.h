/* SPDX-License-Identifier: Apache-2.0
 *
 * The arguments of a user's kernel, written as text:
 *
 *     TYPE:LENGTH[:FILL]   an array of that many elements, LENGTH in decimal or as 2^K
 *     TYPE:FILE.npy        an array with the elements of a file
 *     TYPE=VALUE           a number; VALUE[,VALUE]... for a vector
 *     TYPE={FIELD=VALUE,...}   a structure of the file's, whose other fields are zero
 *
 * FILL is none (never written; the default), zero, index, random or permutation.
 */
#ifndef RIFFLE_MACHINE_LINT_ARGUMENTS_ARGUMENTS_H
#define RIFFLE_MACHINE_LINT_ARGUMENTS_ARGUMENTS_H

#include <stdint.h>

#include "machine/lint/arguments/settings.h"
#include "machine/lint/arguments/types.h"
#include "riffle.h"

typedef enum lint_fill {
    FILL_NONE,
    FILL_ZERO,
    FILL_INDEX,
    FILL_RANDOM,
    FILL_PERMUTATION,
    FILL_FILE,
    FILL_NULL /**< no array: the pointer is NULL */
} lint_fill;

enum { LINT_STRUCTURE = 128 };

typedef struct lint_argument {
    lint_type type;
    bool is_array;
    lint_fill fill;   /**< fill of an array */
    uint64_t length;  /**< length of an array; 0 while it is in a file that nobody has opened */
    const char *file; /**< for FILL_FILE; points into the text */
    _Alignas(16) unsigned char value[LINT_MAX_ELEMENT_BYTES]; /**< value of a number */
    bool is_structure;
    char structure[LINT_STRUCTURE]; /**< its type, as the file names it */
    lint_settings fields;           /**< fields of a structure, to be freed */
} lint_argument;

/** Reads argument number `number` (from 1, for messages). RIFFLE_ERROR_SYNTAX says what is wrong with it. */
riffle_status lint_argument_parse(unsigned number, const char *text, lint_argument *out);

/** Fills an array that is in no file and not to be left alone; *state is the stream of random numbers. */
void lint_fill_array(const lint_argument *argument, void *data, uint64_t *state);

#endif
