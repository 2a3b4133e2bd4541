/* SPDX-License-Identifier: Apache-2.0 */
#include "device/explain/text.h"

void explain_text(const char *key, const char *text, FILE *stream) {
    fprintf(stream, "\"%s\":\"", key);
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at);
        else if ((unsigned char)*at < 0x20)
            fprintf(stream, "\\u%04x", (unsigned)*at);
        else
            fputc(*at, stream);
    }
    fprintf(stream, "\",");
}
