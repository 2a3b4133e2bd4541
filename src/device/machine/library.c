/* SPDX-License-Identifier: Apache-2.0 */
#include "device/machine_library.h"

#include "base/status.h"
#include "machine/runtime/machine.h"

const machine_library riffle_machine_library = {.head = {build_id, status_last},
                                                .create = machine_create,
                                                .free = machine_free,
                                                .take_report = machine_take_report,
                                                .device_of = device_of_machine,
#define MEMBER(type, name, parameters, arguments) .name = name,
                                                MACHINE_OPERATIONS(MEMBER) MACHINE_QUESTIONS(MEMBER)
                                                    MACHINE_ENDS(MEMBER)
#undef MEMBER
};
