/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIFFLE_SORT_CPU_ROOM_H
#define RIFFLE_SORT_CPU_ROOM_H

#include "base/memory.h"

/** Room to sort in, for riffle_buffer_free; NULL for none. */
static inline riffle_status sort_room(size_t bytes, void **out) {
    *out = NULL;
    return bytes > 0 ? buffer_create("a sort", bytes, out) : RIFFLE_OK;
}

#endif
