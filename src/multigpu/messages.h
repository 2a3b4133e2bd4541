/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves between GPUs that have no access to each other's memory. The first step stores into its GPU's own workspace what the others get, and messages are
 * copied to where it would have stored them:
 *
 *     workspace of q    | 0 | 1 | ...  messages that q gets, in order of the GPUs that send them | 0 | 1 | ...  those that q sends, in order |
 *
 * A message of a GPU to itself is stored where it belongs at once.
 */
#ifndef RIFFLE_MULTIGPU_MESSAGES_H
#define RIFFLE_MULTIGPU_MESSAGES_H

#include "device/cuda_library.h"
#include "multigpu/steps.h"

/** By peers, or by copies where a GPU has no access to the memory of one that it sends to. Rank p is on[p]. */
riffle_status multigpu_choose_transport(const cuda_peers *peers, const cosets *c, const device *on,
                                        riffle_multigpu_transport *out);

/** A message from a GPU to another one: where it is packed in a workspace, and where it goes in the other's. */
typedef struct multigpu_message {
    unsigned to;
    size_t packed_at, at, bytes;
} multigpu_message;

/** Where packed messages begin in workspaces of GPUs whose parts have so many bytes. */
size_t multigpu_packed_at(size_t part_bytes);

/** Message number s of 2^cosets.r that GPU p sends; p itself may get one. */
multigpu_message multigpu_message_of(const multigpu_steps *steps, size_t part_bytes, unsigned p, uint64_t s);

/** The parts of the array that p's first step writes: for each GPU that gets a message, so that it is packed in this workspace of p. */
void multigpu_pack_into(const multigpu_steps *steps, size_t part_bytes, unsigned p, void *workspace,
                        void *to[RIFFLE_MULTIGPU_MAX]);

#endif
