/* SPDX-License-Identifier: Apache-2.0 */
#include "base/processor/processor.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/status.h"

static const processor AT_HAND = {.name = ""};

/* The environment's first value, cut to a length that no name has. */
static char wanted[64];
static const processor *named; /* by `wanted`; NULL if there is none of that name */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const processor *recorded(const char *name) {
    const processor *found = NULL;
    for (size_t k = 0; (found = processor_recorded_at(k)) != NULL && strcmp(found->name, name) != 0; k++) {
    }
    return found;
}

static void read_environment(void) {
    const char *given = getenv("RIFFLE_PROCESSOR");
    snprintf(wanted, sizeof wanted, "%s", given != NULL ? given : "");
    named = wanted[0] == '\0' ? &AT_HAND : recorded(wanted);
}

static riffle_status fail_unknown(void) {
    char names[512] = "";
    const processor *p;
    for (size_t k = 0; (p = processor_recorded_at(k)) != NULL; k++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", k > 0 ? ", " : "", p->name);
    }
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "RIFFLE_PROCESSOR: there is no record of a processor '%s'; take %s, or leave it unset", wanted,
                names);
}

riffle_status processor_here(const processor **out) {
    pthread_once(&once, read_environment);
    if (named == NULL) return fail_unknown();
    *out = named;
    return RIFFLE_OK;
}

static cpuid_answer ask(uint32_t leaf, uint32_t subleaf) {
    cpuid_answer a = {0};
#if defined(__x86_64__)
    __get_cpuid_count(leaf, subleaf, &a.eax, &a.ebx, &a.ecx, &a.edx);
#else
    (void)leaf, (void)subleaf;
#endif
    return a;
}

cpuid_answer processor_cpuid(const processor *of, uint32_t leaf, uint32_t subleaf) {
    if (of->leaves == NULL) return ask(leaf, subleaf);
    for (const cpuid_leaf *l = of->leaves; l->number != CPUID_END; l++) {
        if (l->number == leaf && l->subleaf == subleaf) return l->answer;
    }
    return (cpuid_answer){0};
}

/* A subleaf tells of a cache, the last one of the last level: EBX has its ways, partitions and bytes of a line, ECX its sets, each
 * less 1. */
static uint64_t last_cache_bytes(const processor *of, uint32_t leaf) {
    enum { MOST_CACHES = 8 };
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < MOST_CACHES; k++) {
        const cpuid_answer a = processor_cpuid(of, leaf, k);
        if ((a.eax & 0x1f) == 0) break;
        const uint64_t ways = (a.ebx >> 22) + 1, partitions = (a.ebx >> 12 & 0x3ff) + 1,
                       line = (a.ebx & 0xfff) + 1;
        bytes = ways * partitions * line * ((uint64_t)a.ecx + 1);
    }
    return bytes;
}

last_cache processor_last_cache(const processor *of) {
    const uint64_t near = last_cache_bytes(of, 0x8000001d);
    if (near > 0) return (last_cache){near, false};
    return (last_cache){last_cache_bytes(of, 4), true};
}
