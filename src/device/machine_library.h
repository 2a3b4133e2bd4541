/* SPDX-License-Identifier: Apache-2.0
 *
 * The table that libriffle-machine exports: the memory machine as a device, and what machine/library.h lists.
 */
#ifndef RIFFLE_DEVICE_MACHINE_LIBRARY_H
#define RIFFLE_DEVICE_MACHINE_LIBRARY_H

#include "base/library.h"
#include "device/device.h"
#include "machine/library.h"

typedef struct machine_library {
    library_head head;
    riffle_status (*create)(const riffle_machine_options *options, struct machine **out);
    void (*free)(struct machine *m);
    riffle_report *(*take_report)(struct machine *m);
    device (*device_of)(struct machine *m);
#define MEMBER(type, name, parameters, arguments) type(*name) parameters;
    MACHINE_OPERATIONS(MEMBER)
    MACHINE_QUESTIONS(MEMBER)
    MACHINE_ENDS(MEMBER)
#undef MEMBER
} machine_library;

/** The one symbol of libriffle-machine. */
extern const machine_library riffle_machine_library LIBRARY_SYMBOL;

/** Loads the library. RIFFLE_ERROR_UNSUPPORTED, with what to install, where there is none. */
riffle_status machine_library_find(const machine_library **out);

#endif
