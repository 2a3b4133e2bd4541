/* SPDX-License-Identifier: Apache-2.0
 *
 * The two encodings of .npy headers: Latin-1 in versions 1.0 and 2.0, UTF-8 in 3.0. Inside the library all
 * text is UTF-8.
 */
#ifndef RIFFLE_NPY_ENCODING_H
#define RIFFLE_NPY_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

/** Is it UTF-8: shortest forms only, no surrogates, nothing beyond U+10FFFF? */
bool encoding_is_utf8(const char *text, size_t length);

/** Writes Latin-1 text as UTF-8 into `out`, which has room for 2 * length bytes; returns its length. */
size_t encoding_utf8_of_latin1(const char *text, size_t length, char *out);

/** The reverse, for valid UTF-8, with room for `length` bytes; false if a character is beyond U+00FF. */
bool encoding_latin1_of_utf8(const char *text, size_t length, char *out, size_t *out_length);

#endif
