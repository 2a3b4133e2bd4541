/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* getopt_long */
#include "frame/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/help.h"
#include "frame/message.h"
#include "frame/nearest.h"
#include "frame/readers.h"

/* ------------------------------------------------------------------------ the records, for getopt */

enum { MOST_OPTIONS = 48, RECORD = 256 /* and beyond: what getopt returns for each; letters are below */ };

typedef struct option_list {
    int count;
    const command_option *record[MOST_OPTIONS]; /* the ones with names; the last one is --help */
    bool given[MOST_OPTIONS];
    struct option table[MOST_OPTIONS + 1];
    char letters[2 * MOST_OPTIONS + 4];
} option_list;

static void add_record(option_list *list, const command_option *record) {
    if (list->count == MOST_OPTIONS) abort(); /* a table that has grown: any call of its command meets this */
    const int k = list->count++;
    const int takes_value = record->argument == NULL ? no_argument
                            : record->may_be_alone   ? optional_argument
                                                     : required_argument;
    list->record[k] = record;
    list->table[k] = (struct option){record->name, takes_value, NULL, RECORD + k};
    if (record->letter != 0)
        sprintf(list->letters + strlen(list->letters), "%c%s", record->letter, takes_value ? ":" : "");
}

static void list_options(const command *asked, option_list *list) {
    *list = (option_list){.letters = {0}};
    strcpy(list->letters,
           asked->commands != NULL ? "+:h" : ":h"); /* for a group only those before the command's name */
    for (const command_option *record = asked->options; record != NULL && record->help != NULL; ++record)
        if (record->name != NULL) add_record(list, record);
    add_record(list, &help_option);
    const char *names[MOST_OPTIONS + 1] = {NULL};
    for (int k = 0; k < list->count; ++k) names[k] = list->record[k]->name;
    if (!forms_name(asked->forms, names))
        abort(); /* a table that names no option: any call of its command meets this */
}

/* --------------------------------------------------------------------------------- what is wrong */

/* "--name=value" and "--name" both come to "--name". */
static void copy_name(const char *argument, char name[static 64]) {
    snprintf(name, 64, "%.*s", (int)strcspn(argument, "="), argument);
}

/* The dashes that all options have would make any two of them near. */
static const char *nearest_option(const char *name, const option_list *list) {
    const char *names[MOST_OPTIONS + 1] = {NULL};
    const char *const bare = name + strspn(name, "-");
    for (int k = 0; k < list->count; ++k) {
        names[k] = list->record[k]->name;
        if (list->record[k]->also != NULL && strcmp(list->record[k]->also, bare) == 0) return names[k];
    }
    return nearest_word(bare, names);
}

/* A name that getopt does not know, or knows as the beginning of several. */
static void complain_unknown_option(const char *name, const option_list *list) {
    char dashed[MOST_OPTIONS][32], meant[32];
    const char *words[MOST_OPTIONS + 1] = {NULL}, *longer[MOST_OPTIONS + 1] = {NULL};
    const char *const nearest = nearest_option(name, list);
    int found = 0;
    for (int k = 0; k < list->count; ++k) {
        snprintf(dashed[k], sizeof dashed[k], "--%s", list->record[k]->name);
        words[k] = dashed[k];
        if (strncmp(dashed[k], name, strlen(name)) == 0) longer[found++] = dashed[k];
    }
    if (found > 1 && strcmp(name, "--") != 0) {
        complain_ambiguous("option", name, longer);
        return;
    }
    if (nearest != NULL) snprintf(meant, sizeof meant, "--%s", nearest);
    complain_meant("option", name, nearest != NULL ? meant : NULL, words);
}

/* About the '?' or ':' that getopt has returned. */
static void complain_option(int found, char **argv, const option_list *list) {
    char name[64];
    copy_name(argv[optind - 1], name);
    if (found == ':') {
        complain("option %s: needs a value; --help shows which", argv[optind - 1]);
    } else if (optopt < 0) { /* a byte beyond ASCII */
        complain("an option that is no letter: unknown; --help lists the options");
    } else if (optopt > 0 && optopt < RECORD) { /* one of several in a word; optind has not passed it yet */
        complain("option -%c: unknown; --help lists the options", optopt);
    } else if (optopt > 0) {
        complain("option %s: takes no value; leave out the = and what follows", name);
    } else {
        complain_unknown_option(name, list);
    }
}

/* --------------------------------------------------------------------------------------- reading */

enum { END = -1, WRONG = -2 };

/* The record that getopt's answer stands for. */
static int record_of(int found, const option_list *list) {
    if (found >= RECORD) return found - RECORD;
    for (int k = 0; k < list->count; ++k)
        if (list->record[k]->letter == found) return k;
    return list->count - 1; /* -h */
}

/* The record of the next option, or END or WRONG. */
static int next_record(option_list *list, int argc, char **argv) {
    opterr = optopt = 0;
    const int found = getopt_long(argc, argv, list->letters, list->table, NULL);
    if (found == -1) return END;
    if (found == '?' || found == ':') {
        complain_option(found, argv, list);
        return WRONG;
    }
    const int k = record_of(found, list);
    if (list->given[k] && !list->record[k]->repeatable) {
        complain("option --%s: given twice; give it once", list->record[k]->name);
        return WRONG;
    }
    list->given[k] = true;
    return k;
}

/* An empty word is a shell's variable without a value. */
bool options_check_names(const command *asked, char *const *words, unsigned count) {
    for (unsigned k = 0; k < count; ++k) {
        char place[64];
        if (*words[k] == '\0') {
            complain("%s: file name %u of %u is empty; write a name", asked->name, k + 1, count);
            return false;
        }
        snprintf(place, sizeof place, "%s: file name %u of %u", asked->name, k + 1, count);
        if (!asked->takes_stdin && !check_file_name(place, words[k])) return false;
    }
    return true;
}

/* Where a blank stands before it, an option's value that may be left out is read as a file name. */
static void complain_extra(const char *operand, const option_list *list, const char *usage) {
    const command_option *alone = NULL;
    for (int k = 0; k < list->count; ++k)
        if (list->given[k] && list->record[k]->may_be_alone) alone = list->record[k];
    if (alone != NULL)
        complain("%s: not expected here; a value of --%s follows a =, as in --%s=%s; usage: %s", operand,
                 alone->name, alone->name, alone->argument, usage);
    else
        complain("%s: not expected here; usage: %s", operand, usage);
}

static bool take_operands(const command *asked, const option_list *list, int argc, char **argv, void *request) {
    const unsigned given = (unsigned)(argc - optind);
    if (asked->operands == ANY_OPERANDS) {
        const command_operands all = {argv + optind, given};
        memcpy((char *)request + asked->operand_field, &all, sizeof all);
        return true;
    }
    if (given <= asked->operands && given + asked->optional >= asked->operands) {
        if (!options_check_names(asked, argv + optind, given)) return false;
        if (given > 0) /* else there need be no request */
            memcpy((char *)request + asked->operand_field, argv + optind, given * sizeof argv[0]);
        return true;
    }
    char usage[512]; /* "riffle sort IN.npy OUT.npy [OPTION]..." */
    snprintf(usage, sizeof usage, "%s%s%s%s%s", program_name, *asked->name != '\0' ? " " : "", asked->name,
             *asked->usage != '\0' ? " " : "", asked->usage);
    if (given > asked->operands)
        complain_extra(argv[optind + (int)asked->operands], list, usage);
    else
        complain("%s: %u of %u file names given; usage: %s", asked->name, given, asked->operands, usage);
    return false;
}

static bool has_all(const command *asked, const option_list *list) {
    bool all = true;
    for (int k = 0; k < list->count; ++k) {
        if (list->given[k] || list->record[k]->missing == NULL) continue;
        complain("%s: %s", asked->name, list->record[k]->missing);
        all = false;
    }
    return all;
}

static bool fits(const command *asked, const option_list *list) {
    const char *names[MOST_OPTIONS + 1] = {NULL};
    int count = 0;
    for (int k = 0; k < list->count; ++k)
        if (list->given[k]) names[count++] = list->record[k]->name;
    return forms_fit(asked->name, asked->forms, names);
}

/* RIFFLE_PROCESSOR is for every command. */
static bool has_processor(void) {
    riffle_cpu cpu;
    if (riffle_cpu_describe(&cpu) == RIFFLE_OK) return true;
    complain("%s", riffle_error_detail());
    return false;
}

bool options_read(const command *asked, int argc, char **argv, void *request, int *exit_status) {
    option_list list;
    list_options(asked, &list);
    optind = 0;
    *exit_status = EXIT_USAGE;
    int k;
    while ((k = next_record(&list, argc, argv)) >= 0) {
        const command_option *record = list.record[k];
        if (record == &help_option || record->show != NULL) {
            *exit_status = record->show != NULL ? record->show() : help_show(asked);
            return false;
        }
        if (!record->read(record, optarg, (char *)request + record->field)) return false;
    }
    if (k == WRONG) return false;
    return asked->commands != NULL || (take_operands(asked, &list, argc, argv, request) &&
                                       has_all(asked, &list) && fits(asked, &list) && has_processor());
}
