/* SPDX-License-Identifier: Apache-2.0
 *
 * A launch as a part of a trace.
 */
#include "machine/runtime/machine_state.h"
#include "machine/trace/trace.h"

void machine_trace_begin(const machine *m, launch_state *l) {
    if (m->options.trace != NULL && !m->passes_over)
        l->rounds.observer = trace_begin_launch(m->options.trace, m->launches);
}

/* A launch that the trace passes over takes its time too. */
static uint64_t time_of(const launch_state *l) {
    uint64_t sum = 0;
    for (size_t k = 0; k < l->rounds.sites; k++) sum += rounds_sum(&l->rounds, l->rounds.site[k]).time_units;
    return sum;
}

static const char *string_of(riffle_trace *trace, const char *text) {
    const uint32_t number = trace_string(trace, text);
    return number != UINT32_MAX ? trace->string[number] : "?";
}

static void place_round(riffle_trace *trace, launch_state *l, const char *kernel, traced_round *round) {
    const site *s = l->rounds.site[round->site];
    const source_line at = source_line_of(l->lines, s->pc);
    round->kernel = kernel;
    round->file = string_of(trace, at.file);
    round->line = at.line;
    round->latency = round->is_shared ? l->options->shared_latency : l->options->latency;
    round->time = rounds_time(&l->rounds, s, round->turn);
}

static uint16_t name_array(riffle_trace *trace, const machine_arrays *all, uint16_t number) {
    for (size_t k = 0; k < all->count; k++) {
        if (place_array(all->array[k]->base) != number) continue;
        const uint32_t name = trace_string(trace, array_name(all->array[k]));
        return (uint16_t)(name != UINT32_MAX ? name : 0);
    }
    const uint32_t name = trace_string(trace, "?");
    return (uint16_t)(name != UINT32_MAX ? name : 0);
}

/* Lanes of one array come one behind the other. */
static void name_arrays(riffle_trace *trace, const machine_arrays *all) {
    uint16_t number = 0, name = 0;
    bool known = false;
    size_t first = trace->lanes;
    for (size_t k = trace->accesses; k > 0 && trace->access[k - 1].round >= trace->opened; k--)
        first = trace->access[k - 1].first;
    for (size_t k = first; k < trace->lanes; k++) {
        if (!known || trace->lane[k].array != number) {
            number = trace->lane[k].array;
            name = name_array(trace, all, number);
            known = true;
        }
        trace->lane[k].array = name;
    }
}

void machine_trace_end(const machine *m, launch_state *l) {
    riffle_trace *trace = m->options.trace;
    if (trace == NULL || m->passes_over) return;
    if (l->rounds.observer == NULL) {
        trace->time += time_of(l);
        return;
    }
    const char *kernel = string_of(trace, l->launch->kernel);
    for (size_t k = trace->opened; k < trace->rounds; k++) place_round(trace, l, kernel, &trace->round[k]);
    name_arrays(trace, &m->arrays);
    trace_end_launch(trace);
}
