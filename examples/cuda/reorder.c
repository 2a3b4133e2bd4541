/* SPDX-License-Identifier: Apache-2.0
 *
 * reorder [LOG2_PARTICLES]: puts the arrays of a particle simulation into the order of the cells that the
 * particles are in. The order is a table of indices on the GPU; it is planned there once and then carried out
 * on x, y and z, each on a stream of its own with a workspace of its own.
 */
#include "gpu.h"

enum { ARRAYS = 3, CELLS_LOG2 = 12 };

static unsigned cell_of(unsigned particle) { return particle * 2654435769u >> (32 - CELLS_LOG2); }

/* table[i]: where particle i goes, so that cells come one after the other (a counting sort). */
static void sort_by_cell(unsigned n, unsigned *table) {
    unsigned next[(1 << CELLS_LOG2) + 1] = {0};
    for (unsigned i = 0; i < n; i++) next[cell_of(i) + 1]++;
    for (unsigned cell = 0; cell < 1 << CELLS_LOG2; cell++) next[cell + 1] += next[cell];
    for (unsigned i = 0; i < n; i++) table[i] = next[cell_of(i)]++;
}

static void report_needs(unsigned n, const riffle_plan_options *options) {
    riffle_cuda_needs needs;
    check(riffle_cuda_plan_needs(n, sizeof(float), options, &needs));
    printf("%u particles; a plan takes at most %zu bytes, and %zu more while it is made\n", n, needs.plan_bytes,
           needs.planning_bytes);
}

/* The whole move of all arrays, queued at once. */
static void reorder(const riffle_plan *plan, float *to[ARRAYS], float *from[ARRAYS]) {
    void *workspace[ARRAYS] = {NULL};
    cudaStream_t stream[ARRAYS];
    for (int k = 0; k < ARRAYS; k++) {
        const size_t bytes = riffle_plan_workspace_bytes(plan);
        if (bytes > 0) workspace[k] = device_array(bytes);
        must(cudaStreamCreate(&stream[k]), "a stream");
    }
    for (int k = 0; k < ARRAYS; k++)
        check(riffle_cuda_execute(plan, to[k], from[k], workspace[k], riffle_plan_workspace_bytes(plan),
                                  stream[k]));
    for (int k = 0; k < ARRAYS; k++) {
        must(cudaStreamSynchronize(stream[k]), "reordering");
        must(cudaStreamDestroy(stream[k]), "a stream");
        must(cudaFree(workspace[k]), "freeing");
    }
}

static unsigned count_wrong(unsigned n, const unsigned *table, const float *moved, const float *before) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < n; i++) wrong += moved[table[i]] != before[i];
    return wrong;
}

int main(int argc, char **argv) {
    const unsigned n = 1u << argument(argc, argv, 1, 24, 1, 24);
    const riffle_plan_options options = {.callers_workspace = true};
    need_gpu();
    report_needs(n, &options);
    unsigned *table = host_array(n * sizeof *table);
    float *before = host_array(n * sizeof *before), *moved = host_array(n * sizeof *moved);
    sort_by_cell(n, table);
    for (unsigned i = 0; i < n; i++) before[i] = (float)i;
    void *device_table = device_array(n * sizeof *table);
    to_device(device_table, table, n * sizeof *table);
    float *from[ARRAYS], *to[ARRAYS];
    for (int k = 0; k < ARRAYS; k++) {
        from[k] = device_array(n * sizeof(float)), to[k] = device_array(n * sizeof(float));
        to_device(from[k], before, n * sizeof(float));
    }
    riffle_plan *plan;
    check(riffle_cuda_plan_table(n, device_table, sizeof *table, sizeof(float), &options, NULL, &plan));
    must(cudaFree(device_table), "freeing"); // the plan has its own
    reorder(plan, to, from);
    unsigned wrong = 0;
    for (int k = 0; k < ARRAYS; k++) {
        to_host(moved, to[k], n * sizeof(float));
        wrong += count_wrong(n, table, moved, before);
        must(cudaFree(from[k]), "freeing");
        must(cudaFree(to[k]), "freeing");
    }
    printf("%s, %u pass%s, %zu bytes; %u elements out of place\n",
           riffle_algorithm_string(riffle_plan_algorithm(plan)), riffle_plan_passes(plan),
           riffle_plan_passes(plan) == 1 ? "" : "es", riffle_plan_bytes(plan), wrong);
    riffle_plan_free(plan);
    free(moved), free(before), free(table);
    return wrong == 0 ? 0 : 1;
}
