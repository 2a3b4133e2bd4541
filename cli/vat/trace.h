/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace of accesses to memory, read as a stream: a text of addresses, what valgrind's lackey prints with
 * --trace-mem=yes, or the .csv that riffle's own --trace writes. The first line that is neither blank nor a comment says which.
 */
#ifndef RIFFLE_CLI_VAT_TRACE_H
#define RIFFLE_CLI_VAT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VAT_TRACE_CHUNK = 4096, VAT_TRACE_MAX_BYTES = 1 << 16 };

/** Some accesses in the order of the trace, each by the addresses of its first and last byte. */
typedef struct vat_accesses {
    size_t count;
    uint64_t first[VAT_TRACE_CHUNK], last[VAT_TRACE_CHUNK];
} vat_accesses;

/** A trace that is being read. */
typedef struct vat_trace {
    const char *name;  /* for messages */
    uint64_t last;     /* the last address that there may be */
    bool instructions; /* fetches count as accesses */
    enum { VAT_TRACE_UNKNOWN, VAT_TRACE_ADDRESSES, VAT_TRACE_LACKEY, VAT_TRACE_CSV } format;
    char array[64]; /* a .csv's: addresses are from its start */
    int file;
    bool ended;              /* the file is read */
    char *text;              /* a piece of it */
    size_t at, whole, end;   /* the next line, the end of the last whole one, the end of what was read */
    uint64_t line, accesses; /* that have been read */
    uint64_t unended;        /* the last line's number if it had no newline and was taken as it was, else 0 */
    char wrong[4608];        /* why reading has stopped; empty as long as it has not */
} vat_trace;

/** Opens the file `path`, or standard input for "-". With `instructions` lackey's instruction fetches are
 *  accesses too. Addresses beyond `last` are refused. False, with `wrong` set, if it cannot be; to be closed
 *  all the same. */
bool vat_trace_open(vat_trace *trace, const char *path, bool instructions, uint64_t last);

/** The next accesses, at least one; false at the end of the trace, or with `wrong` set where it cannot be read:
 *  a line that is no access, an address beyond the last, no access at all. */
bool vat_trace_next(vat_trace *trace, vat_accesses *out);

void vat_trace_close(vat_trace *trace);

#endif
