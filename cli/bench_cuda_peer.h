/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that a peer moves, riffle's competitors on a GPU (bench_peers.h): checked and timed as riffle's are.
 */
#ifndef RIFFLE_CLI_BENCH_CUDA_PEER_H
#define RIFFLE_CLI_BENCH_CUDA_PEER_H

#include "bench_measure.h"

/** Measures a row of kind PEER: out->plan_bytes is what the peer is told the permutation by, and
 *  workspace_bytes what it works in, as far as it is not allocated out of sight. */
riffle_status bench_cuda_peer(const bench_row *row, const bench_settings *settings, bench_result *out);

#endif
