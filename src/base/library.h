/* SPDX-License-Identifier: Apache-2.0
 *
 * The libraries that libriffle loads when they are asked for:
 *
 *     libriffle --dlopen, once--> libriffle-NAME.so --its one symbol--> a table of operations
 *
 * A table is of use to the build that it was made by alone, for both sides know each other's structs: it begins with the build's
 * id, and another build's is refused. Where the table is linked into the program nothing is loaded.
 */
#ifndef RIFFLE_BASE_LIBRARY_H
#define RIFFLE_BASE_LIBRARY_H

#include <stdatomic.h>

#include "riffle.h"

/** The beginning of a table. */
typedef struct library_head {
    const char *build;                             /**< the library's build_id */
    const char *(*last_failure)(uint64_t *moment); /**< the library's status_last */
} library_head;

/** Goes with the declaration of a table: it is exported, and may be missing. */
#define LIBRARY_SYMBOL __attribute__((weak, visibility("default")))

/** A library that may be loaded. */
typedef struct library {
    const char *name;           /**< "cuda", of libriffle-cuda.so, whose symbol is riffle_cuda_library */
    const char *has;            /**< "the cuda engine", in messages */
    const char *instead;        /**< "use the cpu engine": another way, or NULL */
    const library_head *linked; /**< NULL: it is to be loaded */
    _Atomic(const library_head *) head; /**< NULL before that */
} library;

/** The version and a hash of the sources; CMake writes it. */
extern const char build_id[];

/** The library's table, which stays until the process ends. Several threads may ask at once. RIFFLE_ERROR_UNSUPPORTED, with what
 *  to install, where it is missing or of another build; the next call looks again. */
riffle_status library_find(library *l, const library_head **out);

/** The table where it is there already, else NULL. */
const library_head *library_loaded(library *l);

/** The sentence of this thread's last failure in one of the libraries that are loaded, if that was later than *moment, which it
 *  replaces; else `before`. */
const char *library_last_failure(const char *before, uint64_t *moment);

#endif
