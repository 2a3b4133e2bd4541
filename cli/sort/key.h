/* SPDX-License-Identifier: Apache-2.0
 *
 * The key of a sort, made of a .npy file's dtype by --fields and --descending.
 */
#ifndef RIFFLE_CLI_SORT_KEY_H
#define RIFFLE_CLI_SORT_KEY_H

#include <stdbool.h>

#include "riffle/npy.h"
#include "riffle/sort.h"

/** Room for why a dtype cannot be sorted so. */
enum { SORT_KEY_WHY = 320 };

/** NULL behind those that there are. */
typedef struct sort_key_names {
    char *name[RIFFLE_SORT_MAX_FIELDS];
} sort_key_names;

/** The key: `fields` are names with commas between, "-b" for one that descends; NULL for all fields, or the elements
 *  themselves. False, with a sentence in `why`, where they are not there or have no order. The key's names are in `names`, all NULL
 *  before, to be freed also after a failure. */
bool sort_key_of(const riffle_npy_header *header, const char *fields, bool descending, riffle_sort_key *key,
                 sort_key_names *names, char why[static SORT_KEY_WHY]);

void sort_key_names_free(sort_key_names *names);

#endif
