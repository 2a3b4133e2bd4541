/* SPDX-License-Identifier: Apache-2.0
 *
 * plan LOG2 RANKS COMMIT: the processor time that one rank's own part of moves of about 2^LOG2 elements takes to plan, as JSON, the best of some. The rank
 * is one of RANKS that are not there: no rank asks another for its own part.
 *
 *     plan 32 4096 "$(git describe --always --dirty)"
 */
#include "document.h" /* first: what it wants of libc */

#include <time.h>

#include "riffle/exchange.h"

enum { TIMES = 9, SPEC = 96 };

static void stop(const char *what) {
    fprintf(stderr, "plan: %s: %s\n", what, riffle_error_detail());
    exit(1);
}

static double seconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) stop("clock");
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Time, messages, and elements of the part. */
static double plan_once(const riffle_perm *perm, unsigned ranks, size_t *messages, uint64_t *own) {
    riffle_exchange *part = NULL;
    const double start = seconds();
    if (riffle_exchange_create(perm, ranks, ranks / 3, NULL, &part) != RIFFLE_OK) stop("exchange");
    const double took = seconds() - start;
    riffle_exchange_sends(part, messages);
    *own = riffle_perm_length(riffle_exchange_pack(part));
    riffle_exchange_free(part);
    return took;
}

static void measure(const char *separator, const char *kind, const char *spec, uint64_t n, unsigned ranks) {
    riffle_perm *perm = NULL;
    size_t messages = 0;
    uint64_t own = 0;
    double best = 0;
    if (riffle_perm_parse(spec, n, &perm) != RIFFLE_OK) stop(spec);
    for (unsigned k = 0; k < TIMES; k++) {
        const double took = plan_once(perm, ranks, &messages, &own);
        if (k == 0 || took < best) best = took;
    }
    printf("%s\n  {\"kind\": \"%s\", \"by\": \"%s\", \"n\": %llu, \"ranks\": %u, \"own\": %llu, \"messages\": "
           "%zu, \"seconds\": %.3g}",
           separator, kind, spec, (unsigned long long)n, ranks, (unsigned long long)own, messages, best);
    riffle_perm_free(perm);
}

int main(int argc, char **argv) {
    const unsigned m = argc == 4 ? (unsigned)atoi(argv[1]) : 0, ranks = argc == 4 ? (unsigned)atoi(argv[2]) : 0;
    if (m < 12 || m > RIFFLE_MAX_BITS || ranks == 0 || ranks > RIFFLE_MAX_RANKS) {
        fprintf(stderr, "plan LOG2 RANKS COMMIT: 2^12 to 2^%d elements, 1 to %u ranks\n", RIFFLE_MAX_BITS,
                RIFFLE_MAX_RANKS);
        return 2;
    }
    const unsigned long long n = 1ull << m, rows = (1ull << m / 2) - 1, columns = n / rows, planes = n / 60;
    char transpose[SPEC], axes[SPEC];
    snprintf(transpose, sizeof transpose, "transpose:%llux%llu", rows, columns);
    snprintf(axes, sizeof axes, "axes:3x4x%llux5:3,1,0,2", planes);
    document_begin("plan", argv[3], (int)ranks);
    measure("", "affine", "bit-reversal", n, ranks);
    measure(",", "axes", transpose, rows * columns, ranks);
    measure(",", "axes", axes, planes * 60, ranks);
    measure(",", "rotation", "rotate:12345", n - 1, ranks);
    measure(",", "random", "random:1", n - 1, ranks);
    document_end();
    return 0;
}
