/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that `riffle group` writes beside OUT: offsets, counts, places, and further columns.
 */
#ifndef RIFFLE_CLI_GROUP_BESIDE_H
#define RIFFLE_CLI_GROUP_BESIDE_H

#include "group/job.h"

/** A phase: fails, after a complaint, where one is another file of the command, or may not be replaced. */
int beside_check(transfer *file);

/** Makes them, once it is known how many rows there are. Returns the exit status. */
int beside_create(job *work);

/** Where the file's elements are written; NULL where it is not wanted. */
void *beside_data(const beside *file);

#endif
