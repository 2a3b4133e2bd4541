/* SPDX-License-Identifier: Apache-2.0 */
#include "custom/messages.h"

#include <stdio.h>
#include <string.h>

int custom_find_error(const char *messages, size_t capacity, char *words) {
    static const char mark[] = "error: ";
    const char *const error = strstr(messages, mark), *line = error;
    while (line != NULL && line > messages && line[-1] != '\n') line--;
    const char *const said = error != NULL ? error + strlen(mark) : messages + strspn(messages, " \t\r\n");
    snprintf(words, capacity, "%.*s", (int)strcspn(said, "\n"), said);
    unsigned number;
    return line != NULL && sscanf(line, "operation%u", &number) == 1 ? (int)number : -1;
}
