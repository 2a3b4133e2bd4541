/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves between several memories, as riffle explain tells them: those of ranks, and those of the GPUs of one host.
 */
#ifndef RIFFLE_CLI_EXPLAIN_MEMORIES_H
#define RIFFLE_CLI_EXPLAIN_MEMORIES_H

#include "riffle/exchange.h"

typedef struct memories {
    unsigned ranks, gpus; /**< 0: one memory */
    riffle_exchange_link link;
    bool relabel;
} memories;

/** The option that asks for several memories, "ranks" or "gpus"; NULL: none does. */
const char *memories_option(const memories *m);

/** True if the options of links and relabelling suit what is asked for; else complains. */
bool memories_fit(const memories *m);

/** Explains such a move. */
riffle_status memories_explain(const memories *m, const riffle_perm *perm, size_t elem_bytes, bool in_place);

#endif
