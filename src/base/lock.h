/* SPDX-License-Identifier: Apache-2.0
 *
 * The lock of a plan, which guards what its executions share.
 */
#ifndef RIFFLE_BASE_LOCK_H
#define RIFFLE_BASE_LOCK_H

#include <pthread.h>

#include "riffle.h"

/** Makes a lock for `what` ("a plan", named in the error). pthread_mutex_destroy gives it back.
 *  RIFFLE_ERROR_OUT_OF_MEMORY where the system grants none; then there is nothing to destroy. */
riffle_status lock_create(const char *what, pthread_mutex_t *out);

#endif
