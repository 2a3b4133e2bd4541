/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that `riffle sort` writes: made before it sorts, or, where only then is known how long they are, behind.
 */
#ifndef RIFFLE_CLI_SORT_RESULTS_H
#define RIFFLE_CLI_SORT_RESULTS_H

#include "sort/job.h"

/** Phases of a job, each of which returns an exit status: makes the files, or room for what goes into them; sorts; brings
 *  results to where they belong. */
int sort_results_create(transfer *file);
int sort_results_sort(transfer *file);
int sort_results_write(transfer *file);

void sort_results_free(job *work);

#endif
