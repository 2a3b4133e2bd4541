/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/lists.h"

#include <stdio.h>
#include <string.h>

#include "frame/message.h"
#include "frame/readers.h"

enum { ITEM_ROOM = 80 };

/* Copies what stands before the next comma, and returns what stands behind it; NULL at the end, or where an item is too long. */
static const char *next_item(const char *text, char item[static ITEM_ROOM]) {
    const size_t length = strcspn(text, ",");
    if (length >= ITEM_ROOM) return NULL;
    snprintf(item, ITEM_ROOM, "%.*s", (int)length, text);
    return text + length + (text[length] == ',');
}

static bool is_last(const char *text) { return text[strcspn(text, ",")] == '\0'; }

static bool has_room(const command_option *option, unsigned count, unsigned most) {
    if (count < most) return true;
    complain("option --%s: more than %u values; give fewer, or a wider step", option->name, most);
    return false;
}

static bool add_value(const command_option *option, uint64_t value, number_list *out) {
    for (unsigned k = 0; k < out->count; k++)
        if (out->of[k] == value) return true;
    if (!has_room(option, out->count, LIST_MOST_NUMBERS)) return false;
    out->of[out->count++] = value;
    return true;
}

/* A range's step: a summand, or a factor. */
typedef struct step {
    uint64_t by;
    bool is_sum;
} step;

/* The number behind `from`, or 0 where that is beyond all. */
static uint64_t behind(uint64_t from, const step *s) {
    uint64_t next;
    const bool beyond =
        s->is_sum ? __builtin_add_overflow(from, s->by, &next) : __builtin_mul_overflow(from, s->by, &next);
    return beyond ? 0 : next;
}

static bool add_range(const command_option *option, uint64_t from, uint64_t to, const step *s,
                      number_list *out) {
    for (uint64_t value = from; value != 0 && value <= to; value = behind(value, s))
        if (!add_value(option, value, out)) return false;
    return true;
}

/* Cuts a step off the end of a range's last number; doubling where there is none. */
static bool read_step(char *last, step *out) {
    char *const at = last + strcspn(last, "+x");
    *out = (step){2, false};
    if (*at == '\0') return true;
    out->is_sum = *at == '+';
    *at = '\0';
    return read_number(at + 1, &out->by) && out->by > (out->is_sum ? 0 : 1);
}

static bool read_item(const command_option *option, char *item, number_list *out) {
    char *const dots = strstr(item, "..");
    uint64_t from, to;
    step by;
    if (dots == NULL)
        return read_range(option, item, option->least, option->most, &from) && add_value(option, from, out);
    *dots = '\0';
    if (!read_step(dots + 2, &by)) {
        complain("option --%s: '%s': a step is +S, 1 or more, or xF, 2 or more; without one, numbers double",
                 option->name, dots + 2 + strlen(dots + 2) + 1);
        return false;
    }
    if (!read_range(option, item, option->least, option->most, &from) ||
        !read_range(option, dots + 2, option->least, option->most, &to))
        return false;
    if (from <= to) return add_range(option, from, to, &by, out);
    complain("option --%s: a range goes up, and not from %s to %s", option->name, item, dots + 2);
    return false;
}

bool option_numbers(const command_option *option, const char *text, void *field) {
    char item[ITEM_ROOM];
    bool ends;
    do {
        ends = is_last(text);
        text = next_item(text, item);
        if (text == NULL) {
            complain("option --%s: a number of %d letters or more; write it in decimal or as 2^K", option->name,
                     ITEM_ROOM);
            return false;
        }
        if (!read_item(option, item, field)) return false;
    } while (!ends);
    return true;
}

static bool add_word(const command_option *option, int word, word_list *out) {
    for (unsigned k = 0; k < out->count; k++)
        if (out->of[k] == word) return true;
    if (!has_room(option, out->count, LIST_MOST_WORDS)) return false;
    out->of[out->count++] = word;
    return true;
}

bool read_words(const command_option *option, const char *kind, const char *text, const char *const *words,
                word_list *out) {
    char item[ITEM_ROOM];
    bool ends;
    do {
        ends = is_last(text);
        const char *const rest = next_item(text, item);
        const int found = read_word(option, kind, rest != NULL ? item : text, words);
        if (found < 0 || !add_word(option, found, out)) return false;
        text = rest;
    } while (!ends);
    return true;
}

bool option_algorithms(const command_option *option, const char *text, void *field) {
    word_list *const out = field;
    const char *const *const names = algorithm_words();
    if (!read_words(option, "algorithm", text, names, out)) return false;
    for (unsigned k = 0; k < out->count; k++) {
        riffle_algorithm found;
        if (riffle_algorithm_parse(names[out->of[k]], &found) != RIFFLE_OK) return false;
        out->of[k] = (int)found;
    }
    return true;
}
