/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that the command line gives to what only the compiler knows: the fields of a structure, and constants. They become
 * assignments in the source that is compiled.
 *
 *     n=128,scale=0.5,at[2].x=1,data=float:1024:random,next=null
 */
#ifndef RIFFLE_MACHINE_LINT_ARGUMENTS_SETTINGS_H
#define RIFFLE_MACHINE_LINT_ARGUMENTS_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "riffle.h"

enum { LINT_PLACE = 96, LINT_VALUE = 96, LINT_MAX_SETTINGS = 64 };

struct lint_argument;

typedef struct lint_setting {
    char place[LINT_PLACE];      /**< "at[2].x"; "" of a value that has none */
    char value[LINT_VALUE];      /**< in C++; "" of an array */
    bool is_number;              /**< the value is a literal, and no name */
    struct lint_argument *array; /**< instead, its own */
} lint_setting;

typedef struct lint_settings {
    size_t count;
    lint_setting *setting; /**< LINT_MAX_SETTINGS of them have room; NULL: there are none */
} lint_settings;

/** A __constant__ by its name, with fields, with values one after another, or with an array's. */
typedef struct lint_constant {
    char name[LINT_PLACE];
    bool has_fields;
    lint_settings settings;
} lint_constant;

/** Reads `length` characters of settings for `what`, which messages begin with: "argument 2". With `named` false they are values
 *  without places. RIFFLE_ERROR_SYNTAX says what is wrong. */
riffle_status lint_settings_parse(const char *what, const char *text, size_t length, bool named,
                                  lint_settings *out);

/** Reads "NAME=VALUE,...", "NAME={FIELD=VALUE,...}" or "NAME=TYPE:LENGTH:FILL". */
riffle_status lint_constant_parse(const char *text, lint_constant *out);

/** Writes the statements that set the fields of `object`; *arrays counts arrays, which are the entries of riffle_lint_arrays. */
void lint_settings_write(const lint_settings *settings, const char *object, unsigned *arrays, FILE *stream);

/** Writes those that set a constant, and tell the machine. */
void lint_constant_write(const lint_constant *constant, unsigned *arrays, FILE *stream);

void lint_settings_free(lint_settings *settings);

#endif
