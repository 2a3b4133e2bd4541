/* SPDX-License-Identifier: Apache-2.0
 *
 * --column FROM.npy:TO.npy: further columns of a table, whose rows go where those of the first one go.
 */
#ifndef RIFFLE_CLI_GROUP_COLUMNS_H
#define RIFFLE_CLI_GROUP_COLUMNS_H

#include <stdbool.h>

#include "arrays/array.h"
#include "arrays/transfer.h"
#include "frame/option.h"
#include "riffle/group.h"

enum { COLUMNS_MOST = RIFFLE_GROUP_MAX_COLUMNS };

typedef struct further_column {
    char *in;        /**< from malloc */
    const char *out; /**< stands behind it there */
    riffle_npy_input *input;
    array_part part;
    array_units units; /**< its rows */
    void *c_order;     /**< a copy, where one had to be made */
} further_column;

/** All zeros at first. */
typedef struct further_columns {
    unsigned count;
    further_column of[COLUMNS_MOST];
} further_columns;

/** Adds the column that the option's value names. */
bool columns_read(const command_option *option, const char *text, void *field);

/** Opens them; each has as many rows as the transfer's IN, and is not its OUT. Returns the exit status. */
int columns_open(further_columns *all, transfer *file);

/** True if `path` is one that is read. */
bool columns_have(const further_columns *all, const char *path);

/** The header of what is made of a column, with so many rows. */
riffle_npy_header columns_header(const further_column *one, uint64_t rows);

/** Fails, after a complaint, where one was cut short while it was read. */
int columns_check(const further_columns *all, transfer *file);

/** Closes them, and frees all. */
void columns_end(further_columns *all);

#endif
