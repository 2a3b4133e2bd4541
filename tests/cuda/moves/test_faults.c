/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults in results of moves with a check on a GPU, put there between the move and the reading of its result: all are found.
 *
 *     test_faults [--small]
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "check/moved_faults.h"
#include "riffle/cuda.h"

enum { SKIPPED = 77, FAULTS_EACH = 1000, FEW = 20 };

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
    uint64_t all = 0;
    for (unsigned k = 0; k < MOVED_CASE_COUNT; k++) {
        const moved_case *const c = &MOVED_CASES[k];
        moved_counts counts = {0};
        moved_faults(&on, &r, c, faults, &counts);
        check(counts.refused == 0, "%s x %zu bytes: %llu calls failed: %s", c->spec, c->elem_bytes,
              (unsigned long long)counts.refused, riffle_error_detail());
        check(counts.missed == 0, "%s x %zu bytes: %llu of %llu faults were missed", c->spec, c->elem_bytes,
              (unsigned long long)counts.missed, (unsigned long long)counts.faults);
        all += counts.faults;
    }
    printf("%llu faults\n", (unsigned long long)all);
    check(all > faults * MOVED_CASE_COUNT / 2, "%llu faults are too few", (unsigned long long)all);
    return check_summary();
}
