/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations of each subject: the library is asked, and its failures are complained of. Each returns an exit status.
 */
#ifndef RIFFLE_CLI_EXPLAIN_PLANS_H
#define RIFFLE_CLI_EXPLAIN_PLANS_H

#include "explain/request.h"

/** The subject of --by is a permutation, or an array program. */
int explain_by(request *ask);

int explain_sort(const request *ask);
int explain_hull(const request *ask);
int explain_group(const request *ask);
int explain_ungroup(const request *ask);

#endif
