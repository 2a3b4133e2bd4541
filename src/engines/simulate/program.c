/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/simulate/program.h"

#include <string.h>

#include "base/status.h"
#include "engines/simulate/kernels.h"
#include "plan/fused/fused.h"

typedef struct arrays {
    char *src, *dst;
} arrays;

static riffle_status run_launch(machine *m, const fused_launch *launch, const arrays *a) {
    kernel_arguments arguments;
    void *addresses[KERNEL_MAX_ARGUMENTS];
    arguments.to = a->dst + launch->first_byte;
    arguments.from = (launch->reads_src ? a->src : a->dst) + launch->first_byte;
    arguments.of.fused_u32.table = launch->table; /* of the other types it is the same */
    kernel_argument_addresses(launch->kernel, &arguments, addresses);
    const riffle_status status =
        machine_run(m, &(machine_launch){.kernel = kernel_names[launch->kernel],
                                         .entry = machine_kernel_entry(launch->kernel, launch->elem_bytes),
                                         .args = addresses,
                                         .grid = {(unsigned)launch->blocks, 1, 1},
                                         .block = {launch->threads, 1, 1},
                                         .shared_bytes = launch->shared_bytes});
    if (status == RIFFLE_OK && machine_stopped(m))
        return fail(RIFFLE_ERROR_INTERNAL, "the machine stopped a kernel of riffle's own; please report this");
    return status;
}

static riffle_status run_pass(machine *m, const program_pass *pass, riffle_type type, uint64_t count,
                              bool is_first, const arrays *a) {
    fused_launches all = {0};
    riffle_status status = fused_lower(pass, type, count, is_first, &all);
    for (size_t k = 0; status == RIFFLE_OK && k < all.count; k++) status = run_launch(m, &all.launches[k], a);
    fused_launches_free(&all);
    return status;
}

riffle_status simulate_program(machine *m, const program_passes *passes, riffle_type type, uint64_t count,
                               void *data) {
    const size_t bytes = (size_t)count * riffle_type_bytes(type) << passes->n;
    const bool moves = passes->count > 0 && passes->passes[0].moves;
    void *src, *dst;
    riffle_status status = machine_buffer(m, moves ? "dst" : "array", bytes, &dst);
    if (status == RIFFLE_OK && moves) status = machine_buffer(m, "src", bytes, &src);
    if (status != RIFFLE_OK) return status;
    if (!moves) src = dst;
    memcpy(src, data, bytes);
    machine_written(m, src, bytes);
    const arrays a = {src, dst};
    for (size_t k = 0; status == RIFFLE_OK && k < passes->count; k++)
        status = run_pass(m, &passes->passes[k], type, count, k == 0, &a);
    if (status == RIFFLE_OK) memcpy(data, dst, bytes);
    return status;
}
