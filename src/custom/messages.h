/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of a compiler about code that a user wrote.
 */
#ifndef RIFFLE_CUSTOM_MESSAGES_H
#define RIFFLE_CUSTOM_MESSAGES_H

#include <stddef.h>

/** Reads a compiler's messages: the first error's words, and the number of the operation that it is in, or -1. Sources name
 *  operations "operation0", "operation1", ... in #line. */
int custom_find_error(const char *messages, size_t capacity, char *words);

#endif
