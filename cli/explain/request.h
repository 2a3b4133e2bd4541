/* SPDX-License-Identifier: Apache-2.0
 *
 * All that riffle explain was asked.
 */
#ifndef RIFFLE_CLI_EXPLAIN_REQUEST_H
#define RIFFLE_CLI_EXPLAIN_REQUEST_H

#include "explain/memories.h"
#include "riffle/bits.h"
#include "riffle/machine.h"
#include "subjects/any_algorithm.h"
#include "subjects/column_bytes.h"
#include "subjects/rows_back.h"

typedef struct request {
    const char *by;
    int sort, hull,
        group; /* the type of numbers that are sorted, of points' coordinates, of keys, and 1 more; 0: none are */
    bool order;
    bool in_place, once, wants_json;
    any_algorithm algorithm;
    uint64_t n, elem_bytes, streams, top, partition, groups, keys; /* 0: not said */
    riffle_check check;                                            /* each execution's */
    riffle_engine engine;
    riffle_plan_options options;
    riffle_explanation how;
    const char *device; /* a GPU's name, or a file that has one; NULL: the one that is here */
    const char *wisdom; /* NULL: no file */
    const char *definitions;
    unsigned elem_bits; /* packed elements'; 0: whole bytes */
    riffle_bit_order bit_order;
    memories among;
    column_bytes columns; /* the others of rows that are grouped */
    rows_back back;       /* rows that are brought back */
    int type;             /* type of a program's elements, and 1 more; 0: not said */
} request;
/** An option of the model, which is of a GPU but for permutations; NULL if there is none. */
const char *option_of_models(const request *ask);

#endif
