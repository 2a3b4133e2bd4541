/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPU that code is compiled for, by -arch as nvcc takes it, which code asks by macros. What is of later GPUs than the machine is a model
 * of is refused in these words.
 */
#ifndef RIFFLE_MACHINE_LINT_ARCHITECTURE_ARCHITECTURE_H
#define RIFFLE_MACHINE_LINT_ARCHITECTURE_ARCHITECTURE_H

#include <stdbool.h>

#include "riffle/machine.h"

/** Ends messages about what the machine is no model of. */
#define ARCHITECTURE_BEYOND "of Blackwell and later GPUs (sm_100 on); those up to sm_90 are modelled"

/** RIFFLE_ERROR_UNSUPPORTED for a GPU that nvcc has not, or that the machine is no model of: "sm_90a", "compute_80". */
riffle_status architecture_check(const char *name);

/** The same for a macro by -D, "__CUDA_ARCH__=1000", whatever its name. */
riffle_status architecture_check_macro(const char *definition);

enum { ARCHITECTURE_MACROS = 3 };
/** Flags that define the macros of a name that has been checked, up to ARCHITECTURE_MACROS, behind the last NULL. */
const char *const *architecture_macros(const char *name);

#endif
