/* SPDX-License-Identifier: Apache-2.0
 *
 * A program's users' operations as a kernel for a GPU: its source (plan/fused/own_source.h), compiled by NVRTC, or found
 * where it was kept.
 */
#ifndef RIFFLE_ENGINES_NVRTC_OWN_H
#define RIFFLE_ENGINES_NVRTC_OWN_H

#include "engines/nvrtc/nvrtc.h"
#include "program/pass.h"

/** *out gets the code, one kernel, for GPUs of the capability. RIFFLE_ERROR_SYNTAX, with the place and the compiler's first
 *  words, if an operation does not compile; RIFFLE_ERROR_UNSUPPORTED without NVRTC. */
riffle_status nvrtc_own_make(const program_passes *passes, riffle_type type, unsigned capability,
                             nvrtc_code *out);

#endif
