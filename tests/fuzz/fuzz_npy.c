/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes are read as a .npy file's header. Where they are one, the header is written and must read back
 * the same.
 */
#include <stdlib.h>
#include <string.h>

#include "npy/header.h"

static void require(bool holds) {
    if (!holds) abort();
}

static void check_same(const riffle_npy_header *a, const riffle_npy_header *b) {
    require(strcmp(a->descr, b->descr) == 0);
    require(a->elem_bytes == b->elem_bytes);
    require(a->fortran_order == b->fortran_order);
    require(a->rank == b->rank);
    for (unsigned k = 0; k < a->rank; k++) require(a->shape[k] == b->shape[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    riffle_npy_header header, again;
    size_t data_at = 0, written, bytes;
    uint64_t length;
    if (npy_header_read("fuzz.npy", data, size, &header, &data_at) != RIFFLE_OK) {
        require(strstr(riffle_error_detail(), "fuzz.npy") != NULL);
        return 0;
    }
    require(data_at <= size);
    require(header.elem_bytes > 0 && header.rank <= RIFFLE_MAX_RANK);
    if (npy_header_size(RIFFLE_ERROR_FORMAT, "fuzz.npy", &header, &length, &bytes) == RIFFLE_OK)
        require(bytes == length * header.elem_bytes);

    char *text = NULL;
    require(npy_header_write("fuzz.npy", &header, &text, &written) == RIFFLE_OK);
    require(written % 64 == 0);
    require(npy_header_read("fuzz.npy", text, written, &again, &data_at) == RIFFLE_OK);
    require(data_at == written);
    check_same(&header, &again);
    npy_header_free(&again);
    npy_header_free(&header);
    free(text);
    return 0;
}
