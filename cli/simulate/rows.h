/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that are grouped, or brought back, on the memory machine: by keys and places that are drawn evenly, the same in each run.
 */
#ifndef RIFFLE_CLI_SIMULATE_ROWS_H
#define RIFFLE_CLI_SIMULATE_ROWS_H

#include "subjects/column_bytes.h"
#include "subjects/rows_back.h"
#include "riffle/machine.h"

typedef struct simulated_rows {
    uint64_t n, keys, row_bytes; /**< keys: of each row, or its places */
    riffle_type type;            /**< the keys'; they are of 0 to groups - 1 all that the type has */
    uint64_t groups;
    column_bytes columns; /**< besides the first */
    riffle_check check;
    rows_back back; /**< none is: rows are grouped */
} simulated_rows;

riffle_status rows_simulate(const simulated_rows *rows, const riffle_machine_options *machine,
                            riffle_report **out);

#endif
