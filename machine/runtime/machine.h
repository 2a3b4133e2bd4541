/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory machine: the HMM (Kasagi, Nakano, Ito 2013, section II), executable. It runs a kernel's own
 * code, thread by thread, sees every access that it makes and accounts it as the models do.
 *
 *     kernel code, compiled with hooks --access--> log of each thread --warps--> rounds --> report
 *                                       \--check--> hazards -------------------------------/
 *
 * A round is one access by all threads that make it: the k-th time that a call site is reached. In a round
 * a warp occupies as many stages as
 *     global memory (UMM): address groups of w cells that its lanes touch,
 *     shared memory (DMM): distinct cells in the fullest of the w banks (equal addresses merge),
 * a cell being an element of the access's size. A round takes (stages of all warps) + latency - 1 time units;
 * dependent rounds add up. Beside that it counts what NVIDIA's hardware counts: 32-byte sectors of global
 * memory, wavefronts of shared memory in 32 banks of 4 bytes.
 */
#ifndef RIFFLE_MACHINE_RUNTIME_MACHINE_H
#define RIFFLE_MACHINE_RUNTIME_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/count/report.h"
#include "machine/count/widths.h"
#include "machine/device/device_api.h"
#include "riffle/machine.h"

typedef struct machine machine;

typedef struct machine_shape {
    unsigned x, y, z;
} machine_shape;

/** One launch. `entry` calls the kernel once, as the thread that is running; it may run on any stack. */
typedef struct machine_launch {
    const char *kernel; /**< its name in the report; static storage */
    void (*entry)(void *const *args);
    void *const *args; /**< passed to entry: pointers to the arguments, as cudaLaunchKernel takes them */
    machine_shape grid, block;
    size_t shared_bytes;   /**< dynamic shared memory of a block */
    bool cooperative;      /**< barriers of the grid may be waited for */
    machine_shape cluster; /**< blocks of a cluster; zeros: what the kernel is declared with */
} machine_launch;

/** A machine with the options of riffle/machine.h, zeros replaced by their defaults and checked; NULL is
 *  all zeros. */
riffle_status machine_create(const riffle_machine_options *options, machine **out);
void machine_free(machine *m);

/** The options in force, without zeros. */
const riffle_machine_options *machine_options(const machine *m);

/** An array in global memory, aligned to 4096 bytes, named in messages. Its bytes count as never written. */
riffle_status machine_buffer(machine *m, const char *name, size_t bytes, void **out);

/** One that the host writes to without saying so: before each launch all of it counts as written. */
riffle_status machine_shared_buffer(machine *m, const char *name, size_t bytes, void **out);

/** Gives back what begins here; false if no array does. */
bool machine_release(machine *m, void *start);

/** Takes memory of the host's own until machine_unregister gives it back; a variable that is an array already is that array for both.
 *  RIFFLE_ERROR_INVALID_ARGUMENT if a buffer is there, or what is registered (then `was_registered`). */
riffle_status machine_register(machine *m, const char *name, void *start, size_t bytes, bool *was_registered);

/** False if nothing that is registered begins here. */
bool machine_unregister(machine *m, void *start);

/** False if the bytes begin in an array of the machine's and end beyond it. */
bool machine_holds(const machine *m, const void *start, size_t bytes);

/** True if the address lies in one of the machine's arrays. */
bool machine_owns_address(const machine *m, const void *at);

/** In the next launch the array that holds this address has another name, the first that it is given; without one, an access near it is
 *  meant for no array. */
void machine_call_array(machine *m, const void *at, const char *name, size_t length);

/** Launches are counted as one of each kernel from now on, of those that machine_count_next says are counted. */
void machine_sum_launches(machine *m);
void machine_count_next(machine *m, bool counted);

/** How a program went: what it ended with, the kernel whose launches were to be counted (NULL: all), others that it launched (NULL:
 *  none), and how many launches were refused. */
typedef struct machine_program {
    int exit_status;
    const char *asked, *others;
    uint64_t refused;
} machine_program;

/** Whose memory an address is. */
typedef enum machine_memory {
    MACHINE_OWNS_NONE,   /**< nobody's of the machine's */
    MACHINE_OWNS_ALONE,  /**< the kernels', and the host's only by copies */
    MACHINE_OWNS_SHARED, /**< both sides' */
    MACHINE_OWNS_FREED,  /**< an array's that has been released */
} machine_memory;
machine_memory machine_owns(const machine *m, const void *at);

/** CUDA would refuse a call that returns to `site`. */
riffle_status machine_note_refusal(machine *m, const char *text, const void *site);

/** True if the last launch was ended by an access that no GPU survives. */
bool machine_lost(const machine *m);

/** The report is a program's. RIFFLE_ERROR_OUT_OF_MEMORY for its names. */
riffle_status machine_note_program(machine *m, const machine_program *program);

/** Says that the host has written these bytes of a buffer. */
void machine_written(machine *m, const void *start, size_t bytes);

/** Makes many bytes of a buffer zeros, as arrays_clear does. */
bool machine_clear(machine *m, void *start, size_t bytes);

/** Takes memory of the kernel's own object into the machine: static shared arrays (the same for every block,
 *  undefined when a block begins) or global variables (__device__, __constant__; defined). */
riffle_status machine_adopt_shared(machine *m, const char *name, void *start, size_t bytes);
riffle_status machine_adopt_global(machine *m, const char *name, void *start, size_t bytes);

/** A __constant__ that has no value of its own: as machine_adopt_global, but what the host has not written is undefined. */
riffle_status machine_adopt_constant(machine *m, const char *name, void *start, size_t bytes);

/** Says that so many bytes before and behind an array that was taken belong to nobody: an access there does not end the kernel. */
void machine_spare(machine *m, const void *start, size_t before, size_t behind);

/** Says that the shared array that was taken is of the kernel only whose code is there. */
void machine_shared_of(machine *m, const void *start, const void *code, size_t bytes);

/** Takes memory that kernels read as their compiler sees fit, and that is none of theirs. */
riffle_status machine_adopt_foreign(machine *m, void *start, size_t bytes);

/** Has rows of the report told apart by the array that is accessed and by where the function was called, with advice for
 *  those that waste. */
void machine_attribute(machine *m);

/** Has accesses to components of CUDA's vectors made one as nvcc does: what the kernel's preprocessed text calls x to w is
 *  one of theirs. */
riffle_status machine_know_components(machine *m, const char *text);

/** Has accesses of a line made one up to the width of nvcc's there, instead. The machine frees the widths. */
void machine_know_widths(machine *m, line_widths widths);

/** Shared memory of a user's kernel is a thread's of the host: from now on all of it is the calling thread's, whose dynamic part
 *  begins here. */
void machine_move_shared(machine *m, void *dynamic);

/** The name that a program gives its dynamic shared memory, for messages and rows. RIFFLE_ERROR_OUT_OF_MEMORY. */
riffle_status machine_name_dynamic_shared(machine *m, const char *name);

/** Where dynamic shared memory lies while a launch of this machine runs, options->shared_bytes long. By default
 *  the array that riffle's kernels name shared_memory; the object of a user's kernel has its own. `before`: bytes
 *  before it that belong to nobody. */
void machine_place_dynamic_shared(machine *m, void *start, size_t before);

/** Has each launch write a thread's indices there before the thread goes on. */
void machine_show_indices(machine *m, machine_indices where);

/** Runs a launch to its end and adds its rounds and hazards to the report. RIFFLE_ERROR_UNSUPPORTED for a
 *  launch beyond the machine's limits, before anything ran. RIFFLE_OK also where hazards were found; a hazard
 *  after which a kernel cannot go on (an access far out of bounds, threads waiting at different barriers) ends the
 *  launch, and the report says that it is partial. One launch at a time in a process; calls wait for each other. */
riffle_status machine_run(machine *m, const machine_launch *launch);

/** For another thread than the one that launches: the launch that runs is ended and added to the report as far as it is
 *  counted, and none begins any more: who launches then sleeps for ever. A kernel that comes to no access for a second or two is left
 *  running and is not in the report. After that only machine_note_program, machine_note_not_done and machine_take_report may be called. */
void machine_close(machine *m);

/** The report lacks what would have come after so many seconds. */
void machine_note_not_done(machine *m, unsigned seconds);

/** True once a launch has been ended by a hazard, or has accessed what is in no array. */
bool machine_stopped(const machine *m);

/** The counts so far. The machine owns them until machine_take_report. */
const riffle_report *machine_report(const machine *m);
riffle_report *machine_take_report(machine *m);

#endif
