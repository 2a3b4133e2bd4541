/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists and ranges of numbers on the command line:
 *
 *     4,8,16           these
 *     2^10..2^20       2^10, and doubled up to 2^20
 *     1000..5000+500   1000, and 500 more up to 5000
 *     2^10..2^30x4     2^10, and 4 times as much up to 2^30
 */
#ifndef RIFFLE_CLI_SWEEP_VALUES_H
#define RIFFLE_CLI_SWEEP_VALUES_H

#include "frame/option.h"
#include "riffle.h"

enum { SWEEP_MOST_VALUES = 128, SWEEP_MOST_WORDS = 32 };

/** Numbers in the order in which they were given; none where the option was not. */
typedef struct sweep_values {
    unsigned count;
    uint64_t of[SWEEP_MOST_VALUES];
} sweep_values;

/** Numbers of an enumeration; the same. */
typedef struct sweep_words {
    unsigned count;
    int of[SWEEP_MOST_WORDS];
} sweep_words;

#define VALUES(member) option_values, FIELD(sweep_values, member)

option_reader option_values;     /**< into sweep_values, each number from the record's least to its most */
option_reader option_algorithms; /**< names of the library's algorithms, with commas, into sweep_words */

/** Reads words of the NULL-ended list `words` with commas between them: their numbers. False after a complaint. */
bool read_words(const command_option *option, const char *kind, const char *text, const char *const *words,
                sweep_words *out);

#endif
