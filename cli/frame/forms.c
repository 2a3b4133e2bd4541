/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/forms.h"

#include <stdio.h>
#include <string.h>

#include "frame/message.h"

enum { LONGEST_LIST = 256 };

/* A name of a list, which ends where the next blank is. */
typedef struct name {
    const char *at;
    int length;
} name;

/* Moves on to the list's next name; false at its end. A new list is {list, 0}, also NULL, which has none. */
static bool next_name(name *one) {
    if (one->at == NULL) return false;
    one->at += one->length;
    one->at += strspn(one->at, " ");
    one->length = (int)strcspn(one->at, " ");
    return one->length > 0;
}

static bool is_among(const name *one, const char *const *words) {
    const size_t length = (size_t)one->length;
    while (*words != NULL && !(strlen(*words) == length && memcmp(*words, one->at, length) == 0)) words++;
    return *words != NULL;
}

static bool is_named(const char *list, const char *word) {
    const char *const words[] = {word, NULL};
    for (name one = {list, 0}; next_name(&one);)
        if (is_among(&one, words)) return true;
    return false;
}

/* Appends "--NAME", behind "or" where it is not the first. */
static void append(char text[static LONGEST_LIST], const name *one) {
    const size_t used = strlen(text);
    snprintf(text + used, LONGEST_LIST - used, "%s--%.*s", used > 0 ? " or " : "", one->length, one->at);
}

/* A subject of the command stands by itself: no form above goes with it. */
static bool is_subject(const command_form *forms, const command_form *form) {
    while (forms != form && !is_named(forms->takes, form->option)) forms++;
    return forms == form && form->needs == NULL;
}

/* Where a subject lacks it others may have it; where another option excludes it, it is that one which is too much. */
static void complain_unfit(const char *command, const command_form *forms, const command_form *form, const char *word,
                           const char *const *given) {
    char others[LONGEST_LIST] = "";
    for (const command_form *other = forms; is_subject(forms, form) && other->option != NULL; other++) {
        const name option = {other->option, (int)strlen(other->option)};
        if (is_subject(forms, other) && is_named(other->takes, word) && !is_among(&option, given))
            append(others, &option);
    }
    complain("%s: --%s has no --%s%s%s; leave it out", command, form->option, word,
             others[0] != '\0' ? ", which is for " : "", others);
}

static bool takes_all(const char *command, const command_form *forms, const command_form *form,
                      const char *const *given) {
    if (form->takes == NULL) return true;
    for (const char *const *one = given; *one != NULL; one++) {
        if (strcmp(*one, form->option) == 0 || is_named(form->takes, *one)) continue;
        complain_unfit(command, forms, form, *one, given);
        return false;
    }
    return true;
}

static bool has_needed(const char *command, const command_form *form, const char *const *given) {
    char words[LONGEST_LIST] = "";
    for (name one = {form->needs, 0}; next_name(&one); append(words, &one))
        if (is_among(&one, given)) return true;
    if (words[0] != '\0') complain("%s: --%s goes with %s; give that too, or leave it out", command, form->option, words);
    return words[0] == '\0';
}

bool forms_fit(const char *command, const command_form *forms, const char *const *given) {
    for (const command_form *form = forms; form != NULL && form->option != NULL; form++) {
        const name option = {form->option, (int)strlen(form->option)};
        if (is_among(&option, given) &&
            !(takes_all(command, forms, form, given) && has_needed(command, form, given)))
            return false;
    }
    return true;
}

bool forms_name(const command_form *forms, const char *const *options) {
    for (const command_form *form = forms; form != NULL && form->option != NULL; form++) {
        const char *const lists[] = {form->option, form->takes, form->needs};
        for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
            for (name one = {lists[k], 0}; next_name(&one);)
                if (!is_among(&one, options)) return false;
    }
    return true;
}
