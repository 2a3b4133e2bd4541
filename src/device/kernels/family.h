/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's part of a family's list, which KERNEL_LIST names; undefines KERNEL_LIST. For each SIGNATURE(takes):
 *
 *     struct takes_arguments          what its kernels take behind the arrays
 *     takes_kernel                    such a kernel: a record of its own type, so that no kernel is given other arguments
 *     append_takes(list, kernel, elem_bytes, arguments)     appends a launch of such a kernel
 *
 * and for each kernel its record, KERNEL_id. To be included by one header of each family.
 */
#include "device/launch.h"
#include KERNEL_LIST

#define ARGUMENT(type, name) type name;
#define SIGNATURE(takes)                                                                                       \
    struct takes##_arguments {                                                                                 \
        TAKES_##takes                                                                                          \
    };                                                                                                         \
    typedef struct takes##_kernel {                                                                            \
        kernel_record record;                                                                                  \
    } takes##_kernel;                                                                                          \
    static inline launch *append_##takes(launch_list *list, const takes##_kernel *kernel, size_t elem_bytes,   \
                                         const struct takes##_arguments *arguments) {                          \
        return launch_append(list, &kernel->record, elem_bytes, arguments, sizeof *arguments);                 \
    }
#define KERNEL_AS(id, name, instance, bytes, takes) extern const takes##_kernel KERNEL_##id;
#include KERNEL_LIST
#undef KERNEL_LIST
