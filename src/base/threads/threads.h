/* SPDX-License-Identifier: Apache-2.0
 *
 * How many threads of the host a move is worth.
 */
#ifndef RIFFLE_BASE_THREADS_THREADS_H
#define RIFFLE_BASE_THREADS_THREADS_H

#include "riffle.h"

/** Less of an array a thread does not pay for. On two processors of a Xeon a second thread that waits for work takes 1 us,
 *  one that has to be woken 25 to 30, as long as 512 KiB to 1 MiB take to move; and on a machine whose processors are all
 *  busy it begins a time slice later, some ms. So it comes from 1 MiB on, whatever the pass (docs/benchmarks.md). */
enum { BYTES_A_THREAD = 512 << 10 };

/** The most threads that a caller who wants `wanted` of them, 0 for no bound, may have: more than OpenMP gives or
 *  processors are would only wait for each other. */
unsigned threads_most(unsigned wanted);

/** The same for a call without a plan; `options` may be NULL. */
unsigned threads_most_of_call(const riffle_call_options *options);

/** Threads of a plan that left their number to OpenMP, when it is executed: OpenMP may give fewer by then. */
unsigned threads_given(unsigned planned);

/** Threads for moving so many bytes, of which each thread should have bytes_a_thread: 1 to `most`. */
unsigned threads_for(size_t bytes, size_t bytes_a_thread, unsigned most);

#endif
