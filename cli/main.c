/* SPDX-License-Identifier: Apache-2.0
 *
 * The `riffle` command: the group of all commands.
 */
#define _POSIX_C_SOURCE 200809L /* SIGXFSZ */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "arrays/unfinished.h"
#include "frame/command.h"
#include "frame/dispatch.h"
#include "frame/message.h"
#include "ranks/ranks.h"
#include "riffle.h"

const char program_name[] = "riffle";

#define ADDRESS(name) &name##_command,
static const command *const commands[] = {EACH_COMMAND(ADDRESS) NULL};

static int show_version(void) {
    printf("riffle %s\n", riffle_version());
    return finish_stdout(EXIT_DONE);
}

static const command_option options[] = {
    {.help = "Options:"},
    {"version", .show = show_version, .help = "print the version and exit"},
    {0},
};

static const command riffle = {
    .name = "",
    .usage = "COMMAND [ARGUMENT]...\n"
             "       riffle COMMAND --help",
    /* begin generated: cpu-claim-help */
    .about = "Permutes the arrays of .npy files. A structured permutation (bit reversal,\n"
             "transpose, any affine map) takes 1.3 copies (2.0 at most) on a CPU with\n"
             "AVX-512 VBMI, 2.0 copies (3.4 at most) on a CPU without; an arbitrary table\n"
             "about 4 to 8 times if its plan is used often (as the library can), and for\n"
             "one execution as long as indexing does with all processors.\n",
    /* end generated */
    .commands = commands,
    .options = options,
    .notes = "Exit status: 0 done, 1 the work failed, 2 the command line is wrong.\n",
};

/* A limit on the size of files that is met is an error then, as a full disk is, and no signal; the compilers that this command
 * starts say it too. */
static void ignore_file_limit(void) { signal(SIGXFSZ, SIG_IGN); }

/* The command that is named, or NULL. */
static const command *command_named(const char *name) {
    for (size_t k = 0; commands[k] != NULL; ++k)
        if (strcmp(commands[k]->name, name) == 0) return commands[k];
    return NULL;
}

int main(int argc, char **argv) {
    ignore_file_limit();
    unfinished_catch_lost_files();
    ranks_begin(argc > 1 ? command_named(argv[1]) : NULL);
    return ranks_end(dispatch(&riffle, argc, argv));
}
