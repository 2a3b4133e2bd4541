/* SPDX-License-Identifier: Apache-2.0
 *
 * A device: where lists of launches run (device/launch.h), and its memory. There are two, a GPU by CUDA (device/cuda/) and
 * the memory machine; nobody else launches kernels of riffle's. docs/devices.md says what a third one takes.
 */
#ifndef RIFFLE_DEVICE_DEVICE_H
#define RIFFLE_DEVICE_DEVICE_H

#include "device/launch.h"
#include "device/limits.h"

struct CUstream_st;

typedef struct device device;

/** Who is told of each list before it is queued, as a forecast is (device/predict/forecast.h). */
typedef struct device_listener {
    riffle_status (*tell)(void *who, const launch_list *list); /**< NULL: there is nobody */
    void *who;
} device_listener;

/** The operations of a device. `what` is named in messages ("the workspace of a sort", "copying the array to the GPU"). */
typedef struct device_ops {
    const char *name, *compiler; /**< the compiler of what users write, in messages */
    riffle_status (*describe)(const device *d, device_limits *out);
    /** Memory on the device, aligned to 256 bytes; *out is NULL for 0 bytes. */
    riffle_status (*allocate)(const device *d, const char *what, size_t bytes, void **out);
    void (*release)(const device *d, void *start);
    /** RIFFLE_ERROR_OUT_OF_MEMORY, with both numbers, if so many bytes are not free for `what` ("a plan of hulls"). */
    riffle_status (*check_free)(const device *d, const char *what, size_t bytes);
    /** Copies between the host and the device, waited for; a download is behind what `stream` has. */
    riffle_status (*upload)(const device *d, const char *what, void *to, const void *from, size_t bytes);
    riffle_status (*download)(const device *d, const char *what, void *to, const void *from, size_t bytes,
                              struct CUstream_st *stream);
    /** Compiles a source whose one kernel has that name, for launches by this thread. RIFFLE_ERROR_SYNTAX if it does not
     *  compile: *messages is to be freed then; in all other cases it is NULL. RIFFLE_ERROR_UNSUPPORTED without a compiler. */
    riffle_status (*compile)(const device *d, const char *source, const char *kernel, users_kernel *out,
                             char **messages);
    /** Makes all kernels of a list ready, so that queueing it loads nothing and may be captured. `what` ("a step of a sort")
     *  is named where a launch is more than the device can do, which is RIFFLE_ERROR_UNSUPPORTED. */
    riffle_status (*load)(const device *d, const char *what, const launch_list *list);
    /** How many blocks of a kernel with steps, of so many threads, run at a time; at most `most` a multiprocessor. */
    riffle_status (*fit)(const device *d, const launch *work, unsigned most, unsigned *out);
    /** Queues the list: each launch begins when the one before it is done. Allocates nothing, and waits for nothing. */
    riffle_status (*queue)(const device *d, const char *what, const launch_list *list,
                           struct CUstream_st *stream);
    /** While a function allocates, frees or waits: no stream's capture into a graph comes to harm. Refused, with `what` as the
     *  subject ("planning"), if `stream` is being captured, or one that waits for the default stream. May be nested. */
    riffle_status (*guard)(const device *d, const char *what, struct CUstream_st *stream, int *before);
    /** The same for who only frees, and is not refused. */
    void (*guard_quietly)(const device *d, int *before);
    void (*unguard)(const device *d, int before);
    /** RIFFLE_ERROR_INVALID_ARGUMENT if the device is not the one in use. */
    riffle_status (*check)(const device *d);
} device_ops;

struct device {
    const device_ops *ops;
    int number;                                           /**< the GPU's */
    void *machine;                                        /**< the memory machine; its streams are NULL */
    const struct riffle_machine_options *machine_options; /**< without zeros */
    unsigned multiprocessors;                             /**< that the memory machine says it has */
    device_listener listener;
};

/** The current GPU. RIFFLE_ERROR_UNSUPPORTED where there is no driver, no GPU, or no libriffle-cuda. */
riffle_status device_of_cuda(device *out);

/** A memory machine (machine/runtime/machine.h), the caller's, of one multiprocessor unless it is told another number. A kernel
 *  that it stops is RIFFLE_ERROR_INTERNAL. */
struct machine;
device device_of_machine(struct machine *m);

/** Puts an array into memory of the device's own; NULL stays NULL. */
riffle_status device_bring(const device *d, const char *what, const void *from, size_t bytes, void **out);

/** Makes the kernels of a list ready, and frees it. */
riffle_status device_load(const device *d, const char *what, launch_list *list);

/** Queues a list and frees it. */
riffle_status device_run(const device *d, const char *what, launch_list *list, struct CUstream_st *stream);

/** Makes the kernels of a list ready, queues it and frees it. Messages of the first name what is `loaded`, and of the second what is
 *  `done`. */
riffle_status device_load_and_run(const device *d, const char *loaded, const char *done, launch_list *list,
                                  struct CUstream_st *stream);

#endif
