/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Traces: what every lane of a warp accessed, and in which time unit, as files and as pictures.
 *
 *  A machine fills a trace that its options name (riffle/machine.h); riffle_trace_add takes accesses of any other model. Time is the
 *  papers': rounds come one after another, in the order in which they were first met, and take (stages of all warps) +
 *  latency - 1 time units each, so that the last of them ends with the time units of the machine's report. docs/machine.md says
 *  what the columns are. */
#ifndef RIFFLE_TRACE_H
#define RIFFLE_TRACE_H

#include "riffle.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Accesses of lanes, in the order in which they were made. */
typedef struct riffle_trace riffle_trace;

/** Zero every field for the defaults. */
typedef struct riffle_trace_options {
    uint64_t
        limit; /**< accesses of lanes that are kept at most; default 2^18. With more, nothing can be written */
    uint64_t launch; /**< 1 and the number of the one launch, counted from 0, that is kept; default 0: all */
    uint64_t block;  /**< 1 and the number of the one block of each launch that is kept; default 0: all */
    uint64_t
        round; /**< 1 and the number of the round that is drawn; default 0: the one that takes the most stages beyond
                          one for each warp */
} riffle_trace_options;

/** An access is one of these. */
typedef enum riffle_trace_op {
    RIFFLE_TRACE_OP_READ = 0, /**< a load */
    RIFFLE_TRACE_OP_WRITE,    /**< a store */
    RIFFLE_TRACE_OP_ATOMIC,   /**< a load and a store that nothing comes between */
} riffle_trace_op;

/** How a trace is written. */
typedef enum riffle_trace_format {
    RIFFLE_TRACE_FORMAT_CSV = 0, /**< a line an access of a lane, with a line of names above */
    RIFFLE_TRACE_FORMAT_NPY,     /**< the same as a NumPy array of a structure, texts as bytes */
    RIFFLE_TRACE_FORMAT_PERFETTO, /**< warps by time, as JSON that ui.perfetto.dev and chrome://tracing open; a time unit is their microsecond */
    RIFFLE_TRACE_FORMAT_SVG, /**< warps by time, and a round: banks, or cells of address groups, by stages */
    RIFFLE_TRACE_FORMAT_HTML, /**< a page with the same, where a slider chooses the round; it needs no other file */
} riffle_trace_format;

/** An access of one lane. Strings live as long as the trace. */
typedef struct riffle_trace_event {
    uint64_t time;  /**< unit in which it enters the memory's pipeline; it is through after `latency` of them */
    uint64_t block; /**< number of the block in its launch */
    uint64_t group; /**< bank of shared memory, or address group of the array */
    uint64_t address;   /**< bytes from the start of the array */
    const char *kernel; /**< name of the launch's kernel */
    const char *array;  /**< name of the array */
    const char *file;   /**< base name of the source */
    uint32_t launch;    /**< number of the launch, from 0 */
    uint32_t round;     /**< number of the round in the trace, from 0, rounds that were not kept among them */
    uint32_t warp;      /**< number of the warp in its block */
    uint32_t lane;      /**< number of the thread in its warp */
    uint32_t line;      /**< line of the source */
    uint32_t bytes;     /**< size of the access: a cell's */
    riffle_trace_op op; /**< read, write or atomic */
    bool is_shared;     /**< in shared memory, else global */
} riffle_trace_event;

/** An access of a warp, for riffle_trace_add. */
typedef struct riffle_trace_access {
    const char *kernel;   /**< text, which is copied; NULL counts as "" */
    const char *array;    /**< the same */
    const char *file;     /**< the same */
    const uint32_t *lane; /**< numbers of the lanes that take part; NULL: 0, 1, 2... */
    const uint64_t
        *address;   /**< where each lane accesses, in bytes from the start of the array; multiples of `bytes` */
    uint64_t round; /**< accesses with the same number, one behind the other, are a round */
    uint64_t block; /**< number of the block in its launch */
    uint32_t line;  /**< line of the source */
    uint32_t warp;  /**< number of the warp in its block */
    uint32_t lanes; /**< entries of the two arrays, at least 1 */
    uint32_t width; /**< banks, and cells of an address group; 1 to 65536 */
    uint32_t latency;   /**< time units of the memory, at least 1 */
    uint32_t bytes;     /**< size of a cell, at least 1 */
    riffle_trace_op op; /**< read, write or atomic */
    bool is_shared;     /**< in shared memory, else global */
} riffle_trace_access;

/** An empty trace; `options` may be NULL for the defaults. */
RIFFLE_API riffle_status riffle_trace_create(const riffle_trace_options *options, riffle_trace **out);

/** Adds an access of a warp as the models have it: stages in the order of the lanes, its round behind those before. One beyond the
 *  limit is only counted. */
RIFFLE_API riffle_status riffle_trace_add(riffle_trace *trace, const riffle_trace_access *access);

/** How many accesses of lanes it has. */
RIFFLE_API uint64_t riffle_trace_events(const riffle_trace *trace);

/** The time units after which its last round is over. */
RIFFLE_API uint64_t riffle_trace_time_units(const riffle_trace *trace);

/** The access number k. RIFFLE_ERROR_INVALID_ARGUMENT from riffle_trace_events on. */
RIFFLE_API riffle_status riffle_trace_event_at(const riffle_trace *trace, uint64_t k, riffle_trace_event *out);

/** Writes it. RIFFLE_ERROR_UNSUPPORTED, with what to do, where it had more than its limit, or no such round;
 *  RIFFLE_ERROR_IO if the stream fails. */
RIFFLE_API riffle_status riffle_trace_write(const riffle_trace *trace, riffle_trace_format format,
                                            FILE *stream);

/** Frees it. No machine may fill it any more. */
RIFFLE_API void riffle_trace_free(riffle_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
