/* SPDX-License-Identifier: Apache-2.0
 *
 * The two launches of few keys: strips of them, and parts of all strips joined.
 */
#include "sort/gpu/codes/work.h"

#define OF_EACH_JOIN(name)                                                                                     \
    { &KERNEL_##name##_0, &KERNEL_##name##_1 }

/* Each stage has kernels of keys alone, and with what goes along. */
static const sort_join_kernel *const kernels[2][2][SORT_JOIN_SIZES] = {
    {OF_EACH_JOIN(sort_strips), OF_EACH_JOIN(sort_carry_strips)},
    {OF_EACH_JOIN(sort_join), OF_EACH_JOIN(sort_carry_join)}};

static void add(const sort_work *w, unsigned stage, uint32_t grid, size_t lead) {
    const sort_request *const r = w->r;
    const unsigned size = w->s->strip_size;
    struct sort_join_arguments arguments = {{.coder = sort_coder_of(w, stage), .n = r->n}};
    if (r->carries) arguments.table.carried = sort_carried_by(w, stage);
    launch_set(append_sort_join(w->out, kernels[stage][r->carries][size], r->key_bytes, &arguments), grid,
               sort_join_threads(size), lead + sort_strip_bytes(r->key_bytes, r->carries, size),
               sort_written_by(w, stage), sort_read_by(w, stage));
}

void launch_sort_join(const sort_work *w) {
    add(w, 0, w->s->strips, 0);
    if (w->s->parts > 0) add(w, 1, w->s->parts, SORT_JOIN_BYTES);
}
