/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of the user's C that stay loaded: a text that was compiled for one plan serves the next that has it, whatever its length. Texts
 * that no plan uses stay too, the latest OWN_KEPT of them.
 */
#ifndef RIFFLE_CUSTOM_KEPT_H
#define RIFFLE_CUSTOM_KEPT_H

#include "custom/host.h"

enum { OWN_KEPT = 16 };

/** An object of the text by the compiler that $CC names now, as own_compile makes it; to be given back by own_release. */
riffle_status own_borrow(const char *text, size_t length, own_refusal *refuse, const void *context,
                         void **object);

/** Nothing is called in the object any more. NULL: nothing is done. */
void own_release(void *object);

#endif
