/* SPDX-License-Identifier: Apache-2.0
 *
 * How functions of this library fail: libriffle keeps the words.
 */
#ifndef RIFFLE_MPI_WORDS_H
#define RIFFLE_MPI_WORDS_H

#include "riffle/mpi.h"

/** Remembers the sentence for riffle_error_detail() and returns `status`. */
__attribute__((format(printf, 2, 3))) riffle_status mpi_fail(riffle_status status, const char *format, ...);

/** The same for a failed allocation. */
riffle_status mpi_fail_memory(const char *what, uint64_t bytes);

/** RIFFLE_OK for MPI_SUCCESS, else RIFFLE_ERROR_IO with MPI's words. */
riffle_status mpi_result(int code, const char *what);

#endif
