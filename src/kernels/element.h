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

#if ELEMENT_BYTES == 1
#define element uint8_t
#elif ELEMENT_BYTES == 2
#define element uint16_t
#elif ELEMENT_BYTES == 4
#define element uint32_t
#elif ELEMENT_BYTES == 8
#define element uint64_t
#elif ELEMENT_BYTES == 16
#define element vector16
#else
#error "ELEMENT_BYTES must be 1, 2, 4, 8 or 16"
#endif
