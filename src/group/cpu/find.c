/* SPDX-License-Identifier: Apache-2.0
 *
 * From keys to groups: a loop for each type and each way.
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

#define FIND(way, way_of_short, wide)                                                                          \
    static void find_##way(group_rule rule, riffle_type type, const void *keys, uint64_t first, size_t count,  \
                           uint32_t *restrict groups) {                                                        \
        switch (type) {                                                                                        \
        case RIFFLE_TYPE_I8: FIND_BY(way_of_short, wide, int8_t)                                               \
        case RIFFLE_TYPE_I16: FIND_BY(way_of_short, wide, int16_t)                                             \
        case RIFFLE_TYPE_I32: FIND_BY(way_of_short, wide, int32_t)                                             \
        case RIFFLE_TYPE_U8: FIND_BY(way_of_short, wide, uint8_t)                                              \
        case RIFFLE_TYPE_U16: FIND_BY(way_of_short, wide, uint16_t)                                            \
        case RIFFLE_TYPE_U32: FIND_BY(way_of_short, wide, uint32_t)                                            \
        default: FIND_BY(way, uint64_t, uint64_t)                                                              \
        }                                                                                                      \
    }
FIND(group_by_value, group_by_short_value, uint32_t)
FIND(group_by_hash, group_by_hash, uint64_t)
FIND(group_by_top, group_by_top, uint64_t)

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
