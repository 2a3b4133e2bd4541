/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <stdarg.h>

enum { WORDS = 1024 };

riffle_status mpi_fail(riffle_status status, const char *format, ...) {
    char words[WORDS];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return riffle_exchange_fail(status, words);
}

riffle_status mpi_fail_memory(const char *what, uint64_t bytes) {
    return mpi_fail(RIFFLE_ERROR_OUT_OF_MEMORY, "no memory for %s: %.1f MiB were asked for", what,
                    (double)bytes / (1 << 20));
}

riffle_status mpi_result(int code, const char *what) {
    if (code == MPI_SUCCESS) return RIFFLE_OK;
    char words[MPI_MAX_ERROR_STRING] = "no words for it";
    int length = 0;
    if (MPI_Error_string(code, words, &length) != MPI_SUCCESS) length = (int)sizeof "no words for it" - 1;
    return mpi_fail(RIFFLE_ERROR_IO, "MPI failed in %s: %.*s", what, length, words);
}
