/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kernel needs to be written once for accesses of 16 bytes and of single elements, and for places of 32 and of 64
 * bits: `access`, VECTOR_UNITS, and ACCESS(name), which puts all sizes into a name. Included anew for each ELEMENT_BYTES,
 * ACCESS_BYTES and PLACE_BITS, so without a guard.
 */
#undef access
#undef ACCESS
#undef ACCESS_NAME
#undef ACCESS_NAME_EXPANDED
#undef VECTOR_UNITS
#define ACCESS_NAME_EXPANDED(name, bytes, access_bytes, bits) riffle_##name##_##bytes##_##access_bytes##_##bits
#define ACCESS_NAME(name, bytes, access_bytes, bits) ACCESS_NAME_EXPANDED(name, bytes, access_bytes, bits)
#define ACCESS(name) ACCESS_NAME(name, ELEMENT_BYTES, ACCESS_BYTES, PLACE_BITS)
#define VECTOR_UNITS (ACCESS_BYTES / ELEMENT_BYTES)

#if ACCESS_BYTES == 16
#define access vector16
#elif ACCESS_BYTES == ELEMENT_BYTES
#define access element
#else
#error "ACCESS_BYTES must be 16 or ELEMENT_BYTES"
#endif
