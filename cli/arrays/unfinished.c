/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* stpcpy, sigaction */
#include "arrays/unfinished.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays/file_state.h"
#include "frame/exit.h"
#include "frame/message.h"
#include "frame/progress.h"
#include "system/children.h"

enum { LONGEST_NAME = 4096, LONGEST_LINE = 3 * LONGEST_NAME };

/* The state that signal handlers look at. They run on the thread that works, which alone writes it. The handler of a lost file may
 * run on any thread, while nothing of it changes. */
static char shown[LONGEST_NAME]; /* the output's name; empty while none is being written */
static const char *given;        /* the same, for the system */
static file_state at_first;      /* the file that was there */
static riffle_npy_output *const *watched;
static unsigned watched_count;
static const char *const *others; /* hidden files of another process */
static unsigned others_count;
static volatile sig_atomic_t holding, waiting; /* waiting: the signal that came while holding */
enum { ENDS_AT_ONCE, FIRST_WAITS, ALL_WAIT };  /* values of holding */
static bool on_terminal;
static atomic_flag ending = ATOMIC_FLAG_INIT;

/* ------------------------------------------------------------------------- the file that was lost */

/* The next line of a file, cut to what there is room for; false at the end. */
static bool read_line(int file, char line[static LONGEST_LINE]) {
    size_t used = 0;
    char next;
    while (read(file, &next, 1) == 1) {
        if (next == '\n') {
            line[used] = '\0';
            return true;
        }
        if (used < LONGEST_LINE - 1) line[used++] = next;
    }
    return false;
}

/* Reads digits up to the first character that is none. */
static uintptr_t read_address(const char **at) {
    uintptr_t value = 0;
    for (;; ++*at) {
        const char c = **at;
        if (c >= '0' && c <= '9') {
            value = value << 4 | (uintptr_t)(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            value = value << 4 | (uintptr_t)(c - 'a' + 10);
        } else {
            return value;
        }
    }
}

/* The file that is mapped at an address, as a line of /proc/self/maps (BEGIN-END MODE OFFSET DEVICE INODE PATH)
 * names it; NULL if none is. */
static const char *file_at(uintptr_t address, char line[static LONGEST_LINE]) {
    const char *found = NULL;
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (maps >= 0 && found == NULL && read_line(maps, line)) {
        const char *at = line;
        const uintptr_t begin = read_address(&at);
        const uintptr_t end = *at == '-' ? (++at, read_address(&at)) : 0;
        if (address >= begin && address < end) found = strchr(at, '/');
    }
    if (maps >= 0) close(maps);
    return found;
}

/* --------------------------------------------------------------------------------------- the ends */

static _Noreturn void die_by(int number) {
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t this_one;
    sigaction(number, &usual, NULL);
    sigemptyset(&this_one);
    sigaddset(&this_one, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &this_one, NULL);
    _exit(EXIT_FAILED); /* not reached */
}

/* "riffle: NAME: WHAT; OUT is as it was before"; both parts where they apply. */
static void say(const char *name, const char *what) {
    static char line[3 * LONGEST_LINE];
    char *end = stpcpy(line, on_terminal ? PROGRESS_CLEAR "riffle: " : "riffle: ");
    end = stpcpy(stpcpy(end, name), what);
    if (shown[0] != '\0')
        end = stpcpy(stpcpy(stpcpy(stpcpy(end, "; "), name == shown ? "it" : shown), " "), unfinished_claim());
    *end++ = '\n';
    if (write(STDERR_FILENO, line, (size_t)(end - line)) < 0) return; /* nobody is left to be told */
}

static void remove_temporaries(void) {
    for (unsigned k = 0; k < watched_count; ++k) {
        if (watched[k] != NULL) riffle_npy_output_unlink(watched[k]);
    }
    for (unsigned k = 0; k < others_count; ++k) {
        if (others[k] != NULL) unlink(others[k]);
    }
}

/* The message for a signal that the run's own work raised, where an operation of the user's is the likely cause; else NULL. */
static const char *fault_of(int number) {
    switch (number) {
    case SIGFPE: return ": an integer was divided by zero, perhaps by an operation of yours";
    case SIGILL: return ": code came that cannot be executed, perhaps an operation of yours that is undefined";
    case SIGSEGV:
        return ": memory was used that is not there, perhaps by an operation of yours, or one that calls "
               "itself without end";
    case SIGABRT: return ": the run stopped itself, perhaps by an operation of yours that calls abort";
    default: return NULL;
    }
}

static bool cannot_wait(int number) { return number == SIGBUS || fault_of(number) != NULL; }

static const char *end_of(int number) {
    if (fault_of(number) != NULL) return fault_of(number);
    return number == SIGXCPU ? ": its CPU time is up" : ": interrupted";
}

static _Noreturn void end_by(int number, const void *address) {
    static char line[LONGEST_LINE], name[LONGEST_LINE];
    while (atomic_flag_test_and_set(&ending)) pause(); /* another thread is at it */
    remove_temporaries();
    children_end(SIGTERM);
    const char *lost = number == SIGBUS ? file_at((uintptr_t)address, line) : NULL;
    if (lost != NULL) {
        say(riffle_printable(lost, name, sizeof name), ": was cut short while it was read, or its disk failed");
        _exit(EXIT_FAILED);
    }
    if (shown[0] != '\0') say(shown, end_of(number));
    die_by(number);
}

static void take_signal(int number, siginfo_t *information, void *context) {
    (void)context;
    if (holding == ENDS_AT_ONCE || cannot_wait(number)) end_by(number, information->si_addr);
    const bool is_second = waiting != 0 && number != SIGXCPU; /* which comes again every second, by itself */
    if (holding == FIRST_WAITS && is_second) end_by(number, NULL);
    waiting = number;
}

/* exit() before the file is written or given up, which is none of ours. */
static void end_by_exit(void) {
    if (shown[0] == '\0') return;
    remove_temporaries();
    say(shown, ": the run ended before it was written");
    _exit(EXIT_FAILED); /* whatever status was given */
}

/* ---------------------------------------------------------------------------------- the interface */

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU,
                             SIGBUS, SIGFPE,  SIGILL, SIGSEGV, SIGABRT};
enum { CAUGHT = sizeof caught / sizeof caught[0] };

static void take_over(int number) {
    struct sigaction action = {.sa_sigaction = take_signal, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK},
                     before;
    sigemptyset(&action.sa_mask);
    for (int k = 0; k < CAUGHT; ++k) sigaddset(&action.sa_mask, caught[k]);
    on_terminal = isatty(STDERR_FILENO);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

void unfinished_catch_lost_files(void) { take_over(SIGBUS); }

void unfinished_begin(const char *name) {
    riffle_printable(name, shown, sizeof shown);
    given = name;
    at_first = file_state_now(name);
    for (int k = 0; k < CAUGHT; ++k) take_over(caught[k]);
    atexit(end_by_exit);
}

const char *unfinished_claim(void) {
    return file_state_is(&at_first, given) ? "is as it was before" : "was not changed by this run";
}

void unfinished_watch(riffle_npy_output *const *files, unsigned count) {
    watched = files;
    watched_count = count;
}

void unfinished_watch_others(const char *const *names, unsigned count) {
    static const int by_launchers[] = {SIGINT, SIGTERM, SIGHUP};
    others = names;
    others_count = count;
    for (size_t k = 0; k < sizeof by_launchers / sizeof *by_launchers; ++k) take_over(by_launchers[k]);
}

void unfinished_hold_first(void) { holding = FIRST_WAITS; }

void unfinished_hold_all(void) { holding = ALL_WAIT; }

void unfinished_release(void) {
    holding = ENDS_AT_ONCE;
    if (waiting != 0) raise(waiting);
}

void unfinished_end(void) {
    for (int k = 0; k < CAUGHT; ++k) {
        struct sigaction now;
        if (caught[k] != SIGBUS && sigaction(caught[k], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            signal(caught[k], SIG_DFL);
    }
    watched_count = others_count = 0;
    shown[0] = '\0';
    holding = waiting = 0;
}
