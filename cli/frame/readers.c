/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/readers.h"

#include <stdio.h>
#include <string.h>

#include "frame/message.h"
#include "riffle/hull.h"

bool option_text(const command_option *option, const char *text, void *field) {
    (void)option;
    *(const char **)field = text;
    return true;
}

bool option_expression(const command_option *option, const char *text, void *field) {
    if (text[strspn(text, " \t\r\n")] != '\0') return option_text(option, text, field);
    complain("option --%s: '%s' is no expression; write one in C, as 'a < b'", option->name, text);
    return false;
}

bool check_file_name(const char *place, const char *name) {
    if (strcmp(name, "-") != 0) return true;
    complain("%s: '-' names no file, and streams are neither read nor written; write a name, or ./- for a file "
             "of that name",
             place);
    return false;
}

bool option_file(const command_option *option, const char *text, void *field) {
    char place[64];
    if (*text == '\0') {
        complain("--%s '': names no file; write a name", option->name);
        return false;
    }
    snprintf(place, sizeof place, "--%s", option->name);
    return check_file_name(place, text) && option_text(option, text, field);
}

bool option_switch(const command_option *option, const char *text, void *field) {
    (void)option;
    (void)text;
    return *(bool *)field = true;
}

/* Digits only: strtoull would take signs and spaces. */
static bool read_decimal(const char *text, uint64_t *out) {
    uint64_t value = 0;
    if (*text == '\0') return false;
    for (; *text != '\0'; ++text) {
        if (*text < '0' || *text > '9') return false;
        if (__builtin_mul_overflow(value, 10, &value)) return false;
        if (__builtin_add_overflow(value, (uint64_t)(*text - '0'), &value)) return false;
    }
    *out = value;
    return true;
}

static bool read_power(const char *text, uint64_t *out) {
    uint64_t exponent;
    if (strncmp(text, "2^", 2) != 0 || !read_decimal(text + 2, &exponent) || exponent > 63) return false;
    *out = (uint64_t)1 << exponent;
    return true;
}

bool read_number(const char *text, uint64_t *out) { return read_decimal(text, out) || read_power(text, out); }

bool read_range(const command_option *option, const char *text, uint64_t least, uint64_t most, uint64_t *out) {
    uint64_t value;
    if (read_number(text, &value) && value >= least && value <= most) {
        *out = value;
        return true;
    }
    complain("option --%s: '%s' is no number from %llu to %llu; write it in decimal or as 2^K", option->name,
             text, (unsigned long long)least, (unsigned long long)most);
    return false;
}

bool option_number(const command_option *option, const char *text, void *field) {
    return read_range(option, text, option->least, option->most, field);
}

bool option_unsigned(const command_option *option, const char *text, void *field) {
    uint64_t value;
    if (!read_range(option, text, option->least, option->most, &value)) return false;
    *(unsigned *)field = (unsigned)value;
    return true;
}

bool option_seconds(const command_option *option, const char *text, void *field) {
    uint64_t seconds;
    if (!read_range(option, text, 1, 1000000, &seconds)) return false;
    *(double *)field = (double)seconds;
    return true;
}

int read_word(const command_option *option, const char *kind, const char *text, const char *const *words) {
    for (int k = 0; words[k] != NULL; ++k) {
        if (strcmp(text, words[k]) == 0) return k;
    }
    char place[64];
    snprintf(place, sizeof place, "option --%s: %s", option->name, kind);
    complain_unknown(place, text, words);
    return -1;
}

bool option_engine(const command_option *option, const char *text, void *field) {
    const char *words[RIFFLE_ENGINE_CUDA + 2] = {NULL};
    for (int k = 0; k <= RIFFLE_ENGINE_CUDA; k++) words[k] = riffle_engine_string((riffle_engine)k);
    return read_word(option, "engine", text, words) >= 0 && riffle_engine_parse(text, field) == RIFFLE_OK;
}

bool option_check(const command_option *option, const char *text, void *field) {
    static const char *const words[] = {"full", "passes", NULL};
    if (text == NULL) text = words[0];
    return read_word(option, "check", text, words) >= 0 && riffle_check_parse(text, field) == RIFFLE_OK;
}

bool option_elem_bits(const command_option *option, const char *text, void *field) {
    static const char *const words[] = {"1", "2", "4", NULL};
    const int found = read_word(option, "number of bits", text, words);
    if (found >= 0) *(unsigned *)field = 1U << found;
    return found >= 0;
}

bool option_bit_order(const command_option *option, const char *text, void *field) {
    static const char *const words[] = {"little", "big", NULL};
    const int found = read_word(option, "order of bits", text, words);
    if (found >= 0) *(riffle_bit_order *)field = (riffle_bit_order)found;
    return found >= 0;
}

bool option_effort(const command_option *option, const char *text, void *field) {
    const char *words[RIFFLE_EFFORT_MEASURE + 2] = {NULL};
    for (int k = 0; k <= RIFFLE_EFFORT_MEASURE; k++) words[k] = riffle_effort_string((riffle_effort)k);
    return read_word(option, "effort", text, words) >= 0 && riffle_effort_parse(text, field) == RIFFLE_OK;
}

bool option_hull_algorithm(const command_option *option, const char *text, void *field) {
    const char *words[RIFFLE_HULL_ALGORITHM_PAPER + 2] = {NULL};
    for (int k = 0; k <= RIFFLE_HULL_ALGORITHM_PAPER; k++)
        words[k] = riffle_hull_algorithm_string((riffle_hull_algorithm)k);
    return read_word(option, "algorithm", text, words) >= 0 &&
           riffle_hull_algorithm_parse(text, field) == RIFFLE_OK;
}

const char *const *algorithm_words(void) {
    enum { MOST = 64 };
    static const char *words[MOST + 1];
    riffle_algorithm algorithms[MOST];
    const size_t all = riffle_algorithm_list(algorithms, MOST);
    for (size_t k = 0; k < all && k < MOST; ++k) words[k] = riffle_algorithm_string(algorithms[k]);
    return words;
}

bool option_algorithm(const command_option *option, const char *text, void *field) {
    return read_word(option, "algorithm", text, algorithm_words()) >= 0 &&
           riffle_algorithm_parse(text, field) == RIFFLE_OK;
}
