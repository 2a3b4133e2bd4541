/* SPDX-License-Identifier: Apache-2.0
 *
 * In the place of source_line.c where libdw's headers were missing: no line is known.
 */
#include "machine/lines/source_line.h"

#include <stddef.h>

source_lines *source_lines_create(void) { return NULL; }

void source_lines_free(source_lines *lines) { (void)lines; }

bool source_lines_preprocessed(source_lines *lines, const char *text) {
    (void)lines, (void)text;
    return true;
}

const char *source_lines_missing(const source_lines *lines) {
    (void)lines;
    return "riffle was built without libdw's header; install libdw-dev (elfutils) and build it anew";
}

unsigned source_component_of(source_lines *lines, const void *site) {
    (void)lines, (void)site;
    return 0;
}

source_line source_line_of(source_lines *lines, const void *site) {
    (void)lines, (void)site;
    return (source_line){"?", 0};
}

unsigned source_callers_of(source_lines *lines, const void *site, const char *end, source_line *out,
                           unsigned room, bool *ended) {
    (void)lines, (void)site, (void)end, (void)out, (void)room;
    *ended = false;
    return 0;
}

bool source_user_line_of(source_lines *lines, const void *site, source_line *out) {
    (void)lines, (void)site, (void)out;
    return false;
}
