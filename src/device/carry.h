/* SPDX-License-Identifier: Apache-2.0
 *
 * The way of a host's arrays to a device and back, the same for every call that takes them: all are allocated, what the call
 * reads is brought, the call is made between the device's arrays, and what it wrote is fetched.
 */
#ifndef RIFFLE_DEVICE_CARRY_H
#define RIFFLE_DEVICE_CARRY_H

#include "device/arrays.h"

/** The call between the arrays' `there`, on the default stream. It may change how much is kept, and so not fetched. */
typedef riffle_status carried_call(const void *context, call_array *arrays);

/** Carries the arrays there, calls, and carries them back. `what` ("sorting arrays of the host") is named in messages. No
 *  stream's capture comes to harm; where one would, the call is refused. RIFFLE_ERROR_INVALID_ARGUMENT if the device is not the
 *  one in use. Where something fails nothing is fetched after it. */
riffle_status device_carry(const device *d, const char *what, call_array *arrays, unsigned count,
                           carried_call *call, const void *context);

#endif
