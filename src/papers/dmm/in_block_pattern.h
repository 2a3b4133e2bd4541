/* SPDX-License-Identifier: Apache-2.0
 *
 * The pattern of the DMM paper's kernels (papers/kernels/in_block.cu): the rounds that fill shared memory and bring the result back, and
 * those of one move, which the paper speaks of.
 */
#ifndef RIFFLE_PAPERS_DMM_IN_BLOCK_PATTERN_H
#define RIFFLE_PAPERS_DMM_IN_BLOCK_PATTERN_H

#include "device/predict/pattern.h"
#include "papers/dmm/in_block.h"

void in_block_pattern_around(const in_block_move *work, pattern *out);
void in_block_pattern_move(const in_block_move *work, pattern *out);

#endif
