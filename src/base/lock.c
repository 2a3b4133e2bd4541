/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lock.h"

#include <string.h>

#include "base/status.h"

riffle_status lock_create(const char *what, pthread_mutex_t *out) {
    const int error = pthread_mutex_init(out, NULL);
    if (error == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_OUT_OF_MEMORY, "the system grants no lock for %s: %s", what, strerror(error));
}
