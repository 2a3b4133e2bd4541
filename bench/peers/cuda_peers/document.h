/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON document that peers' rows are printed in, in the form of bench/peers/torch_peer.py's.
 */
#ifndef RIFFLE_BENCH_PEERS_DOCUMENT_H
#define RIFFLE_BENCH_PEERS_DOCUMENT_H

#include "bench/result.h"

/** The document's head; `version` is "" or a member more, with its comma. */
void document_begin(const char *version);
void document_end(void);

/** How many rows it has. */
size_t document_rows(void);

/** Prints that a row was left out for want of time. */
void document_skip(const char *suite, const bench_row *row, const char *algorithm, const char *how);

/** Prints what became of a row; true unless it was wrong. Errors are one line without quotes. */
bool document_print(const char *suite, const bench_row *row, const char *algorithm, const char *how,
                    riffle_status status, const bench_result *result);

#endif
