/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs reversed element by element.
 */
#include <string.h>

#include "base/element_size.h"
#include "move/cpu/passes/reverse_run/reverse_run.h"

ALWAYS_INLINE void reverse(char *dst, const char *src_end, uint64_t count, size_t elem_bytes) {
    for (uint64_t i = 0; i < count; i++) {
        memcpy(dst + i * elem_bytes, src_end - (i + 1) * elem_bytes, elem_bytes);
    }
}

void reverse_run_portable(char *dst, const char *src_end, uint64_t count, size_t elem_bytes, bool stream) {
    (void)stream;
    CALL_FOR_ELEMENT_SIZE(elem_bytes, reverse, dst, src_end, count)
}
