/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* dladdr */
#include "machine/lines/line_memo.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

enum { SLOT_BITS = 13, SLOTS = 1 << SLOT_BITS, PROBES = 32, FILES = 64, FILE_ROOM = 40 };

/* A table with open addressing, from which nothing is taken. */
static struct {
    uintptr_t site; /* 0: free */
    unsigned line, file;
} slots[SLOTS];
static char files[FILES][FILE_ROOM];

/* Where the site is, or else could be put; SLOTS if neither. */
static unsigned slot_of(uintptr_t site) {
    const unsigned first = (unsigned)(site * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
    for (unsigned k = 0; k < PROBES; k++) {
        const unsigned slot = (first + k) % SLOTS;
        if (slots[slot].site == site || slots[slot].site == 0) return slot;
    }
    return SLOTS;
}

bool line_memo_find(const void *site, source_line *out) {
    const unsigned slot = slot_of((uintptr_t)site);
    if (slot == SLOTS || slots[slot].site == 0) return false;
    *out = (source_line){files[slots[slot].file], slots[slot].line};
    return true;
}

static bool is_own(const void *site) {
    Dl_info here, there;
    return dladdr(slots, &here) != 0 && dladdr(site, &there) != 0 && here.dli_fbase == there.dli_fbase;
}

/* The file's number; FILES if there is no room for it. */
static unsigned number_of(const char *file) {
    if (strlen(file) >= FILE_ROOM) return FILES;
    unsigned k = 0;
    while (k < FILES && files[k][0] != '\0' && strcmp(files[k], file) != 0) k++;
    if (k < FILES) strcpy(files[k], file);
    return k;
}

void line_memo_keep(const void *site, source_line line) {
    const unsigned slot = slot_of((uintptr_t)site);
    if (slot == SLOTS || !is_own(site)) return;
    const unsigned file = number_of(line.file);
    if (file == FILES) return;
    slots[slot].site = (uintptr_t)site;
    slots[slot].line = line.line;
    slots[slot].file = file;
}
