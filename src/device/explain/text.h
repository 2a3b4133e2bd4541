/* SPDX-License-Identifier: Apache-2.0
 *
 * Members of JSON that are texts.
 */
#ifndef RIFFLE_DEVICE_EXPLAIN_TEXT_H
#define RIFFLE_DEVICE_EXPLAIN_TEXT_H

#include <stdio.h>

/** "key":"text", with a comma behind; the text's characters are escaped where JSON wants it. */
void explain_text(const char *key, const char *text, FILE *stream);

#endif
