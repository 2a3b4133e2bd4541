/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls on several GPUs. In an execution
 *
 *     stream p   ... | begun p | wait for begun of all that p sends to | step 0 | sent p | wait for sent of all that p gets from | step 1
 *
 * so that no part is written while its own stream still uses it, and no stream goes on before its part is whole. Step 0 of chunks is on a stream of
 * the plan's:
 *
 *     stream p   ... | begun p | wait for chunk 0 of all that p gets from | step 1 of it | wait for chunk 1 | step 1 of it | ...
 *     links p        wait for begun of all that p sends to | chunk 0 | sent p 0 | chunk 1 | sent p 1 | ...
 *
 * Without access to the others' memory step 0 is followed by copies of p's messages, on stream p, and p has sent when these are done.
 */
#include <stdlib.h>

#include "base/status.h"
#include "device/arrays.h"
#include "multigpu/plan.h"

enum { PART_ALIGNMENT = 16 };

/* -------------------------------------------------------------- the plan's GPUs */

/* The number of the s-th GPU that p sends to, or gets from. */
static unsigned receiver_of(const riffle_multigpu_plan *plan, unsigned p, uint64_t s) {
    return (unsigned)coset_send_rank(&plan->steps.cosets, p, s);
}
static unsigned sender_of(const riffle_multigpu_plan *plan, unsigned q, uint64_t s) {
    return (unsigned)coset_receive_rank(&plan->steps.cosets, q, s);
}
static uint64_t fan_of(const riffle_multigpu_plan *plan) { return (uint64_t)1 << plan->steps.cosets.r; }

static riffle_status open_peers(const riffle_multigpu_plan *plan, unsigned p) {
    const int own = plan->member[p].on.number;
    riffle_status status = RIFFLE_OK;
    for (uint64_t s = 0; status == RIFFLE_OK && s < fan_of(plan); s++) {
        const int other = plan->member[receiver_of(plan, p, s)].on.number;
        if (other != own) status = plan->peers->open(own, other);
    }
    return status;
}

static riffle_status load_kernels(const riffle_multigpu_plan *plan, unsigned p) {
    void *nowhere[RIFFLE_MULTIGPU_MAX] = {NULL};
    launch_list list;
    launch_list_begin(&list);
    for (unsigned step = 0; step < plan->steps.count; step++)
        multigpu_append(plan, step, 0, p, nowhere, NULL, &list);
    return device_load(&plan->member[p].on, "a move between GPUs", &list);
}

/* On GPU number p of the plan, which is current. */
static riffle_status prepare_member(riffle_multigpu_plan *plan, unsigned p) {
    multigpu_member *const member = &plan->member[p];
    const size_t bytes = plan->callers_workspace ? 0 : plan->workspace_bytes;
    riffle_status status = plan->steps.by_copies ? RIFFLE_OK : open_peers(plan, p);
    if (status == RIFFLE_OK) status = load_kernels(plan, p);
    if (status == RIFFLE_OK) status = plan->peers->create_event(&member->begun);
    for (unsigned c = 0; status == RIFFLE_OK && c < plan->chunks.count; c++)
        status = plan->peers->create_event(&member->sent[c]);
    if (status == RIFFLE_OK && plan->chunks.count > 1) status = plan->peers->create_stream(&member->links);
    if (status == RIFFLE_OK)
        status = member->on.ops->allocate(&member->on, "the workspace of a move between GPUs", bytes,
                                          &member->workspace);
    return status;
}

static riffle_status prepare_guarded(riffle_multigpu_plan *plan, unsigned p) {
    const device *const on = &plan->member[p].on;
    int before;
    riffle_status status = on->ops->guard(on, "planning", NULL, &before);
    if (status != RIFFLE_OK) return status;
    status = prepare_member(plan, p);
    on->ops->unguard(on, before);
    return status;
}

static riffle_status prepare(riffle_multigpu_plan *plan, const device *on) {
    riffle_status status = RIFFLE_OK;
    for (unsigned p = 0; p < plan->gpus; p++) plan->member[p].on = on[p];
    for (unsigned p = 0; status == RIFFLE_OK && p < plan->gpus; p++) {
        int before;
        status = plan->peers->use(on[p].number, &before);
        if (status != RIFFLE_OK) break;
        status = prepare_guarded(plan, p);
        plan->peers->use_again(before);
    }
    return status;
}

static riffle_status find_device(const cuda_library *cuda, unsigned number, device *out) {
    int before;
    riffle_status status = cuda->peers->use((int)number, &before);
    if (status != RIFFLE_OK) return status;
    status = cuda->current(out);
    cuda->peers->use_again(before);
    return status;
}

static riffle_status find_devices(const cuda_library *cuda, unsigned gpus, const unsigned *devices, device *out,
                                  plan_target *target) {
    device_limits limits;
    riffle_status status = RIFFLE_OK;
    for (unsigned p = 0; status == RIFFLE_OK && p < gpus; p++) status = find_device(cuda, devices[p], &out[p]);
    if (status == RIFFLE_OK) status = out[0].ops->describe(&out[0], &limits);
    if (status == RIFFLE_OK) *target = plan_target_of(TARGET_CUDA, "cuda", &limits);
    return status;
}

riffle_status riffle_multigpu_plan_create(const riffle_perm *perm, size_t elem_bytes, unsigned gpus,
                                          const unsigned *devices, const riffle_multigpu_options *options,
                                          riffle_multigpu_plan **out) {
    RETURN_IF_NULL(perm, devices, out);
    const cuda_library *cuda;
    device on[RIFFLE_MULTIGPU_MAX];
    plan_target target;
    riffle_multigpu_plan *plan = NULL;
    multigpu_steps steps;
    riffle_multigpu_options wishes = {.transport = RIFFLE_MULTIGPU_TRANSPORT_AUTO};
    if (options != NULL) wishes = *options;
    riffle_status status = multigpu_steps_of(perm, elem_bytes, gpus, &wishes, &steps);
    if (status == RIFFLE_OK) status = cuda_library_find(&cuda);
    if (status == RIFFLE_OK) status = find_devices(cuda, gpus, devices, on, &target);
    if (status == RIFFLE_OK && wishes.transport == RIFFLE_MULTIGPU_TRANSPORT_AUTO)
        status = multigpu_choose_transport(cuda->peers, &steps.cosets, on, &wishes.transport);
    if (status == RIFFLE_OK) status = multigpu_plan_of(perm, elem_bytes, gpus, &wishes, &target, &plan);
    if (status != RIFFLE_OK) return status;
    plan->peers = cuda->peers;
    status = prepare(plan, on);
    if (status == RIFFLE_OK) {
        *out = plan;
    } else {
        riffle_multigpu_plan_free(plan);
    }
    return status;
}

static void free_member(const riffle_multigpu_plan *plan, const multigpu_member *member) {
    int current, before;
    if (member->on.ops == NULL || plan->peers->use(member->on.number, &current) != RIFFLE_OK) return;
    member->on.ops->guard_quietly(&member->on, &before);
    plan->peers->destroy_event(member->begun);
    for (unsigned c = 0; c < plan->chunks.count; c++) plan->peers->destroy_event(member->sent[c]);
    plan->peers->destroy_stream(member->links);
    member->on.ops->release(&member->on, member->workspace);
    member->on.ops->unguard(&member->on, before);
    plan->peers->use_again(current);
}

void riffle_multigpu_plan_free(riffle_multigpu_plan *plan) {
    if (plan == NULL) return;
    for (unsigned p = 0; plan->peers != NULL && p < plan->gpus; p++) free_member(plan, &plan->member[p]);
    free(plan);
}

size_t riffle_multigpu_plan_workspace_bytes(const riffle_multigpu_plan *plan) {
    return plan == NULL ? 0 : plan->workspace_bytes;
}

riffle_multigpu_transport riffle_multigpu_plan_transport(const riffle_multigpu_plan *plan) {
    if (plan == NULL) return RIFFLE_MULTIGPU_TRANSPORT_AUTO;
    return plan->steps.by_copies ? RIFFLE_MULTIGPU_TRANSPORT_COPIES : RIFFLE_MULTIGPU_TRANSPORT_PEERS;
}

/* -------------------------------------------------------------- executions */

typedef struct multigpu_call {
    const riffle_multigpu_plan *plan;
    void *const *dst;
    const void *const *src;
    void *const *workspaces; /* NULL: the plan's */
    size_t workspace_bytes;
    struct CUstream_st *const *streams;
} multigpu_call;

static void *workspace_of(const multigpu_call *call, unsigned p) {
    return call->workspaces != NULL ? call->workspaces[p] : call->plan->member[p].workspace;
}

static struct CUstream_st *stream_of(const multigpu_call *call, unsigned p) {
    return call->streams != NULL ? call->streams[p] : NULL;
}

static riffle_status check_part(const riffle_multigpu_plan *plan, const char *what, unsigned p,
                                const void *at) {
    if (at == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s[%u] is NULL", what, p);
    if ((uintptr_t)at % PART_ALIGNMENT != 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s[%u] does not begin on a multiple of %d bytes", what, p,
                    PART_ALIGNMENT);
    return plan->peers->check_memory(plan->member[p].on.number, what, p, at);
}

static riffle_status check_apart(const multigpu_call *call, unsigned p, unsigned q) {
    const size_t bytes = call->plan->part_bytes;
    if (q < p && bytes_overlap(call->dst[p], bytes, call->dst[q], bytes))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "dst[%u] and dst[%u] overlap", q, p);
    if (call->plan->in_place || !bytes_overlap(call->dst[p], bytes, call->src[q], bytes)) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "dst[%u] and src[%u] overlap; a plan in place (options.in_place) moves where dst[p] is src[p]",
                p, q);
}

static riffle_status check_workspace(const multigpu_call *call, const call_array *parts, unsigned count,
                                     unsigned p) {
    const riffle_multigpu_plan *const plan = call->plan;
    const void *const at = workspace_of(call, p);
    const size_t needed = plan->workspace_bytes;
    if (call->workspaces == NULL && plan->callers_workspace)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the plan has no workspaces of its own; bring one of %zu bytes for each GPU", needed);
    riffle_status status = arrays_check_workspace(
        parts, count, at, call->workspaces != NULL ? call->workspace_bytes : needed, needed);
    if (status == RIFFLE_OK) status = plan->peers->check_memory(plan->member[p].on.number, "workspaces", p, at);
    for (unsigned q = 0; status == RIFFLE_OK && q < p; q++)
        if (bytes_overlap(at, needed, workspace_of(call, q), needed))
            status = fail(RIFFLE_ERROR_INVALID_ARGUMENT, "workspaces[%u] and workspaces[%u] overlap", q, p);
    return status;
}

static riffle_status check_workspaces(const multigpu_call *call) {
    const riffle_multigpu_plan *const plan = call->plan;
    call_array parts[2 * RIFFLE_MULTIGPU_MAX];
    riffle_status status = RIFFLE_OK;
    for (unsigned p = 0; p < plan->gpus; p++) {
        parts[2 * p] = call_array_of_bytes("a part of dst", call->dst[p], plan->part_bytes, ARRAY_WRITTEN);
        parts[2 * p + 1] = call_array_of_bytes("a part of src", call->src[p], plan->part_bytes, ARRAY_READ);
    }
    for (unsigned p = 0; status == RIFFLE_OK && plan->workspace_bytes > 0 && p < plan->gpus; p++)
        status = check_workspace(call, parts, 2 * plan->gpus, p);
    return status;
}

static riffle_status check_call(const multigpu_call *call) {
    const riffle_multigpu_plan *const plan = call->plan;
    riffle_status status = RIFFLE_OK;
    for (unsigned p = 0; status == RIFFLE_OK && p < plan->gpus; p++) {
        status = check_part(plan, "dst", p, call->dst[p]);
        if (status == RIFFLE_OK) status = check_part(plan, "src", p, call->src[p]);
        if (status == RIFFLE_OK && plan->in_place && call->dst[p] != call->src[p])
            status =
                fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the plan is in place, and dst[%u] is not src[%u]", p, p);
    }
    for (unsigned p = 0; status == RIFFLE_OK && p < plan->gpus; p++)
        for (unsigned q = 0; status == RIFFLE_OK && q < plan->gpus; q++) status = check_apart(call, p, q);
    return status == RIFFLE_OK ? check_workspaces(call) : status;
}

/* Where part p's first step is queued. */
static struct CUstream_st *links_of(const multigpu_call *call, unsigned p) {
    struct CUstream_st *const links = call->plan->member[p].links;
    return links != NULL ? links : stream_of(call, p);
}

static riffle_status begin(const multigpu_call *call, unsigned p, unsigned chunk) {
    (void)chunk;
    return call->plan->peers->record(call->plan->member[p].begun, stream_of(call, p));
}

/* Links of p wait for all that it writes, and for what it reads. */
static riffle_status open_links(const multigpu_call *call, unsigned p, unsigned chunk) {
    const riffle_multigpu_plan *const plan = call->plan;
    struct CUstream_st *const links = links_of(call, p);
    (void)chunk;
    riffle_status status = plan->peers->wait(links, plan->member[p].begun);
    for (uint64_t s = 0; status == RIFFLE_OK && s < fan_of(plan); s++)
        status = plan->peers->wait(links, plan->member[receiver_of(plan, p, s)].begun);
    return status;
}

/* Where p's first step stores what each GPU gets. */
static void find_stored(const multigpu_call *call, unsigned p, void *to[RIFFLE_MULTIGPU_MAX]) {
    const riffle_multigpu_plan *const plan = call->plan;
    for (unsigned q = 0; q < plan->gpus; q++)
        to[q] = plan->steps.count == 1 ? call->dst[q] : workspace_of(call, q);
    if (plan->steps.by_copies) multigpu_pack_into(&plan->steps, plan->part_bytes, p, workspace_of(call, p), to);
}

static riffle_status copy_messages(const multigpu_call *call, unsigned p) {
    const riffle_multigpu_plan *const plan = call->plan;
    const char *const packed = workspace_of(call, p);
    riffle_status status = RIFFLE_OK;
    for (uint64_t s = 0; status == RIFFLE_OK && s < fan_of(plan); s++) {
        const multigpu_message m = multigpu_message_of(&plan->steps, plan->part_bytes, p, s);
        if (m.to != p)
            status =
                plan->peers->copy((char *)workspace_of(call, m.to) + m.at, plan->member[m.to].on.number,
                                  packed + m.packed_at, plan->member[p].on.number, m.bytes, links_of(call, p));
    }
    return status;
}

static riffle_status send(const multigpu_call *call, unsigned p, unsigned chunk) {
    const riffle_multigpu_plan *const plan = call->plan;
    void *to[RIFFLE_MULTIGPU_MAX];
    launch_list list;
    find_stored(call, p, to);
    launch_list_begin(&list);
    multigpu_append(plan, 0, chunk, p, to, call->src[p], &list);
    riffle_status status =
        device_run(&plan->member[p].on, "launching a move between GPUs", &list, links_of(call, p));
    if (status == RIFFLE_OK && plan->steps.by_copies) status = copy_messages(call, p);
    return status == RIFFLE_OK ? plan->peers->record(plan->member[p].sent[chunk], links_of(call, p)) : status;
}

/* Part p has the chunk, and has sent its own. */
static riffle_status await(const multigpu_call *call, unsigned p, unsigned chunk) {
    const riffle_multigpu_plan *const plan = call->plan;
    riffle_status status = plan->peers->wait(stream_of(call, p), plan->member[p].sent[chunk]);
    for (uint64_t s = 0; status == RIFFLE_OK && s < fan_of(plan); s++)
        status = plan->peers->wait(stream_of(call, p), plan->member[sender_of(plan, p, s)].sent[chunk]);
    return status;
}

static riffle_status receive(const multigpu_call *call, unsigned p, unsigned chunk) {
    const riffle_multigpu_plan *const plan = call->plan;
    launch_list list;
    const riffle_status status = await(call, p, chunk);
    if (status != RIFFLE_OK || plan->steps.count == 1) return status;
    launch_list_begin(&list);
    multigpu_append(plan, 1, chunk, p, call->dst, workspace_of(call, p), &list);
    return device_run(&plan->member[p].on, "launching a move between GPUs", &list, stream_of(call, p));
}

/* One of these for each GPU in turn, which is current then. */
static riffle_status on_each(const multigpu_call *call, unsigned chunk,
                             riffle_status (*act)(const multigpu_call *, unsigned p, unsigned chunk)) {
    const riffle_multigpu_plan *const plan = call->plan;
    riffle_status status = RIFFLE_OK;
    for (unsigned p = 0; status == RIFFLE_OK && p < plan->gpus; p++) {
        int before;
        status = plan->peers->use(plan->member[p].on.number, &before);
        if (status != RIFFLE_OK) break;
        status = act(call, p, chunk);
        plan->peers->use_again(before);
    }
    return status;
}

riffle_status riffle_multigpu_execute(const riffle_multigpu_plan *plan, void *const *dst,
                                      const void *const *src, void *const *workspaces, size_t workspace_bytes,
                                      struct CUstream_st *const *streams) {
    RETURN_IF_NULL(plan, dst, src);
    const multigpu_call call = {plan, dst, src, workspaces, workspace_bytes, streams};
    if (plan->steps.count == 0) return RIFFLE_OK;
    riffle_status status = check_call(&call);
    if (status == RIFFLE_OK) status = on_each(&call, 0, begin);
    if (status == RIFFLE_OK) status = on_each(&call, 0, open_links);
    for (unsigned c = 0; status == RIFFLE_OK && c < plan->chunks.count; c++) {
        status = on_each(&call, c, send);
        if (status == RIFFLE_OK) status = on_each(&call, c, receive);
    }
    return status;
}
