/* SPDX-License-Identifier: Apache-2.0
 *
 * How every fallible function of the library fails: it returns fail(STATUS, "what was wrong"), which
 * remembers the sentence for riffle_error_detail() on this thread.
 */
#ifndef RIFFLE_BASE_STATUS_H
#define RIFFLE_BASE_STATUS_H

#include "riffle.h"

/** Returns RIFFLE_ERROR_INVALID_ARGUMENT, "out is NULL", for the first of these arguments of a public function that is NULL. */
#define RETURN_IF_NULL(...)                                                                                    \
    do {                                                                                                       \
        const void *const pointers_[] = {__VA_ARGS__};                                                         \
        for (size_t null_ = 0; null_ < sizeof pointers_ / sizeof *pointers_; null_++)                          \
            if (pointers_[null_] == NULL) return fail_null(#__VA_ARGS__, null_);                               \
    } while (0)

/** Remembers the formatted detail for this thread and returns `status`. */
__attribute__((format(printf, 2, 3))) riffle_status fail(riffle_status status, const char *format, ...);

/** fail() for a failed allocation of `bytes` bytes for `what`: says how much was wanted and for what. */
riffle_status fail_memory(const char *what, uint64_t bytes);

/** The sentence of this thread's last failure in this library, and when that was on CLOCK_MONOTONIC, in nanoseconds; 0 if there was
 *  none. */
const char *status_last(uint64_t *moment);

/** RETURN_IF_NULL's: fail() for argument number `null` of these names with commas between. */
riffle_status fail_null(const char *names, size_t null);

#endif
