/* SPDX-License-Identifier: Apache-2.0 */
#include "base/threads/threads.h"

#include <omp.h>

unsigned threads_most(unsigned wanted) {
    if (wanted == 1) return 1; /* without a word to OpenMP */
    const unsigned given = (unsigned)omp_get_max_threads(), processors = (unsigned)omp_get_num_procs();
    const unsigned most = given > processors ? given : processors;
    return wanted == 0 ? given : wanted < most ? wanted : most;
}

unsigned threads_most_of_call(const riffle_call_options *options) {
    return threads_most(options != NULL ? options->threads : 0);
}

unsigned threads_given(unsigned planned) {
    if (planned <= 1) return 1;
    const unsigned given = (unsigned)omp_get_max_threads();
    return planned < given ? planned : given;
}

unsigned threads_for(size_t bytes, size_t bytes_a_thread, unsigned most) {
    const size_t useful = bytes >= bytes_a_thread ? bytes / bytes_a_thread : 1;
    return useful < most ? (unsigned)useful : most;
}
