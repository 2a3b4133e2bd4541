/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that the steps of the dissertation's hull take, and its workspace, the same on a GPU and on the memory machine.
 */
#ifndef RIFFLE_PAPERS_HULL_LAUNCHES_H
#define RIFFLE_PAPERS_HULL_LAUNCHES_H

#include <stddef.h>

#include "papers/hull/kernels/paper.h"

/** Fills in the table for a grid of so many warps, its arrays at `workspace`, which may be NULL; how many bytes they have. */
size_t hull_paper_place(uint32_t processors, const hull_source *from, void *workspace, hull_paper_table *out);

/** Shared memory of a block of so many threads. */
size_t hull_paper_shared_bytes(uint32_t threads, uint32_t coordinate);

#endif
