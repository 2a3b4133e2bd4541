/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells whether the thread sanitizer sees OpenMP rightly: `finds_race race` adds up in two threads without order, which must be
 * reported; `finds_race order` lets a barrier order the same accesses, which must not.
 */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    bool ordered = argc > 1 && strcmp(argv[1], "order") == 0;
    static volatile int sums[2];
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
    {
        int thread = omp_get_thread_num();
        for (int k = 0; k < 100000; k++) sums[ordered ? thread : 0] += 1;
#pragma omp barrier
        if (thread == 0) sums[1] += sums[0];
    }
    printf("%d\n", sums[1]);
    return 0;
}
