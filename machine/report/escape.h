/* SPDX-License-Identifier: Apache-2.0
 *
 * Text of users' (names of files and kernels) in documents: whatever bytes it has, the document stays one.
 */
#ifndef RIFFLE_MACHINE_REPORT_ESCAPE_H
#define RIFFLE_MACHINE_REPORT_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/** A JSON string, in quotes. Bytes that are no UTF-8 become U+FFFD. */
void escape_json(const char *text, FILE *stream);

/** `length` bytes as text or an attribute's value of HTML; the same holds of bytes, and of control characters but tabs. */
void escape_html(const char *text, size_t length, FILE *stream);

/** A path as a reference of RFC 3986: all but letters, digits and "-._~/" as %XX. */
void escape_path(const char *path, FILE *stream);

#endif
