/* SPDX-License-Identifier: Apache-2.0
 *
 * Somebody else's code on a thread of its own: it may never end, or end otherwise than by returning, and who waits for it goes
 * on all the same.
 */
#ifndef RIFFLE_MACHINE_LINT_APART_H
#define RIFFLE_MACHINE_LINT_APART_H

#include <time.h>

#include "riffle.h"

typedef enum lint_end {
    LINT_RETURNED, /**< and its thread is gone */
    LINT_ENDED,    /**< by lint_apart_end; its thread sleeps */
    LINT_NOT_DONE  /**< its thread goes on, with all that it was given */
} lint_end;

/** Runs work(context) on a thread with a stack of the size that processes have, and waits for its end, or until `deadline` on the
 *  monotonic clock (NULL: for ever). *status is what it returned, with its detail; RIFFLE_OK if it did not. One at a time in a
 *  process. */
lint_end lint_apart(riffle_status (*work)(void *context), void *context, const struct timespec *deadline,
                    riffle_status *status);

/** The work is over. Any thread may say so, in a signal's handler too. */
void lint_apart_end(void);

#endif
