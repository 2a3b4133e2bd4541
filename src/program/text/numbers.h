/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers in programs (tree.h has the grammar).
 */
#ifndef RIFFLE_PROGRAM_TEXT_NUMBERS_H
#define RIFFLE_PROGRAM_TEXT_NUMBERS_H

#include "program/text/reader.h"

/** An atom, maybe to the power of an argument. */
riffle_status text_read_argument(text_reader *in, text_node **out);

riffle_status text_read_atom(text_reader *in, text_node **out);

#endif
