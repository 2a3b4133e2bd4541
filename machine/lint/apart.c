/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* pipe2 */
#include "machine/lint/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/status.h"

enum { USUAL_STACK_BYTES = 64 << 20, LEAST_STACK_BYTES = 8 << 20, DETAIL_BYTES = 1024 };

/* Static, since it may outlive the wait: what is said of the end, and the pipe through which. */
static struct {
    riffle_status (*work)(void *context);
    void *context;
    int ends[2];
    char detail[DETAIL_BYTES];
} apart;

/* The message that goes through the pipe. */
typedef struct ending {
    lint_end end;
    riffle_status status;
} ending;

static void say(ending how) {
    while (write(apart.ends[1], &how, sizeof how) < 0 && errno == EINTR) {
    }
}

void lint_apart_end(void) { say((ending){LINT_ENDED, RIFFLE_OK}); }

static void *live(void *nothing) {
    (void)nothing;
    const riffle_status status = apart.work(apart.context);
    if (status != RIFFLE_OK) snprintf(apart.detail, sizeof apart.detail, "%s", riffle_error_detail());
    say((ending){LINT_RETURNED, status});
    return NULL;
}

static size_t stack_bytes(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return USUAL_STACK_BYTES;
    return limit.rlim_cur > LEAST_STACK_BYTES ? (size_t)limit.rlim_cur : LEAST_STACK_BYTES;
}

static int start(pthread_t *thread) {
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) return error;
    error = pthread_attr_setstacksize(&attributes, stack_bytes());
    if (error == 0) error = pthread_create(thread, &attributes, live, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

/* Until the deadline, for poll: -1 for ever. */
static int milliseconds_left(const struct timespec *deadline) {
    struct timespec now;
    if (deadline == NULL) return -1;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long left =
        (deadline->tv_sec - now.tv_sec) * 1000LL + (deadline->tv_nsec - now.tv_nsec) / 1000000;
    return left < 0 ? 0 : left < 1000000000 ? (int)left : 1000000000;
}

static ending await(const struct timespec *deadline) {
    ending how = {LINT_NOT_DONE, RIFFLE_OK};
    struct pollfd there = {.fd = apart.ends[0], .events = POLLIN};
    int found, left;
    do {
        left = milliseconds_left(deadline);
        found = poll(&there, 1, left);
    } while (found <= 0 && left != 0);
    if (found > 0 && read(apart.ends[0], &how, sizeof how) != (ssize_t)sizeof how)
        how = (ending){LINT_NOT_DONE, RIFFLE_OK};
    return how;
}

lint_end lint_apart(riffle_status (*work)(void *context), void *context, const struct timespec *deadline,
                    riffle_status *status) {
    pthread_t thread;
    apart.work = work;
    apart.context = context;
    *status = RIFFLE_OK;
    if (pipe2(apart.ends, O_CLOEXEC) != 0) {
        *status = fail(RIFFLE_ERROR_IO, "no pipe can be made: %s", strerror(errno));
        return LINT_RETURNED;
    }
    const int error = start(&thread);
    ending how = {LINT_RETURNED, RIFFLE_OK};
    if (error != 0) {
        *status = fail(RIFFLE_ERROR_UNSUPPORTED, "no thread can be started: %s", strerror(error));
    } else {
        how = await(deadline);
        if (how.end == LINT_RETURNED) pthread_join(thread, NULL);
        if (how.status != RIFFLE_OK) *status = fail(how.status, "%s", apart.detail);
    }
    if (how.end != LINT_RETURNED) return how.end;
    close(apart.ends[0]);
    close(apart.ends[1]);
    return LINT_RETURNED;
}
