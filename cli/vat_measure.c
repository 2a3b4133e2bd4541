/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle vat measure: the experiments of the dissertation's section 2.1 on this machine.
 */
#define _GNU_SOURCE /* _SC_PHYS_PAGES */
#include "vat_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "vat.h"
#include "vat_measure_report.h"

static const char help[] = "Usage: riffle vat measure [OPTION]...\n"
                           "\n"
                           "Runs programs on arrays that grow by a factor of 1.4, with pages of 4 KiB and\n"
                           "of 2 MiB, and prints the time of one RAM operation: if that grows, something\n"
                           "else than operations costs time. Beside it stand the faults that the VAT model\n"
                           "expects, and in the end how much of the growth beyond the last-level cache\n"
                           "each model explains.\n"
                           "\n"
                           "  --program NAME   sequential-scan, random-scan, permute, binary-search,\n"
                           "                   van-emde-boas, heapify, heapsort, introsort,\n"
                           "                   transpose-rows or transpose-recursive; may be repeated;\n"
                           "                   all by default\n"
                           "  --least BYTES    the smallest array; 64 KiB by default\n"
                           "  --most BYTES     the largest array; by default a quarter of the memory, but at\n"
                           "                   most 2 GiB\n"
                           "  --repeat R       times that all sizes are measured, while there is time;\n"
                           "                   the fastest run counts; 5 by default\n"
                           "  --pages PAGES    4k, 2m or both, which is the default\n"
                           "  --seconds S      for everything, about; 600 by default. Repetitions give way\n"
                           "                   first, then the largest sizes of programs that take long\n"
                           "  --replay N       replays programs of up to N operations through the model with\n"
                           "                   LRU and counts the faults; 2^22 by default, 0 for none\n"
                           "  --seed N         of all random numbers; 1 by default\n"
                           "  --json           print one JSON document\n"
                           "  --csv            print comma-separated values\n"
                           "  --help           print this and exit\n";

enum {
    OPTION_LEAST = OPTION_FIRST,
    OPTION_MOST,
    OPTION_REPEAT,
    OPTION_PAGES,
    OPTION_SECONDS,
    OPTION_REPLAY,
    OPTION_SEED,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_PROGRAM = OPTION_REPEATABLE,
};
static const struct option options[] = {
    {"program", required_argument, NULL, OPTION_PROGRAM},
    {"least", required_argument, NULL, OPTION_LEAST},
    {"most", required_argument, NULL, OPTION_MOST},
    {"repeat", required_argument, NULL, OPTION_REPEAT},
    {"pages", required_argument, NULL, OPTION_PAGES},
    {"seconds", required_argument, NULL, OPTION_SECONDS},
    {"replay", required_argument, NULL, OPTION_REPLAY},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"json", no_argument, NULL, OPTION_JSON},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};

static const uint64_t LEAST_BYTES = 4096, MOST_BYTES = (uint64_t)1 << 40;

typedef struct request {
    vat_settings settings;
    bool has_program, wants_json, wants_csv, wants_help;
} request;

static bool read_program(const char *text, request *ask) {
    riffle_vat_program program;
    if (riffle_vat_program_parse(text, &program) == RIFFLE_OK) {
        ask->settings.programs[program] = ask->has_program = true;
        return true;
    }
    const char *words[RIFFLE_VAT_PROGRAMS + 1] = {NULL};
    for (int p = 0; p < RIFFLE_VAT_PROGRAMS; ++p) words[p] = riffle_vat_program_string((riffle_vat_program)p);
    complain_unknown("option --program: program", text, words);
    return false;
}

static bool read_pages(const char *text, vat_settings *settings) {
    static const char *const words[] = {"4k", "2m", "both", NULL};
    settings->pages[VAT_PAGES_4K] = strcmp(text, "2m") != 0;
    settings->pages[VAT_PAGES_2M] = strcmp(text, "4k") != 0;
    for (int k = 0; words[k] != NULL; ++k)
        if (strcmp(text, words[k]) == 0) return true;
    complain_unknown("option --pages: pages", text, words);
    return false;
}

static bool read_seconds(const char *text, double *out) {
    uint64_t seconds;
    if (!read_number("--seconds", text, 1, 1000000, &seconds)) return false;
    *out = (double)seconds;
    return true;
}

static bool read_option_value(int option, request *ask) {
    vat_settings *settings = &ask->settings;
    switch (option) {
    case OPTION_PROGRAM: return read_program(optarg, ask);
    case OPTION_LEAST: return read_number("--least", optarg, LEAST_BYTES, MOST_BYTES, &settings->least);
    case OPTION_MOST: return read_number("--most", optarg, LEAST_BYTES, MOST_BYTES, &settings->most);
    case OPTION_REPEAT: return read_unsigned("--repeat", optarg, 1, 1000, &settings->repeat);
    case OPTION_PAGES: return read_pages(optarg, settings);
    case OPTION_SECONDS: return read_seconds(optarg, &settings->seconds);
    case OPTION_REPLAY: return read_number("--replay", optarg, 0, MOST_BYTES, &settings->replay);
    case OPTION_SEED: return read_number("--seed", optarg, 0, UINT64_MAX, &settings->seed);
    case OPTION_JSON: ask->wants_json = true; return true;
    case OPTION_CSV: ask->wants_csv = true; return true;
    default: return false;
    }
}

static bool is_sound(request *ask) {
    vat_settings *settings = &ask->settings;
    for (int p = 0; p < RIFFLE_VAT_PROGRAMS && !ask->has_program; ++p) settings->programs[p] = true;
    if (settings->least > settings->most) {
        complain("vat measure: --least %llu is more than the largest array, %llu bytes; --most sets that",
                 (unsigned long long)settings->least, (unsigned long long)settings->most);
        return false;
    }
    if (ask->wants_json && ask->wants_csv) {
        complain("vat measure: --json and --csv exclude each other; leave one out");
        return false;
    }
    return true;
}

static bool read_arguments(int argc, char **argv, request *ask) {
    for (;;) {
        const int option = next_option(argc, argv, options);
        switch (option) {
        case OPTION_HELP: ask->wants_help = true; return true;
        case OPTION_END: return expect_operands(argc, argv, 0, "") && is_sound(ask);
        default:
            if (!read_option_value(option, ask)) return false;
        }
    }
}

static uint64_t default_most(void) {
    const uint64_t limit = (uint64_t)1 << 31;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return limit;
    const uint64_t quarter = (uint64_t)pages * (uint64_t)page / 4;
    return quarter < limit ? quarter : limit;
}

static int measure(const request *ask) {
    vat_run run = {.settings = ask->settings};
    const riffle_status status = vat_machine_describe(&run.machine);
    if (status != RIFFLE_OK) return complain_status("vat measure", status);
    const bool done = vat_run_measure(&run);
    const bool shows = done || run.count > 0; /* what was measured before a failure is not lost */
    if (shows) vat_report_gaps(&run);
    if (shows && ask->wants_json) {
        vat_report_json(&run);
    } else if (shows && ask->wants_csv) {
        vat_report_csv(&run);
    } else if (shows) {
        vat_report_text(&run);
    }
    free(run.rows);
    const int shown = shows ? finish_stdout(EXIT_DONE) : EXIT_FAILED;
    const int exit_status = done ? shown : EXIT_FAILED;
    if (interrupt_came()) interrupt_die(); /* what there was has been reported */
    return exit_status;
}

int vat_measure_command(int argc, char **argv) {
    request ask = {.settings = {.pages = {true, true},
                                .least = (uint64_t)1 << 16,
                                .most = default_most(),
                                .replay = (uint64_t)1 << 22,
                                .repeat = 5,
                                .seconds = 600,
                                .seed = 1}};
    if (!read_arguments(argc, argv, &ask)) return EXIT_USAGE;
    return ask.wants_help ? print_text(help) : measure(&ask);
}
