/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

/* The only state that outlives a call, and it belongs to the thread that failed. */
static _Thread_local char detail[4096 + 512]; /* a path of any length and a sentence */
static _Thread_local uint64_t failed_at;      /* nanoseconds; 0: never */

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

riffle_status fail(riffle_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char raw[sizeof detail];
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    riffle_printable(raw, detail, sizeof detail); /* a path may hold anything */
    failed_at = now();
    return status;
}

riffle_status fail_memory(const char *what, uint64_t bytes) {
    return fail(RIFFLE_ERROR_OUT_OF_MEMORY, "no memory for %s: %.1f MiB were asked for", what,
                (double)bytes / (1 << 20));
}

riffle_status fail_null(const char *names, size_t null) {
    for (size_t k = 0; k < null; k++) {
        names += strcspn(names, ",");
        names += strspn(names, ", ");
    }
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%.*s is NULL", (int)strcspn(names, ","), names);
}

const char *status_last(uint64_t *moment) {
    *moment = failed_at;
    return detail;
}

const char *riffle_version(void) { return RIFFLE_VERSION; }
unsigned riffle_version_number(void) { return RIFFLE_VERSION_NUMBER; }

const char *riffle_status_string(riffle_status status) {
    switch (status) {
    case RIFFLE_OK: return "done";
    case RIFFLE_ERROR_INVALID_ARGUMENT: return "invalid argument";
    case RIFFLE_ERROR_SYNTAX: return "syntax error";
    case RIFFLE_ERROR_LENGTH: return "unsuitable length";
    case RIFFLE_ERROR_NOT_A_PERMUTATION: return "not a permutation";
    case RIFFLE_ERROR_SINGULAR: return "singular matrix";
    case RIFFLE_ERROR_FORMAT: return "bad file format";
    case RIFFLE_ERROR_IO: return "input or output failed";
    case RIFFLE_ERROR_OUT_OF_MEMORY: return "out of memory";
    case RIFFLE_ERROR_UNSUPPORTED: return "unsupported";
    case RIFFLE_ERROR_DEVICE: return "the GPU failed";
    case RIFFLE_ERROR_INTERNAL: return "internal error";
    case RIFFLE_ERROR_STOPPED: return "stopped";
    case RIFFLE_ERROR_DAMAGED: return "damaged result";
    }
    return "unknown";
}
