/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/report/escape.h"

#include <ctype.h>
#include <string.h>

static const char unknown[] = "\xef\xbf\xbd"; /* U+FFFD */

/* Bytes of the character that begins here; 0 if it is none of UTF-8's (RFC 3629). */
static size_t character(const unsigned char *at, size_t left) {
    const unsigned char first = at[0];
    if (first < 0x80) return 1;
    const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || bytes > left) return 0;
    for (size_t k = 1; k < bytes; k++)
        if ((at[k] & 0xc0) != 0x80) return 0;
    const unsigned char second = at[1];
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
        return 0;
    return bytes;
}

/* Copies a character that stands for itself, or what stands for a byte that is none; how many bytes it was. */
static size_t copy_character(const unsigned char *at, size_t left, FILE *stream) {
    const size_t bytes = character(at, left);
    if (bytes == 0)
        fputs(unknown, stream);
    else
        fwrite(at, 1, bytes, stream);
    return bytes > 0 ? bytes : 1;
}

void escape_json(const char *text, FILE *stream) {
    const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
    fputc('"', stream);
    while (at < end) {
        if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at++);
        else if (*at < ' ' || *at == 0x7f)
            fprintf(stream, "\\u%04x", *at++);
        else
            at += copy_character(at, (size_t)(end - at), stream);
    }
    fputc('"', stream);
}

/* NULL for what stands for itself. */
static const char *entity(unsigned char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return c == '\t' || (c >= ' ' && c != 0x7f) ? NULL : unknown;
    }
}

void escape_html(const char *text, size_t length, FILE *stream) {
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    while (at < end) {
        const char *instead = entity(*at);
        if (instead != NULL) fputs(instead, stream);
        at += instead != NULL ? 1 : copy_character(at, (size_t)(end - at), stream);
    }
}

void escape_path(const char *path, FILE *stream) {
    for (const unsigned char *at = (const unsigned char *)path; *at != '\0'; at++) {
        if (*at < 0x80 && (isalnum(*at) || strchr("-._~/", *at) != NULL))
            fputc(*at, stream);
        else
            fprintf(stream, "%%%02X", *at);
    }
}
