/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the tests on a GPU share: counted checks, seeded random numbers, arrays between guards on both sides, and the
 * definition dst[P(i)] = src[i]. They are plain programs, because a machine with a GPU need not have cmocka.
 */
#ifndef RIFFLE_TESTS_CUDA_CHECK_H
#define RIFFLE_TESTS_CUDA_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

#include "riffle.h"

/** Counts a check, and prints the formatted line if it fails. Returns `right`. */
__attribute__((format(printf, 2, 3))) bool check(bool right, const char *format, ...);

/** check() for a CUDA call that the test itself makes. */
bool check_cuda(cudaError_t error, const char *what);

/** check() that a call failed with `wanted` and that the library's message contains `words`. */
bool check_refused(riffle_status status, riffle_status wanted, const char *words, const char *what);

/** Prints how many passed and failed; the exit status of the program. */
int check_summary(void);

/** Seeds from RIFFLE_TEST_SEED, or anew, and prints the seed. */
void check_seed(void);
uint64_t check_random(void);

/** RIFFLE_TEST_CASES: so many random cases of a kind more; none unless it is set. */
uint64_t check_cases(void);

/** Arrays of `bytes` bytes: src of random bytes on both sides, dst on both sides, the device's poisoned and
 *  with guards before and behind it. */
typedef struct check_arrays {
    size_t bytes;
    unsigned char *src, *dst;
    unsigned char *device_src, *device_dst;
    unsigned char *guarded; /**< the allocation that device_dst lies in */
} check_arrays;

bool arrays_create(size_t bytes, check_arrays *out);
void arrays_free(check_arrays *arrays);

/** Fresh random bytes in src, poison in dst. */
bool arrays_renew(check_arrays *arrays);

/** Fetches dst and compares all of it with the definition, and the guards with what they were. */
bool arrays_moved(check_arrays *arrays, const riffle_perm *perm, size_t elem_bytes, const char *what);

/** The same for long arrays: all guards, but the definition only at the first and the last elements, around
 *  numbers 2^31 and 2^32, and at a million random places. */
bool arrays_moved_at_samples(check_arrays *arrays, const riffle_perm *perm, size_t elem_bytes,
                             const char *what);

/** dst[P(i)] == src[i] for all i, on the host. */
bool is_moved(const riffle_perm *perm, size_t elem_bytes, const unsigned char *dst, const unsigned char *src);

#endif
