/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/memories.h"

#include "riffle/multigpu.h"

riffle_status memories_explain(const memories *m, const riffle_perm *perm, size_t elem_bytes, bool in_place) {
    const riffle_exchange_options exchange = {.relabel = m->relabel};
    const riffle_multigpu_options options = {.in_place = in_place};
    if (m->ranks > 0) return riffle_exchange_explain(perm, elem_bytes, m->ranks, &exchange, &m->link, stdout);
    return riffle_multigpu_explain(perm, elem_bytes, m->gpus, &options, m->link.bytes_per_second, stdout);
}
