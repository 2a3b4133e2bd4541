/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/request/measured.h"

#include "base/splitmix.h"
#include "plan/wisdom/wisdom.h"

enum { SAMPLE = 64 };

static void mix(uint64_t *hash, uint64_t word) {
    uint64_t state = *hash ^ word;
    *hash = splitmix_next(&state);
}

static void mix_text(uint64_t *hash, const char *text) {
    for (; *text != '\0'; text++) mix(hash, (unsigned char)*text);
}

/* The processor by what runs on it. */
static void mix_processor(uint64_t *hash, const plan_request *r) {
    riffle_cpu cpu = {.vectors = ""};
    if (riffle_cpu_describe(&cpu) != RIFFLE_OK) return; /* the request's target has been found, so it can */
    mix_text(hash, cpu.vectors);
    mix_text(hash, cpu.loops);
    mix(hash, (uint64_t)r->target.translation.entries);
}

uint64_t measured_key(const plan_request *r) {
    uint64_t hash = 1, place = r->n;
    const uint64_t numbers[] = {r->n,          r->elem_bytes, r->batch,        r->stride,     r->in_place,
                                r->row_length, r->algorithm,  r->most_threads, r->executions, r->perm->kind};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) mix(&hash, numbers[k]);
    mix_processor(&hash, r);
    for (unsigned k = 0; k < SAMPLE && r->n > 0; k++)
        mix(&hash, riffle_perm_at(r->perm, splitmix_next(&place) % r->n));
    return hash;
}

bool measured_recall(plan_request *r, plan_trials *out) {
    wisdom_entry entry;
    if (!wisdom_find(measured_key(r), &entry)) return false;
    r->algorithm = r->in_place ? r->algorithm : entry.algorithm;
    r->most_threads = entry.threads < r->most_threads ? entry.threads : r->most_threads;
    r->stores = (plan_stores)entry.stores;
    *out = (plan_trials){.was_known = true, .count = 1};
    out->trial[0] = (plan_trial){entry.algorithm, entry.threads, r->stores == STORES_STREAMED,
                                 (double)entry.picoseconds * 1e-12};
    return true;
}

void measured_print(const plan_trials *t, FILE *stream) {
    for (unsigned k = 0; k < t->count; k++) {
        const plan_trial *const one = &t->trial[k];
        fprintf(stream, "%s%s, %u thread%s%s, %.3g us%s\n",
                k > 0          ? "             "
                : t->was_known ? "measured     before: "
                               : "measured     ",
                riffle_algorithm_string(one->algorithm), one->threads, one->threads == 1 ? "" : "s",
                one->streams ? ", past the caches" : "", one->seconds * 1e6,
                t->count > 1 && k == t->best ? ", taken" : "");
    }
}
