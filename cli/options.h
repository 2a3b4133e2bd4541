/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line: getopt_long with the messages of this command, and readers for the values of options.
 * All of them complain on stderr about what they refuse.
 */
#ifndef RIFFLE_CLI_OPTIONS_H
#define RIFFLE_CLI_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "riffle.h"

enum {
    OPTION_END = -1,
    OPTION_WRONG = '?',
    OPTION_HELP = 'h',
    OPTION_FIRST = 256,      /**< a table's own options count from here, beyond every character */
    OPTION_REPEATABLE = 512, /**< and those that may be given more than once from here */
};

/** The next option of argv by `table` (getopt_long's): its value, OPTION_END, or OPTION_WRONG after a
 *  complaint, which a second time of the same option is worth too. Operands go to the end of argv, where optind
 * points after OPTION_END. */
int next_option(int argc, char **argv, const struct option *table);

/** The same with short options besides: `letters` is getopt's, begins with ":h" and names those that the table has
 *  under the same value. */
int next_option_or_letter(int argc, char **argv, const char *letters, const struct option *table);

/** The same for the options that stand before the first operand. */
int first_option(int argc, char **argv, const struct option *table);

/** To be called before next_option reads another argv. */
void restart_options(void);

/** True if argv holds exactly `count` operands from optind on; `usage` is what the usage line says after the
 *  command's name, with the blank before it (" IN.npy OUT.npy"), or "". */
bool expect_operands(int argc, char **argv, int count, const char *usage);

/** Reads a decimal number or 2^K, from `least` to `most`. */
bool read_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *out);

/** The same for a number that fits an unsigned. */
bool read_unsigned(const char *option, const char *text, unsigned least, unsigned most, unsigned *out);

/** Reads a number of threads: 1 to 4096. */
bool read_threads(const char *text, unsigned *out);

/** Reads the bytes of an element: 1 to 2^40. */
bool read_elem_bytes(const char *text, uint64_t *out);

/** Reads the number of arrays that an execution moves, or the elements from one to the next: at least 1. */
bool read_batch(const char *text, riffle_plan_options *out);
bool read_stride(const char *text, riffle_plan_options *out);

/** Reads "cpu" or "cuda". */
bool read_engine(const char *text, riffle_engine *out);

const char *engine_name(riffle_engine engine);

/** Reads the name of an algorithm. */
bool read_algorithm(const char *text, riffle_algorithm *out);

#endif
