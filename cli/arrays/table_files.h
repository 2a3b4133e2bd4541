/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that a permutation's text reads: those of its tables, "table:FILE.npy".
 */
#ifndef RIFFLE_CLI_ARRAYS_TABLE_FILES_H
#define RIFFLE_CLI_ARRAYS_TABLE_FILES_H

#include "frame/option.h"

/** Reads the text of a permutation or a program, of which no table is "-". */
option_reader option_spec;
#define SPEC(member) option_spec, FIELD(const char *, member)

/** Copies the name of the first table's file in `spec` to `name`, that has room for all of spec.
 *  Returns what follows it; NULL where there is none. */
const char *table_files_next(const char *spec, char *name);

#endif
