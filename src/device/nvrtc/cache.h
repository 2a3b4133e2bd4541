/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled kernels that are kept: the latest in memory, all of them as files in $XDG_CACHE_HOME/riffle (else
 * $HOME/.cache/riffle). A file holds its whole key, so that the hash in its name need not be trusted, and sums of both
 * parts; it is written aside and takes its name when it is complete.
 *
 *     [ "riffle kernel 1\n" | bytes of key, of code | sum | key | code ]
 *
 * Kernels that cannot be kept are compiled again the next time, which is no error.
 */
#ifndef RIFFLE_DEVICE_NVRTC_CACHE_H
#define RIFFLE_DEVICE_NVRTC_CACHE_H

#include "device/nvrtc/nvrtc.h"

enum { NVRTC_CACHE_KERNELS = 16 /* in memory */ };

/** The code kept under the key, a copy to be freed; false where there is none, or no whole one. */
bool nvrtc_cache_find(const char *key, nvrtc_code *out);

/** Keeps a copy. Nobody sees a part of it: neither another process nor one after this one was killed. */
void nvrtc_cache_keep(const char *key, const nvrtc_code *code);

#endif
