/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of its cases a test takes: in check-long most, under a sanitizer least.
 */
#ifndef RIFFLE_TESTS_ROUNDS_H
#define RIFFLE_TESTS_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/** True in a build with a sanitizer of memory or threads: they map memory of their own, do not go on where they
 *  get none, and keep much for each of the memory machine's threads. */
static inline bool is_sanitized(void) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    return true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
    return true;
#endif
#endif
    return false;
}

/** True in check-long (RIFFLE_TEST_LONG). */
static inline bool test_is_long(void) { return getenv("RIFFLE_TEST_LONG") != NULL; }

/** How many of `all` rounds of random cases: half of them in check, ten times as many in check-long. A sanitizer takes an eighth: it
 *  looks at the code that runs, which hardly differs from round to round, and results are compared in the plain tier. */
static inline unsigned test_rounds(unsigned all) {
    if (test_is_long()) return 10 * all;
    return is_sanitized() ? (all + 7) / 8 : (all + 1) / 2;
}

/** True if case k of a list is to be taken. A sanitizer takes every sixth of it, as test_rounds has it. */
static inline bool test_takes(uint64_t k) { return test_is_long() || !is_sanitized() || k % 6 == 0; }

#endif
