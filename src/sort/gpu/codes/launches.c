/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/codes/launches.h"

#include "sort/gpu/codes/work.h"

/* Keys outside of the window are copied from where the first level has left it. */
static void add_outside(const sort_work *w) {
    const sort_request *const r = w->r;
    if (!sort_has_window(w) || !r->has_rest) return;
    const struct sort_outside_arguments arguments = {{.coder = sort_coder_of(w, 2),
                                                      .carried = {sort_carried_by(w, 1).from, w->b->carried_to},
                                                      .window = sort_at(w, w->s->window),
                                                      .n = r->n}};
    launch_set(append_sort_outside(w->out, r->carries ? &KERNEL_sort_carry_outside : &KERNEL_sort_outside,
                                   r->key_bytes, &arguments),
               ceil_div(r->n, SORT_ROW_THREADS), SORT_ROW_THREADS, 0, w->b->to, sort_read_by(w, 1));
}

void launch_sort(const sort_request *r, const sort_steps *s, const sort_buffers *b, launch_list *out) {
    const sort_work w = {r, s, b, out};
    if (s->strips > 0) {
        launch_sort_join(&w);
        return;
    }
    for (unsigned k = 0; k < s->count; k++) launch_sort_level(&w, k);
    add_outside(&w);
    launch_sort_leaves(&w);
}
