/* SPDX-License-Identifier: Apache-2.0
 *
 * Array programs on the command line: the text of --by, the file of --define, and the types of .npy files.
 */
#ifndef RIFFLE_CLI_ARRAYS_PROGRAM_TEXT_H
#define RIFFLE_CLI_ARRAYS_PROGRAM_TEXT_H

#include <stdbool.h>

#include "subjects/any_algorithm.h"
#include "frame/option.h"
#include "riffle.h"
#include "riffle/program.h"

/** A program as a command was given it. */
typedef struct program_text {
    const char *by;
    const char *file;  /**< a file of definitions, or NULL */
    char *definitions; /**< the file's text, once it is read: messages show its lines. NULL before */
} program_text;

/** log2 of n, or -1 where n is no power of two or too large for a program. */
int program_bits(uint64_t n);

/** True if an option was given that permutations lack: --type, as option_type reads it, --define, or an algorithm. */
bool program_has_options(int type, const char *definitions, const any_algorithm *algorithm);

/** The permutation of n elements, or NULL where --by is a program: where `has_options`, and else if it is no permutation. Another exit
 *  status than EXIT_DONE after a complaint. */
int permutation_unless_program(const char *by, uint64_t n, bool has_options, riffle_perm **out);

/** complain_spec for a command that takes no programs: after riffle_perm_parse has failed, says of one which command does it. */
int complain_permutation(const char *by, uint64_t n, riffle_status status);

/** The program for n elements, a power of two. Another exit status than EXIT_DONE after a complaint. */
int program_read_for(program_text *text, uint64_t n, riffle_program **out);

/** The program for 2^n elements. Another exit status than EXIT_DONE after a complaint, with the line of the text that
 *  is wrong. It reads the file of definitions, which program_text_free frees, after a failure too. */
int program_read(program_text *text, unsigned n, riffle_program **out);

void program_text_free(program_text *text);

/** Complains of a failure of the library that may name a place in the program's text or in its definitions; returns the
 *  exit status. */
int complain_program(const program_text *text, const char *place, riffle_status status);

/** The type of a .npy file's dtype, as "'<f4'"; false if programs have none such. */
bool program_type_of(const char *descr, riffle_type *out);

/** Reads the name of a type into a field of type int: 0 is none, else 1 more than the type. */
option_reader option_type;

/** The options of explain and simulate that a program lacks. */
typedef struct permutation_options {
    bool algorithm, elem_bytes, elem_bits, row_length, stride, in_place, once, check, ranks,
        gpus; /**< it was given */
} permutation_options;

/** EXIT_USAGE, after a complaint, if one was given, for --by is a program. */
int program_refuse_options(const permutation_options *given);

option_reader option_program_algorithm; /**< into a field of type riffle_program_algorithm */

/* clang-format off */
#define TYPE_OPTION(member)                                                                                    \
    {"type", "TYPE", option_type, FIELD(int, member),                                                          \
     .help = "--by is a program, for elements of that type: i8 to u64, f16, f32 (the default), f64, c64, c128"}
/* clang-format on */

#define DEFINE_OPTION(member)                                                                                  \
    {                                                                                                          \
        "define", "FILE", FILE_NAME(member),                                                                   \
            .help = "definitions for the program, which come before the "                                      \
                    "library's; operations in them are code that runs with your rights"                        \
    }

/** The syntax of programs, for --help. */
#define PROGRAM_HELP                                                                                           \
    "PROGRAM is\n"                                                                                             \
    "  P | Q                 P, and then Q\n"                                                                  \
    "  parm MASK P [Q]       P on the elements whose index has an even number of ones\n"                       \
    "                        in common with MASK, Q (or P) on the others\n"                                    \
    "  pair OP, map OP       OP on neighbours, or on each element; OP is minmax,\n"                            \
    "                        butterfly, add, subtract, xor, swap, rotate K or\n"                               \
    "                        twiddle K; for map scale X or negate; or yours in C,\n"                           \
    "                        code that runs with your rights: pair {a + b, a - b},\n"                          \
    "                        map {a * a}\n"                                                                    \
    "  group K OP            yours on 2^K neighbours: group 2 {a3, a2, a1, a0}\n"                              \
    "  id, SPEC              an affine permutation: bit-reversal, bits:1,0,2\n"                                \
    "  sort n, bitonic n     sorting networks\n"                                                               \
    "  hadamard n, walsh n, sequency n, zeta n, moebius n, reed-muller n\n"                                    \
    "  fft n, inverse-fft n, gray n, ungray n\n"                                                               \
    "where n is the number of index bits, or what --define FILE defines.\n"

#endif
