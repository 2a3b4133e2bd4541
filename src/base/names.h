/* SPDX-License-Identifier: Apache-2.0
 *
 * Words in messages: the names of an enumeration's values, where riffle_X_string, riffle_X_parse and riffle_X_list are one line each of
 * these, and the ending of a plural.
 */
#ifndef RIFFLE_BASE_NAMES_H
#define RIFFLE_BASE_NAMES_H

#include "riffle.h"

typedef struct name_table {
    const char *what;         /**< a value in messages: "algorithm" */
    const char *const *names; /**< names[k] is that of the value k */
    unsigned count;
} name_table;

/** The name, "unknown" for a value that has none. */
const char *name_of(const name_table *table, unsigned value);

/** The value of that name. RIFFLE_ERROR_INVALID_ARGUMENT lists all names for one that is none, and is for NULL. */
riffle_status name_parse(const name_table *table, const char *name, unsigned *out);

/** Writes the first `capacity` values to out, and returns how many there are. */
size_t name_list(const name_table *table, unsigned *out, size_t capacity);

/** "s", or "" behind one of them. */
const char *plural(uint64_t count);

#endif
