/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/runtime/cluster/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

cluster *cluster_create(unsigned size, unsigned threads) {
    cluster *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->size = size;
    c->threads = threads;
    c->living = c->missing = size * threads;
    return c;
}

void cluster_free(cluster *c) {
    if (c == NULL) return;
    mbarrier_free_all(&c->barriers);
    clocks_free_phase(&c->barrier);
    free(c);
}

static bool end_phase(cluster *c) {
    if (c->missing > 0 || c->living == 0) return false;
    clocks_end(&c->barrier);
    c->missing = c->living;
    return true;
}

bool cluster_arrive(cluster *c, unsigned threads) {
    c->missing -= threads;
    return end_phase(c);
}

bool cluster_leave(cluster *c, bool arrived) {
    c->living--;
    c->missing -= !arrived;
    return end_phase(c);
}

void cluster_forget(cluster *c, uint32_t base) {
    clocks_free_phase(&c->barrier);
    for (mbarrier *one = c->barriers; one != NULL; one = one->next) {
        clocks_free_phase(&one->phase);
        one->segment = base;
    }
    memset(c->use, 0, sizeof c->use);
    for (unsigned rank = 0; rank < c->size; rank++)
        if (c->base[rank] != 0) c->base[rank] = base;
}

static const char *why_refused(machine_index grid, machine_index shape) {
    const uint64_t size = (uint64_t)shape.x * shape.y * shape.z;
    if (size == 0 || size > CLUSTER_MOST) return "a cluster has up to 16 blocks";
    if (grid.x % shape.x != 0 || grid.y % shape.y != 0 || grid.z % shape.z != 0)
        return "a grid is made of whole clusters";
    return NULL;
}

riffle_status cluster_check(const char *kernel, machine_index grid, machine_index shape) {
    const char *why = why_refused(grid, shape);
    if (why == NULL) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "kernel %s: clusters of %u x %u x %u blocks in a grid of %u x %u x %u: %s", kernel, shape.x,
                shape.y, shape.z, grid.x, grid.y, grid.z, why);
}

uint64_t cluster_block(machine_index grid, machine_index shape, uint64_t number, unsigned rank) {
    const uint64_t across = grid.x / shape.x, down = grid.y / shape.y;
    const uint64_t x = number % across * shape.x + rank % shape.x;
    const uint64_t y = number / across % down * shape.y + rank / shape.x % shape.y;
    const uint64_t z = number / across / down * shape.z + rank / shape.x / shape.y;
    return (z * grid.y + y) * grid.x + x;
}

unsigned cluster_rank(machine_index block, machine_index shape) {
    return (block.z % shape.z * shape.y + block.y % shape.y) * shape.x + block.x % shape.x;
}
