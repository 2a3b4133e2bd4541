/* SPDX-License-Identifier: Apache-2.0
 *
 * A document that the user has named a file for. It comes in the file's place whole or not at all; into a pipe or a device it is
 * written as it is.
 */
#ifndef RIFFLE_CLI_ARRAYS_DOCUMENT_H
#define RIFFLE_CLI_ARRAYS_DOCUMENT_H

#include <stdbool.h>
#include <stdio.h>

#include "riffle.h"

typedef riffle_status document_printer(const void *subject, FILE *stream);

/** Has `subject` printed into the file; true without one, where `path` is NULL. False after a complaint. */
bool document_write(const char *path, document_printer *print, const void *subject);

#endif
