/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of kernels/list.h as the host names them: which one, and what it is called with.
 */
#ifndef RIFFLE_KERNELS_KERNEL_H
#define RIFFLE_KERNELS_KERNEL_H

#include <stdint.h>

#include "kernels/list.h"

typedef enum kernel_id {
#define ARGUMENT(type, name)
#define KERNEL_AS(id, name, instance, bytes, ...) KERNEL_##id,
#include "kernels/list.h"
    KERNELS,
} kernel_id;

enum { KERNEL_MAX_ARGUMENTS = 8 };

/** What a kernel is called with: of.NAME is what kernel NAME takes behind the arrays. */
typedef struct kernel_arguments {
    void *to;
    const void *from;
    union {
#define ARGUMENT(type, name) type name;
#define KERNEL_AS(id, name, instance, bytes, ...)                                                              \
    struct id##_arguments {                                                                                    \
        __VA_ARGS__                                                                                            \
    } id;
#include "kernels/list.h"
    } of;
} kernel_arguments;

extern const char *const kernel_names[KERNELS];

/** The addresses of the arguments in the kernel's order, as cudaLaunchKernel takes them; they point into
 *  `arguments`. */
void kernel_argument_addresses(kernel_id kernel, kernel_arguments *arguments, void *out[KERNEL_MAX_ARGUMENTS]);

#endif
