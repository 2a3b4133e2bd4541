/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine's members, for the files that it is made of.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_MACHINE_STATE_H
#define RIFFLE_MACHINE_RUNTIME_MACHINE_STATE_H

#include "machine/runtime/launch_state.h"

struct machine {
    riffle_machine_options options;
    riffle_report *report;
    machine_arrays arrays;
    machine_array *dynamic_shared;
    windows windows; /* on shared memory of blocks of a cluster */
    source_lines *lines;
    machine_indices shown;
    bool shows;
    budget budget;
    uint32_t next_segment;
    unsigned launches;
    bool knows_components;
    line_widths widths; /* widths of nvcc's accesses, if has_widths */
    bool has_widths;
    bool sums, passes_over; /* launches of one kernel are counted as one; the next is not counted */
    gate gate;
    const char *runs; /* the kernel whose launch is counted, while the gate is running */
    bool stopped;
    bool lost; /* the last launch was ended by an access to what is in no array */
    bool
        attributes; /* the report has arrays and callers: told here, since a launch may come to a closed gate without the report */
    bool blind;     /* blocks have run unseen, or not to their end */
    uint64_t work;  /* units, as budget.h has them, of all launches */
    bool forgetful; /* the host's writes could not be remembered, for want of memory */
};

/** Marks memory that the host shares with the kernels as written: the host may have done so unseen. */
void machine_define_shared(machine *m);

/** The names of machine_call_array hold no longer. */
void machine_forget_calls(machine *m);

/** Has the launch's accesses shown to the trace that the options name, if they name one. */
void machine_trace_begin(const machine *m, launch_state *l);

/** The launch has run: gives its rounds in that trace their places and times. */
void machine_trace_end(const machine *m, launch_state *l);

/** Adds the rounds of a launch that has run to the report, and its hazards. */
riffle_status machine_fold(machine *m, launch_state *l);

#endif
