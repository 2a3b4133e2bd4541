/* SPDX-License-Identifier: Apache-2.0 */
#include "npy/encoding.h"

#include <stdint.h>

/* Bytes of the character whose first byte this is; 0 if no character begins so. */
static unsigned length_of(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xc2) return 0;
    if (first < 0xe0) return 2;
    if (first < 0xf0) return 3;
    return first < 0xf5 ? 4 : 0;
}

bool encoding_is_utf8(const char *text, size_t length) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text, *end = p + length;
    while (p < end) {
        unsigned size = length_of(*p);
        if (size == 0 || (size_t)(end - p) < size) return false;
        uint32_t code = size == 1 ? *p : *p & (0x7fu >> size);
        for (unsigned k = 1; k < size; k++) {
            if ((p[k] & 0xc0) != 0x80) return false;
            code = code << 6 | (p[k] & 0x3f);
        }
        if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
        p += size;
    }
    return true;
}

size_t encoding_utf8_of_latin1(const char *text, size_t length, char *out) {
    size_t written = 0;
    for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)text[k];
        if (c >= 0x80) out[written++] = (char)(0xc0 | c >> 6);
        out[written++] = (char)(c < 0x80 ? c : 0x80 | (c & 0x3f));
    }
    return written;
}

bool encoding_latin1_of_utf8(const char *text, size_t length, char *out, size_t *out_length) {
    size_t written = 0;
    for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)text[k];
        if (c > 0xc3) return false;
        if (c >= 0x80) c = (unsigned char)(c << 6 | ((unsigned char)text[++k] & 0x3f));
        out[written++] = (char)c;
    }
    *out_length = written;
    return true;
}
