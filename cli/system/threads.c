/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "system/threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "frame/message.h"
#include "system/signal_stack.h"

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* How many of `most` threads there can be at a time beside this one. */
static unsigned try_threads(unsigned most) {
    pthread_t *threads = calloc(most, sizeof *threads);
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    unsigned count = 0;
    if (threads == NULL) return 0;
    pthread_mutex_lock(&gate);
    while (count < most && pthread_create(&threads[count], NULL, wait_at, &gate) == 0) count++;
    pthread_mutex_unlock(&gate);
    for (unsigned k = 0; k < count; ++k) pthread_join(threads[k], NULL);
    free(threads);
    return count;
}

/* The links of its folder of threads are two more than those; 0 where there is no such folder. */
static unsigned threads_now(void) {
    struct stat folder;
    return stat("/proc/self/task", &folder) == 0 ? (unsigned)folder.st_nlink : 0;
}

/* A thread that has been joined counts against the limits until the system has done with it, a moment later. */
static void await_threads(unsigned before) {
    const struct timespec moment = {.tv_nsec = 50000};
    enum { MOST_MOMENTS = 20000 };
    for (unsigned k = 0; k < MOST_MOMENTS && threads_now() > before; ++k) nanosleep(&moment, NULL);
}

static unsigned start_threads(unsigned wanted) {
    unsigned started = 0;
    if (wanted == 1) { /* without a region, for which the runtime would make a team */
        signal_stack_make();
        return 1;
    }
#pragma omp parallel reduction(+ : started)
    {
        signal_stack_make();
        started += 1;
    }
    return started;
}

unsigned threads_settle(const char *place, unsigned wanted) {
    const unsigned given = (unsigned)omp_get_max_threads(), processors = (unsigned)omp_get_num_procs();
    const unsigned most = given > processors ? given : processors; /* a plan takes no more */
    if (wanted == 0) wanted = given;
    if (wanted > most) wanted = most;
    const unsigned before = threads_now(), found = 1 + try_threads(wanted - 1);
    await_threads(before);
    omp_set_num_threads((int)found);
    if (found < wanted)
        complain("%s: only %u of %u threads can be started, and so many are used; for more raise the limit of "
                 "processes (ulimit -u, or the container's)",
                 place, found, wanted);
    return start_threads(found);
}
