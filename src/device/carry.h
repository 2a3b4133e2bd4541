/* SPDX-License-Identifier: Apache-2.0
 *
 * The way of a host's arrays to a device and back, the same for every call that takes them: all are allocated, what the call
 * reads is brought, the call is made between the device's arrays, and what it wrote is fetched.
 */
#ifndef RIFFLE_DEVICE_CARRY_H
#define RIFFLE_DEVICE_CARRY_H

#include "device/device.h"

/** An array of a call, and its like on the device. */
typedef struct carried_array {
    const char *name;
    size_t bytes;     /**< on the device; 0: there is no such array */
    const void *from; /**< the host's, of which `brought` bytes are brought; NULL: none are */
    void *to;         /**< the host's, of which `fetched` bytes from `begin` on are fetched; NULL: none are */
    size_t brought, begin, fetched;
    void *at; /**< on the device */
} carried_array;

/** An array that is brought, one that is fetched, and one that stays on the device. */
static inline carried_array carried_in(const char *name, const void *from, size_t bytes) {
    return (carried_array){.name = name, .bytes = bytes, .from = from, .brought = bytes};
}
static inline carried_array carried_out(const char *name, void *to, size_t bytes) {
    return (carried_array){.name = name, .bytes = bytes, .to = to, .fetched = bytes};
}
static inline carried_array carried_room(const char *name, size_t bytes) {
    return (carried_array){.name = name, .bytes = bytes};
}

/** Has the result take the place of what it is made of: there is one array for both. */
static inline void carried_join(carried_array *from, carried_array *result) {
    from->to = result->to;
    from->begin = result->begin;
    from->fetched = result->fetched;
    result->bytes = 0;
}

/** The call between the arrays' `at`, on the default stream. It may change what is fetched. */
typedef riffle_status carried_call(const void *context, carried_array *arrays);

/** Carries the arrays there, calls, and carries them back. `what` ("sorting arrays of the host") is named in messages. No
 *  stream's capture comes to harm; where one would, the call is refused. RIFFLE_ERROR_INVALID_ARGUMENT if the device is not the
 *  one in use. Where something fails nothing is fetched after it. */
riffle_status device_carry(const device *d, const char *what, carried_array *arrays, unsigned count,
                           carried_call *call, const void *context);

#endif
