/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/wisdom/wisdom.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Entries, the oldest at `oldest` once the table is full. A bucket is a chain of places, each one more than it is. */
static wisdom_entry *table;
static uint16_t *next_place;
static size_t length, capacity, oldest;
enum { BUCKETS_LOG2 = 12, BUCKETS = 1 << BUCKETS_LOG2 };
static uint16_t first_place[BUCKETS];

static uint16_t *chain_of(uint64_t key) {
    return &first_place[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BUCKETS_LOG2)];
}

/* The link that leads to a key's place; the chain's last, which is 0, if it has none. */
static uint16_t *link_of(uint64_t key) {
    uint16_t *link = chain_of(key);
    while (*link != 0 && table[*link - 1].key != key) link = &next_place[*link - 1];
    return link;
}

static bool has_room(size_t wanted) {
    if (wanted > WISDOM_MOST) wanted = WISDOM_MOST;
    if (wanted <= capacity) return true;
    const size_t next = wanted < 2 * capacity ? 2 * capacity : wanted;
    wisdom_entry *const grown = realloc(table, next * sizeof *table);
    if (grown != NULL) table = grown;
    uint16_t *const links = realloc(next_place, next * sizeof *next_place);
    if (links != NULL) next_place = links;
    if (grown == NULL || links == NULL) return false;
    capacity = next;
    return true;
}

/* The place of a new entry: behind the others, or the oldest one's, whose chain it leaves. */
static size_t place_for_one(void) {
    if (length < WISDOM_MOST) return length++;
    const size_t at = oldest;
    uint16_t *const link = link_of(table[at].key);
    *link = next_place[at];
    oldest = (oldest + 1) % WISDOM_MOST;
    return at;
}

static void put(const wisdom_entry *entry) {
    const uint16_t known = *link_of(entry->key);
    const size_t at = known != 0 ? known - 1u : place_for_one();
    table[at] = *entry;
    if (known != 0) return;
    uint16_t *const first = chain_of(entry->key);
    next_place[at] = *first;
    *first = (uint16_t)(at + 1);
}

bool wisdom_find(uint64_t key, wisdom_entry *out) {
    pthread_mutex_lock(&lock);
    const uint16_t known = length > 0 ? *link_of(key) : 0;
    const bool is_found = known != 0;
    if (is_found) *out = table[known - 1];
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
    free(next_place);
    table = NULL;
    next_place = NULL;
    memset(first_place, 0, sizeof first_place);
    length = capacity = oldest = 0;
    pthread_mutex_unlock(&lock);
}
