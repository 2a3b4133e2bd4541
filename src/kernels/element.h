/* SPDX-License-Identifier: Apache-2.0
 *
 * What every kernel file needs to be written once for all element sizes: `element`, and KERNEL(name), which
 * puts the size behind the name. Included anew for each ELEMENT_BYTES, so without a guard.
 */
#undef element
#undef KERNEL
#undef KERNEL_NAME
#undef KERNEL_NAME_EXPANDED
#define KERNEL_NAME_EXPANDED(name, bytes) riffle_##name##_##bytes
#define KERNEL_NAME(name, bytes) KERNEL_NAME_EXPANDED(name, bytes)
#define KERNEL(name) KERNEL_NAME(name, ELEMENT_BYTES)

#if ELEMENT_BYTES == 4
#define element uint32_t
#elif ELEMENT_BYTES == 8
#define element uint64_t
#else
#error "ELEMENT_BYTES must be 4 or 8"
#endif
