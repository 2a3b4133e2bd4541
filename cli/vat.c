/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle vat: what address translation costs. Finds the command that argv names and hands over to it.
 */
#include "vat.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "message.h"
#include "options.h"

static const char help[] = "Usage: riffle vat replay TRACE [OPTION]...\n"
                           "       riffle vat measure [OPTION]...\n"
                           "       riffle vat replay --help\n"
                           "       riffle vat measure --help\n"
                           "\n"
                           "What translating virtual addresses costs a program, by the VAT model: to reach\n"
                           "a page is to walk down a tree of page tables, and nodes of the tree that are\n"
                           "not in the translation cache are faults.\n"
                           "\n"
                           "  replay     count the faults of a trace of addresses, and say what larger pages\n"
                           "             or another order of accesses would save\n"
                           "  measure    time the model's programs on this machine beside its prediction\n"
                           "  --help     print this and exit\n";

static const struct option options[] = {{"help", no_argument, NULL, OPTION_HELP}, {0}};

/* argv[1] becomes the full name, for messages. */
static int hand_over(int argc, char **argv) {
    static char replay[] = "vat replay", measure[] = "vat measure";
    static const char *const names[] = {"replay", "measure", NULL};
    const char *asked = argv[1];
    restart_options();
    if (strcmp(asked, "replay") == 0) {
        argv[1] = replay;
        return vat_replay_command(argc - 1, argv + 1);
    }
    if (strcmp(asked, "measure") == 0) {
        argv[1] = measure;
        return vat_measure_command(argc - 1, argv + 1);
    }
    complain_unknown("vat: command", asked, names);
    return EXIT_USAGE;
}

static int run(int argc, char **argv) {
    switch (first_option(argc, argv, options)) {
    case OPTION_HELP: return print_text(help);
    case OPTION_WRONG: return EXIT_USAGE;
    default: break;
    }
    if (optind < argc) return hand_over(argc - optind + 1, argv + optind - 1);
    complain("vat: no command given; usage: riffle vat replay TRACE, or riffle vat measure");
    return EXIT_USAGE;
}

const command vat_command = {"vat", "count or measure what address translation costs", help, run};
