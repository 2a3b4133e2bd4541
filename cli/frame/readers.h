/* SPDX-License-Identifier: Apache-2.0
 *
 * Readers for the values of options, and the records that more than one command has. All readers complain about
 * what they refuse.
 */
#ifndef RIFFLE_CLI_FRAME_READERS_H
#define RIFFLE_CLI_FRAME_READERS_H

#include "frame/option.h"
#include "riffle/bits.h"

/** Reader and field of a record. */
#define TEXT(member) option_text, FIELD(const char *, member)
#define EXPRESSION(member) option_expression, FIELD(const char *, member)
#define FILE_NAME(member) option_file, FIELD(const char *, member)
#define SWITCH(member) option_switch, FIELD(bool, member)
#define NUMBER(member) option_number, FIELD(uint64_t, member)
#define UNSIGNED(member) option_unsigned, FIELD(unsigned, member)
#define SECONDS(member) option_seconds, FIELD(double, member)
#define ENGINE(member) option_engine, FIELD(riffle_engine, member)
#define EFFORT(member) option_effort, FIELD(riffle_effort, member)
#define ELEM_BITS(member) option_elem_bits, FIELD(unsigned, member)
#define BIT_ORDER(member) option_bit_order, FIELD(riffle_bit_order, member)
#define CHECK_KIND(member) option_check, FIELD(riffle_check, member)
#define ALGORITHM(member) option_algorithm, FIELD(riffle_algorithm, member)
/** The same for a reader that takes the whole request. */
#define WHOLE(reader) reader, 0

/** The least and the greatest value of a number. */
#define RANGE(from, to) .least = (from), .most = (to)
#define ELEM_BYTES_RANGE RANGE(1, (uint64_t)1 << 40)
#define COUNT_RANGE RANGE(1, RIFFLE_MAX_LENGTH)

/* clang-format off */
#define N_OPTION                                                                                               \
    {"n", "N", NUMBER(n), .help = "number of elements, in decimal or as 2^K", RANGE(0, RIFFLE_MAX_LENGTH),     \
     .missing = "no length given; say how many elements with --n N"}
#define ENGINE_OPTION                                                                                          \
    {"engine", "NAME", ENGINE(engine), .help = "where to move: cpu (the default) or cuda"}
#define ALGORITHM_OPTION(member)                                                                               \
    {"algorithm", "NAME", ALGORITHM(member), .help = "how to move, auto by default:", .words = algorithm_words}
/** How long planning may take, and the file that keeps what was measured. */
#define EFFORT_OPTIONS                                                                                         \
    {"effort", "EFFORT", EFFORT(options.effort), .help = "estimate (the default), or measure: candidates are "  \
     "executed on arrays of that length, on the CPU, and the fastest is taken"},                               \
    {"effort-seconds", "S", SECONDS(options.effort_seconds),                                                   \
     .help = "--effort measure: begin no candidate after S seconds (the default is 1)"},                       \
    {"wisdom", "FILE", FILE_NAME(wisdom),                                                                      \
     .help = "--effort measure: take what was measured before from FILE, if it is there, and keep what is "    \
             "measured now in it"}
#define BIT_ORDER_OPTION(member)                                                                               \
    {"bit-order", "ORDER", BIT_ORDER(member),                                                                  \
     .help = "where in bytes their first elements are: little (the default), the lowest bits, or big, as "     \
             "numpy.packbits has them"}
#define VERBOSE_OPTION                                                                                         \
    {"verbose", NULL, SWITCH(verbose), .help = "say on stderr what was done and how long it took"}
#define FORCE_OPTION                                                                                           \
    {"force", NULL, SWITCH(force), .help = "replace files that are write-protected, too"}
#define THREADS_OPTION(member)                                                                                 \
    {"threads", "T", UNSIGNED(member), .help = "CPU threads at most; by default as many as OpenMP gives",      \
     RANGE(1, 4096)}
/* clang-format on */

option_reader option_text, option_switch;
option_reader option_expression;              /**< C, which is not empty */
option_reader option_file;                    /**< the name of a file, which "-" is not */
option_reader option_number, option_unsigned; /**< in decimal or as 2^K, from the record's least to its most */
option_reader option_seconds;                 /**< a whole number of them, up to a million */
option_reader option_elem_bits, option_bit_order;
option_reader option_check; /**< full without a value */
option_reader option_engine, option_effort, option_algorithm, option_hull_algorithm;

/** Reads a number, in decimal or as 2^K; false, without a complaint, for anything else. */
bool read_number(const char *text, uint64_t *out);

/** Reads a number that is the value of `option`, or a part of it: from `least` to `most`. */
bool read_range(const command_option *option, const char *text, uint64_t least, uint64_t most, uint64_t *out);

/** False, after a complaint at `place`, if `name` is "-", by which other programs mean a stream. */
bool check_file_name(const char *place, const char *name);

/** The index of `text` among the NULL-ended `words`, of which one is a `kind`; -1 after a complaint. */
int read_word(const command_option *option, const char *kind, const char *text, const char *const *words);

/** The library's algorithms, for their option. */
const char *const *algorithm_words(void);

#endif
