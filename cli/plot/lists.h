/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists and ranges of numbers on the command line:
 *
 *     4,8,16           these
 *     2^10..2^20       2^10, and doubled up to 2^20
 *     1000..5000+500   1000, and 500 more up to 5000
 *     2^10..2^30x4     2^10, and 4 times as much up to 2^30
 *
 * A number or a word that comes again is left out: ranges may overlap, and a table has each combination once.
 */
#ifndef RIFFLE_CLI_PLOT_LISTS_H
#define RIFFLE_CLI_PLOT_LISTS_H

#include "frame/option.h"
#include "riffle.h"

enum { LIST_MOST_NUMBERS = 128, LIST_MOST_WORDS = 32 };

/** Numbers in the order in which they were given, each once; none where the option was not. */
typedef struct number_list {
    unsigned count;
    uint64_t of[LIST_MOST_NUMBERS];
} number_list;

/** Numbers of an enumeration; the same. */
typedef struct word_list {
    unsigned count;
    int of[LIST_MOST_WORDS];
} word_list;

#define NUMBERS(member) option_numbers, FIELD(number_list, member)

option_reader option_numbers;    /**< into number_list, each number from the record's least to its most */
option_reader option_algorithms; /**< names of the library's algorithms, with commas, into word_list */

/** Reads words of the NULL-ended list `words` with commas between them: their numbers. False after a complaint. */
bool read_words(const command_option *option, const char *kind, const char *text, const char *const *words,
                word_list *out);

#endif
