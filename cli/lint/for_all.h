/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle lint --for-all: claims about each access, for which nothing runs.
 */
#ifndef RIFFLE_CLI_LINT_FOR_ALL_H
#define RIFFLE_CLI_LINT_FOR_ALL_H

#include "lint/request.h"

/** False, after a complaint, if something else was asked for that only a run can give. */
bool for_all_is_whole(const request *ask);

/** Makes and prints the claims in a process of its own; the exit status. */
int for_all_run(request *ask);

#endif
