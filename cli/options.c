/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* getopt_long */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "message.h"

enum { MAX_OPTIONS = 32, MAX_THREADS = 4096 };

static const char *const engines[] = {[RIFFLE_ENGINE_CPU] = "cpu", [RIFFLE_ENGINE_CUDA] = "cuda", NULL};

/* "--name=value" and "--name" both come to "--name". */
static void copy_name(const char *argument, char name[static 64]) {
    snprintf(name, 64, "%.*s", (int)strcspn(argument, "="), argument);
}

static void complain_option(char **argv, const struct option *table) {
    if (optopt < 0) { /* a byte beyond ASCII */
        complain("an option that is no letter: unknown; --help lists the options");
        return;
    }
    if (optopt > 0 && optopt < OPTION_FIRST && argv[optind - 1][1] != '-') {
        complain("option -%c: unknown; --help lists the options", optopt);
        return;
    }
    char name[64];
    copy_name(argv[optind - 1], name);
    if (optopt > 0) {
        complain("option %s: takes no value; leave out the = and what follows", name);
        return;
    }
    char dashed[MAX_OPTIONS][32];
    const char *words[MAX_OPTIONS + 1] = {NULL};
    for (int k = 0; k < MAX_OPTIONS && table[k].name != NULL; ++k) {
        snprintf(dashed[k], sizeof dashed[k], "--%s", table[k].name);
        words[k] = dashed[k];
    }
    complain_unknown("option", name, words);
}

/* Bit k: option k of the table was given. It lives as long as optind, getopt's own place in argv. */
static uint32_t given;

static bool is_repeated(int index) {
    const uint32_t bit = (uint32_t)1 << index;
    bool repeated = (given & bit) != 0;
    given |= bit;
    return repeated;
}

static int read_option(int argc, char **argv, const char *letters, const struct option *table) {
    opterr = 0;
    optopt = 0;
    int index = -1;
    int option = getopt_long(argc, argv, letters, table, &index);
    if (option == ':') {
        complain("option %s: needs a value; --help shows which", argv[optind - 1]);
        return OPTION_WRONG;
    }
    if (option == '?') {
        complain_option(argv, table);
    } else if (index >= 0 && option < OPTION_REPEATABLE && is_repeated(index)) {
        complain("option --%s: given twice; give it once", table[index].name);
        return OPTION_WRONG;
    }
    return option;
}

int next_option(int argc, char **argv, const struct option *table) {
    return read_option(argc, argv, ":h", table);
}

int next_option_or_letter(int argc, char **argv, const char *letters, const struct option *table) {
    return read_option(argc, argv, letters, table);
}

int first_option(int argc, char **argv, const struct option *table) {
    return read_option(argc, argv, "+:h", table);
}

void restart_options(void) {
    optind = 0;
    given = 0;
}

bool expect_operands(int argc, char **argv, int count, const char *usage) {
    int operands = argc - optind;
    if (operands == count) return true;
    if (operands > count) {
        complain("%s: not expected here; usage: riffle %s%s", argv[optind + count], argv[0], usage);
    } else {
        complain("%s: %d of %d file names given; usage: riffle %s%s", argv[0], operands, count, argv[0], usage);
    }
    return false;
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

bool read_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *out) {
    uint64_t value;
    if ((read_decimal(text, &value) || read_power(text, &value)) && value >= least && value <= most) {
        *out = value;
        return true;
    }
    complain("option %s: '%s' is no number from %llu to %llu; write it in decimal or as 2^K", option, text,
             (unsigned long long)least, (unsigned long long)most);
    return false;
}

bool read_unsigned(const char *option, const char *text, unsigned least, unsigned most, unsigned *out) {
    uint64_t value;
    if (!read_number(option, text, least, most, &value)) return false;
    *out = (unsigned)value;
    return true;
}

bool read_threads(const char *text, unsigned *out) {
    return read_unsigned("--threads", text, 1, MAX_THREADS, out);
}

bool read_elem_bytes(const char *text, uint64_t *out) {
    return read_number("--elem-bytes", text, 1, (uint64_t)1 << 40, out);
}

bool read_batch(const char *text, riffle_plan_options *out) {
    return read_number("--batch", text, 1, RIFFLE_MAX_LENGTH, &out->batch);
}

bool read_stride(const char *text, riffle_plan_options *out) {
    return read_number("--stride", text, 1, RIFFLE_MAX_LENGTH, &out->stride);
}

bool read_engine(const char *text, riffle_engine *out) {
    for (int k = 0; engines[k] != NULL; ++k) {
        if (strcmp(text, engines[k]) == 0) {
            *out = (riffle_engine)k;
            return true;
        }
    }
    complain_unknown("option --engine: engine", text, engines);
    return false;
}

const char *engine_name(riffle_engine engine) { return engines[engine]; }

bool read_algorithm(const char *text, riffle_algorithm *out) {
    if (riffle_algorithm_parse(text, out) == RIFFLE_OK) return true;
    enum { MOST = 64 };
    riffle_algorithm algorithms[MOST];
    const char *words[MOST + 1] = {NULL};
    const size_t all = riffle_algorithm_list(algorithms, MOST);
    for (size_t k = 0; k < all && k < MOST; ++k) words[k] = riffle_algorithm_string(algorithms[k]);
    complain_unknown("option --algorithm: algorithm", text, words);
    return false;
}
