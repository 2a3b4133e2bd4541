/* SPDX-License-Identifier: Apache-2.0 */
#include "subjects/any_algorithm.h"

#include <string.h>

#include "frame/readers.h"

enum { MOST_WORDS = 80 };

static const char *const *program_words(void) {
    static const char *words[RIFFLE_PROGRAM_ALGORITHM_PAPER + 2];
    for (int k = RIFFLE_PROGRAM_ALGORITHM_AUTO; k <= RIFFLE_PROGRAM_ALGORITHM_PAPER; k++)
        words[k] = riffle_program_algorithm_string((riffle_program_algorithm)k);
    return words;
}

static const char *const *sort_words(void) {
    static const char *words[RIFFLE_SORT_ALGORITHM_PAIRWISE + 2];
    for (int k = RIFFLE_SORT_ALGORITHM_AUTO; k <= RIFFLE_SORT_ALGORITHM_PAIRWISE; k++)
        words[k] = riffle_sort_algorithm_string((riffle_sort_algorithm)k);
    return words;
}

static const char *const *hull_words(void) {
    static const char *words[RIFFLE_HULL_ALGORITHM_PAPER + 2];
    for (int k = RIFFLE_HULL_ALGORITHM_AUTO; k <= RIFFLE_HULL_ALGORITHM_PAPER; k++)
        words[k] = riffle_hull_algorithm_string((riffle_hull_algorithm)k);
    return words;
}

/* Each name once. */
static int add_words(const char *const *list, const char **words, int count) {
    for (; *list != NULL && count < MOST_WORDS; list++) {
        int k = 0;
        while (k < count && strcmp(words[k], *list) != 0) k++;
        if (k == count) words[count++] = *list;
    }
    return count;
}

static const char *const *all_words(void) {
    static const char *words[MOST_WORDS + 1];
    int count = add_words(algorithm_words(), words, 0);
    count = add_words(program_words(), words, count);
    count = add_words(sort_words(), words, count);
    add_words(hull_words(), words, count);
    return words;
}

const option_choice *any_algorithm_choices(void) {
    static const option_choice all[] = {{"permutations", .words = algorithm_words},
                                        {"programs", .words = program_words},
                                        {"sorts", .words = sort_words},
                                        {"hulls", .words = hull_words},
                                        {NULL, .text = NULL}};
    return all;
}

bool option_any_algorithm(const command_option *option, const char *text, void *field) {
    any_algorithm *const out = field;
    if (read_word(option, "algorithm", text, all_words()) < 0) return false;
    *out = (any_algorithm){.things = 0};
    if (riffle_algorithm_parse(text, &out->moves) == RIFFLE_OK) out->things |= ALGORITHM_OF_PERMUTATIONS;
    if (riffle_program_algorithm_parse(text, &out->program) == RIFFLE_OK) out->things |= ALGORITHM_OF_PROGRAMS;
    if (riffle_sort_algorithm_parse(text, &out->sort) == RIFFLE_OK) out->things |= ALGORITHM_OF_SORTS;
    if (riffle_hull_algorithm_parse(text, &out->hull) == RIFFLE_OK) out->things |= ALGORITHM_OF_HULLS;
    return true;
}

const char *any_algorithm_unfit(const any_algorithm *given, unsigned thing) {
    if (given->things == 0 || (given->things & thing) != 0) return NULL;
    return given->things & ALGORITHM_OF_PERMUTATIONS ? "algorithm of permutations"
           : given->things & ALGORITHM_OF_PROGRAMS   ? "algorithm of programs"
           : given->things & ALGORITHM_OF_SORTS      ? "algorithm of sorts"
                                                     : "algorithm of hulls";
}

bool any_algorithm_is_of_programs(const any_algorithm *given) {
    return (given->things & ALGORITHM_OF_PROGRAMS) != 0 && (given->things & ALGORITHM_OF_PERMUTATIONS) == 0;
}
