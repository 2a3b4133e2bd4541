/* SPDX-License-Identifier: Apache-2.0
 *
 * C of the user's on the host: a text becomes an object, by the host's compiler ($CC, or cc) in a private folder, and is loaded. The
 * folder is gone then.
 */
#ifndef RIFFLE_CUSTOM_HOST_H
#define RIFFLE_CUSTOM_HOST_H

#include <stddef.h>

#include "riffle.h"

/** Fails for a text that does not compile; `messages` are the compiler's. */
typedef riffle_status own_refusal(const void *context, const char *messages);

/** Compiles and loads a text, whatever has been compiled before (own_kept.h looks); *object is for own_find and dlclose. RIFFLE_ERROR_UNSUPPORTED without a compiler. */
riffle_status own_compile(const char *text, size_t length, own_refusal *refuse, const void *context,
                          void **object);

/** Writes the address of `name` to *function, which is a pointer to a function. */
riffle_status own_find(void *object, const char *name, void *function);

#endif
