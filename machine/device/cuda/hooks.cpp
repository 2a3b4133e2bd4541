/* SPDX-License-Identifier: Apache-2.0
 *
 * Connects a kernel's object with the machine: the thread sanitizer's hooks, and the machine's functions,
 * which the machine puts into riffle_lint_api once the object is loaded. Compiled without hooks itself.
 */
#include <cxxabi.h>
#include <dlfcn.h>
#include <new>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "host_api.h"

extern "C" {
machine_device_api riffle_lint_api;
machine_host_api riffle_lint_host; /* for a whole program */
extern thread_local char riffle_lint_dynamic_shared[];
void *riffle_lint_dynamic_start(void) { return riffle_lint_dynamic_shared; }

/* What is seen of a kernel's block, as machine_indices has it: hooks for more are not called (quiet.h). */
__attribute__((visibility("hidden"))) unsigned char riffle_lint_seen;
unsigned char *riffle_lint_seen_place(void) { return &riffle_lint_seen; }

/* A kernel's own names; the machine writes them before a thread goes on. */
machine_index threadIdx, blockIdx, blockDim, gridDim;

unsigned riffle_lint_warp_size(void) { return riffle_lint_api.warp_size(); }
unsigned riffle_lint_lane(void) { return riffle_lint_api.lane(); }
/* Host code has fences too. */
void riffle_lint_fence(void) {
    if (riffle_lint_api.fence != nullptr) riffle_lint_api.fence();
}
void riffle_lint_grid_barrier(const void *site) { riffle_lint_api.grid_barrier(site); }
int riffle_lint_is_cooperative(void) { return riffle_lint_api.is_cooperative(); }
machine_index riffle_lint_cluster_shape(void) { return riffle_lint_api.cluster_shape(); }
void riffle_lint_cluster(unsigned x, unsigned y, unsigned z) { riffle_lint_api.cluster_set(x, y, z); }
void *riffle_lint_cluster_peer(const void *address, unsigned rank, const void *site) { return riffle_lint_api.cluster_peer(address, rank, site); }
unsigned riffle_lint_cluster_rank_of(const void *address) { return riffle_lint_api.cluster_rank_of(address); }
void riffle_lint_cluster_sync(const void *site) { riffle_lint_api.cluster_sync(site); }
void riffle_lint_cluster_arrive(int relaxed, const void *site) { riffle_lint_api.cluster_arrive(relaxed, site); }
void riffle_lint_cluster_wait(const void *site) { riffle_lint_api.cluster_wait(site); }
void riffle_lint_mbarrier_init(void *at, unsigned count, const void *site) { riffle_lint_api.mbarrier_init(at, count, site); }
void riffle_lint_mbarrier_end(void *at, const void *site) { riffle_lint_api.mbarrier_end(at, site); }
unsigned long long riffle_lint_mbarrier_arrive(void *at, unsigned count, int drops, const void *site) {
    return riffle_lint_api.mbarrier_arrive(at, count, drops, site);
}
void riffle_lint_mbarrier_expect(void *at, long long bytes, const void *site) { riffle_lint_api.mbarrier_expect(at, bytes, site); }
int riffle_lint_mbarrier_wait(void *at, unsigned long long phase, int is_parity, int blocks, const void *site) {
    return riffle_lint_api.mbarrier_wait(at, phase, is_parity, blocks, site);
}
void riffle_lint_bulk_load(const machine_bulk *one, const void *site) { riffle_lint_api.bulk_load(one, site); }
void riffle_lint_bulk_store(const machine_bulk *one, const void *site) { riffle_lint_api.bulk_store(one, site); }
void riffle_lint_bulk_commit(void) { riffle_lint_api.bulk_commit(); }
void riffle_lint_bulk_wait(unsigned left) { riffle_lint_api.bulk_wait(left); }
/* A function of a library that the machine has not: no status that means success. */
void *riffle_lint_foreign(const char *name, const void *site) {
    fprintf(stderr, "riffle: %s: the machine does not supply this library of CUDA\n", name);
    if (riffle_lint_host.refuse != nullptr) riffle_lint_host.refuse(name, "-1", "the machine does not supply this library of CUDA", site);
    return (void *)-1;
}

/* What one PTX statement carries into the next of its thread: nothing that a thread waits for lies between. */
namespace riffle_lint {
static bool carried;
}
using namespace riffle_lint;
void riffle_lint_carry(bool carry) { carried = carry; }
bool riffle_lint_carried(void) { return carried; }

void riffle_lint_proxy_fence(void) { riffle_lint_api.proxy_fence(); }
void riffle_lint_store_async(void *to, const void *values, unsigned bytes, void *barrier, const void *site) {
    riffle_lint_api.store_async(to, values, bytes, barrier, site);
}
void riffle_lint_named_barrier(unsigned number, unsigned threads, int waits, const void *site) {
    riffle_lint_api.named_barrier(number, threads, waits, site);
}
void riffle_lint_product(const machine_product *one, const void *site) { riffle_lint_api.product(one, site); }
void riffle_lint_product_fence(void) { riffle_lint_api.product_fence(); }
void riffle_lint_product_commit(void) { riffle_lint_api.product_commit(); }
void riffle_lint_product_wait(unsigned left) { riffle_lint_api.product_wait(left); }
void riffle_lint_barrier(const void *site) { riffle_lint_api.barrier(site); }
unsigned riffle_lint_barrier_count(int predicate, const void *site) {
    return riffle_lint_api.barrier_count(predicate, site);
}
unsigned riffle_lint_warp_gather(unsigned mask, unsigned long long value, unsigned long long *values,
                                 const void *site) {
    return riffle_lint_api.warp_gather(mask, value, values, site);
}
void riffle_lint_warp_sync(unsigned mask, const void *site) { riffle_lint_api.warp_sync(mask, site); }
unsigned riffle_lint_meet(const void *site) { return riffle_lint_api.meet(site); }
void riffle_lint_copy(void *to, const void *from, unsigned bytes, unsigned given, void *barrier, const void *site) {
    riffle_lint_api.copy(to, from, bytes, given, barrier, site);
}
void riffle_lint_copy_bind(void *barrier, const void *site) { riffle_lint_api.copy_bind(barrier, site); }
void riffle_lint_copy_commit(void) { riffle_lint_api.copy_commit(); }
void riffle_lint_copy_land(void) { riffle_lint_api.copy_land(); }
void riffle_lint_copy_land_prior(unsigned left) { riffle_lint_api.copy_land_prior(left); }
void riffle_lint_align(const void *address, unsigned bytes) { riffle_lint_api.align(address, bytes); }
void riffle_lint_refuse(unsigned most) { riffle_lint_api.refuse(most); }
void riffle_lint_lack(const char *function, const void *site) { riffle_lint_api.lack(function, site); }
void riffle_lint_exit(void) { riffle_lint_api.exit(); }
long long riffle_lint_clock(void) {
    static long long ticks;
    return ++ticks;
}

/* "copy" of "void n::copy<float, 4>(float*, (bool)1)", in the text itself; what the brackets of its arguments enclose is not looked at. */
static char *short_name(char *text) {
    char *name = text;
    int depth = 0;
    for (char *at = text; *at != '\0'; at++) {
        if (depth == 0 && (*at == '<' || *at == '(')) {
            *at = '\0';
            return name;
        }
        depth += (*at == '<' || *at == '(') - (*at == '>' || *at == ')');
        if (depth == 0 && (*at == ' ' || *at == ':')) name = at + 1;
    }
    return name;
}

/* The name of a function that is called by its address, for as long as the object is there; NULL if none is known. */
const char *riffle_lint_kernel_name(const void *kernel) {
    static struct {
        const void *kernel;
        char *name;
    } known[256];
    Dl_info info;
    unsigned k = 0;
    for (; k < 256 && known[k].kernel != nullptr; k++)
        if (known[k].kernel == kernel) return known[k].name;
    if (k == 256 || dladdr(kernel, &info) == 0 || info.dli_sname == nullptr || info.dli_saddr != kernel) return nullptr;
    int status = 0;
    char *whole = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    if (whole == nullptr) return nullptr;
    known[k].name = short_name(whole);
    known[k].kernel = kernel;
    return known[k].name;
}

/* A throw begins here. The machine's stacks have nobody who would catch, and a GPU has no exceptions; host code has. */
void *__cxa_allocate_exception(size_t bytes) noexcept {
    if (riffle_lint_host.in_kernel != nullptr && !riffle_lint_host.in_kernel()) {
        typedef void *allocator(size_t);
        return reinterpret_cast<allocator *>(dlsym(RTLD_NEXT, "__cxa_allocate_exception"))(bytes);
    }
    fputs("throw: device code cannot throw an exception\n", stderr);
    abort();
}

/* While the object is being loaded, static constructors run and nobody counts. */
void riffle_lint_access(const void *address, unsigned long bytes, int op, const void *site) {
    if (riffle_lint_api.access != nullptr) riffle_lint_api.access(address, bytes, op, site);
}

static void access_pieces(const void *address, unsigned long bytes, unsigned long piece, int op, const void *site) {
    while (bytes % piece != 0 || (uintptr_t)address % piece != 0) piece /= 2;
    for (unsigned long at = 0; at < bytes; at += piece)
        riffle_lint_access((const char *)address + at, piece, op, site);
}

/* A copy of any size, in the pieces that a GPU would move: powers of two of up to 16 bytes. */
static void access_range(const void *address, unsigned long bytes, int op, const void *site) {
    if (riffle_lint_seen) access_pieces(address, bytes, 16, op, site);
}

/* Counts in halves an access whose type is aligned to less than its size: a GPU cannot move such a structure at once. */
static void access_halves(const void *address, unsigned long bytes, int op, const void *site) {
    access_pieces(address, bytes, bytes > 1 ? bytes / 2 : 1, op, site);
}

#define SITE __builtin_return_address(0)
#define HOOKS(bytes)                                                                                           \
    void __tsan_read##bytes(void *a) { riffle_lint_access(a, bytes, MACHINE_READ, SITE); }                     \
    void __tsan_write##bytes(void *a) { riffle_lint_access(a, bytes, MACHINE_WRITE, SITE); }                   \
    void __tsan_unaligned_read##bytes(void *a) { access_halves(a, bytes, MACHINE_READ, SITE); }                \
    void __tsan_unaligned_write##bytes(void *a) { access_halves(a, bytes, MACHINE_WRITE, SITE); }              \
    void __tsan_volatile_read##bytes(void *a) {                                                                \
        riffle_lint_access(a, bytes, MACHINE_READ | MACHINE_STRONG, SITE);                                     \
    }                                                                                                          \
    void __tsan_volatile_write##bytes(void *a) {                                                               \
        riffle_lint_access(a, bytes, MACHINE_WRITE | MACHINE_STRONG, SITE);                                    \
    }                                                                                                          \
    void __tsan_unaligned_volatile_read##bytes(void *a) {                                                      \
        access_halves(a, bytes, MACHINE_READ | MACHINE_STRONG, SITE);                                          \
    }                                                                                                          \
    void __tsan_unaligned_volatile_write##bytes(void *a) {                                                     \
        access_halves(a, bytes, MACHINE_WRITE | MACHINE_STRONG, SITE);                                         \
    }                                                                                                          \
    void __tsan_read_write##bytes(void *a) {                                                                   \
        riffle_lint_access(a, bytes, MACHINE_READ, SITE);                                                      \
        riffle_lint_access(a, bytes, MACHINE_WRITE, SITE);                                                     \
    }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
#undef HOOKS

/* g++ tells so of structures, and where these have 2, 4, 8 or 16 bytes, only of those aligned by less than that and by 4 at most. */
static void access_structure(const void *address, unsigned long bytes, int op, const void *site) {
    const bool whole = bytes > 1 && bytes <= 16 && (bytes & (bytes - 1)) == 0;
    access_pieces(address, bytes, !whole ? 16 : bytes < 8 ? bytes / 2 : 4, op, site);
}
void __tsan_read_range(void *a, unsigned long bytes) { access_structure(a, bytes, MACHINE_READ, SITE); }
void __tsan_write_range(void *a, unsigned long bytes) { access_structure(a, bytes, MACHINE_WRITE, SITE); }
void __tsan_init(void) {}

/* Where the calling function's stack ends: the same for all hooks that it calls. */
#define STACK __builtin_frame_address(0)
void __tsan_func_entry(void *caller) {
    if (riffle_lint_api.enter != nullptr) riffle_lint_api.enter(caller, STACK);
}
void __tsan_func_exit(void) {
    if (riffle_lint_api.leave != nullptr) riffle_lint_api.leave();
}
void __sanitizer_cov_trace_pc(void) {
    if (riffle_lint_api.block != nullptr) riffle_lint_api.block(SITE, STACK);
}

void __tsan_vptr_update(void **a, void *) { riffle_lint_access(a, sizeof *a, MACHINE_WRITE, SITE); }
void __tsan_vptr_read(void **a) { riffle_lint_access(a, sizeof *a, MACHINE_READ, SITE); }

/* Atomic operations of C++, which host code has. One thread runs at a time. */
static int marks_of(int order) {
    const bool acquires = order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order >= __ATOMIC_ACQ_REL;
    const bool releases = order == __ATOMIC_RELEASE || order >= __ATOMIC_ACQ_REL;
    return MACHINE_STRONG | (acquires ? MACHINE_ACQUIRE : 0) | (releases ? MACHINE_RELEASE : 0);
}
static int load_marks(int order) { return (marks_of(order) & ~MACHINE_RELEASE) | MACHINE_LOAD; }
static int store_marks(int order) { return (marks_of(order) & ~MACHINE_ACQUIRE) | MACHINE_STORE; }
#define UPDATE(bits, name, value_after)                                                                        \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *a, uint##bits##_t value, int order) { \
        riffle_lint_access((const void *)a, bits / 8, MACHINE_ATOMIC | marks_of(order), SITE);                 \
        const uint##bits##_t old = *a;                                                                         \
        *a = (uint##bits##_t)(value_after);                                                                    \
        return old;                                                                                            \
    }
#define COMPARE(bits, name)                                                                                    \
    int __tsan_atomic##bits##_##name(volatile uint##bits##_t *a, uint##bits##_t *expected,                     \
                                     uint##bits##_t value, int order, int) {                                   \
        riffle_lint_access((const void *)a, bits / 8, MACHINE_ATOMIC | marks_of(order), SITE);                 \
        const uint##bits##_t old = *a;                                                                         \
        const int same = old == *expected;                                                                     \
        if (same) *a = value;                                                                                  \
        *expected = old;                                                                                       \
        return same;                                                                                           \
    }
#define ATOMICS(bits)                                                                                          \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *a, int order) {                   \
        riffle_lint_access((const void *)a, bits / 8, MACHINE_ATOMIC | load_marks(order), SITE);               \
        return *a;                                                                                             \
    }                                                                                                          \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *a, uint##bits##_t value, int order) {            \
        riffle_lint_access((const void *)a, bits / 8, MACHINE_ATOMIC | store_marks(order), SITE);              \
        *a = value;                                                                                            \
    }                                                                                                          \
    UPDATE(bits, exchange, value)                                                                              \
    UPDATE(bits, fetch_add, old + value)                                                                       \
    UPDATE(bits, fetch_sub, old - value)                                                                       \
    UPDATE(bits, fetch_and, old &value)                                                                        \
    UPDATE(bits, fetch_or, old | value)                                                                        \
    UPDATE(bits, fetch_xor, old ^ value)                                                                       \
    UPDATE(bits, fetch_nand, ~(old & value))                                                                   \
    COMPARE(bits, compare_exchange_strong)                                                                     \
    COMPARE(bits, compare_exchange_weak)                                                                       \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                                 \
        volatile uint##bits##_t *a, uint##bits##_t expected, uint##bits##_t value, int order, int) {           \
        riffle_lint_access((const void *)a, bits / 8, MACHINE_ATOMIC | marks_of(order), SITE);                 \
        const uint##bits##_t old = *a;                                                                         \
        if (old == expected) *a = value;                                                                       \
        return old;                                                                                            \
    }
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
void __tsan_atomic_thread_fence(int order) {
    if (order != __ATOMIC_RELAXED) riffle_lint_fence();
}
void __tsan_atomic_signal_fence(int) {}
#undef ATOMICS
#undef COMPARE
#undef UPDATE

/* Copies that a compiler left as calls. bcopy stands in for what these names hide. */
void *memmove(void *to, const void *from, size_t bytes) {
    access_range(from, bytes, MACHINE_READ, SITE);
    access_range(to, bytes, MACHINE_WRITE, SITE);
    bcopy(from, to, bytes);
    return to;
}
void *memcpy(void *to, const void *from, size_t bytes) {
    access_range(from, bytes, MACHINE_READ, SITE);
    access_range(to, bytes, MACHINE_WRITE, SITE);
    bcopy(from, to, bytes);
    return to;
}
void *memset(void *to, int value, size_t bytes) {
    access_range(to, bytes, MACHINE_WRITE, SITE);
    unsigned char *at = (unsigned char *)to;
    for (size_t k = 0; k < bytes; k += k == 0 ? 1 : k) { /* filled bytes are copied behind themselves */
        if (k == 0)
            at[0] = (unsigned char)value;
        else
            bcopy(at, at + k, k < bytes - k ? k : bytes - k);
    }
    return to;
}

/* Later compilers call these by names of the sanitizer's (clang from 19 on). */
void *__tsan_memcpy(void *, const void *, size_t) __attribute__((alias("memcpy")));
void *__tsan_memmove(void *, const void *, size_t) __attribute__((alias("memmove")));
void *__tsan_memset(void *, int, size_t) __attribute__((alias("memset")));
}

/* Launches by kernels, in their order: they are made when that of the parent has ended, as CUDA may have them, those of children behind those of
 * their parents. */
struct child_launch {
    child_launch *next;
    void (*run)(void *);
    max_align_t bytes[];
};
namespace riffle_lint {
static child_launch *first_child, **last_child = &first_child;
static pthread_mutex_t children = PTHREAD_MUTEX_INITIALIZER;
}

/* new, delete, malloc and free: a kernel's are the machine's memory, the host's the host's. The linker has whoever calls malloc call what stands
 * here, and gives the C library's the other name. */
extern "C" {
void *__real_malloc(size_t bytes);
void __real_free(void *address);
void *__wrap_malloc(size_t bytes);
void __wrap_free(void *address);
}
static void *allocate(size_t bytes) {
    void *found =
        riffle_lint_api.allocate != nullptr ? riffle_lint_api.allocate(bytes > 0 ? bytes : 1) : nullptr;
    return found != nullptr ? found : __real_malloc(bytes > 0 ? bytes : 1);
}
static void release(void *address) {
    if (address == nullptr) return;
    if (riffle_lint_api.release == nullptr || !riffle_lint_api.release(address)) __real_free(address);
}
extern "C" {
void riffle_lint_add_child(void (*run)(void *), const void *bytes, unsigned long size) {
    child_launch *one = static_cast<child_launch *>(__real_malloc(sizeof *one + size));
    if (one == nullptr) return;
    one->next = nullptr;
    one->run = run;
    bcopy(bytes, one->bytes, size);
    pthread_mutex_lock(&children);
    *last_child = one;
    last_child = &one->next;
    pthread_mutex_unlock(&children);
}

static child_launch *take_child() {
    pthread_mutex_lock(&children);
    child_launch *one = first_child;
    if (one != nullptr) first_child = one->next;
    if (first_child == nullptr) last_child = &first_child;
    pthread_mutex_unlock(&children);
    return one;
}

void riffle_lint_run_children(void) {
    static thread_local bool runs;
    if (runs) return;
    runs = true;
    for (child_launch *one = take_child(); one != nullptr; one = take_child()) {
        one->run(one->bytes);
        __real_free(one);
    }
    runs = false;
}
}

void *__wrap_malloc(size_t bytes) { return allocate(bytes); }
void __wrap_free(void *address) { release(address); }
void *operator new(size_t bytes) { return allocate(bytes); }
void *operator new[](size_t bytes) { return allocate(bytes); }
void *operator new(size_t bytes, const std::nothrow_t &) noexcept { return allocate(bytes); }
void *operator new[](size_t bytes, const std::nothrow_t &) noexcept { return allocate(bytes); }
void operator delete(void *address) noexcept { release(address); }
void operator delete[](void *address) noexcept { release(address); }
void operator delete(void *address, size_t) noexcept { release(address); }
void operator delete[](void *address, size_t) noexcept { release(address); }
