/* SPDX-License-Identifier: Apache-2.0
 *
 * The option of explain and simulate by which rows that are grouped have further columns.
 */
#ifndef RIFFLE_CLI_SUBJECTS_COLUMN_BYTES_H
#define RIFFLE_CLI_SUBJECTS_COLUMN_BYTES_H

#include "frame/readers.h"
#include "riffle/group.h"

/** All zeros at first. */
typedef struct column_bytes {
    unsigned count;
    size_t of[RIFFLE_GROUP_MAX_COLUMNS];
} column_bytes;

option_reader option_column_bytes; /**< adds a column to a field of type column_bytes */

/* clang-format off */
#define COLUMN_BYTES_OPTION(member)                                                                            \
    {"column-bytes", "B", option_column_bytes, FIELD(column_bytes, member),                                    \
     .help = "--group: rows have another column of B bytes, which goes to the same places; may be repeated, "  \
             "up to 64 times", RANGE(1, RIFFLE_GROUP_MAX_ROW_BYTES), .repeatable = true}
/* clang-format on */

#endif
