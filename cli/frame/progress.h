/* SPDX-License-Identifier: Apache-2.0
 *
 * The phase that long work is in, on one line of a terminal: "riffle: moving  3.2 s". A thread draws it,
 * because the library's calls do not come back before they are done; nothing is drawn in the first second
 * of the work, and nothing ever where stderr is no terminal.
 */
#ifndef RIFFLE_CLI_FRAME_PROGRESS_H
#define RIFFLE_CLI_FRAME_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

/** Takes away what stands on a terminal's line. */
#define PROGRESS_CLEAR "\r\033[K"

typedef struct progress {
    pthread_mutex_t lock; /* guards what follows it */
    pthread_cond_t changed;
    const char *phase;
    double phase_began;
    bool ending;
    bool drawing; /* the thread exists; only progress_start and progress_stop look at it */
    pthread_t thread;
} progress;

void progress_start(progress *line, const char *phase);

/** Names the phase that begins now. */
void progress_phase(progress *line, const char *phase);

/** Takes the line away; to be called before anything else is printed. A second call does nothing. */
void progress_stop(progress *line);

#endif
