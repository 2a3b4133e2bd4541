/* SPDX-License-Identifier: Apache-2.0
 *
 * From keys to groups: a loop for each type and each way.
 */
#include "group/cpu/work.h"

#define FIND_BY(way, type)                                                                                     \
    {                                                                                                          \
        const type *const from = (const type *)keys + first;                                                   \
        for (size_t k = 0; k < count; k++) groups[k] = way(&rule, (uint64_t)from[k]);                          \
        break;                                                                                                 \
    }

#define FIND(way)                                                                                              \
    static void find_##way(group_rule rule, riffle_type type, const void *keys, uint64_t first, size_t count,  \
                           uint32_t *groups) {                                                                 \
        switch (type) {                                                                                        \
        case RIFFLE_TYPE_I8: FIND_BY(way, int8_t)                                                              \
        case RIFFLE_TYPE_I16: FIND_BY(way, int16_t)                                                            \
        case RIFFLE_TYPE_I32: FIND_BY(way, int32_t)                                                            \
        case RIFFLE_TYPE_U8: FIND_BY(way, uint8_t)                                                             \
        case RIFFLE_TYPE_U16: FIND_BY(way, uint16_t)                                                           \
        case RIFFLE_TYPE_U32: FIND_BY(way, uint32_t)                                                           \
        default: FIND_BY(way, uint64_t)                                                                        \
        }                                                                                                      \
    }
FIND(group_by_value)
FIND(group_by_hash)
FIND(group_by_top)

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
