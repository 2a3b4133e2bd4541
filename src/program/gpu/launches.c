/* SPDX-License-Identifier: Apache-2.0 */
#include "program/gpu/launches.h"

void launch_program_pass(const fused_launches *launches, const users_kernel *users, void *to, const void *from,
                         launch_list *out) {
    for (size_t k = 0; k < launches->count; k++) {
        const fused_launch *const pass = &launches->launches[k];
        const char *const read = pass->reads_src ? from : to;
        launch *const work =
            append_fused(out, pass->kernel, pass->elem_bytes, &(struct fused_arguments){pass->table});
        work->users = users;
        work->grid = (unsigned)pass->blocks;
        work->block_x = pass->threads;
        work->shared_bytes = pass->shared_bytes;
        launch_between(work, (char *)to + pass->first_byte, read + pass->first_byte);
    }
}
