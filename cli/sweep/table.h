/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep as CSV: a line of names, and a line a point.
 */
#ifndef RIFFLE_CLI_SWEEP_TABLE_H
#define RIFFLE_CLI_SWEEP_TABLE_H

#include <stdio.h>

#include "riffle.h"

/** A document_printer of a sweep. Cells of what a point does not have are empty. */
riffle_status sweep_table(const void *subject, FILE *stream);

#endif
