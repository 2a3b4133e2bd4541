/* SPDX-License-Identifier: Apache-2.0
 *
 * A user's kernel as an object: loaded into the process, its shared arrays and global variables handed to the
 * machine.
 *
 * Shared arrays are thread-local variables: the machine must be told when another thread launches (machine_move_shared).
 */
#ifndef RIFFLE_MACHINE_LINT_OBJECT_OBJECT_H
#define RIFFLE_MACHINE_LINT_OBJECT_OBJECT_H

#include <stdbool.h>
#include <stdio.h>

#include "machine/device/host_api.h"
#include "machine/runtime/machine.h"

/** A parameter as the kernel's object describes it (cuda/call.h). */
typedef struct lint_parameter {
    const char *type; /**< ends with "T = int]" */
    bool fits;        /**< the argument given for it is of that type */
} lint_parameter;

typedef struct lint_object {
    void *handle;
    void *(*dynamic_start)(void); /**< where dynamic shared memory of the calling thread begins */
    void (*entry)(void *const *args);
    unsigned (*describe)(lint_parameter *out, unsigned capacity);
    const void *(*kernel)(void); /**< its address */
    void (*run_children)(void);  /**< makes the launches that kernels have asked for */
    /** The value of argument k, a structure; `arrays`: those of all settings, in their order, arguments' first. */
    const void *(*structure)(unsigned k, void *const *arrays);
    void (*set_constants)(void *const *arrays, void (*tell)(void *, const void *, unsigned long),
                          void *context);
    machine_device_api *api;                /**< functions that the kernel calls */
    int (*run_main)(int argc, char **argv); /**< for a program, which has none of the three above; else NULL */
    machine_host_api *host;                 /**< functions that its host code calls */
    const char *path;                       /**< the caller's */
} lint_object;

/** Writes, as assembler labels, the names of all shared arrays that an object file declares and does not
 *  define: the dynamic ones; those not that `written`, all that the stream has (open_memstream), has already. */
riffle_status lint_object_each_undefined_shared(const char *path, char *const *written, FILE *assembler);

/** Bytes of static shared memory that a kernel declares itself; those of the functions that it calls do not
 *  count. `kernel` is its address. */
size_t lint_object_static_shared(const lint_object *object, const void *kernel);

/** The compiler's texts, as far as they are asked: names of constants (lint_declarations_write), and the preprocessed source. */
typedef struct lint_text {
    const char *constants, *preprocessed;
} lint_text;

/** Loads the object and gives the machine its memory. `describe` may be called from now on, `entry` may not. */
riffle_status lint_object_load(const char *path, const lint_text *text, machine *m, lint_object *out);

/** Gives the object the machine's functions: from now on its code runs on the machine only. */
void lint_object_connect(const lint_object *object);

/** Unloads it; the machine must not run after that, and have no lines left to look up. */
void lint_object_unload(lint_object *object);

#endif
