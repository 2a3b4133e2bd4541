/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of a family's kernels: KERNEL_LIST names its list, KERNEL_FAMILY the family. Undefines both. To be included
 * once, behind the family's header.
 */
enum {
#define ARGUMENT(type, name)
#define SIGNATURE(takes)
#define KERNEL_AS(id, name, instance, bytes, takes) NUMBER_##id,
#include KERNEL_LIST
};

#define ARGUMENT(type, name) {sizeof(type), _Alignof(type)},
#define SIGNATURE(takes)                                                                                       \
    static const kernel_argument takes##_takes[] = {TAKES_##takes};                                            \
    _Static_assert(2 + sizeof takes##_takes / sizeof *takes##_takes <= KERNEL_MAX_ARGUMENTS,                   \
                   #takes ": too many arguments");
#define KERNEL_AS(id, name_, instance, bytes, takes)                                                           \
    const takes##_kernel KERNEL_##id = {{.name = #name_,                                                       \
                                         .family = KERNEL_FAMILY,                                              \
                                         .number = NUMBER_##id,                                                \
                                         .arguments = sizeof takes##_takes / sizeof *takes##_takes,            \
                                         .argument = takes##_takes}};
#include KERNEL_LIST
#undef KERNEL_LIST
#undef KERNEL_FAMILY
