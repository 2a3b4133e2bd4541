/* SPDX-License-Identifier: Apache-2.0
 *
 * The `riffle` command: finds the command that argv names and hands over to it.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "message.h"
#include "options.h"
#include "riffle.h"
#include "unfinished.h"

static const command *const commands[] = {&permute_command, &explain_command,    &simulate_command,
                                          &lint_command,    &congestion_command, &vat_command,
                                          &bench_command,   &info_command};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

enum { OPTION_VERSION = OPTION_FIRST };
static const struct option options[] = {
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {0},
};

static const char help_before[] =
    "Usage: riffle COMMAND [ARGUMENT]...\n"
    "       riffle COMMAND --help\n"
    "\n"
    "Permutes the arrays of .npy files. A structured permutation (bit reversal,\n"
    "transpose, axes, any affine map) takes 1 to 2 times as long as a copy, an\n"
    "arbitrary table about 5 to 8 times if its plan is used often (as the library\n"
    "can), and for one execution as long as indexing does with all processors.\n"
    "\n"
    "Commands:\n";
static const char help_after[] = "\n"
                                 "Options:\n"
                                 "  --help      print this and exit\n"
                                 "  --version   print the version and exit\n"
                                 "\n"
                                 "Exit status: 0 done, 1 the work failed, 2 the command line is wrong.\n";

static void print_help(FILE *stream) {
    fputs(help_before, stream);
    for (int k = 0; k < COMMAND_COUNT; ++k)
        fprintf(stream, "  %-10s  %s\n", commands[k]->name, commands[k]->summary);
    fputs(help_after, stream);
}

int finish_stdout(int exit_status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return exit_status;
    complain("standard output: cannot be written; is its disk full or its reader gone?");
    return EXIT_FAILED;
}

int print_text(const char *text) {
    fputs(text, stdout);
    return finish_stdout(EXIT_DONE);
}

/* The command of that name; NULL, after a complaint, if there is none. */
static const command *find_command(const char *name) {
    const char *names[COMMAND_COUNT + 1] = {NULL};
    for (int k = 0; k < COMMAND_COUNT; ++k) {
        names[k] = commands[k]->name;
        if (strcmp(name, names[k]) == 0) return commands[k];
    }
    complain_unknown("command", name, names);
    return NULL;
}

/* riffle help [COMMAND], for those who try that first. */
static int run_help(int argc, char **argv) {
    if (argc == 1) {
        print_help(stdout);
        return finish_stdout(EXIT_DONE);
    }
    if (argc > 2) {
        complain("%s: not expected here; usage: riffle help [COMMAND]", argv[2]);
        return EXIT_USAGE;
    }
    const command *asked = find_command(argv[1]);
    return asked != NULL ? print_text(asked->help) : EXIT_USAGE;
}

static int run_command(int argc, char **argv) {
    if (strcmp(argv[0], "help") == 0) return run_help(argc, argv);
    const command *asked = find_command(argv[0]);
    return asked != NULL ? asked->run(argc, argv) : EXIT_USAGE;
}

int main(int argc, char **argv) {
    unfinished_catch_lost_files();
    int option = first_option(argc, argv, options);
    switch (option) {
    case OPTION_HELP: print_help(stdout); return finish_stdout(EXIT_DONE);
    case OPTION_VERSION: printf("riffle %s\n", riffle_version()); return finish_stdout(EXIT_DONE);
    case OPTION_WRONG: return EXIT_USAGE;
    default: break;
    }
    if (optind >= argc) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    int skipped = optind;
    restart_options();
    return run_command(argc - skipped, argv + skipped);
}
