/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/wisdom/wisdom.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static wisdom_entry *table; /* the oldest one is at `oldest` once the table is full */
static size_t length, capacity, oldest;

/* The place of a key; `length` if it has none. */
static size_t place_of(uint64_t key) {
    size_t k = 0;
    while (k < length && table[k].key != key) k++;
    return k;
}

static bool has_room(size_t wanted) {
    if (wanted > WISDOM_MOST) wanted = WISDOM_MOST;
    if (wanted <= capacity) return true;
    const size_t next = wanted < 2 * capacity ? 2 * capacity : wanted;
    wisdom_entry *const grown = realloc(table, next * sizeof *table);
    if (grown == NULL) return false;
    table = grown;
    capacity = next;
    return true;
}

static void put(const wisdom_entry *entry) {
    size_t at = place_of(entry->key);
    if (at == WISDOM_MOST) {
        at = oldest;
        oldest = (oldest + 1) % WISDOM_MOST;
    } else if (at == length) {
        length++;
    }
    table[at] = *entry;
}

bool wisdom_find(uint64_t key, wisdom_entry *out) {
    pthread_mutex_lock(&lock);
    const size_t at = place_of(key);
    const bool is_found = at < length;
    if (is_found) *out = table[at];
    pthread_mutex_unlock(&lock);
    return is_found;
}

riffle_status wisdom_keep(const wisdom_entry *entries, size_t count) {
    pthread_mutex_lock(&lock);
    const bool can = has_room(length + count);
    for (size_t k = 0; can && k < count; k++) put(&entries[k]);
    pthread_mutex_unlock(&lock);
    return can ? RIFFLE_OK : fail_memory("what was measured", count * sizeof *entries);
}

riffle_status wisdom_all(wisdom_entry **out, size_t *count) {
    riffle_status status = RIFFLE_OK;
    pthread_mutex_lock(&lock);
    wisdom_entry *const copy = malloc((length > 0 ? length : 1) * sizeof *copy);
    if (copy == NULL) {
        status = fail_memory("a copy of what was measured", length * sizeof *copy);
    } else {
        if (length > 0) memcpy(copy, table, length * sizeof *copy);
        *out = copy;
        *count = length;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

size_t riffle_wisdom_count(void) {
    pthread_mutex_lock(&lock);
    const size_t count = length;
    pthread_mutex_unlock(&lock);
    return count;
}

void riffle_wisdom_forget(void) {
    pthread_mutex_lock(&lock);
    free(table);
    table = NULL;
    length = capacity = oldest = 0;
    pthread_mutex_unlock(&lock);
}
