/* SPDX-License-Identifier: Apache-2.0
 *
 * How each affine kernel is called with the arguments that args points to. Included once for each ELEMENT_BYTES,
 * ACCESS_BYTES and PLACE_BITS, so without a guard.
 */
#undef ENTER_ACCESS_NAME
#undef ENTER_ACCESS_NAME_EXPANDED
#undef ENTER_ACCESS
#define ENTER_ACCESS_NAME_EXPANDED(name, bytes, access_bytes, bits)                                            \
    enter_##name##_##bytes##_##access_bytes##_##bits
#define ENTER_ACCESS_NAME(name, bytes, access_bytes, bits)                                                     \
    ENTER_ACCESS_NAME_EXPANDED(name, bytes, access_bytes, bits)
#define ENTER_ACCESS(name) ENTER_ACCESS_NAME(name, ELEMENT_BYTES, ACCESS_BYTES, PLACE_BITS)

HOST_SIDE static void ENTER_ACCESS(affine_tile)(void *const *args) {
    ACCESS(affine_tile)(*(element **)args[0], *(element **)args[1], *(PLACE(affine_table) *)args[2]);
}

HOST_SIDE static void ENTER_ACCESS(affine_tile_pair)(void *const *args) {
    ACCESS(affine_tile_pair)(*(element **)args[0], *(element **)args[1], *(PLACE(affine_table) *)args[2]);
}
