/* SPDX-License-Identifier: Apache-2.0 */
#include "axes/axes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_axes_read(const char *by, bench_axes *axes) {
    static const char kind[] = "axes:";
    *axes = (bench_axes){.rank = 0};
    if (strncmp(by, kind, sizeof kind - 1) != 0) return false;
    char *at = (char *)(uintptr_t)by + sizeof kind - 2; /* strtoull takes the const away likewise */
    unsigned rank = 0;
    do axes->shape[rank++] = strtoull(at + 1, &at, 10);
    while (*at == 'x' && rank < RIFFLE_MAX_RANK);
    for (unsigned j = 0; j < rank && (*at == ':' || *at == ','); ++j)
        axes->order[j] = (unsigned)strtoul(at + 1, &at, 10);
    axes->rank = rank;
    return true;
}

void bench_axes_write(const bench_axes *axes, char by[BENCH_AXES_SPEC]) {
    size_t end = (size_t)snprintf(by, BENCH_AXES_SPEC, "axes");
    for (unsigned a = 0; a < axes->rank; ++a)
        end +=
            (size_t)snprintf(by + end, BENCH_AXES_SPEC - end, "%c%" PRIu64, a == 0 ? ':' : 'x', axes->shape[a]);
    for (unsigned j = 0; j < axes->rank; ++j)
        end += (size_t)snprintf(by + end, BENCH_AXES_SPEC - end, "%c%u", j == 0 ? ':' : ',', axes->order[j]);
}

uint64_t bench_axes_length(const bench_axes *axes) {
    uint64_t n = 1;
    for (unsigned a = 0; a < axes->rank; ++a) n *= axes->shape[a];
    return n;
}

void bench_axes_shrink(bench_axes *axes, uint64_t most) {
    while (bench_axes_length(axes) > most) {
        uint64_t *longest = axes->shape;
        for (unsigned a = 1; a < axes->rank; ++a)
            if (axes->shape[a] > *longest) longest = &axes->shape[a];
        if (*longest <= 1) return;
        *longest = (*longest + 1) / 2;
    }
}
