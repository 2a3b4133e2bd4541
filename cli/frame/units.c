/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/message.h"

typedef struct unit {
    const char *name;
    double value;
} unit;

/* A decimal number and one of the units behind it; false for anything else. */
static bool read_with_unit(const char *text, const unit *units, double *out) {
    char *rest;
    if (!isdigit((unsigned char)*text)) return false;
    const double number = strtod(text, &rest);
    for (; units->name != NULL; units++)
        if (strcmp(rest, units->name) == 0) {
            *out = number * units->value;
            return isfinite(*out);
        }
    return false;
}

bool option_rate(const command_option *option, const char *text, void *field) {
    static const unit units[] = {{"B/s", 1}, {"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"TB/s", 1e12}, {0}};
    if (read_with_unit(text, units, field) && *(double *)field > 0) return true;
    complain("option --%s: '%s' is no rate; write a number above 0 and B/s, KB/s, MB/s, GB/s or TB/s",
             option->name, text);
    return false;
}

bool option_duration(const command_option *option, const char *text, void *field) {
    static const unit units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {0}};
    if (read_with_unit(text, units, field)) return true;
    complain("option --%s: '%s' is no duration; write a number and s, ms, us or ns", option->name, text);
    return false;
}
