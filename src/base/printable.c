/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a line that a terminal only shows. Printable ASCII is left alone, and so is well-formed UTF-8 that is no control
 * character; any other byte becomes four characters.
 */
#include <stdbool.h>
#include <string.h>

#include "riffle.h"

/* Bytes of the UTF-8 character that begins with this one, beyond ASCII; 0 if none does. */
static size_t length_of(unsigned char first) {
    if (first >= 0xc2 && first <= 0xdf) return 2;
    if (first >= 0xe0 && first <= 0xef) return 3;
    return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/* Is it none of the second bytes that stand for a control character, a surrogate, a number with too many bytes
 * or one beyond Unicode? */
static bool is_second(unsigned char first, unsigned char second) {
    switch (first) {
    case 0xc2:
    case 0xe0: return second >= 0xa0;
    case 0xed: return second < 0xa0;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second < 0x90;
    default: return true;
    }
}

/* Bytes of the character at `at` if it may be shown as it is, else 0. */
static size_t shown_bytes(const unsigned char *at) {
    if (*at < 0x80) return *at >= ' ' && *at != 0x7f;
    const size_t length = length_of(*at);
    for (size_t k = 1; k < length; ++k) {
        if ((at[k] & 0xc0) != 0x80) return 0;
    }
    return length > 0 && is_second(at[0], at[1]) ? length : 0;
}

char *riffle_printable(const char *text, char *out, size_t room) {
    static const char digits[] = "0123456789abcdef";
    const unsigned char *at = (const unsigned char *)(text != NULL ? text : "");
    char *end = out;
    if (out == NULL || room == 0) return out;
    while (*at != '\0') {
        const size_t bytes = shown_bytes(at);
        const char escaped[] = {'\\', 'x', digits[*at >> 4], digits[*at & 15]};
        const size_t added = bytes > 0 ? bytes : sizeof escaped;
        if ((size_t)(end - out) + added >= room) break;
        memcpy(end, bytes > 0 ? (const char *)at : escaped, added);
        end += added;
        at += bytes > 0 ? bytes : 1;
    }
    *end = '\0';
    return out;
}
