/* SPDX-License-Identifier: Apache-2.0
 *
 * From a key to the number of its group, for C and for CUDA. A key is extended to 64 bits first, a signed one by its sign; a key that
 * names no group has the number `groups`.
 */
#ifndef RIFFLE_GROUP_NUMBER_H
#define RIFFLE_GROUP_NUMBER_H

#include "base/splitmix.h"

/** The rule by which keys name groups. */
typedef struct group_rule {
    uint32_t groups;
    uint32_t by;    /**< a riffle_group_by */
    uint32_t shift; /**< bits of 64 that keys lack */
    uint64_t bias;  /**< is added to signed keys, so that the least is 0; else 0 */
} group_rule;

/** floor(x * groups / 2^64) */
SPLITMIX_INLINE uint32_t group_part(uint64_t x, uint32_t groups) {
    return (uint32_t)((unsigned __int128)x * groups >> 64);
}

SPLITMIX_INLINE uint32_t group_by_value(const group_rule *rule, uint64_t key) {
    return key < rule->groups ? (uint32_t)key : rule->groups;
}

SPLITMIX_INLINE uint32_t group_by_hash(const group_rule *rule, uint64_t key) {
    return group_part(splitmix_next(&key), rule->groups);
}

SPLITMIX_INLINE uint32_t group_by_top(const group_rule *rule, uint64_t key) {
    return group_part((key + rule->bias) << rule->shift, rule->groups);
}

/** Rows of a group that keeps so many and is padded to a multiple. */
SPLITMIX_INLINE uint64_t group_round_up(uint64_t kept, uint64_t multiple) {
    return multiple == 1 ? kept : (kept + multiple - 1) / multiple * multiple;
}

/** The same by the rule's own way: 0 is RIFFLE_GROUP_BY_VALUE, 1 HASH, 2 TOP. */
SPLITMIX_INLINE uint32_t group_number(const group_rule *rule, uint64_t key) {
    return rule->by == 0   ? group_by_value(rule, key)
           : rule->by == 1 ? group_by_hash(rule, key)
                           : group_by_top(rule, key);
}

#endif
