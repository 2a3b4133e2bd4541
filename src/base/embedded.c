/* SPDX-License-Identifier: Apache-2.0 */
#include "base/embedded.h"

#include <string.h>

void embedded_print(const embedded_text *text, FILE *out) {
    static const char include[] = "#include \"";
    fprintf(out, "#line 1 \"%s\"\n", text->name);
    for (const char *line = text->text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, include, sizeof include - 1) != 0) fwrite(line, 1, length, out);
        fputc('\n', out);
        line += length + (line[length] == '\n');
    }
}
