/* SPDX-License-Identifier: Apache-2.0
 *
 * --merge, --top, --partition and --unique: what is done instead of sorting all.
 */
#ifndef RIFFLE_CLI_SORT_TASK_H
#define RIFFLE_CLI_SORT_TASK_H

#include "frame/option.h"
#include "sort/job.h"

option_reader sort_read_place; /**< an element's number, from the end if it is below zero */
option_reader sort_read_count; /**< a number of elements */

/** EXIT_USAGE, after a complaint, if what is asked for does not go together. */
int sort_task_check(const request *ask);

/** Once the lines and segments are known: the job's task, its count, and how many results there are. An exit status. */
int sort_task_settle(job *work);

#endif
