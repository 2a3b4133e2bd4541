/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cuda/tables.h"

#include "perm/kind.h"

static riffle_status write_random(const riffle_perm *perm, struct CUstream_st *stream, cuda_table *out) {
    const perm_random *r = &perm->random;
    const cuda_random random = {feistel_create(perm->n, r->round_key, r->inverted), r->inverted,
                                (uint32_t)r->swap};
    return steps_of_cuda()->write(perm->n, &random, NULL, stream, out);
}

static riffle_status upload(const riffle_perm *perm, struct CUstream_st *stream, cuda_table *out) {
    riffle_perm *written;
    riffle_status status = perm_tabulate(perm, &written);
    if (status != RIFFLE_OK) return status;
    status = steps_of_cuda()->write(perm->n, NULL, written->table.entries, stream, out);
    riffle_perm_free(written);
    return status;
}

static riffle_status write(const riffle_perm *perm, struct CUstream_st *stream, cuda_table *out) {
    if (perm->n == 0) return steps_of_cuda()->write(0, NULL, NULL, stream, out);
    return perm->kind == PERM_RANDOM ? write_random(perm, stream, out) : upload(perm, stream, out);
}

/* Tables are inverted faster on the device than on the host, and a sequence may contain some. */
static bool is_inverted_there(const riffle_perm *perm) {
    return perm->kind == PERM_TABLE || perm->kind == PERM_SEQUENCE;
}

static riffle_status write_inverse(const riffle_perm *perm, struct CUstream_st *stream, cuda_table *out) {
    cuda_table forward;
    riffle_perm *inverse;
    if (!is_inverted_there(perm)) {
        riffle_status status = riffle_perm_invert(perm, &inverse);
        if (status != RIFFLE_OK) return status;
        status = write(inverse, stream, out);
        riffle_perm_free(inverse);
        return status;
    }
    riffle_status status = write(perm, stream, &forward);
    if (status != RIFFLE_OK) return status;
    status = steps_of_cuda()->invert(&forward, stream, out);
    steps_of_cuda()->free(&forward);
    return status;
}

riffle_status cuda_table_write(const riffle_perm *perm, bool inverse, struct CUstream_st *stream,
                               cuda_table *out) {
    return inverse ? write_inverse(perm, stream, out) : write(perm, stream, out);
}

size_t cuda_table_write_bytes(const riffle_perm *perm, bool inverse) {
    return (inverse && is_inverted_there(perm) ? 2 : 1) * (size_t)perm->n * table_entry_bytes(perm->n);
}
