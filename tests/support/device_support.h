/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of launches on the memory machine, for tests.
 */
#ifndef RIFFLE_TESTS_DEVICE_SUPPORT_H
#define RIFFLE_TESTS_DEVICE_SUPPORT_H

#include "device/device.h"
#include "machine_support.h"

/** Runs a list and frees it. */
static inline void run_list_or_fail(machine *m, launch_list *list) {
    const device on = device_of_machine(m);
    if (device_run(&on, "a test", list, NULL) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
}

#endif
