/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of a family as an array: KERNEL_LIST names its list, LISTED the array. Undefines both. To be included once for each family, behind its
 * header.
 */
static const listed_kernel LISTED[] = {
#define ARGUMENT(type, name)
#define SIGNATURE(takes)
#define KERNEL_AS(id, name, instance, bytes, takes) {#id, &KERNEL_##id.record},
#include KERNEL_LIST
    {NULL, NULL}};
#undef KERNEL_LIST
#undef LISTED
