/* SPDX-License-Identifier: Apache-2.0
 *
 * Small kernels of known cost or with a known hazard. Compiled with the machine's hooks.
 */
#include "machine_kernels.h"

#include "machine/device/device_cuda.h"

#include "hull/kernels/record.h"

extern __shared__ uint64_t shared_memory[];

#define HERE __builtin_return_address(0)

/* An entry called enter_NAME for a kernel NAME of one pointer and one number. */
#define ENTRY(name)                                                                                            \
    void enter_##name(void *const *args) { entry_of<name>::enter(args); }

typedef unsigned __int128 wide;
typedef struct three {
    uint32_t x, y, z;
} three;

uint32_t test_static_tile[64];

static __attribute__((noinline, no_sanitize("thread"))) unsigned exchange(unsigned mask, unsigned value,
                                                                          unsigned from) {
    return (unsigned)machine_warp_exchange(mask, value, HERE)[from];
}

/* The same, which also orders what the lanes did before. */
static __attribute__((noinline)) unsigned ordered_exchange(unsigned mask, unsigned value, unsigned from) {
    machine_warp_sync(mask, HERE);
    return exchange(mask, value, from);
}

/** Threads 0..7 read cells 7 5 15 0 10 11 12 9, the papers' example. */
__global__ void worked_global(const volatile uint32_t *in, uint32_t cells) {
    (void)in[cells >> 4 * threadIdx.x & 15];
}
ENTRY(worked_global)

/** The same in shared memory, once it has been written; in is not used. */
__global__ void worked_shared(const uint32_t *in, uint32_t cells) {
    volatile uint32_t *cell = (uint32_t *)shared_memory;
    (void)in;
    cell[threadIdx.x] = 0;
    cell[threadIdx.x + blockDim.x] = 0;
    __syncthreads();
    (void)cell[cells >> 4 * threadIdx.x & 15];
}
ENTRY(worked_shared)

/** Moves between four arrays of n elements in a row, out | in | d | s: out[d[k]] = in[s[k]]. */
__global__ void indexed(uint32_t *arrays, uint32_t n) {
    uint32_t *out = arrays, *d = arrays + 2 * n;
    const uint32_t *in = arrays + n, *s = arrays + 3 * n, k = threadIdx.x;
    out[d[k]] = in[s[k]];
}
ENTRY(indexed)

/** a[k] += a[k + n]: two reads and a write. */
__global__ void add(uint32_t *a, uint32_t n) { a[threadIdx.x] += a[threadIdx.x + n]; }
ENTRY(add)

/** Writes the rows of a w x w tile of shared memory, w threads a row, and reads its columns into out. Rows are
 *  `pitch` apart; with pitch 0 they are w apart and in diagonal arrangement. */
__global__ void tile(uint32_t *out, uint32_t pitch) {
    uint32_t *cell = (uint32_t *)shared_memory;
    const uint32_t w = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    cell[pitch == 0 ? y * w + (x + y) % w : y * pitch + x] = y * w + x;
    __syncthreads();
    out[y * w + x] = cell[pitch == 0 ? x * w + (x + y) % w : x * pitch + y];
}
ENTRY(tile)

/** The first `first` lanes write one half of a, the others the other half; then all write together. */
__global__ void branches(uint32_t *a, uint32_t first) {
    const uint32_t k = threadIdx.x;
    if (k < first) {
        a[k] = 1;
    } else {
        a[k + blockDim.x] = 2;
    }
    a[k + 2 * blockDim.x] = 3;
}
ENTRY(branches)

/** Thread k makes k % most + 1 turns, each a row of blockDim.x elements further. */
__global__ void trips(uint32_t *a, uint32_t most) {
    for (uint32_t turn = 0; turn <= threadIdx.x % most; ++turn) a[turn * blockDim.x + threadIdx.x] = turn;
}
ENTRY(trips)

/** Three tiles of n elements, which the threads do not divide, with a barrier behind each. */
__global__ void ragged_tiles(uint32_t *a, uint32_t n) {
    for (uint32_t t = 0; t < 3; ++t) {
        for (uint32_t k = threadIdx.x; k < n; k += blockDim.x) a[t * 64 + k] = k;
        __syncthreads();
    }
}
ENTRY(ragged_tiles)

/** Each thread writes one 16-byte element of shared memory and copies it to out. */
__global__ void wide_copy(wide *out, uint32_t stride) {
    wide *cell = (wide *)(void *)shared_memory;
    cell[threadIdx.x * stride] = threadIdx.x;
    out[threadIdx.x] = cell[threadIdx.x * stride];
}
ENTRY(wide_copy)

/** Each thread writes the 8-byte element `stride` after its neighbour's. */
__global__ void strided(uint64_t *out, uint32_t stride) { out[threadIdx.x * stride] = 1; }
ENTRY(strided)

/** Thread k adds to counter k / share. */
__global__ void atomics(uint32_t *counters, uint32_t share) {
    __atomic_fetch_add(&counters[threadIdx.x / share], 1, __ATOMIC_RELAXED);
}
ENTRY(atomics)

/** A static shared array, `stride` apart. */
__global__ void static_shared(uint32_t *out, uint32_t stride) {
    test_static_tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = test_static_tile[threadIdx.x * stride % 64];
}
ENTRY(static_shared)

/** a[k] = a[k + n] for structs of 12 bytes, which make three accesses of 4. */
__global__ void copy_struct(three *a, uint32_t n) { a[threadIdx.x] = a[threadIdx.x + n]; }
ENTRY(copy_struct)

/** a[k] = numbers of an argument. */
__global__ void takes_long_argument(uint32_t *a, long_argument given) {
    a[threadIdx.x] = given.number[threadIdx.x];
}
void enter_long_argument(void *const *args) { entry_of<takes_long_argument>::enter(args); }

/** Writes the number of each thread's block and its own. */
__global__ void block_order(uint32_t *out, uint32_t n) {
    const uint32_t thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const uint32_t block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const uint32_t at = block * blockDim.x * blockDim.y * blockDim.z + thread;
    if (at < n) out[at] = at;
}
ENTRY(block_order)

/** Each thread writes n elements, one every blockDim.x: more than the machine logs in one go. */
__global__ void large(uint32_t *out, uint32_t n) {
    for (uint32_t k = 0; k < n; ++k) out[k % 16 * blockDim.x + threadIdx.x] = k;
}
ENTRY(large)

/** The first n lanes wait for each other, as __syncwarp and __shfl_sync do; then all write. */
__global__ void held(uint32_t *out, uint32_t n) {
    if (threadIdx.x < n) exchange((1u << n) - 1, threadIdx.x, 0);
    out[threadIdx.x] = threadIdx.x;
}
ENTRY(held)

/** The same n times in a row, with the first half of the warp. */
__global__ void held_loop(uint32_t *out, uint32_t n) {
    for (uint32_t k = 0; k < n; ++k) {
        if (threadIdx.x < 16) exchange(0xffff, k, 0);
        out[k % 16 * blockDim.x + threadIdx.x] = k;
    }
}
ENTRY(held_loop)

/** Each half of a warp exchanges n times by itself, the second once more; then all write. */
__global__ void halves(uint32_t *out, uint32_t n) {
    const uint32_t second = threadIdx.x / 16 % 2;
    for (uint32_t k = 0; k < n + second; ++k) exchange(second ? 0xffff0000 : 0xffff, k, 16 * second);
    out[threadIdx.x] = threadIdx.x;
}
ENTRY(halves)

/** Lanes n and above leave; of the others, who meet after each tile, half take a second turn. */
__global__ void live_ragged(uint32_t *a, uint32_t n) {
    if (threadIdx.x >= n) return;
    for (uint32_t t = 0; t < 3; ++t) {
        for (uint32_t k = threadIdx.x; k < n + n / 2; k += n) a[t * 64 + k] = k;
        exchange((1u << n) - 1, t, 0);
    }
}
ENTRY(live_ragged)

/** In each of n turns the lanes below the turn's number write twice; then the whole warp meets. */
__global__ void met_in_loop(uint32_t *a, uint32_t n) {
    for (uint32_t t = 0; t < n; ++t) {
        for (uint32_t k = 0; k <= (threadIdx.x < t); ++k) a[(2 * t + k) * 32 + threadIdx.x] = k;
        exchange(~0u, t, 0);
    }
}
ENTRY(met_in_loop)

/** Writes the two halves of a, the line that stands below first. */
__global__ void backwards(uint32_t *a, uint32_t n) {
    for (uint32_t k = 0; k < 2; ++k) {
        if (k == 1) {
            a[threadIdx.x] = 1;
        } else {
            a[threadIdx.x + n] = a[threadIdx.x] + 2;
        }
    }
}
ENTRY(backwards)

/** Writes one element beyond n - 1 threads' worth. */
__global__ void beyond(uint32_t *out, uint32_t shift) { out[threadIdx.x + shift] = 1; }
ENTRY(beyond)

/** Each thread reads 4 bytes `shift` bytes beyond its element. */
__global__ void misaligned(const volatile char *in, uint32_t shift) {
    (void)*(const volatile uint32_t *)(const volatile void *)(in + 4 * threadIdx.x + shift);
}
ENTRY(misaligned)

/** Each thread writes an element of shared memory and reads the one `shift` further on, with no barrier. */
__global__ void shared_race(uint32_t *out, uint32_t shift) {
    uint32_t *cell = (uint32_t *)shared_memory;
    cell[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = cell[(threadIdx.x + shift) % blockDim.x];
}
ENTRY(shared_race)

/** All threads write the same value to the same place. */
__global__ void same_value(uint32_t *out, uint32_t value) { out[0] = value; }
ENTRY(same_value)

/** Each thread writes another value to the same place. */
__global__ void different_values(uint32_t *out, uint32_t value) { out[0] = value + threadIdx.x; }
ENTRY(different_values)

/** All threads read a place and write to it what stands there. */
__global__ void same_value_read(uint32_t *out, uint32_t value) { out[0] = out[0] == value ? value + 1 : 0; }
ENTRY(same_value_read)

/** The same with a shuffle, which does not order what was written. */
__global__ void shuffled(uint32_t *out, uint32_t mask) {
    uint32_t *cell = (uint32_t *)shared_memory;
    cell[threadIdx.x] = threadIdx.x;
    const uint32_t got = exchange(mask, threadIdx.x, 1);
    out[threadIdx.x] = cell[(threadIdx.x + 1) % blockDim.x] + got;
}
ENTRY(shuffled)

/** Thread 0 stores to a word and adds to it, and so do the others, with nothing between. */
__global__ void stored_and_added(uint32_t *out, uint32_t unused) {
    (void)unused;
    if (threadIdx.x == 0) out[0] = 5;
    __atomic_fetch_add(out, 1, __ATOMIC_RELAXED);
}
ENTRY(stored_and_added)

/** As shared_race, with an exchange of a warp's lanes in `mask` between. */
__global__ void exchanged(uint32_t *out, uint32_t mask) {
    uint32_t *cell = (uint32_t *)shared_memory;
    cell[threadIdx.x] = threadIdx.x;
    const uint32_t got = ordered_exchange(mask, threadIdx.x, 1);
    out[threadIdx.x] = cell[(threadIdx.x + 1) % blockDim.x] + got;
}
ENTRY(exchanged)

/** Lanes 0..15 exchange among themselves, then lane 0 writes what lane `reader` has read. */
__global__ void half_exchanged(const uint32_t *in, uint32_t reader) {
    volatile uint32_t *cell = (uint32_t *)shared_memory;
    (void)in;
    if (threadIdx.x == reader) cell[0] = 1;
    if (threadIdx.x < 16) ordered_exchange(0xffff, 0, 0);
    if (threadIdx.x == 0) cell[0] = 2;
}
ENTRY(half_exchanged)

/** Each block writes its element and reads the one of the block before. */
__global__ void reads_blocks(uint32_t *out, uint32_t n) {
    out[blockIdx.x] = 1;
    if (blockIdx.x > 0) out[n + blockIdx.x] = out[blockIdx.x - 1];
}
ENTRY(reads_blocks)

/** The first n threads wait at one barrier, the others at another. */
__global__ void two_barriers(uint32_t *out, uint32_t n) {
    if (threadIdx.x < n) {
        __syncthreads();
    } else {
        out[threadIdx.x] = 1;
        __syncthreads();
    }
    out[threadIdx.x] = 2;
}
ENTRY(two_barriers)

/** Threads n and above leave before the barrier. */
__global__ void leaves(uint32_t *out, uint32_t n) {
    if (threadIdx.x >= n) return;
    __syncthreads();
    out[threadIdx.x] = 2;
}
ENTRY(leaves)

/** Lane 0 waits for the lanes of mask, which wait at a barrier. */
__global__ void lone_exchange(uint32_t *out, uint32_t mask) {
    if (threadIdx.x == 0) exchange(mask, 0, 0);
    __syncthreads();
    out[threadIdx.x] = 1;
}
ENTRY(lone_exchange)

/** Lanes n and above leave; the others wait for the whole warp. */
__global__ void left_exchange(uint32_t *out, uint32_t n) {
    if (threadIdx.x >= n) return;
    out[threadIdx.x] = exchange(~0u, threadIdx.x, n - 1);
}
ENTRY(left_exchange)

/** Reads the 4-byte element n of dynamic shared memory. */
__global__ void reads_shared(const uint32_t *in, uint32_t n) {
    (void)in;
    (void)((const volatile uint32_t *)shared_memory)[n];
}
ENTRY(reads_shared)

/** Thread 0 works n accesses long, half of them after the others have come to the barrier with it. */
__global__ void long_work(uint32_t *out, uint32_t n) {
    if (threadIdx.x == 0) {
        for (uint32_t k = 0; k < n / 2; ++k) out[k % 64] = k;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (uint32_t k = 0; k < n / 2; ++k) out[k % 64] = k;
    }
}
ENTRY(long_work)

/** Never ends. */
__global__ void endless(const volatile uint32_t *in, uint32_t until) {
    while (in[0] != until) continue;
}
ENTRY(endless)

/** Never ends, and finds something else in each turn. */
__global__ void endless_writing(volatile uint32_t *counts, uint32_t by) {
    for (;;) counts[threadIdx.x] += by;
}
ENTRY(endless_writing)

/** A barrier in each turn of a loop without end. */
__global__ void turns(volatile uint32_t *made, uint32_t by) {
    for (;;) {
        made[threadIdx.x] += by;
        __syncthreads();
    }
}
ENTRY(turns)

/** Writes and reads single bytes of its own, and one of a neighbour's. */
__global__ void bytes(uint8_t *out, uint32_t shift) {
    uint8_t *cell = (uint8_t *)shared_memory;
    cell[threadIdx.x] = (uint8_t)threadIdx.x;
    out[threadIdx.x] = cell[threadIdx.x ^ shift];
}
ENTRY(bytes)

/** All threads read one cell, which the first n then wait for in an exchange before one of them writes it. */
__global__ void broadcast_then_write(uint32_t *out, uint32_t n) {
    const uint32_t read = out[0];
    exchange(~0u, read, 0);
    if (threadIdx.x == n) out[0] = read + 1;
}
ENTRY(broadcast_then_write)

/** Thread 0 waits for what the last thread of the block writes. */
__global__ void spin(uint32_t *flag, uint32_t last) {
    if (threadIdx.x == last) __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    if (threadIdx.x == 0) {
        while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) continue;
    }
}
ENTRY(spin)

/** A record, stored into words and read whole; the first thread's of three types. */
__global__ void stored_records(uint64_t *words, uint32_t unused) {
    const volatile uint64_t *const stored = words;
    (void)unused;
    if (threadIdx.x > 0) return;
    hull_store(words, hull_record_f32{1, 2, 3, 4});
    hull_store(words + HULL_RECORD_WORDS, hull_record_f64{5, 6, 7, 8});
    hull_store(words + 2 * HULL_RECORD_WORDS, hull_record_i64{9, 10, 11, 12});
    for (uint32_t k = 0; k < 3 * HULL_RECORD_WORDS; ++k) (void)stored[k];
}
ENTRY(stored_records)
