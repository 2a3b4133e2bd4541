/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agree.h"
#include "memory/step.h"

enum { SAMPLES = 1024 };

/* ------------------------------------------------------------------ what all ranks must have alike */

/* Values in 0, in the powers of two and here and there: ranks whose tables differ elsewhere are told when their places meet. */
static uint64_t hash_perm(const riffle_perm *perm) {
    const uint64_t n = riffle_perm_length(perm);
    uint64_t hash = 2, at = 1;
    if (n == 0) return hash;
    hash = hash_add(hash, riffle_perm_at(perm, 0));
    for (uint64_t i = 1; i < n; i *= 2) hash = hash_add(hash, riffle_perm_at(perm, i));
    for (unsigned k = 0; k < SAMPLES; k++) {
        at = hash_add(at, k);
        hash = hash_add(hash, riffle_perm_at(perm, at % n));
    }
    return hash;
}

/* A table that is longer than the array is refused later, unread. */
static uint64_t hash_layout(uint64_t hash, const riffle_exchange_layout *l, uint64_t n) {
    hash = hash_add(hash, (uint64_t)l->kind);
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_AXIS && l->shape != NULL) {
        hash = hash_add(hash_add(hash, l->rank), l->axis);
        for (unsigned k = 0; k < l->rank && k < RIFFLE_MAX_RANK; k++) hash = hash_add(hash, l->shape[k]);
    }
    if (l->kind == RIFFLE_EXCHANGE_LAYOUT_OWNERS && l->owner != NULL && l->chunks <= n)
        for (uint64_t k = 0; k < l->chunks; k++) hash = hash_add(hash, l->owner[k]);
    return hash;
}

static uint64_t hash_options(const riffle_mpi_options *asked, uint64_t n) {
    const uint64_t hash = hash_layout(hash_layout(3, &asked->exchange.src, n), &asked->exchange.dst, n);
    const uint64_t how = hash_add(hash_add(hash, asked->exchange.relabel), asked->plain_bytes);
    return hash_add(hash_add(how, (uint64_t)asked->engine), (uint64_t)asked->transport);
}

static riffle_status agree_on_arguments(MPI_Comm comm, riffle_status own, const riffle_perm *perm,
                                        size_t elem_bytes, const riffle_mpi_options *asked) {
    const claim claims[] = {
        claim_of_build(),
        {"the number of elements", riffle_perm_length(perm), true},
        {"the bytes of an element", elem_bytes, true},
        {"the permutation", own == RIFFLE_OK ? hash_perm(perm) : 0, false},
        {"the layouts and options", hash_options(asked, riffle_perm_length(perm)), false},
    };
    return agree_on(comm, own, claims, sizeof claims / sizeof *claims);
}

/* ------------------------------------------------------------------ planning */

static riffle_status plan_messages(riffle_mpi_plan *plan, size_t plain_bytes) {
    size_t sends, receives;
    const riffle_exchange_message *const to = riffle_exchange_sends(plan->exchange, &sends);
    const riffle_exchange_message *const from = riffle_exchange_receives(plan->exchange, &receives);
    plan->requests = calloc(sends + receives + 1, sizeof(MPI_Request));
    if (plan->requests == NULL) return mpi_fail_memory("requests", (sends + receives) * sizeof(MPI_Request));
    riffle_status status =
        messages_create(to, sends, plan->all.rank, plan->elem_bytes, plain_bytes, &plan->sends);
    if (status == RIFFLE_OK)
        status =
            messages_create(from, receives, plan->all.rank, plan->elem_bytes, plain_bytes, &plan->receives);
    return status;
}

static riffle_status plan_steps(riffle_mpi_plan *plan, const riffle_mpi_options *asked, size_t plain_bytes) {
    const riffle_perm *const pack = riffle_exchange_pack(plan->exchange), *const unpack =
                                                                              riffle_exchange_unpack(
                                                                                  plan->exchange);
    plan->src_count = riffle_perm_length(pack);
    plan->dst_count = riffle_perm_length(unpack);
    riffle_status status = step_plan(plan, pack, asked->threads, &plan->pack, &plan->packed);
    if (status == RIFFLE_OK) status = step_plan(plan, unpack, asked->threads, &plan->unpack, &plan->got);
    if (status == RIFFLE_OK) status = plan_messages(plan, plain_bytes);
    return status;
}

/* Messages by pieces as long as the planner's, and of whole pages where they are long and may be mapped. */
static void order_messages(const riffle_mpi_plan *plan, const riffle_perm *perm,
                           const riffle_mpi_options *asked, bool is_one_host, riffle_exchange_options *out) {
    enum { PIECE_BYTES = 512 << 10, MOST_BITS = 16, LONGEST = 16, SHORTEST_MESSAGE = 64 << 10 };
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), ranks = (uint64_t)plan->all.ranks;
    *out = asked->exchange;
    out->piece_bits = 0;
    out->page = 0;
    if (plan->place != &place_host || plan->elem_bytes > LONGEST) return;
    while (out->piece_bits < MOST_BITS && plan->elem_bytes << (out->piece_bits + 1) <= PIECE_BYTES)
        out->piece_bits++;
    if (is_one_host && riffle_perm_length(perm) / ranks / ranks * plan->elem_bytes >= SHORTEST_MESSAGE)
        out->page = page / (plan->elem_bytes & -plan->elem_bytes);
}

static riffle_status build(riffle_mpi_plan *plan, const riffle_perm *perm, const riffle_mpi_options *asked) {
    const size_t plain_bytes = communicator_plain_bytes(asked->plain_bytes);
    const bool may_share = plan->place == &place_host && asked->transport != RIFFLE_MPI_TRANSPORT_AWARE;
    const bool is_one_host =
        may_share && riffle_mpi_agree(plan->all.comm, communicator_check_host(&plan->all)) == RIFFLE_OK;
    riffle_exchange_options how;
    order_messages(plan, perm, asked, is_one_host, &how);
    riffle_status status = plan->place->open != NULL ? plan->place->open(plan) : RIFFLE_OK;
    if (status == RIFFLE_OK)
        status = riffle_exchange_create(perm, (unsigned)plan->all.ranks, (unsigned)plan->all.rank, &how,
                                        &plan->exchange);
    status = riffle_mpi_agree(plan->all.comm, status);
    if (status == RIFFLE_OK && riffle_exchange_places(plan->exchange) != NULL)
        status = riffle_mpi_agree(plan->all.comm, plan_tell_places(plan, plain_bytes));
    if (status == RIFFLE_OK) status = riffle_mpi_agree(plan->all.comm, plan_steps(plan, asked, plain_bytes));
    if (status == RIFFLE_OK)
        status =
            messages_sum(plan->all.comm, plan->sends.bytes, plan->sends.count, &plan->volume, &plan->messages);
    return status == RIFFLE_OK ? transport_open(plan, asked->transport) : status;
}

/* A plan with a communicator of its own; all ranks have one, or none. */
static riffle_status create_empty(MPI_Comm comm, size_t elem_bytes, const riffle_mpi_options *asked,
                                  riffle_mpi_plan **out) {
    riffle_mpi_plan *plan = calloc(1, sizeof *plan);
    riffle_status status =
        riffle_mpi_agree(comm, plan != NULL ? RIFFLE_OK : mpi_fail_memory("a plan", sizeof *plan));
    if (status != RIFFLE_OK) {
        free(plan);
        return status;
    }
    plan->elem_bytes = elem_bytes;
    plan->place = asked->engine == RIFFLE_ENGINE_CUDA ? &place_gpu : &place_host;
    plan->gpu.stream = asked->stream;
    status = communicator_create(comm, &plan->all);
    if (status == RIFFLE_OK)
        *out = plan;
    else
        riffle_mpi_plan_free(plan);
    return status;
}

static riffle_status check_options(const riffle_mpi_options *asked) {
    const bool is_gpu = asked->engine == RIFFLE_ENGINE_CUDA;
    if (!is_gpu && asked->engine != RIFFLE_ENGINE_CPU)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "options.engine: there is none of number %u",
                        (unsigned)asked->engine);
    if ((unsigned)asked->transport > RIFFLE_MPI_TRANSPORT_STAGED)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "options.transport: there is none of number %u",
                        (unsigned)asked->transport);
    if (is_gpu) return RIFFLE_OK;
    if (asked->stream != NULL)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "options.stream is for arrays of GPUs; let options.engine be RIFFLE_ENGINE_CUDA");
    if (asked->transport == RIFFLE_MPI_TRANSPORT_NCCL || asked->transport == RIFFLE_MPI_TRANSPORT_STAGED)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                        "options.transport: %s is for arrays of GPUs; between hosts there are PEERS and AWARE, "
                        "or let options.engine be RIFFLE_ENGINE_CUDA",
                        asked->transport == RIFFLE_MPI_TRANSPORT_NCCL ? "NCCL" : "STAGED");
    return RIFFLE_OK;
}

static riffle_status check_arguments(const riffle_perm *perm, size_t elem_bytes,
                                     const riffle_mpi_options *asked, riffle_mpi_plan **out) {
    if (perm == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "perm is NULL");
    if (out == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out is NULL");
    if (elem_bytes == 0) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "an element has at least 1 byte");
    const uint64_t n = riffle_perm_length(perm);
    if (n > 0 && elem_bytes > (size_t)PTRDIFF_MAX / n)
        return mpi_fail(RIFFLE_ERROR_LENGTH, "the array has more bytes than there are addresses");
    return check_options(asked);
}

riffle_status riffle_mpi_plan_create(const riffle_perm *perm, size_t elem_bytes, MPI_Comm comm,
                                     const riffle_mpi_options *options, riffle_mpi_plan **out) {
    const riffle_mpi_options asked = options != NULL ? *options : (riffle_mpi_options){.threads = 0};
    riffle_mpi_plan *plan = NULL;
    riffle_status status = communicator_check(comm);
    if (status != RIFFLE_OK) return status;
    status = check_arguments(perm, elem_bytes, &asked, out);
    status = agree_on_arguments(comm, status, perm, elem_bytes, &asked);
    if (status == RIFFLE_OK) status = create_empty(comm, elem_bytes, &asked, &plan);
    if (status == RIFFLE_OK) status = build(plan, perm, &asked);
    if (status == RIFFLE_OK)
        *out = plan;
    else
        riffle_mpi_plan_free(plan);
    return status;
}

/* ------------------------------------------------------------------ answers */

void riffle_mpi_plan_elements(const riffle_mpi_plan *plan, uint64_t *src, uint64_t *dst) {
    if (src != NULL) *src = plan != NULL ? plan->src_count : 0;
    if (dst != NULL) *dst = plan != NULL ? plan->dst_count : 0;
}

unsigned riffle_mpi_plan_block(const riffle_mpi_plan *plan) {
    return plan != NULL ? riffle_exchange_block(plan->exchange) : 0;
}

void riffle_mpi_plan_volume(const riffle_mpi_plan *plan, uint64_t *bytes, uint64_t *messages) {
    if (bytes != NULL) *bytes = plan != NULL ? plan->volume : 0;
    if (messages != NULL) *messages = plan != NULL ? plan->messages : 0;
}

uint64_t riffle_mpi_plan_sent_bytes(const riffle_mpi_plan *plan) { return plan != NULL ? plan->sent : 0; }

static riffle_status explain_step(const char *name, const riffle_plan *step, FILE *stream) {
    if (step == NULL) {
        fprintf(stream, "%s: nothing moves\n", name);
        return RIFFLE_OK;
    }
    fprintf(stream, "%s:\n", name);
    return riffle_plan_explain(step, stream);
}

riffle_status riffle_mpi_plan_explain(const riffle_mpi_plan *plan, FILE *stream) {
    if (plan == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    if (stream == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "stream is NULL");
    const unsigned r = riffle_exchange_coset_bits(plan->exchange);
    fprintf(stream, "exchange over MPI: rank %d of %d, %s\n", plan->all.rank, plan->all.ranks,
            plan->place->words);
    transport_explain(plan, stream);
    if (r != UINT_MAX) fprintf(stream, "  within cosets of 2^%u ranks\n", r);
    fprintf(stream, "  all ranks send %llu bytes, the least possible, in %llu messages\n",
            (unsigned long long)plan->volume, (unsigned long long)plan->messages);
    fprintf(stream, "  this rank sends %llu bytes in %zu messages and gets %llu in %zu\n",
            (unsigned long long)plan->sends.bytes, plan->sends.count, (unsigned long long)plan->receives.bytes,
            plan->receives.count);
    riffle_status status = explain_step("before", plan->pack, stream);
    if (status == RIFFLE_OK) status = explain_step("after", plan->unpack, stream);
    if (status == RIFFLE_OK && ferror(stream))
        return mpi_fail(RIFFLE_ERROR_IO, "the explanation could not be written");
    return status;
}

void riffle_mpi_plan_free(riffle_mpi_plan *plan) {
    if (plan == NULL) return;
    if (plan->is_under_way && riffle_mpi_wait(plan) != RIFFLE_OK) plan->is_under_way = false;
    if (plan->place->settle != NULL) plan->place->settle(plan);
    if (plan->by != NULL && plan->by->close != NULL) plan->by->close(plan);
    messages_free(&plan->sends);
    messages_free(&plan->receives);
    riffle_plan_free(plan->pack);
    riffle_plan_free(plan->unpack);
    plan->place->release(plan, plan->packed, plan->src_count * plan->elem_bytes);
    plan->place->release(plan, plan->got, plan->dst_count * plan->elem_bytes);
    if (plan->place->close != NULL) plan->place->close(plan);
    riffle_exchange_free(plan->exchange);
    free(plan->requests);
    communicator_free(&plan->all);
    free(plan);
}
