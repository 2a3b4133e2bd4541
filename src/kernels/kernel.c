/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/kernel.h"

const char *const kernel_names[KERNELS] = {
#define ARGUMENT(type, name)
#define KERNEL_AS(id, name, instance, bytes, ...) [KERNEL_##id] = #name,
#include "kernels/list.h"
};

#define ARGUMENT(type, name) +1
#define KERNEL_AS(id, name, instance, bytes, ...)                                                              \
    _Static_assert(2 __VA_ARGS__ <= KERNEL_MAX_ARGUMENTS, #id " has too many arguments");
#include "kernels/list.h"

void kernel_argument_addresses(kernel_id kernel, kernel_arguments *arguments, void *out[KERNEL_MAX_ARGUMENTS]) {
    *out++ = &arguments->to;
    *out++ = &arguments->from;
    switch (kernel) {
#define ARGUMENT(type, name) *out++ = &of->name;
#define KERNEL_AS(id, name, instance, bytes, ...)                                                              \
    case KERNEL_##id: {                                                                                        \
        struct id##_arguments *const of = &arguments->of.id;                                                   \
        __VA_ARGS__                                                                                            \
        break;                                                                                                 \
    }
#include "kernels/list.h"
    case KERNELS: break;
    }
}
