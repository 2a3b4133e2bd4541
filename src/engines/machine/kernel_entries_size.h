/* SPDX-License-Identifier: Apache-2.0
 *
 * How each kernel of kernels/each_size.h is called with the arguments that args points to. Included once for
 * each ELEMENT_BYTES, after kernel_entries.h or what defines ENTER, so without a guard.
 */
HOST_SIDE static void ENTER(bucket_first)(void *const *args) {
    KERNEL(bucket_first)
    (*(element **)args[0], *(element **)args[1], *(uint16_t **)args[2], *(uint64_t *)args[3],
     *(uint32_t *)args[4]);
}

HOST_SIDE static void ENTER(bucket_next)(void *const *args) {
    KERNEL(bucket_next)
    (*(element **)args[0], *(element **)args[1], *(uint16_t **)args[2], *(uint32_t **)args[3],
     *(uint32_t **)args[4], *(uint64_t *)args[5], *(uint32_t *)args[6]);
}

HOST_SIDE static void ENTER(scatter_rows)(void *const *args) {
    KERNEL(scatter_rows)(*(element **)args[0], *(element **)args[1], *(rows_table *)args[2], *(void **)args[3]);
}

HOST_SIDE static void ENTER(gather_rows)(void *const *args) {
    KERNEL(gather_rows)(*(element **)args[0], *(element **)args[1], *(rows_table *)args[2], *(void **)args[3]);
}

#if ELEMENT_BYTES < 16
HOST_SIDE static void ENTER(scatter_row_words)(void *const *args) {
    KERNEL(scatter_row_words)
    (*(element **)args[0], *(element **)args[1], *(rows_table *)args[2], *(void **)args[3]);
}

HOST_SIDE static void ENTER(gather_row_words)(void *const *args) {
    KERNEL(gather_row_words)
    (*(element **)args[0], *(element **)args[1], *(rows_table *)args[2], *(void **)args[3]);
}
#endif
