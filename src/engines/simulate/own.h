/* SPDX-License-Identifier: Apache-2.0
 *
 * What users write on the memory machine, a program's operations or a sort's comparison: the kernel that a GPU would run
 * (plan/fused/own_source.h, engines/launch/sort_own_source.h), compiled by the host's C++ compiler as `riffle lint`
 * compiles a user's kernel.
 */
#ifndef RIFFLE_ENGINES_SIMULATE_OWN_H
#define RIFFLE_ENGINES_SIMULATE_OWN_H

#include "device/launch.h"
#include "machine/lint/object.h"
#include "program/pass.h"
#include "riffle/sort.h"

/** Compiles and loads the kernel, for launches on this thread; *kernel is valid until the object is unloaded.
 *  RIFFLE_ERROR_SYNTAX, with the place and the compiler's first words, if an operation does not compile,
 *  RIFFLE_ERROR_UNSUPPORTED without a compiler. */
riffle_status simulate_own_load(machine *m, const program_passes *passes, riffle_type type, lint_object *out,
                                users_kernel *kernel);

/** Likewise, of the key's comparison. */
riffle_status simulate_own_load_sort(machine *m, const riffle_sort_key *key, lint_object *out,
                                     users_kernel *kernel);

#endif
