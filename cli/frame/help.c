/* SPDX-License-Identifier: Apache-2.0
 *
 *     "  --by SPEC          the permutation; ..."
 *      0                  COLUMN                ... WIDTH
 *     "                     cpu         minutes, 5 GiB"      a choice
 *                         COLUMN      CHOICE
 */
#include "frame/help.h"

#include <string.h>

#include "frame/message.h"

enum { COLUMN = 21, CHOICE = 34, WIDTH = 80, NAME_ROOM = 64, WORD_ROOM = 256 };

const char *help_word(const command *asked) {
    const char *blank = strrchr(asked->name, ' ');
    return blank != NULL ? blank + 1 : asked->name;
}

const command_option help_option = {"help", .help = "print this and exit"};

/* Words from column `column` on, where the first line has got to already; returns the column behind them. */
static size_t print_wrapped(const char *text, int column, size_t at, FILE *stream) {
    for (const char *next; *text != '\0'; text = next) {
        const size_t length = strcspn(text, " ");
        next = text + length + strspn(text + length, " ");
        if (at > (size_t)column && at + 1 + length > WIDTH) {
            fprintf(stream, "\n%*s", column, "");
            at = (size_t)column;
        }
        at += (size_t)fprintf(stream, "%s%.*s", at > (size_t)column ? " " : "", (int)length, text);
    }
    return at;
}

/* "a, b or c" */
static void print_words(const char *const *words, int column, size_t at, FILE *stream) {
    char text[WORD_ROOM];
    for (; *words != NULL; ++words) {
        const char *const behind = words[1] == NULL ? "" : words[2] == NULL ? " or" : ",";
        snprintf(text, sizeof text, "%s%s", *words, behind);
        at = print_wrapped(text, column, at, stream);
    }
}

static void print_choices(const option_choice *choices, FILE *stream) {
    for (; choices->name != NULL; ++choices) {
        const int used = fprintf(stream, "\n%*s%s", COLUMN, "", choices->name) - 1;
        fprintf(stream, "%*s", used < CHOICE ? CHOICE - used : 1, "");
        if (choices->text != NULL) print_wrapped(choices->text, CHOICE, CHOICE, stream);
        if (choices->words != NULL) print_words(choices->words(), CHOICE, CHOICE, stream);
    }
}

/* A name that is too long for the first column has a line of its own. */
static void print_entry(const char *name, const char *help, const command_option *option, FILE *stream) {
    const int length = fprintf(stream, "  %s", name);
    if (length + 2 > COLUMN) fputc('\n', stream);
    fprintf(stream, "%*s", length + 2 > COLUMN ? COLUMN : COLUMN - length, "");
    const size_t at = print_wrapped(help, COLUMN, COLUMN, stream);
    if (option != NULL && option->words != NULL) print_words(option->words(), COLUMN, at, stream);
    if (option != NULL && option->choices != NULL) print_choices(option->choices(), stream);
    fputc('\n', stream);
}

static void print_option(const command_option *option, FILE *stream) {
    char name[NAME_ROOM] = "";
    if (option->letter != 0) snprintf(name, sizeof name, "-%c, ", option->letter);
    const size_t used = strlen(name);
    const bool takes_value = option->argument != NULL;
    const char *const between = option->may_be_alone ? "[=" : takes_value ? " " : "";
    snprintf(name + used, sizeof name - used, "--%s%s%s%s", option->name, between,
             takes_value ? option->argument : "", option->may_be_alone ? "]" : "");
    print_entry(name, option->help, option, stream);
}

static void print_commands(const command *const *commands, FILE *stream) {
    fputs("Commands:\n", stream);
    for (; *commands != NULL; ++commands) print_entry(help_word(*commands), (*commands)->summary, NULL, stream);
    fputc('\n', stream);
}

static void print_options(const command *asked, FILE *stream) {
    for (const command_option *record = asked->options; record != NULL && record->help != NULL; ++record) {
        if (record->name != NULL) {
            print_option(record, stream);
        } else {
            fprintf(stream, "%s%s\n", record == asked->options ? "" : "\n", record->help);
        }
    }
    print_option(&help_option, stream);
}

void help_print(const command *asked, FILE *stream) {
    const char *parts[] = {program_name, asked->name, asked->usage};
    fputs("Usage:", stream);
    for (int k = 0; k < 3; ++k) fprintf(stream, "%s%s", *parts[k] != '\0' ? " " : "", parts[k]);
    fprintf(stream, "\n\n%s\n", asked->about);
    if (asked->commands != NULL) print_commands(asked->commands, stream);
    print_options(asked, stream);
    if (asked->notes != NULL) fprintf(stream, "\n%s", asked->notes);
}

int help_show(const command *asked) {
    help_print(asked, stdout);
    return finish_stdout(EXIT_DONE);
}
