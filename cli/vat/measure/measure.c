/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle vat measure: the experiments of the dissertation's section 2.1 on this machine.
 */
#define _GNU_SOURCE /* _SC_PHYS_PAGES */
#include "vat/measure/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "system/interrupt.h"
#include "vat/measure/report.h"
#include "vat/vat.h"

typedef struct request {
    vat_settings settings;
    bool has_program, wants_json, wants_csv;
} request;

static bool read_program(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    const char *words[RIFFLE_VAT_PROGRAM_COUNT + 1] = {NULL};
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p)
        words[p] = riffle_vat_program_string((riffle_vat_program)p);
    const int program = read_word(option, "program", text, words);
    if (program >= 0) ask->settings.programs[program] = ask->has_program = true;
    return program >= 0;
}

static bool read_pages(const command_option *option, const char *text, void *field) {
    static const char *const words[] = {"4k", "2m", "both", NULL};
    bool *pages = field;
    pages[VAT_PAGES_4K] = strcmp(text, "2m") != 0;
    pages[VAT_PAGES_2M] = strcmp(text, "4k") != 0;
    return read_word(option, "pages", text, words) >= 0;
}

static bool is_sound(request *ask) {
    vat_settings *settings = &ask->settings;
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT && !ask->has_program; ++p) settings->programs[p] = true;
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
    const bool shows = done || run.count > 0; /* rows that were measured before a failure are not lost */
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
    if (interrupt_came()) interrupt_die(); /* all rows have been reported */
    return exit_status;
}

static int run(int argc, char **argv) {
    request ask = {.settings = {.pages = {true, true},
                                .least = (uint64_t)1 << 16,
                                .most = default_most(),
                                .replay = (uint64_t)1 << 22,
                                .repeat = 5,
                                .seconds = 600,
                                .seed = 1}};
    int exit_status;
    if (!options_read(&vat_measure_command, argc, argv, &ask, &exit_status)) return exit_status;
    return is_sound(&ask) ? measure(&ask) : EXIT_USAGE;
}

#define LEAST_BYTES 4096
#define MOST_BYTES ((uint64_t)1 << 40)

static const command_option options[] = {
    {"program", "NAME", WHOLE(read_program),
     .help = "sequential-scan, random-scan, permute, binary-search, van-emde-boas, heapify, heapsort, "
             "introsort, transpose-rows, transpose-recursive, multiply-rows or multiply-recursive; may be "
             "repeated; all by default",
     .repeatable = true},
    {"least", "BYTES", NUMBER(settings.least), .help = "the smallest array; 64 KiB by default",
     RANGE(LEAST_BYTES, MOST_BYTES)},
    {"most", "BYTES", NUMBER(settings.most),
     .help = "the largest array; by default a quarter of the memory, but at most 2 GiB",
     RANGE(LEAST_BYTES, MOST_BYTES)},
    {"repeat", "R", UNSIGNED(settings.repeat),
     .help = "times that all sizes are measured, while there is time; the fastest run counts; 5 by default",
     RANGE(1, 1000)},
    {"pages", "PAGES", read_pages, FIELD(bool[VAT_PAGE_KINDS], settings.pages),
     .help = "4k, 2m or both, which is the default"},
    {"seconds", "S", SECONDS(settings.seconds),
     .help = "for everything, about; 600 by default. Repetitions give way first, then the largest sizes of "
             "programs that take long"},
    {"replay", "N", NUMBER(settings.replay),
     .help = "replays programs of up to N operations through the model with LRU and counts the faults; 2^22 "
             "by default, 0 for none",
     RANGE(0, MOST_BYTES)},
    {"seed", "N", NUMBER(settings.seed), .help = "of all random numbers; 1 by default", RANGE(0, UINT64_MAX)},
    {"json", NULL, SWITCH(wants_json), .help = "print one JSON document"},
    {"csv", NULL, SWITCH(wants_csv), .help = "print comma-separated values"},
    {0},
};

const command vat_measure_command = {
    .name = "vat measure",
    .summary = "time the model's programs on this machine beside its prediction",
    .usage = "[OPTION]...",
    .about = "Runs programs on arrays that grow by a factor of 1.4, with pages of 4 KiB and\n"
             "of 2 MiB, and prints the time of one RAM operation: if that grows, something\n"
             "else than operations costs time. Beside it stand the faults that the VAT model\n"
             "expects, and in the end how much of the growth beyond the last-level cache\n"
             "each model explains.\n",
    .options = options,
    .run = run,
};
