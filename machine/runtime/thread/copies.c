/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/thread/copies.h"

#include <stdlib.h>
#include <string.h>

static size_t offset_of(const copy *one) { return (uintptr_t)one->to - one->array->start; }

bool copies_add(copies *own, const copy *one) {
    if (own->count == own->capacity) {
        const size_t capacity = 2 * own->capacity + 16;
        copy *grown = realloc(own->copy, capacity * sizeof *grown);
        if (grown == NULL) return false;
        own->copy = grown;
        own->capacity = capacity;
    }
    own->copy[own->count] = *one;
    own->copy[own->count++].group = COPY_OPEN;
    shadow_mark(&one->array->shadow, offset_of(one), one->bytes);
    return true;
}

void copies_commit(copies *own) {
    for (size_t k = 0; k < own->count; k++)
        if (own->copy[k].group == COPY_OPEN) own->copy[k].group = own->groups;
    own->groups++;
}

static void land(const copy *one, const shadow_accessor *who) {
    memcpy(one->to, one->data, one->bytes);
    const shadow_accessor writer = {who->order, who->thread, who->segment, one->site, SHADOW_WEAK, false};
    shadow_land(&one->array->shadow, offset_of(one), one->bytes, &writer);
}

static void land_before(copies *own, unsigned before, const shadow_accessor *who) {
    size_t left = 0;
    for (size_t k = 0; k < own->count; k++) {
        const copy *one = &own->copy[k];
        if (one->group < before || before == COPY_OPEN)
            land(one, who);
        else
            own->copy[left++] = *one;
    }
    own->count = left;
    /* Where two are under way to one place the mark stays for the other. */
    for (size_t k = 0; k < left; k++)
        shadow_mark(&own->copy[k].array->shadow, offset_of(&own->copy[k]), own->copy[k].bytes);
}

void copies_land(copies *own, const shadow_accessor *who) { land_before(own, COPY_OPEN, who); }

void copies_land_prior(copies *own, unsigned left, const shadow_accessor *who) {
    if (left < own->groups) land_before(own, own->groups - left, who);
}

const copy *copies_find(const copies *own, uintptr_t address, size_t bytes) {
    for (size_t k = 0; k < own->count; k++) {
        const uintptr_t to = (uintptr_t)own->copy[k].to;
        if (address < to + own->copy[k].bytes && to < address + bytes) return &own->copy[k];
    }
    return NULL;
}

void copies_drop(copies *own) {
    for (size_t k = 0; k < own->count; k++)
        shadow_unmark(&own->copy[k].array->shadow, offset_of(&own->copy[k]), own->copy[k].bytes);
    own->count = 0;
    own->groups = 0;
}

void copies_free(copies *own) { free(own->copy); }
