/* SPDX-License-Identifier: Apache-2.0
 *
 * The verdict on a row of a report: what the hardware requests over the fewest possible, in sectors of global memory or
 * wavefronts of shared memory. A row is good up to a threshold of that ratio.
 */
#ifndef RIFFLE_MACHINE_COUNT_VERDICT_H
#define RIFFLE_MACHINE_COUNT_VERDICT_H

#include "machine/count/report.h"

enum { VERDICT_TEXT = 80 };

/** Misaligned rows, which take 5 sectors where 4 would do, are good still. */
static const double VERDICT_THRESHOLD = 1.25;

/** True if a row requests more than `threshold` times the fewest possible. 0 stands for VERDICT_THRESHOLD. */
bool verdict_is_wasteful(const report_line *line, double threshold);

/** A row's counts, but where not all blocks were counted estimates of those of all. Rows are judged by them. */
report_part verdict_estimate(const report_line *line);

/** Its requests / ideal_requests. */
double verdict_quotient(const report_line *line);

/** How far that may be from the one of all blocks, as a part of it: at most so far with a probability of 95%, if blocks are drawn at random.
 *  0 where all were counted; INFINITY where those that have the row are of fewer than 8 parts, which would often say too little. */
double verdict_error(const report_line *line);

/** "coalesced", "uncoalesced, 16 sectors where 4 would do", "conflict-free", "8-way bank conflict": for an access of a
 *  warp, on average. */
const char *verdict_say(const report_line *line, double threshold, char out[static VERDICT_TEXT]);

#endif
