/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_CLI_FRAME_NEAREST_H
#define RIFFLE_CLI_FRAME_NEAREST_H

/** The word of the NULL-ended list that takes the fewest edits to become `word`, or of which
 *  `word` is the beginning; NULL if none is near enough to be meant. */
const char *nearest_word(const char *word, const char *const *words);

#endif
