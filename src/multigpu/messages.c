/* SPDX-License-Identifier: Apache-2.0 */
#include "multigpu/messages.h"

#include "base/arithmetic.h"
#include "device/arrays.h"

riffle_status multigpu_choose_transport(const cuda_peers *peers, const cosets *c, const device *on,
                                        riffle_multigpu_transport *out) {
    *out = RIFFLE_MULTIGPU_TRANSPORT_PEERS;
    for (unsigned p = 0; p < 1u << c->k; p++)
        for (uint64_t s = 0; s < (uint64_t)1 << c->r; s++) {
            const int own = on[p].number, other = on[coset_send_rank(c, p, s)].number;
            bool can = true;
            const riffle_status status = own == other ? RIFFLE_OK : peers->can_access(own, other, &can);
            if (status != RIFFLE_OK) return status;
            if (!can) *out = RIFFLE_MULTIGPU_TRANSPORT_COPIES;
        }
    return RIFFLE_OK;
}

size_t multigpu_packed_at(size_t part_bytes) { return round_up(part_bytes, (size_t)WORKSPACE_ALIGNMENT); }

/* The number of a GPU among those that send to the same ones. */
static size_t number_of(const cosets *c, unsigned p) {
    size_t out = 0;
    unsigned bit = 0;
    for (uint64_t rest = c->from.pivots; rest != 0; rest &= rest - 1)
        out |= (size_t)(p >> __builtin_ctzll(rest) & 1) << bit++;
    return out;
}

multigpu_message multigpu_message_of(const multigpu_steps *steps, size_t part_bytes, unsigned p, uint64_t s) {
    const size_t bytes = part_bytes >> steps->cosets.r;
    return (multigpu_message){.to = (unsigned)coset_send_rank(&steps->cosets, p, s),
                              .packed_at = multigpu_packed_at(part_bytes) + (size_t)s * bytes,
                              .at = number_of(&steps->cosets, p) * bytes,
                              .bytes = bytes};
}

/* A part begins as far before its message as the other's workspace does: this may be before the workspace, where nothing is stored. */
void multigpu_pack_into(const multigpu_steps *steps, size_t part_bytes, unsigned p, void *workspace,
                        void *to[RIFFLE_MULTIGPU_MAX]) {
    for (unsigned q = 0; q < RIFFLE_MULTIGPU_MAX; q++) to[q] = workspace;
    for (uint64_t s = 0; s < (uint64_t)1 << steps->cosets.r; s++) {
        const multigpu_message m = multigpu_message_of(steps, part_bytes, p, s);
        if (m.to != p) to[m.to] = (void *)((uintptr_t)workspace + m.packed_at - m.at);
    }
}
