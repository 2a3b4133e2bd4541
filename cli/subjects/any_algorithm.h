/* SPDX-License-Identifier: Apache-2.0
 *
 * The value of --algorithm where a command does several things: permutations, programs, sorts, hulls.
 */
#ifndef RIFFLE_CLI_SUBJECTS_ANY_ALGORITHM_H
#define RIFFLE_CLI_SUBJECTS_ANY_ALGORITHM_H

#include "frame/option.h"
#include "riffle.h"
#include "riffle/hull.h"
#include "riffle/program.h"
#include "riffle/sort.h"

/** Things that have algorithms, as a set. */
enum {
    ALGORITHM_OF_PERMUTATIONS = 1,
    ALGORITHM_OF_PROGRAMS = 2,
    ALGORITHM_OF_SORTS = 4,
    ALGORITHM_OF_HULLS = 8
};

/** An algorithm of each thing that has one of the name, else AUTO. */
typedef struct any_algorithm {
    riffle_algorithm moves;
    riffle_program_algorithm program;
    riffle_sort_algorithm sort;
    riffle_hull_algorithm hull;
    unsigned things; /**< that have one of the name; 0: none was given */
} any_algorithm;

option_reader option_any_algorithm;

/** "algorithm of permutations" and its like, if one was given that a thing lacks; else NULL. */
const char *any_algorithm_unfit(const any_algorithm *given, unsigned thing);

/** True if one was given that programs have and permutations lack. */
bool any_algorithm_is_of_programs(const any_algorithm *given);

/** The names, by what they are for. */
const option_choice *any_algorithm_choices(void);

/* clang-format off */
#define ANY_ALGORITHM_OPTION(member)                                                                           \
    {"algorithm", "NAME", option_any_algorithm, FIELD(any_algorithm, member),                                  \
     .help = "how to move, to sort, or to find hulls; the first of its line by default:", .choices = any_algorithm_choices}
/* clang-format on */

#endif
