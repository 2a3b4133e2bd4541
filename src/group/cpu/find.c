/* SPDX-License-Identifier: Apache-2.0
 *
 * From keys to groups: two loops for each type and each way. Entries are counted as they are found, four in a turn: an addition to a number
 * of the table waits less for those before it then.
 */
#include "group/cpu/work.h"

/* Numbers of 4 bytes are compared several at a time; one below 0 is none of the groups', whose numbers are shorter. */
static inline uint32_t group_by_short_value(const group_rule *rule, uint32_t key) {
    return key < rule->groups ? key : rule->groups;
}

#define FIND_BY(way, wide, type)                                                                               \
    {                                                                                                          \
        const type *const from = (const type *)keys + first;                                                   \
        for (size_t k = 0; k < count; k++) groups[k] = way(&rule, (wide)from[k]);                              \
        break;                                                                                                 \
    }
#define COUNT_BY(way, wide, type)                                                                              \
    {                                                                                                          \
        const type *const from = (const type *)keys + first;                                                   \
        _Pragma("GCC unroll 4") for (size_t k = 0; k < count; k++) counts[way(&rule, (wide)from[k])]++;        \
        break;                                                                                                 \
    }

#define LOOP(name, BY, way, way_of_short, wide, number, numbers)                                               \
    static void name##_##way(group_rule rule, riffle_type type, const void *keys, uint64_t first,              \
                             size_t count, number *restrict numbers) {                                         \
        switch (type) {                                                                                        \
        case RIFFLE_TYPE_I8: BY(way_of_short, wide, int8_t)                                                    \
        case RIFFLE_TYPE_I16: BY(way_of_short, wide, int16_t)                                                  \
        case RIFFLE_TYPE_I32: BY(way_of_short, wide, int32_t)                                                  \
        case RIFFLE_TYPE_U8: BY(way_of_short, wide, uint8_t)                                                   \
        case RIFFLE_TYPE_U16: BY(way_of_short, wide, uint16_t)                                                 \
        case RIFFLE_TYPE_U32: BY(way_of_short, wide, uint32_t)                                                 \
        default: BY(way, uint64_t, uint64_t)                                                                   \
        }                                                                                                      \
    }
#define LOOPS(way, way_of_short, wide)                                                                         \
    LOOP(find, FIND_BY, way, way_of_short, wide, uint32_t, groups)                                             \
    LOOP(count, COUNT_BY, way, way_of_short, wide, uint64_t, counts)
LOOPS(group_by_value, group_by_short_value, uint32_t)
LOOPS(group_by_hash, group_by_hash, uint64_t)
LOOPS(group_by_top, group_by_top, uint64_t)

void group_find(const riffle_group_plan *plan, const void *keys, uint64_t first, size_t count,
                uint32_t *groups) {
    switch (plan->rule.by) {
    case RIFFLE_GROUP_BY_VALUE:
        find_group_by_value(plan->rule, plan->key_type, keys, first, count, groups);
        break;
    case RIFFLE_GROUP_BY_HASH:
        find_group_by_hash(plan->rule, plan->key_type, keys, first, count, groups);
        break;
    default: find_group_by_top(plan->rule, plan->key_type, keys, first, count, groups);
    }
}

void group_count(const riffle_group_plan *plan, const void *keys, uint64_t first, size_t count,
                 uint64_t *counts) {
    switch (plan->rule.by) {
    case RIFFLE_GROUP_BY_VALUE:
        count_group_by_value(plan->rule, plan->key_type, keys, first, count, counts);
        break;
    case RIFFLE_GROUP_BY_HASH:
        count_group_by_hash(plan->rule, plan->key_type, keys, first, count, counts);
        break;
    default: count_group_by_top(plan->rule, plan->key_type, keys, first, count, counts);
    }
}
