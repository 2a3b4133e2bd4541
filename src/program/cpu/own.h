/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' operations on the host: their C expressions become functions on lines, which the host's compiler ($CC, or cc)
 * compiles into an object in a private folder. The folder is gone once the object is loaded.
 */
#ifndef RIFFLE_PROGRAM_CPU_OWN_H
#define RIFFLE_PROGRAM_CPU_OWN_H

#include "program/cpu/lines/lines.h"
#include "program/pass.h"

typedef struct own_operations own_operations;

/** Compiles every user's operation of the passes; *out is NULL where there is none. RIFFLE_ERROR_SYNTAX, with the place and
 *  the compiler's first words, if one does not compile; RIFFLE_ERROR_UNSUPPORTED without a compiler. */
riffle_status own_operations_compile(const program_passes *passes, riffle_type type, own_operations **out);

/** The stage's operation on lines, NULL where it is no user's. */
line_own *own_operations_find(const own_operations *own, const program_stage *stage);

void own_operations_free(own_operations *own);

#endif
