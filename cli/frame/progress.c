/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* isatty, pthread_condattr_setclock */
#include "frame/progress.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "system/clock.h"

static const long FIRST_WAIT_MS = 1000, NEXT_WAIT_MS = 200;

/* Waits with the lock held; true if the work ended meanwhile. */
static bool ends_within(progress *line, long milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    long nanoseconds = until.tv_nsec + milliseconds % 1000 * 1000000;
    until.tv_sec += milliseconds / 1000 + nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    while (!line->ending && pthread_cond_timedwait(&line->changed, &line->lock, &until) == 0) {
    }
    return line->ending;
}

static void *draw(void *argument) {
    progress *line = argument;
    pthread_mutex_lock(&line->lock);
    if (!ends_within(line, FIRST_WAIT_MS)) {
        do {
            fprintf(stderr, PROGRESS_CLEAR "riffle: %s  %.1f s", line->phase,
                    seconds_now() - line->phase_began);
            fflush(stderr);
        } while (!ends_within(line, NEXT_WAIT_MS));
        fputs(PROGRESS_CLEAR, stderr);
    }
    pthread_mutex_unlock(&line->lock);
    return NULL;
}

/* The thread takes no signals: they are for the thread that works. */
static bool start_thread(progress *line) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&line->thread, NULL, draw, line) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void progress_start(progress *line, const char *phase) {
    *line = (progress){.lock = PTHREAD_MUTEX_INITIALIZER, .phase = phase, .phase_began = seconds_now()};
    if (!isatty(STDERR_FILENO)) return;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&line->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    line->drawing = start_thread(line);
}

void progress_phase(progress *line, const char *phase) {
    pthread_mutex_lock(&line->lock);
    line->phase = phase;
    line->phase_began = seconds_now();
    pthread_mutex_unlock(&line->lock);
}

void progress_stop(progress *line) {
    if (!line->drawing) return;
    line->drawing = false;
    pthread_mutex_lock(&line->lock);
    line->ending = true;
    pthread_cond_signal(&line->changed);
    pthread_mutex_unlock(&line->lock);
    pthread_join(line->thread, NULL);
}
