/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that a trace of accesses is written to, and the options of all commands that make one.
 */
#ifndef RIFFLE_CLI_TRACE_TRACES_H
#define RIFFLE_CLI_TRACE_TRACES_H

#include "frame/readers.h"
#include "riffle/trace.h"

typedef struct traces {
    const char *file, *svg, *html; /* NULL: none */
    riffle_trace_options options;
} traces;

/* clang-format off */
#define TRACE_OPTIONS(member)                                                                                  \
    {"trace", "FILE", FILE_NAME(member.file),                                                                  \
     .help = "write what every lane accessed, and in which time unit: FILE.csv, FILE.npy (a structure), or "   \
             "FILE.json (warps by time, for ui.perfetto.dev)"},                                                \
    {"trace-launch", "K", option_one_of_many, FIELD(uint64_t, member.options.launch),                          \
     .help = "trace launch K only, counted from 0", RANGE(0, UINT32_MAX - 1)},                                 \
    {"trace-block", "B", option_one_of_many, FIELD(uint64_t, member.options.block),                            \
     .help = "trace block B of each launch only, counted from 0", RANGE(0, UINT32_MAX - 1)},                   \
    {"trace-limit", "N", NUMBER(member.options.limit),                                                         \
     .help = "write no trace of more than N accesses; 2^18 by default", RANGE(1, (uint64_t)1 << 32)},          \
    {"svg", "FILE", FILE_NAME(member.svg),                                                                     \
     .help = "draw warps by time, and below them a round: banks, or cells of address groups, by stages"},      \
    {"trace-round", "R", option_one_of_many, FIELD(uint64_t, member.options.round),                            \
     .help = "draw round R, counted from 0; by default the one that takes the most stages beyond one a warp",  \
     RANGE(0, UINT32_MAX - 1)}
/** A page with the drawings, in the option of that name. */
#define TRACE_PAGE_OPTION(name, member)                                                                        \
    {name, "FILE", FILE_NAME(member.html), .help = "write a page with the same, where a slider chooses the round"}
/* clang-format on */

/** Reads a number into a field that has 0 for none: 1 and the number. */
option_reader option_one_of_many;

/** EXIT_DONE if all can be written; else another status, after a complaint. */
int traces_check(const traces *asked);

/** A trace to be filled, or NULL if none was asked for; false after a complaint. */
bool traces_begin(const traces *asked, riffle_trace **out);

/** Writes the files that were asked for; false after a complaint. */
bool traces_write(const traces *asked, const riffle_trace *trace);

#endif
