/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of a document of SARIF 2.1.0 that reports and claims share.
 */
#ifndef RIFFLE_MACHINE_REPORT_SARIF_H
#define RIFFLE_MACHINE_REPORT_SARIF_H

#include <stdbool.h>
#include <stdio.h>

#include "machine/count/report.h"

/** Rules beside those of hazards, which have these numbers. */
enum { SARIF_UNCOALESCED = HAZARDS, SARIF_CONFLICT, SARIF_RULES };

/** Up to the end of the tool, with a comma. */
void sarif_begin(FILE *stream);

/** A result up to its first location. */
void sarif_begin_result(unsigned rule, const char *text, bool first, FILE *stream);

/** Where the user's file lies, which is at `path`; others are known by their names only. */
void sarif_print_place(const char *file, unsigned line, const char *path, FILE *stream);

/** Behind a place: its kernel. */
void sarif_print_kernel(const char *kernel, FILE *stream);

#endif
