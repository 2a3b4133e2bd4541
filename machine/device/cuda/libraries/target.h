/* SPDX-License-Identifier: Apache-2.0
 *
 * <nv/target> before a toolkit's own: which code is a GPU's. Code of host and device is compiled once here, so that what is the one's or the
 * other's is asked as it runs; what a newer GPU than the machine's has is left out as it is compiled.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_TARGET_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_TARGET_H

#include "device.h"

#include_next <nv/target>

/* The machine knows no space by an address: an error where it is called. */
extern "C" __attribute__((nothrow, error("the machine does not supply __isGlobal"))) unsigned __isGlobal(const void *);

namespace riffle_lint {
/* Constants are the kernels'. */
constexpr bool is_device_code() {
    if (__builtin_is_constant_evaluated()) return true;
    return is_kernel();
}
} // namespace riffle_lint

#undef _NV_TARGET_BOOL___NV_IS_HOST
#undef _NV_TARGET_BOOL___NV_ANY_TARGET
#define _NV_TARGET_BOOL___NV_IS_HOST HOST
#define _NV_TARGET_BOOL___NV_ANY_TARGET ANY

#define RIFFLE_TARGET_JOIN(a, b) RIFFLE_TARGET_JOINED(a, b)
#define RIFFLE_TARGET_JOINED(a, b) a##b
#define RIFFLE_TARGET_IF_0(yes, ...) (_NV_BLOCK_EXPAND(__VA_ARGS__))
#define RIFFLE_TARGET_IF_ANY(yes, ...) (_NV_BLOCK_EXPAND(yes))
#define RIFFLE_TARGET_IF_1(yes, ...)                                                                           \
    (if (::riffle_lint::is_device_code()) _NV_BLOCK_EXPAND(yes) else _NV_BLOCK_EXPAND(__VA_ARGS__))
#define RIFFLE_TARGET_IF_HOST(yes, ...)                                                                        \
    (if (!::riffle_lint::is_device_code()) _NV_BLOCK_EXPAND(yes) else _NV_BLOCK_EXPAND(__VA_ARGS__))
#undef _NV_TARGET_IF
#define _NV_TARGET_IF(condition, yes, ...)                                                                     \
    RIFFLE_TARGET_JOIN(RIFFLE_TARGET_IF_, _NV_ARCH_COND_CAT(condition))(yes, __VA_ARGS__)

#endif
