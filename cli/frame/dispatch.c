/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* optind */
#include "frame/dispatch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frame/help.h"
#include "frame/message.h"
#include "frame/options.h"

/* The command of that name; NULL, after a complaint, if there is none. */
static const command *find_command(const command *group, const char *word) {
    enum { MOST = 32 };
    const char *words[MOST + 1] = {NULL};
    for (int k = 0; k < MOST && group->commands[k] != NULL; ++k) {
        words[k] = help_word(group->commands[k]);
        if (strcmp(word, words[k]) == 0) return group->commands[k];
    }
    char kind[64];
    snprintf(kind, sizeof kind, "%s%scommand", group->name, *group->name != '\0' ? ": " : "");
    complain_unknown(kind, word, words);
    return NULL;
}

/* help [COMMAND]..., for those who try that first. */
static int show_help(const command *asked, int argc, char **argv) {
    for (int k = 1; k < argc; ++k) {
        if (asked->commands == NULL) {
            complain("%s: not expected here; usage: riffle help [COMMAND]...", argv[k]);
            return EXIT_USAGE;
        }
        asked = find_command(asked, argv[k]);
        if (asked == NULL) return EXIT_USAGE;
    }
    return help_show(asked);
}

static int run_group(const command *group, int argc, char **argv) {
    int exit_status;
    if (!options_read(group, argc, argv, NULL, &exit_status)) return exit_status;
    argc -= optind;
    argv += optind;
    if (argc == 0) {
        help_print(group, stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[0], "help") == 0) return show_help(group, argc, argv);
    const command *asked = find_command(group, argv[0]);
    return asked != NULL ? dispatch(asked, argc, argv) : EXIT_USAGE;
}

int dispatch(const command *asked, int argc, char **argv) {
    return asked->commands != NULL ? run_group(asked, argc, argv) : asked->run(argc, argv);
}
