/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that kernel code calls while the machine runs it: where it is, its accesses, and the points at which threads
 * wait for each other. Everything else that CUDA has (shuffles, votes, reductions, atomics) is built from these
 * in the headers that a kernel is compiled with. Plain C types only: a user's kernel, in a shared object of its
 * own, gets it as a table.
 *
 * `site` is the return address of the call in the kernel's code: it tells the source line.
 */
#ifndef RIFFLE_MACHINE_DEVICE_DEVICE_API_H
#define RIFFLE_MACHINE_DEVICE_DEVICE_API_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct machine_index {
    unsigned x, y, z;
} machine_index;

/** Where a user's kernel reads its indices, as variables: the machine writes them before a thread goes on. And whether
 *  its block is seen: 0 in host code. */
typedef struct machine_indices {
    machine_index *thread, *block, *block_dim, *grid_dim;
    unsigned char *seen;
} machine_indices;

/** What is seen of a block: its accesses, and where they are its path through the code. */
enum { MACHINE_SEEN = 1, MACHINE_FOLLOWED = 2 };

/** Accesses, and marks beside these: a volatile access, or one with an order of its own; what that is, at the device's scope or beyond; and
 *  an atomic one that only reads, or writes. */
enum {
    MACHINE_READ,
    MACHINE_WRITE,
    MACHINE_ATOMIC,
    MACHINE_KIND,
    MACHINE_STRONG = 4,
    MACHINE_ACQUIRE = 8,
    MACHINE_RELEASE = 16,
    MACHINE_LOAD = 32,
    MACHINE_STORE = 64,
};
enum { MACHINE_MAX_WIDTH = 32 };

/** A tensor in global memory, and the box of it that copies move (CUtensorMap). */
enum { MACHINE_TENSOR_DIMENSIONS = 5, MACHINE_TENSOR = 0x74656e73 };
typedef struct machine_tensor {
    unsigned is;                       /**< MACHINE_TENSOR */
    unsigned char dimensions, element; /**< number, and bytes of an element */
    unsigned short swizzle;            /**< 0, 32, 64 or 128 bytes */
    void *start;
    unsigned long long size[MACHINE_TENSOR_DIMENSIONS];       /**< elements, of dimension 0 first */
    unsigned long long stride[MACHINE_TENSOR_DIMENSIONS - 1]; /**< bytes, from dimension 1 on */
    unsigned short box[MACHINE_TENSOR_DIMENSIONS];
} machine_tensor;

/** A copy between shared and other memory, beside the threads. */
typedef struct machine_bulk {
    void *shared;        /**< of the block, or of another of its cluster */
    void *other;         /**< global memory, or shared; NULL: a tensor's */
    unsigned long bytes; /**< there; a tensor's box has its own */
    const machine_tensor *tensor;
    int at[MACHINE_TENSOR_DIMENSIONS]; /**< the box's first element */
    void *barrier;                     /**< the mbarrier that the bytes complete */
    unsigned
        ranks; /**< blocks of the cluster that get them, as bits, each at the same place; 0: whose `shared` is */
} machine_bulk;

/** Numbers of matrices. */
typedef enum machine_number {
    MACHINE_F16,
    MACHINE_BF16,
    MACHINE_TF32,
    MACHINE_E4M3,
    MACHINE_E5M2,
    MACHINE_S8,
    MACHINE_U8,
    MACHINE_F32,
    MACHINE_S32,
} machine_number;

/** A product of a warpgroup, d = a b + d, or a b: of 64 rows, so many columns, and 32 bytes of factors between (wgmma). */
enum { MACHINE_SUMS = 128, MACHINE_FACTORS = 4, MACHINE_QUAD = 4 };
typedef struct machine_product {
    machine_number left, right, sum;
    unsigned columns;
    int adds, saturates;
    int left_sign, right_sign;          /**< 1 or -1 */
    int left_turned, right_turned;      /**< rows, or columns, are neighbours in memory */
    unsigned long long a, b;            /**< descriptors; that of A is not read where it is in registers */
    const unsigned (*words)[MACHINE_FACTORS]; /**< of the four lanes that share the thread's rows; NULL: A is in shared memory */
    void *const *sums;                  /**< the thread's registers of d, of 4 bytes */
    unsigned registers;
} machine_product;

typedef struct machine_device_api {
    /** Lanes of the machine's warps, and the running thread's lane. */
    unsigned (*warp_size)(void);
    unsigned (*lane)(void);

    /** An access about to be made. Does not return if the kernel cannot go on after it. */
    void (*access)(const void *address, unsigned long bytes, int op, const void *site);

    /** A block of straight code begins; `site` tells which one, and `stack` which function's it is. */
    void (*block)(const void *site, const void *stack);

    /** A function begins that returns to `site`, and the last one that began ends. */
    void (*enter)(const void *site, const void *stack);
    void (*leave)(void);

    /** Global memory for the running kernel; NULL where none runs. And gives it back, of which kernels may still run; 0 if it is
     *  none. */
    void *(*allocate)(unsigned long bytes);
    int (*release)(void *address);

    /** The kernel takes no blocks of more than so many threads, as this one is: ends the launch. */
    void (*refuse)(unsigned most);

    /** The kernel calls a function that the machine has for host code alone: ends the launch, and the report says so. */
    void (*lack)(const char *function, const void *site);

    /** The thread ends here, as if the kernel returned. */
    void (*exit)(void);

    /** __syncthreads. */
    void (*barrier)(const void *site);

    /** A fence of the device's scope, or of a wider one. */
    void (*fence)(void);

    /** A barrier of all blocks of the launch, which must be a cooperative one; and whether it is. */
    void (*grid_barrier)(const void *site);
    int (*is_cooperative)(void);

    /** Blocks of a cluster in each dimension, 1 where there are none; sets them, as the kernel is declared. */
    machine_index (*cluster_shape)(void);
    void (*cluster_set)(unsigned x, unsigned y, unsigned z);

    /** An address in shared memory as a block of the cluster has it, by its rank, NULL where there is none; and the rank of the block that has it. */
    void *(*cluster_peer)(const void *address, unsigned rank, const void *site);
    unsigned (*cluster_rank_of)(const void *address);

    /** The cluster's barrier, or the two halves of it; an arrival that is `relaxed` orders nothing that the thread has not fenced. */
    void (*cluster_sync)(const void *site);
    void (*cluster_arrive)(int relaxed, const void *site);
    void (*cluster_wait)(const void *site);

    /** A barrier that also tells how many threads of the block came with a predicate that is not 0
     *  (__syncthreads_count, _and, _or). */
    unsigned (*barrier_count)(int predicate, const void *site);

    /** Waits for the lanes in mask and hands each lane the values of all of them, lane k's in values[k];
     *  returns the lanes that took part. Every warp-wide function is made of it. It does not order what the lanes have written:
     *  CUDA gives votes, shuffles and reductions no such guarantee. */
    unsigned (*warp_gather)(unsigned mask, unsigned long long value,
                            unsigned long long values[MACHINE_MAX_WIDTH], const void *site);

    /** __syncwarp: waits for the lanes in mask, and what any of them did before happens before what all do then. */
    void (*warp_sync)(unsigned mask, const void *site);

    /** Waits for the lanes of the warp that come to this place before they wait for anything else; tells which did. */
    unsigned (*meet)(const void *site);

    /** The accesses that come next are the parts of one that wants its array aligned to so many bytes. */
    void (*align)(const void *address, unsigned bytes);

    /** Asynchronous copies of up to 16 bytes into shared memory, of which the first `given` are read and the others zero; and the running
     *  thread's waits for its own (runtime/thread/copies.h). Those with a barrier land where the phase of that mbarrier ends, as do all that are under
     *  way once they are bound to one. */
    void (*copy)(void *to, const void *from, unsigned bytes, unsigned given, void *barrier,
                 const void *site);
    void (*copy_bind)(void *barrier, const void *site);
    void (*copy_commit)(void);
    void (*copy_land)(void);
    void (*copy_land_prior)(unsigned left);

    /** mbarriers (runtime/bulk.h). `arrive` gives the number of the phase; `wait` is true once that phase, or the last one of a parity, is over, and with
     *  `blocks` waits for it. Bytes that come are expected less. */
    void (*mbarrier_init)(void *at, unsigned count, const void *site);
    void (*mbarrier_end)(void *at, const void *site);
    unsigned long long (*mbarrier_arrive)(void *at, unsigned count, int drops, const void *site);
    void (*mbarrier_expect)(void *at, long long bytes, const void *site);
    int (*mbarrier_wait)(void *at, unsigned long long phase, int is_parity, int blocks, const void *site);

    /** Bulk copies into shared memory, and from there; groups of the latter; and the fence between threads' accesses and copies'. */
    void (*bulk_load)(const machine_bulk *one, const void *site);
    void (*bulk_store)(const machine_bulk *one, const void *site);
    void (*bulk_commit)(void);
    void (*bulk_wait)(unsigned left);
    void (*proxy_fence)(void);

    /** Values that are stored in a cluster's shared memory beside the thread, whose bytes complete an mbarrier (st.async). */
    void (*store_async)(void *to, const void *values, unsigned bytes, void *barrier, const void *site);

    /** One of a block's barriers by its number, to which so many threads come; with `waits` the thread stays until they have. */
    void (*named_barrier)(unsigned number, unsigned threads, int waits, const void *site);

    /** Products of a warpgroup, and the running thread's waits for its part (runtime/thread/products.h). */
    void (*product)(const machine_product *one, const void *site);
    void (*product_fence)(void);
    void (*product_commit)(void);
    void (*product_wait)(unsigned left);
} machine_device_api;

/** The machine's own. */
extern const machine_device_api machine_device;

#ifdef __cplusplus
}
#endif
#endif
