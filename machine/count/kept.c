/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/count/kept.h"

static uint64_t mix(uint64_t a, uint64_t b) {
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 29;
}

static uint64_t key_of(const kept_accesses *k, unsigned warp, const warp_access *a) {
    uint64_t key = mix(mix(k->age, warp + 1), (uint64_t)a->space << 8 | a->bytes);
    for (unsigned n = 0; n < a->lanes; n++) key = mix(mix(key, a->lane[n]), a->at[n]);
    return key | 1;
}

/* Where it is, or else one that is free or may be forgotten. */
static kept_access *slot_of(kept_accesses *k, uint64_t key) {
    kept_access *first = &k->slot[key >> 32 & (KEPT_SLOTS - 1)], *room = NULL;
    for (kept_access *at = first; at < first + KEPT_WAYS; at++) {
        if (at->key == key) return at;
        if (room == NULL && (at->key == 0 || at->age != k->age)) room = at;
    }
    return room != NULL ? room : first;
}

/* Anybody's access, for lines at which nothing is: there it must have been in a register, also a write's value. */
static bool is_known(kept_accesses *k, uint64_t key) {
    kept_access *at = slot_of(k, key);
    const bool known = at->key == key;
    *at = (kept_access){.key = key, .age = k->age};
    return known;
}

bool kept_has(kept_accesses *k, const kept_code *code, unsigned warp, uint32_t site, uint64_t moved,
              const warp_access *access) {
    if (!code->asked || access->op == OP_ATOMIC) {
        k->writes[access->space] += access->op == OP_ATOMIC;
        return false;
    }
    const bool reads = access->op == OP_READ;
    const uint64_t key = key_of(k, warp, access);
    if (is_known(k, key) && code->none_near && reads) return true;
    if (!reads) k->writes[access->space]++;
    if (code->sum == 0) return false;
    /* More than there is code for cannot be; and what is read again with no write between is not. */
    const uint64_t own = mix(key, site + 1) | 1;
    kept_access *at = slot_of(k, own);
    const bool full = moved >= code->sum;
    if (at->key == own && (full || (reads && at->writes == k->writes[access->space]))) return true;
    *at = (kept_access){.key = own, .age = k->age, .writes = k->writes[access->space]};
    return false;
}
