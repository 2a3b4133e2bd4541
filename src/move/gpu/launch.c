/* SPDX-License-Identifier: Apache-2.0 */
#include "move/gpu/launch.h"

void launch_arrays(const pass *p, launch_array out[LAUNCH_MAX_ARRAYS]) {
    for (unsigned k = 0; k < LAUNCH_MAX_ARRAYS; k++) out[k] = (launch_array){NULL, NULL, 0};
    if (p->kind->arrays != NULL) p->kind->arrays(p, out);
}

size_t launch_access_bytes(const void *to, const void *from) {
    const uintptr_t bits = (uintptr_t)to | (uintptr_t)from | LAUNCH_VECTOR_BYTES;
    return (size_t)(bits & (0 - bits));
}

uint64_t launch_blocks(const pass *p, const launch_limits *limits) { return p->kind->blocks(p, limits); }

size_t launch_alignment(const pass *p, size_t elem_bytes) {
    return p->kind->alignment != NULL ? p->kind->alignment(p) : elem_bytes;
}

/* The launch that was appended last; where memory was short, the one that stands for it. */
static launch *last_of(launch_list *list) { return list->status == RIFFLE_OK ? list->last : &list->nowhere; }

launch *launch_of_pass(const pass *p, const launch_limits *limits, const void *const arrays[LAUNCH_MAX_ARRAYS],
                       launch_list *out) {
    p->kind->launch(p, limits, arrays, out);
    last_of(out)->grid = (unsigned)launch_blocks(p, limits);
    return last_of(out);
}

void launch_pass(const pass *p, const launch_limits *limits, const void *const arrays[LAUNCH_MAX_ARRAYS],
                 void *to, const void *from, launch_list *out) {
    if (p->kind->launches != NULL) {
        p->kind->launches(p, arrays, to, from, out);
    } else {
        launch_between(launch_of_pass(p, limits, arrays, out), to, from);
    }
}
