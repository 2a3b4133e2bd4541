/* SPDX-License-Identifier: Apache-2.0
 *
 * What a row of a report comes to, judged by what the hardware asks for and the fewest that it could: sectors of global
 * memory, wavefronts of shared memory. Up to a threshold of times the fewest a row is good.
 */
#ifndef RIFFLE_MACHINE_COUNT_VERDICT_H
#define RIFFLE_MACHINE_COUNT_VERDICT_H

#include "machine/count/report.h"

enum { VERDICT_TEXT = 80 };

/** Misaligned rows, which take 5 sectors where 4 would do, are good still. */
static const double VERDICT_THRESHOLD = 1.25;

/** Whether a row asks for more than `threshold` times the fewest; of 0 it is VERDICT_THRESHOLD. */
bool verdict_is_wasteful(const report_line *line, double threshold);

/** "coalesced", "uncoalesced, 16 sectors where 4 would do", "conflict-free", "8-way bank conflict": for an access of a
 *  warp, on average. */
const char *verdict_say(const report_line *line, double threshold, char out[static VERDICT_TEXT]);

#endif
