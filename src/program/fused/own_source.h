/* SPDX-License-Identifier: Apache-2.0
 *
 * The source of a fused kernel with a program's users' operations: the kernel's own files, and between them a kind with
 * these operations, and with no other than the program has, so that it compiles in a part of a second.
 *
 *     device.h, fused.h, fused_element.h and others | own_kind | fused.cu | its instance
 */
#ifndef RIFFLE_PROGRAM_FUSED_OWN_SOURCE_H
#define RIFFLE_PROGRAM_FUSED_OWN_SOURCE_H

#include "base/embedded.h"
#include "program/own.h"

/** The kernel's files, in the order in which they include each other. */
extern const embedded_text fused_texts[];

/** The kernel, as C++ names it. */
#define FUSED_OWN_KERNEL "fused<own_kind, element>"

/** Makes the source, CUDA C++ that includes <stdint.h> alone; *out is to be freed. It has every launch of the passes. */
riffle_status fused_own_source(const program_passes *passes, riffle_type type, char **out);

#endif
