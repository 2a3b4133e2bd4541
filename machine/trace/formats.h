/* SPDX-License-Identifier: Apache-2.0
 *
 * The writers of a trace that has all of its accesses: a file each. False without memory; the stream remembers its own failure.
 */
#ifndef RIFFLE_MACHINE_TRACE_FORMATS_H
#define RIFFLE_MACHINE_TRACE_FORMATS_H

#include "machine/trace/trace.h"

bool trace_write_csv(const riffle_trace *trace, FILE *stream);
bool trace_write_npy(const riffle_trace *trace, FILE *stream);
bool trace_write_perfetto(const riffle_trace *trace, FILE *stream);
bool trace_write_svg(const riffle_trace *trace, FILE *stream);
bool trace_write_html(const riffle_trace *trace, FILE *stream);

#endif
