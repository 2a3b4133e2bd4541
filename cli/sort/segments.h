/* SPDX-License-Identifier: Apache-2.0
 *
 * --segments FIRST.npy: where the arrays begin that lie in one, one behind the other, each of which is sorted by itself, or
 * all of which are merged.
 */
#ifndef RIFFLE_CLI_SORT_SEGMENTS_H
#define RIFFLE_CLI_SORT_SEGMENTS_H

#include "arrays/transfer.h"

/** Where each begins, and where the last one ends. There may be none: then `first` has one number, 0. */
typedef struct sort_segments {
    uint64_t count;
    uint64_t *first; /**< count + 1; NULL where there is no file */
} sort_segments;

/** Reads them from a file of int64 or uint64. An exit status: they must not descend, from 0 to n. To be freed also after a
 *  failure. */
int sort_segments_read(transfer *file, const char *path, uint64_t n, sort_segments *out);

void sort_segments_free(sort_segments *segments);

#endif
