/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging, and sorting by it, on the memory machine: the launches of engines/launch/merge.h one after the other.
 */
#ifndef RIFFLE_ENGINES_SIMULATE_MERGE_H
#define RIFFLE_ENGINES_SIMULATE_MERGE_H

#include "engines/launch/merge.h"
#include "machine/runtime/machine.h"

/** Does the job, not in place, with the arrays' keys, places, from_keys and first in host memory, by way of the machine's, where each
 *  begins `offset` keys behind a line. The job's workspace is made here; the machine's width is 32. What the job leaves
 *  alone is left alone. */
riffle_status simulate_merge(machine *m, const merge_job *job, const merge_arrays *arrays, uint64_t offset);

#endif
