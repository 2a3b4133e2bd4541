/* SPDX-License-Identifier: Apache-2.0 */
#include "multigpu/steps.h"

#include "base/status.h"
#include "multigpu/messages.h"
#include "plan/affine/tile.h"

enum { ENOUGH_RUN_BYTES = 64 }; /* shorter ones cost a link more than a local pass does (docs/beyond.md) */

static const uint64_t ONE = 1;

/* ------------------------------------------------------------------ checks */

static riffle_status check_shape(uint64_t n, size_t elem_bytes, unsigned gpus) {
    if (gpus == 0 || gpus > RIFFLE_MULTIGPU_MAX)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "an array is moved by 1 to %u GPUs, not %u",
                    RIFFLE_MULTIGPU_MAX, gpus);
    if ((gpus & (gpus - 1)) != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "several GPUs move an array where their number is a power of two; these are %u", gpus);
    if (elem_bytes == 0) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "an element has at least 1 byte");
    if ((elem_bytes & (elem_bytes - 1)) != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "several GPUs move elements of a power of two of bytes; these have %zu", elem_bytes);
    if (n > 0 && n < gpus)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%u GPUs are more than the array's %llu elements", gpus,
                    (unsigned long long)n);
    const unsigned long_bits = elem_bytes > 16 ? (unsigned)__builtin_ctzll(elem_bytes) - AFFINE_VECTOR_BITS : 0;
    if (long_bits >= RIFFLE_MAX_BITS || n > ONE << (RIFFLE_MAX_BITS - long_bits))
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "several GPUs move at most 2^%u parts of 16 bytes, or elements that are shorter",
                    (unsigned)RIFFLE_MAX_BITS);
    return RIFFLE_OK;
}

static riffle_status find_affine(const riffle_perm *perm, perm_affine *out) {
    bool is_affine;
    const riffle_status status = perm_find_affine(perm, out, &is_affine);
    if (status != RIFFLE_OK || is_affine) return status;
    return fail(
        RIFFLE_ERROR_UNSUPPORTED,
        "several GPUs move affine permutations of 2^m elements alone so far; others move on one GPU, or "
        "between ranks (riffle/exchange.h)");
}

/* ------------------------------------------------------------------- steps */

/* G: bits that tell elements of a message apart, then the bits that tell a coset's sources apart, then the ranks that A sends to. */
static perm_affine sending_of(const cosets *c) {
    uint64_t row[RIFFLE_MAX_BITS];
    unsigned count = 0;
    for (uint64_t rest = c->told_apart; rest != 0; rest &= rest - 1) row[count++] = rest & -rest;
    for (uint64_t rest = c->from.pivots; rest != 0; rest &= rest - 1) row[count++] = (rest & -rest) << c->w;
    for (; count < c->map.a.m; count++) row[count] = gf2_row(&c->map.a, count);
    return (perm_affine){gf2_from_rows(count, row), c->map.c >> c->w << c->w};
}

/* A G^-1 */
static perm_affine rest_of(const perm_affine *all, const perm_affine *sending) {
    gf2_matrix back;
    gf2_invert(&sending->a, &back, NULL);
    perm_affine out = {.a = gf2_multiply(&all->a, &back)};
    out.c = all->c ^ gf2_apply(&out.a, sending->c);
    return out;
}

riffle_status multigpu_steps_of(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                const riffle_multigpu_options *options, multigpu_steps *out) {
    const riffle_multigpu_transport transport =
        options != NULL ? options->transport : RIFFLE_MULTIGPU_TRANSPORT_AUTO;
    const bool in_place = options != NULL && options->in_place;
    perm_affine all;
    *out = (multigpu_steps){.count = 0};
    if ((unsigned)transport > RIFFLE_MULTIGPU_TRANSPORT_COPIES)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "options.transport: there is none of number %u",
                    (unsigned)transport);
    riffle_status status = check_shape(riffle_perm_length(perm), elem_bytes, gpus);
    if (status != RIFFLE_OK || riffle_perm_length(perm) == 0) return status;
    status = find_affine(perm, &all);
    if (status != RIFFLE_OK) return status;
    out->cosets = cosets_of(&all, (unsigned)__builtin_ctz(gpus));
    const unsigned part_bits = out->cosets.w, run_bits = affine_run_bits(&all.a, part_bits);
    out->count = 1;
    out->map[0] = all;
    out->run_bits = run_bits;
    out->by_copies = transport == RIFFLE_MULTIGPU_TRANSPORT_COPIES && cosets_cost(&out->cosets).volume > 0;
    const bool is_two = in_place || out->by_copies;
    if (!is_two && (run_bits == part_bits || elem_bytes << run_bits >= ENOUGH_RUN_BYTES)) return RIFFLE_OK;
    out->count = 2;
    out->map[0] = sending_of(&out->cosets);
    out->map[1] = rest_of(&all, &out->map[0]);
    out->run_bits = affine_run_bits(&out->map[0].a, part_bits);
    return RIFFLE_OK;
}

size_t multigpu_steps_workspace(const multigpu_steps *steps, size_t part_bytes) {
    if (steps->by_copies) return multigpu_packed_at(part_bytes) + part_bytes;
    return steps->count > 1 ? part_bytes : 0;
}

riffle_multigpu_cost multigpu_steps_cost(const multigpu_steps *steps, uint64_t n, size_t elem_bytes,
                                         unsigned gpus) {
    riffle_multigpu_cost out = {.passes = steps->count, .part = n / gpus};
    out.transport = steps->by_copies ? RIFFLE_MULTIGPU_TRANSPORT_COPIES : RIFFLE_MULTIGPU_TRANSPORT_PEERS;
    if (steps->count == 0) return out;
    out.run_bytes = elem_bytes << steps->run_bits;
    out.workspace_bytes = multigpu_steps_workspace(steps, (size_t)out.part * elem_bytes);
    out.exchange = cosets_cost(&steps->cosets);
    return out;
}
