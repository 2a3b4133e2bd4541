/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that the compiler's thread sanitizer calls before each access, under the names that hooks.syms gives those
 * calls. Atomics and copies of whole structs are calls too, and are done here.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "machine/device/device.h"

#define HERE __builtin_return_address(0)

/* Nobody but compiled kernels calls these, so no header declares them. */
#define HOOK(result, name, ...)                                                                                \
    result riffle_hook_##name(__VA_ARGS__);                                                                    \
    result riffle_hook_##name(__VA_ARGS__)

#define HOOKS_OF_SIZE(bytes)                                                                                   \
    HOOK(void, read##bytes, const void *at) { machine_access(at, bytes, MACHINE_READ, HERE); }                 \
    HOOK(void, write##bytes, const void *at) { machine_access(at, bytes, MACHINE_WRITE, HERE); }               \
    HOOK(void, unaligned_read##bytes, const void *at) {                                                        \
        machine_access_unaligned(at, bytes, MACHINE_READ, HERE);                                               \
    }                                                                                                          \
    HOOK(void, unaligned_write##bytes, const void *at) {                                                       \
        machine_access_unaligned(at, bytes, MACHINE_WRITE, HERE);                                              \
    }                                                                                                          \
    HOOK(void, read_write##bytes, const void *at) {                                                            \
        machine_access(at, bytes, MACHINE_READ, HERE);                                                         \
        machine_access(at, bytes, MACHINE_WRITE, HERE);                                                        \
    }                                                                                                          \
    HOOK(void, unaligned_read_write##bytes, const void *at) {                                                  \
        machine_access_unaligned(at, bytes, MACHINE_READ, HERE);                                               \
        machine_access_unaligned(at, bytes, MACHINE_WRITE, HERE);                                              \
    }

HOOKS_OF_SIZE(1)
HOOKS_OF_SIZE(2)
HOOKS_OF_SIZE(4)
HOOKS_OF_SIZE(8)
HOOKS_OF_SIZE(16)

HOOK(void, read_range, const void *at, unsigned long bytes) {
    machine_access_unaligned(at, bytes, MACHINE_READ, HERE);
}
HOOK(void, write_range, const void *at, unsigned long bytes) {
    machine_access_unaligned(at, bytes, MACHINE_WRITE, HERE);
}
HOOK(void *, memcpy, void *to, const void *from, size_t bytes) {
    machine_access_unaligned(from, bytes, MACHINE_READ, HERE);
    machine_access_unaligned(to, bytes, MACHINE_WRITE, HERE);
    return memcpy(to, from, bytes);
}
HOOK(void *, memmove, void *to, const void *from, size_t bytes) {
    machine_access_unaligned(from, bytes, MACHINE_READ, HERE);
    machine_access_unaligned(to, bytes, MACHINE_WRITE, HERE);
    return memmove(to, from, bytes);
}
HOOK(void *, memset, void *to, int value, size_t bytes) {
    machine_access_unaligned(to, bytes, MACHINE_WRITE, HERE);
    return memset(to, value, bytes);
}

/* Later compilers call the copies by names of the sanitizer's. */
void *riffle_hook_tsan_memcpy(void *, const void *, size_t) __attribute__((alias("riffle_hook_memcpy")));
void *riffle_hook_tsan_memmove(void *, const void *, size_t) __attribute__((alias("riffle_hook_memmove")));
void *riffle_hook_tsan_memset(void *, int, size_t) __attribute__((alias("riffle_hook_memset")));

/* C++ objects' tables of virtual functions. */
HOOK(void, vptr_read, const void *at) { machine_access(at, sizeof(void *), MACHINE_READ, HERE); }
HOOK(void, vptr_update, const void *at, const void *value) {
    (void)value;
    machine_access(at, sizeof(void *), MACHINE_WRITE, HERE);
}

/* Where the calling function's stack ends: the same for all hooks that it calls. */
#define STACK __builtin_frame_address(0)
HOOK(void, func_entry, const void *caller) { machine_enter(caller, STACK); }
HOOK(void, func_exit, void) { machine_leave(); }
HOOK(void, block, void) { machine_block(HERE, STACK); }
HOOK(void, init, void) {}

/* One thread runs at a time, so plain operations are atomic. */
#define ATOMIC_UPDATE(bits, name, expression)                                                                  \
    HOOK(uint##bits##_t, atomic##bits##_##name, uint##bits##_t *at, uint##bits##_t value, int order) {         \
        (void)order;                                                                                           \
        machine_access(at, bits / 8, MACHINE_ATOMIC, HERE);                                                    \
        const uint##bits##_t old = *at;                                                                        \
        *at = (uint##bits##_t)(expression);                                                                    \
        return old;                                                                                            \
    }

#define ATOMIC_COMPARE(bits, name)                                                                             \
    HOOK(int, atomic##bits##_##name, uint##bits##_t *at, uint##bits##_t *expected, uint##bits##_t desired,     \
         int order, int otherwise) {                                                                           \
        (void)order, (void)otherwise;                                                                          \
        machine_access(at, bits / 8, MACHINE_ATOMIC, HERE);                                                    \
        const uint##bits##_t old = *at;                                                                        \
        const int same = old == *expected;                                                                     \
        *at = same ? desired : old;                                                                            \
        *expected = old;                                                                                       \
        return same;                                                                                           \
    }

#define ATOMICS_OF_SIZE(bits)                                                                                  \
    HOOK(uint##bits##_t, atomic##bits##_load, const uint##bits##_t *at, int order) {                           \
        (void)order;                                                                                           \
        machine_access(at, bits / 8, MACHINE_ATOMIC, HERE);                                                    \
        return *at;                                                                                            \
    }                                                                                                          \
    HOOK(void, atomic##bits##_store, uint##bits##_t *at, uint##bits##_t value, int order) {                    \
        (void)order;                                                                                           \
        machine_access(at, bits / 8, MACHINE_ATOMIC, HERE);                                                    \
        *at = value;                                                                                           \
    }                                                                                                          \
    ATOMIC_UPDATE(bits, exchange, value)                                                                       \
    ATOMIC_UPDATE(bits, fetch_add, old + value)                                                                \
    ATOMIC_UPDATE(bits, fetch_sub, old - value)                                                                \
    ATOMIC_UPDATE(bits, fetch_and, old &value)                                                                 \
    ATOMIC_UPDATE(bits, fetch_or, old | value)                                                                 \
    ATOMIC_UPDATE(bits, fetch_xor, old ^ value)                                                                \
    ATOMIC_UPDATE(bits, fetch_nand, ~(old & value))                                                            \
    ATOMIC_COMPARE(bits, compare_exchange_strong)                                                              \
    ATOMIC_COMPARE(bits, compare_exchange_weak)                                                                \
    HOOK(uint##bits##_t, atomic##bits##_compare_exchange_val, uint##bits##_t *at, uint##bits##_t expected,     \
         uint##bits##_t desired, int order, int otherwise) {                                                   \
        (void)order, (void)otherwise;                                                                          \
        machine_access(at, bits / 8, MACHINE_ATOMIC, HERE);                                                    \
        const uint##bits##_t old = *at;                                                                        \
        *at = old == expected ? desired : old;                                                                 \
        return old;                                                                                            \
    }

ATOMICS_OF_SIZE(8)
ATOMICS_OF_SIZE(16)
ATOMICS_OF_SIZE(32)
ATOMICS_OF_SIZE(64)

HOOK(void, thread_fence, int order) { (void)order; }
HOOK(void, signal_fence, int order) { (void)order; }
