/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that merge (kernels/sort/merge) as the machine runs them.
 */
#ifndef RIFFLE_ENGINES_SIMULATE_MERGE_KERNELS_H
#define RIFFLE_ENGINES_SIMULATE_MERGE_KERNELS_H

#include <stddef.h>

#include "engines/simulate/kernels.h"
#include "kernels/sort/merge/merge.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kernel for keys of that size; NULL where there is none. */
machine_entry machine_merge_entry(merge_kernel kernel, size_t key_bytes);

#ifdef __cplusplus
}
#endif

#endif
