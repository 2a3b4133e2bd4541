/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves between several memories, as riffle explain tells them: those of ranks, and those of the GPUs of one host.
 */
#ifndef RIFFLE_CLI_EXPLAIN_MEMORIES_H
#define RIFFLE_CLI_EXPLAIN_MEMORIES_H

#include <stdbool.h>

#include "riffle/exchange.h"

typedef struct memories {
    unsigned ranks, gpus; /**< 0: one memory */
    riffle_exchange_link link;
    bool relabel;
} memories;

/** True if ranks or GPUs are asked for. */
static inline bool memories_are_given(const memories *m) { return m->ranks > 0 || m->gpus > 0; }

/** Explains such a move. */
riffle_status memories_explain(const memories *m, const riffle_perm *perm, size_t elem_bytes, bool in_place);

#endif
