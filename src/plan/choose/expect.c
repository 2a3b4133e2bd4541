/* SPDX-License-Identifier: Apache-2.0 */
#include "models/traffic.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"

enum {
    CACHED_BYTES = 1 << 20, /* two such arrays stay in a processor's second-level cache */
    SHORT_LENGTH = 2048,    /* a table of 8 KiB, read while the nearest cache holds src and dst too */
};

bool plan_is_cached(size_t array_bytes) { return array_bytes <= CACHED_BYTES; }

bool plan_is_short(const plan_request *r) { return r->n <= SHORT_LENGTH && r->executions != 1; }

bool plan_writes_out(const riffle_perm *map, const plan_request *r) {
    if (plan_target_is_device(&r->target)) return map->kind != PERM_TABLE;
    const bool is_costly = map->kind == PERM_RANDOM || map->kind == PERM_SEQUENCE;
    return r->executions != 1 && map->kind != PERM_TABLE && (is_costly || plan_is_short(r));
}

void plan_expect_traffic(const plan_request *r, double traffic, plan_choice *c) {
    const plan_algorithm *const a = c->algorithm;
    c->traffic = traffic;
    c->copies = traffic / traffic_copy(r->elem_bytes);
    if (!plan_target_is_device(&r->target) && a->slowdown != NULL) c->copies *= a->slowdown(r);
}

void plan_expect(const plan_request *r, plan_choice *c) {
    const plan_algorithm *const a = c->algorithm;
    const bool is_own = a->traffic != NULL && c->passes > 0;
    plan_expect_traffic(r, is_own ? a->traffic(r, c) : c->passes * traffic_copy(r->elem_bytes), c);
    c->kept = a->kept != NULL ? a->kept(r, c) : 0;
    if (c->passes > 1 && !r->in_place)
        c->workspace_bytes = a->workspace != NULL ? a->workspace(r, c) : r->array_bytes;
}
