/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's services to the host code of a user's program, through the functions of CUDA's runtime (cuda/runtime.h): a
 * table, as the kernels' own is (device_api.h). Pointers to the machine's arrays are the host's pointers too.
 */
#ifndef RIFFLE_MACHINE_DEVICE_HOST_API_H
#define RIFFLE_MACHINE_DEVICE_HOST_API_H

#include "device_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A launch as the program writes it; `entry` gets one pointer, to `bytes` bytes that only it reads. */
typedef struct machine_host_launch {
    const char *kernel;
    void (*entry)(void *const *args);
    void *arguments;
    unsigned long bytes, shared_bytes;
    unsigned grid[3], block[3];
    const char *parameters;      /**< their names, "out,in,n"; "": unknown */
    const void *const *pointers; /**< the arguments that are some, by their places; NULL: others */
    unsigned count;              /**< number of pointers */
    const void *site;            /**< where host code launches it; NULL: unknown */
    int cooperative;             /**< all blocks must be under way at once */
    unsigned cluster[3];         /**< blocks of a cluster; zeros: what the kernel is declared with */
    unsigned long most_shared; /**< dynamic shared memory that the program has allowed its kernels, in bytes */
} machine_host_launch;

/** The host's; a kernel's only; of both, as managed memory is; or of nobody any more. */
enum { MACHINE_MEMORY_HOST, MACHINE_MEMORY_DEVICE, MACHINE_MEMORY_SHARED, MACHINE_MEMORY_FREED };

/** The host's own memory is the kernels' too now; it was already; or it cannot be. */
enum { MACHINE_REGISTER_DONE, MACHINE_REGISTER_HAD, MACHINE_REGISTER_REFUSED };

/** CUDA would refuse it; it ran; it was ended by an access that a GPU does not survive; it is cooperative, and has more blocks
 *  than a GPU has under way at once; or it asks for more dynamic shared memory than is allowed. */
enum {
    MACHINE_LAUNCH_REFUSED,
    MACHINE_LAUNCH_RAN,
    MACHINE_LAUNCH_LOST,
    MACHINE_LAUNCH_TOO_LARGE,
    MACHINE_LAUNCH_NOT_ALLOWED
};

typedef struct machine_host_api {
    /** An array of global memory, NULL without memory. The host's writes to a shared one need no copy. */
    void *(*allocate)(unsigned long bytes, int shared);
    /** 0 if it is no array's first byte. */
    int (*release)(void *start);
    /** Memory of the host's own becomes a shared array until it is given back: one of MACHINE_REGISTER_*. */
    int (*enroll)(void *start, unsigned long bytes);
    /** 0 if nothing that is registered begins here. */
    int (*give_back)(void *start);
    /** The host has written to it, as far as it is the machine's. */
    void (*written)(const void *start, unsigned long bytes);
    /** Makes many bytes of an array zeros, which take no memory until somebody accesses them; 0 if that is to be done otherwise. */
    int (*clear)(void *start, unsigned long bytes);
    /** 0 if an array of the machine's begins before these bytes and ends among them. */
    int (*holds)(const void *start, unsigned long bytes);
    /** True if an address is in any array of the machine's. */
    int (*owns)(const void *start);
    /** Whose memory an address is: one of MACHINE_MEMORY_*. */
    int (*kind)(const void *at);
    /** CUDA would refuse a call of the program's, which returns to `site`: what is returned, and why. */
    void (*refuse)(const char *call, const char *error, const char *why, const void *site);
    /** Blocks of so many threads, and dynamic shared memory, that a multiprocessor has at once. */
    int (*resident)(unsigned threads, unsigned long shared_bytes);
    /** True if a kernel runs on this thread. */
    int (*in_kernel)(void);
    /** The program is over, with this status; does not return. May be called in a signal's handler. */
    void (*end)(int status);
    /** One of MACHINE_LAUNCH_*; what is wrong has been said. */
    int (*launch)(const machine_host_launch *one);
} machine_host_api;

#ifdef __cplusplus
}
#endif
#endif
