/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC, CUDA's compiler as a library. It is loaded when it is first asked for: nothing of it need be there to build riffle,
 * or to run what no user's operation is in.
 */
#ifndef RIFFLE_DEVICE_NVRTC_NVRTC_H
#define RIFFLE_DEVICE_NVRTC_NVRTC_H

#include <stdbool.h>
#include <stddef.h>

#include "riffle.h"

/** A compiled kernel: bytes that CUDA loads. */
typedef struct nvrtc_code {
    void *bytes; /**< to be freed */
    size_t count;
} nvrtc_code;

/** Which compiler, and what it is told: all that a result depends on but for the source. */
typedef struct nvrtc_way {
    int major, minor; /**< NVRTC's version */
    bool is_ptx;      /**< for GPUs that the compiler is older than: what CUDA's driver compiles on */
    char target[32];  /**< "--gpu-architecture=sm_90" */
} nvrtc_way;

/** Loads the compiler, and chooses the target for GPUs of a capability, 90 for 9.0. RIFFLE_ERROR_UNSUPPORTED, with what to
 *  install, where there is none. Safe to call from several threads. */
riffle_status nvrtc_find(unsigned capability, nvrtc_way *out);

/** Compiles CUDA C++ that includes <stdint.h> at most. RIFFLE_ERROR_SYNTAX if it does not compile: *messages is to be freed
 *  then; in all other cases it is NULL. `way` is nvrtc_find's. */
riffle_status nvrtc_compile(const nvrtc_way *way, const char *source, nvrtc_code *out, char **messages);

/** Finds or compiles a source for GPUs of a capability: one that was compiled before is kept (cache.h). As nvrtc_compile,
 *  nvrtc_find where there is no compiler, and nvrtc_cache_limit. */
riffle_status nvrtc_make(unsigned capability, const char *source, nvrtc_code *out, char **messages);

/** The options besides the target, for keys. */
extern const char nvrtc_options[];

#endif
