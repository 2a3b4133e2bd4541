/* SPDX-License-Identifier: Apache-2.0
 *
 * The source of the kernel that sorts by a comparison of the user's: the kernel's own files, and between them the comparison.
 *
 *     device.h, sort_own.h | compare() | sort_own.cu
 */
#ifndef RIFFLE_SORT_GPU_OWN_SOURCE_H
#define RIFFLE_SORT_GPU_OWN_SOURCE_H

#include "base/embedded.h"
#include "riffle/sort.h"

/** The kernel's files, in the order in which they include each other. */
extern const embedded_text sort_own_texts[];

/** The kernel's name. */
#define SORT_OWN_KERNEL "sort_own"

/** Makes the source, CUDA C++ that includes <stdint.h> alone; *out is to be freed. RIFFLE_ERROR_UNSUPPORTED for a field
 *  whose name is a word of C++. */
riffle_status sort_own_source(const riffle_sort_key *key, char **out);

#endif
