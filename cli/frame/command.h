/* SPDX-License-Identifier: Apache-2.0
 *
 * A command of `riffle` is a name, a line for the list, a text for --help, a table of options and a function.
 * Each stands in the file of its name, and in the list here.
 */
#ifndef RIFFLE_CLI_FRAME_COMMAND_H
#define RIFFLE_CLI_FRAME_COMMAND_H

#include "frame/exit.h"
#include "frame/forms.h"
#include "frame/option.h"

/** The number of operands of a command that takes any number of words. Its request has them as a command_operands. */
#define ANY_OPERANDS (~0u)

typedef struct command_operands {
    char **words;
    unsigned count;
} command_operands;

/** A command, or a group of them. */
typedef struct command command;
struct command {
    const char *name; /**< "vat replay" */
    const char *summary;
    const char *usage;              /**< the text behind the name in the usage line */
    const char *about;              /**< lines of --help before the options */
    const command_option *options;  /**< ended by a record of zeros; NULL: none but --help */
    const command_form *forms;      /**< which options go with which, ended by a row of zeros; NULL: all do */
    const char *notes;              /**< lines of --help after the options, or NULL */
    const command *const *commands; /**< the commands of a group, ended by NULL; a group has nothing below */
    unsigned operands;              /**< file names that the command takes at most, or ANY_OPERANDS */
    unsigned optional;    /**< how many of the last names may be left out: its request has NULL there */
    bool takes_stdin;     /**< a file name may be "-" */
    size_t operand_field; /**< where in its request the first one goes; they follow each other */
    int (*run)(int argc, char **argv); /**< argv[0] is the command's name; returns an exit status */
};

/** Every command, in the order of --help. */
#define EACH_COMMAND(DO)                                                                                       \
    DO(permute)                                                                                                \
    DO(take)                                                                                                   \
    DO(explain)                                                                                                \
    DO(map)                                                                                                    \
    DO(histogram)                                                                                              \
    DO(group)                                                                                                  \
    DO(ungroup)                                                                                                \
    DO(bitshuffle)                                                                                             \
    DO(hull)                                                                                                   \
    DO(sort)                                                                                                   \
    DO(cycles)                                                                                                 \
    DO(run)                                                                                                    \
    DO(simulate)                                                                                               \
    DO(sweep)                                                                                                  \
    DO(lint)                                                                                                   \
    DO(congestion)                                                                                             \
    DO(vat)                                                                                                    \
    DO(bench)                                                                                                  \
    DO(info)

#define DECLARE_COMMAND(name) extern const command name##_command;
EACH_COMMAND(DECLARE_COMMAND)

/** The words of the spec language, as --help of the commands that take one shows them. */
#define SPEC_HELP                                                                                              \
    "SPEC is one of\n"                                                                                         \
    "  identity, reverse, rotate:K            i to i, n-1-i, i+K mod n\n"                                      \
    "  bit-reversal, shuffle, unshuffle       of the index bits; n a power of two\n"                           \
    "  transpose:ROWSxCOLS                    of a row-major array\n"                                          \
    "  axes:D0xD1x...:a,b,...                 NumPy's transpose of that shape\n"                               \
    "  bits:p0,p1,...                         bit k of i becomes bit pk of P(i)\n"                             \
    "  affine:r0,r1,...[^c]                   bit matrix, rows in hexadecimal\n"                               \
    "  random:SEED, random-affine:SEED        pseudo-random, the same everywhere\n"                            \
    "  table:FILE.npy, table:[t0,t1,...]      P(i) = t[i]\n"                                                   \
    "and ~SPEC is the inverse of SPEC, A|B is A and then B. Quote it for the shell.\n"                         \
    "NumPy's x[idx] is '~table:idx.npy', out[idx] = x is 'table:idx.npy'; of arrays\n"                         \
    "with more than one dimension (rows) with --rows.\n"

#endif
