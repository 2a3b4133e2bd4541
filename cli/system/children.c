/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* __WALL */
#include "system/children.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* The first number in the system's list; 0 if there is none, or no list. */
static pid_t first_child(void) {
    char text[32];
    pid_t child = 0;
    const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) return 0;
    const ssize_t length = read(list, text, sizeof text);
    for (ssize_t k = 0; k < length && text[k] >= '0' && text[k] <= '9'; k++)
        child = 10 * child + (text[k] - '0');
    close(list);
    return child;
}

static bool end_one(int signal_number) {
    const pid_t child = first_child();
    if (child == 0) return false;
    kill(child, signal_number);
    pid_t ended;
    do ended = waitpid(child, NULL, __WALL); /* also those that end without SIGCHLD */
    while (ended < 0 && errno == EINTR);
    return ended == child;
}

void children_end(int signal_number) {
    while (end_one(signal_number)) {
    }
}
