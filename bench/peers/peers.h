/* SPDX-License-Identifier: Apache-2.0
 *
 * The suites that peers are measured on, and the JSON document that they print, in the form of bench/torch_peer.py's.
 */
#ifndef RIFFLE_BENCH_PEERS_PEERS_H
#define RIFFLE_BENCH_PEERS_PEERS_H

#include "bench/measure.h"

/** Thrust and CUB along random permutations. False if one was wrong. */
bool peers_arbitrary(void);

/** cuTENSOR along the suite axes, its random shapes by `seed`; what it refuses is a row with its error. False if a row
 *  was wrong, or, with nothing printed but *why set, if there is no cuTENSOR. */
bool peers_axes(uint64_t seed, const char **why);

/** The document's head; `version` is "" or a member more, with its comma. */
void peers_begin(const char *version);
void peers_end(void);

/** Prints what became of a row; true unless it was wrong. Errors are one line without quotes. */
bool peers_print(const char *suite, const bench_row *row, const char *algorithm, const char *how,
                 riffle_status status, const bench_result *result);

#endif
