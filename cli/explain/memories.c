/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/memories.h"

#include "frame/message.h"
#include "riffle/multigpu.h"

const char *memories_option(const memories *m) { return m->ranks > 0 ? "ranks" : m->gpus > 0 ? "gpus" : NULL; }

bool memories_fit(const memories *m) {
    const bool has_link = m->link.bytes_per_second > 0, has_latency = m->link.latency > 0;
    if (m->ranks > 0 && m->gpus > 0)
        complain("explain: --ranks and --gpus: one of them is explained at a time");
    else if (m->gpus > 0 && (has_latency || m->relabel))
        complain(
            "explain: --latency and --relabel are of moves between ranks, and --gpus has none; leave them out");
    else if (memories_option(m) == NULL && (has_link || has_latency || m->relabel))
        complain("explain: --link, --latency and --relabel are of moves between ranks; say how many with "
                 "--ranks P, or "
                 "with --gpus P how many GPUs a link joins");
    else if (has_latency && !has_link)
        complain("explain: --latency is a link's; say with --link how fast it is");
    else
        return true;
    return false;
}

riffle_status memories_explain(const memories *m, const riffle_perm *perm, size_t elem_bytes, bool in_place) {
    const riffle_exchange_options exchange = {.relabel = m->relabel};
    const riffle_multigpu_options options = {.in_place = in_place};
    if (m->ranks > 0) return riffle_exchange_explain(perm, elem_bytes, m->ranks, &exchange, &m->link, stdout);
    return riffle_multigpu_explain(perm, elem_bytes, m->gpus, &options, m->link.bytes_per_second, stdout);
}
