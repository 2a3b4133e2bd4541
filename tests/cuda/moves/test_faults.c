/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults in moves, sorts and groups with a check on a GPU, put into results before they are read, between two passes of a move or of groups, or two
 * launches of a sort: all are found.
 *
 *     test_faults [--small]
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "check/between_faults.h"
#include "check/grouped_between.h"
#include "check/moved_faults.h"
#include "check/sorted_faults.h"
#include "riffle/cuda.h"

enum { SKIPPED = 77, FAULTS_EACH = 1000, FEW = 20 };

static uint64_t moved(const device *on, rng *r, uint64_t faults) {
    uint64_t all = 0;
    for (unsigned k = 0; k < MOVED_CASE_COUNT; k++) {
        const moved_case *const c = &MOVED_CASES[k];
        moved_counts counts = {0};
        moved_faults(on, r, c, faults, &counts);
        check(counts.refused == 0, "%s x %zu bytes: %llu calls failed: %s", c->spec, c->elem_bytes,
              (unsigned long long)counts.refused, riffle_error_detail());
        check(counts.missed == 0, "%s x %zu bytes: %llu of %llu faults were missed", c->spec, c->elem_bytes,
              (unsigned long long)counts.missed, (unsigned long long)counts.faults);
        all += counts.faults;
    }
    return all;
}

static uint64_t between(const device *on, rng *r, uint64_t faults) {
    uint64_t all = 0;
    for (unsigned k = 0; k < BETWEEN_CASE_COUNT; k++) {
        const between_case *const c = &BETWEEN_CASES[k];
        between_counts counts = {0};
        between_faults(on, r, c, faults, &counts);
        check(counts.refused == 0, "between passes of %llu x %zu bytes: %llu calls failed: %s",
              (unsigned long long)c->n, c->elem_bytes, (unsigned long long)counts.refused,
              riffle_error_detail());
        check(counts.missed == 0, "between passes of %llu x %zu bytes: %llu of %llu faults were missed",
              (unsigned long long)c->n, c->elem_bytes, (unsigned long long)counts.missed,
              (unsigned long long)counts.faults);
        all += counts.faults;
    }
    return all;
}

static uint64_t sorted(const device *on, rng *r, uint64_t faults) {
    uint64_t all = 0;
    for (unsigned k = 0; k < SORTED_CASE_COUNT; k++) {
        const sorted_case *const c = &SORTED_CASES[k];
        sorted_counts counts = {0};
        sorted_faults(on, r, c, faults, &counts);
        check(counts.refused == 0, "sorts of %llu x %zu bytes: %llu calls failed: %s", (unsigned long long)c->n,
              c->field.bytes, (unsigned long long)counts.refused, riffle_error_detail());
        check(counts.missed == 0, "sorts of %llu x %zu bytes: %llu of %llu faults were missed",
              (unsigned long long)c->n, c->field.bytes, (unsigned long long)counts.missed,
              (unsigned long long)counts.faults);
        all += counts.faults;
    }
    return all;
}

typedef void group_faults(const device *on, rng *r, const grouped_case *c, uint64_t faults,
                          grouped_counts *counts);

static uint64_t grouped(const device *on, rng *r, uint64_t faults, const grouped_case *cases, unsigned count,
                        group_faults *put) {
    uint64_t all = 0;
    for (unsigned k = 0; k < count; k++) {
        const grouped_case *const c = &cases[k];
        grouped_counts counts = {0};
        put(on, r, c, faults, &counts);
        check(counts.refused == 0, "groups of %llu x %zu bytes: %llu calls failed: %s",
              (unsigned long long)c->n, c->row_bytes[0], (unsigned long long)counts.refused,
              riffle_error_detail());
        check(counts.missed == 0, "groups of %llu x %zu bytes: %llu of %llu faults were missed",
              (unsigned long long)c->n, c->row_bytes[0], (unsigned long long)counts.missed,
              (unsigned long long)counts.faults);
        all += counts.faults;
    }
    return all;
}

int main(int argc, char **argv) {
    const uint64_t faults = argc > 1 && strcmp(argv[1], "--small") == 0 ? FEW : FAULTS_EACH;
    riffle_cuda_device gpu;
    device on;
    if (riffle_cuda_describe(&gpu) == RIFFLE_ERROR_UNSUPPORTED) {
        printf("skipped: %s\n", riffle_error_detail());
        return SKIPPED;
    }
    check_seed();
    rng r = {check_random()};
    if (!check(device_of_cuda(&on) == RIFFLE_OK, "the GPU")) return check_summary();
    const uint64_t in_results = moved(&on, &r, faults), in_between = between(&on, &r, faults),
                   in_sorts = sorted(&on, &r, 2 * faults),
                   in_groups = grouped(&on, &r, 2 * faults, GROUPED_CASES, GROUPED_CASE_COUNT, grouped_faults),
                   between_groups =
                       grouped(&on, &r, faults, GROUPED_BETWEEN, GROUPED_BETWEEN_COUNT, grouped_between);
    printf("%llu faults in results, %llu between passes, %llu in sorts, %llu in groups, %llu between their "
           "passes\n",
           (unsigned long long)in_results, (unsigned long long)in_between, (unsigned long long)in_sorts,
           (unsigned long long)in_groups, (unsigned long long)between_groups);
    check(in_results > faults * MOVED_CASE_COUNT / 2 && in_between > faults * BETWEEN_CASE_COUNT / 2 &&
              in_sorts > faults * SORTED_CASE_COUNT && in_groups > faults * GROUPED_CASE_COUNT / 2 &&
              between_groups > faults * GROUPED_BETWEEN_COUNT / 2,
          "faults are too few");
    return check_summary();
}
