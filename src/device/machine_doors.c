/* SPDX-License-Identifier: Apache-2.0
 *
 * Public functions that libriffle-machine does: each has it loaded and calls its like there.
 */
#include "device/machine_library.h"

static library machine = {
    .name = "machine", .has = "the memory machine", .linked = &riffle_machine_library.head};

riffle_status machine_library_find(const machine_library **out) {
    const library_head *head;
    const riffle_status status = library_find(&machine, &head);
    *out = (const machine_library *)(const void *)head;
    return status;
}

#define OPERATION(type, name, parameters, arguments)                                                           \
    type riffle_##name parameters {                                                                            \
        const machine_library *there;                                                                          \
        const riffle_status found = machine_library_find(&there);                                              \
        return found == RIFFLE_OK ? there->name arguments : found;                                             \
    }
MACHINE_OPERATIONS(OPERATION)

#define QUESTION(type, name, parameters, arguments)                                                            \
    type riffle_##name parameters {                                                                            \
        const machine_library *there;                                                                          \
        return machine_library_find(&there) == RIFFLE_OK ? there->name arguments : 0;                          \
    }
MACHINE_QUESTIONS(QUESTION)

#define END(type, name, parameters, arguments)                                                                 \
    type riffle_##name parameters {                                                                            \
        const machine_library *const there = (const void *)library_loaded(&machine);                           \
        if (there != NULL) there->name arguments;                                                              \
    }
MACHINE_ENDS(END)
