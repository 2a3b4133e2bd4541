/* SPDX-License-Identifier: Apache-2.0
 *
 * The source lines of call sites within this library, once they have been found: reading them from the debug information
 * of all kernels takes much longer than a short launch. They stay what they are while the library is loaded, so all
 * machines share them; what is beyond the room is looked up each time. Kernels loaded from elsewhere may be unloaded, and
 * others come to their addresses: nothing is kept of those.
 *
 * For one thread at a time: machine.c's lock is held.
 */
#ifndef RIFFLE_MACHINE_LINES_LINE_MEMO_H
#define RIFFLE_MACHINE_LINES_LINE_MEMO_H

#include <stdbool.h>

#include "machine/lines/source_line.h"

/** True if the site's line is kept; *out's file lives as long as the library. */
bool line_memo_find(const void *site, source_line *out);

/** Keeps it if the site is this library's. */
void line_memo_keep(const void *site, source_line line);

#endif
