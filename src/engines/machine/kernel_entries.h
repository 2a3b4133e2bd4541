/* SPDX-License-Identifier: Apache-2.0
 *
 * How each kernel is called with the arguments that args points to. Included once for each ELEMENT_BYTES, so
 * without a guard.
 */
HOST_SIDE static void ENTER(copy)(void *const *args) {
    KERNEL(copy)
    (*(element **)args[0], *(element **)args[1], *(uint64_t *)args[2], *(uint64_t *)args[3],
     *(uint32_t *)args[4]);
}

HOST_SIDE static void ENTER(scatter)(void *const *args) {
    KERNEL(scatter)
    (*(element **)args[0], *(element **)args[1], *(uint32_t **)args[2], *(uint64_t *)args[3],
     *(uint32_t *)args[4]);
}

HOST_SIDE static void ENTER(gather)(void *const *args) {
    KERNEL(gather)
    (*(element **)args[0], *(element **)args[1], *(uint32_t **)args[2], *(uint64_t *)args[3],
     *(uint32_t *)args[4]);
}

HOST_SIDE static void ENTER(transpose)(void *const *args) {
    KERNEL(transpose)(*(element **)args[0], *(element **)args[1], *(uint64_t *)args[2], *(uint64_t *)args[3]);
}

HOST_SIDE static void ENTER(row_wise)(void *const *args) {
    KERNEL(row_wise)
    (*(element **)args[0], *(element **)args[1], *(uint16_t **)args[2], *(uint16_t **)args[3],
     *(uint32_t *)args[4], *(uint64_t *)args[5], *(uint64_t *)args[6]);
}

HOST_SIDE static void ENTER(bmmc_naive)(void *const *args) {
    KERNEL(bmmc_naive)(*(element **)args[0], *(element **)args[1], *(bmmc_table *)args[2]);
}

HOST_SIDE static void ENTER(bmmc_tile)(void *const *args) {
    KERNEL(bmmc_tile)(*(element **)args[0], *(element **)args[1], *(bmmc_table *)args[2]);
}

HOST_SIDE static void ENTER(bmmc_tile_banks)(void *const *args) {
    KERNEL(bmmc_tile_banks)(*(element **)args[0], *(element **)args[1], *(bmmc_table *)args[2]);
}

HOST_SIDE static void ENTER(bmmc_tile_iters)(void *const *args) {
    KERNEL(bmmc_tile_iters)(*(element **)args[0], *(element **)args[1], *(bmmc_table *)args[2]);
}

HOST_SIDE static void ENTER(bmmc_tile_banks_iters)(void *const *args) {
    KERNEL(bmmc_tile_banks_iters)(*(element **)args[0], *(element **)args[1], *(bmmc_table *)args[2]);
}
