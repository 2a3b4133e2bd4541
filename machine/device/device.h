/* SPDX-License-Identifier: Apache-2.0
 *
 * machine_device's functions by name, for the hooks and the kernels of the library itself.
 */
#ifndef RIFFLE_MACHINE_DEVICE_DEVICE_H
#define RIFFLE_MACHINE_DEVICE_DEVICE_H

#include "machine/device/device_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thread's coordinates do not change while it runs. */
machine_index machine_thread_index(void) __attribute__((const));
machine_index machine_block_index(void) __attribute__((const));
machine_index machine_block_dim(void) __attribute__((const));
machine_index machine_grid_dim(void) __attribute__((const));
unsigned machine_warp_size(void) __attribute__((const));
unsigned machine_lane(void) __attribute__((const));

/** An access of any size; one of more than 16 bytes, or of no power of two, is made of several. */
void machine_access(const void *address, unsigned long bytes, int op, const void *site);

/** One that the compiler knows to be unaligned, which is as many as its address makes necessary. */
void machine_access_unaligned(const void *address, unsigned long bytes, int op, const void *site);

void machine_block(const void *site, const void *stack);
void machine_enter(const void *site, const void *stack);
void machine_leave(void);
void machine_copy(void *to, const void *from, unsigned bytes, unsigned given, void *barrier,
                  const void *site);
void machine_copy_bind(void *barrier, const void *pc);
void machine_copy_commit(void);
void machine_copy_land(void);
void machine_copy_land_prior(unsigned left);
void machine_align(const void *address, unsigned bytes);
void *machine_allocate(unsigned long bytes);
int machine_release_heap(void *address);
void machine_refuse(unsigned most);
void machine_lack(const char *function, const void *site);
void machine_exit(void);

void machine_fence(void);
void machine_grid_barrier(const void *site);
int machine_is_cooperative(void);
machine_index machine_cluster_shape(void);
void machine_cluster_set(unsigned x, unsigned y, unsigned z);
void *machine_cluster_peer(const void *address, unsigned rank, const void *site);
unsigned machine_cluster_rank_of(const void *address);
void machine_cluster_sync(const void *site);
void machine_cluster_arrive(int relaxed, const void *site);
void machine_cluster_wait(const void *site);
void machine_mbarrier_init(void *at, unsigned count, const void *site);
void machine_mbarrier_end(void *at, const void *site);
unsigned long long machine_mbarrier_arrive(void *at, unsigned count, int drops, const void *site);
void machine_mbarrier_expect(void *at, long long bytes, const void *site);
int machine_mbarrier_wait(void *at, unsigned long long phase, int is_parity, int blocks, const void *site);
void machine_bulk_load(const machine_bulk *one, const void *site);
void machine_bulk_store(const machine_bulk *one, const void *site);
void machine_bulk_commit(void);
void machine_bulk_wait(unsigned left);
void machine_proxy_fence(void);
void machine_store_async(void *to, const void *values, unsigned bytes, void *barrier, const void *site);
void machine_named_barrier(unsigned number, unsigned threads, int waits, const void *site);
void machine_product_add(const machine_product *one, const void *site);
void machine_product_fence(void);
void machine_product_commit(void);
void machine_product_wait(unsigned left);
void machine_barrier(const void *site);
unsigned machine_barrier_count(int predicate, const void *site);

/** What each lane brings to an exchange, 0 for those that take no part; until the thread waits again. */
const unsigned long long *machine_warp_exchange(unsigned mask, unsigned long long value, const void *site);

/** The lanes that bring something else than 0. */
unsigned machine_warp_ballot(unsigned mask, unsigned long long value, const void *site);
void machine_warp_sync(unsigned mask, const void *site);
unsigned machine_meet(const void *site);

/** __syncthreads() of the library's own kernels. */
void machine_sync_threads(void);

#ifdef __cplusplus
}
#endif

#endif
