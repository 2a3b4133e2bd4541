/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled kernels that are kept: the latest in memory, and as files in $XDG_CACHE_HOME/riffle (else
 * $HOME/.cache/riffle) so many as have room in a limit of bytes: those go whose use is longest ago. A file holds its whole key, so that the hash in its name need not be trusted, and sums of both
 * parts; it is written aside and takes its name when it is complete.
 *
 *     [ "riffle kernel 1\n" | bytes of key, of code | sum | key | code ]
 *
 * Kernels that cannot be kept are compiled again the next time, which is no error.
 */
#ifndef RIFFLE_DEVICE_NVRTC_CACHE_H
#define RIFFLE_DEVICE_NVRTC_CACHE_H

#include <stdint.h>

#include "device/nvrtc/nvrtc.h"

enum {
    NVRTC_CACHE_KERNELS = 16,    /* in memory */
    NVRTC_CACHE_BYTES = 64 << 20 /* files: some hundreds, 0.1 to 0.3 MB each with its source */
};

/** The limit of files: NVRTC_CACHE_BYTES, or the number in $RIFFLE_CACHE_BYTES, 0 to keep none. RIFFLE_ERROR_INVALID_ARGUMENT if it is none. */
riffle_status nvrtc_cache_limit(uint64_t *bytes);

/** The code kept under the key, a copy to be freed; false where there is none, or no whole one. */
bool nvrtc_cache_find(const char *key, nvrtc_code *out);

/** Keeps a copy; all files together have `bytes` at most then. Nobody sees a part of it: neither another process nor one after this one was killed. */
void nvrtc_cache_keep(const char *key, const nvrtc_code *code, uint64_t bytes);

#endif
