/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of the spec language.
 */
#ifndef RIFFLE_PERM_SPEC_WORDS_H
#define RIFFLE_PERM_SPEC_WORDS_H

#include "perm/spec/tokens.h"

/** Reads a word and its argument. */
riffle_status spec_read_word(spec_parser *in, riffle_perm **out);

#endif
