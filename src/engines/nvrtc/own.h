/* SPDX-License-Identifier: Apache-2.0
 *
 * What users write as a kernel for a GPU, compiled by NVRTC, or found where it was kept: a program's operations
 * (plan/fused/own_source.h), and a sort's comparison (engines/launch/sort_own_source.h).
 */
#ifndef RIFFLE_ENGINES_NVRTC_OWN_H
#define RIFFLE_ENGINES_NVRTC_OWN_H

#include "engines/nvrtc/nvrtc.h"
#include "program/pass.h"
#include "riffle/sort.h"

/** *out gets the code, one kernel, for GPUs of the capability. RIFFLE_ERROR_SYNTAX, with the place and the compiler's first
 *  words, if an operation does not compile; RIFFLE_ERROR_UNSUPPORTED without NVRTC. */
riffle_status nvrtc_own_make(const program_passes *passes, riffle_type type, unsigned capability,
                             nvrtc_code *out);

/** Likewise, of the key's comparison. */
riffle_status nvrtc_own_make_sort(const riffle_sort_key *key, unsigned capability, nvrtc_code *out);

#endif
