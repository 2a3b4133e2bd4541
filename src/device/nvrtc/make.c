/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* asprintf */
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "device/nvrtc/cache.h"

/* All that the code depends on: the source has the user's text, the elements' type and the kernel itself. */
static riffle_status make_key(const nvrtc_way *way, const char *source, char **out) {
    const int length = asprintf(out, "riffle %s\nnvrtc %d.%d\n%s %s\n%s", riffle_version(), way->major,
                                way->minor, way->target, nvrtc_options, source);
    return length >= 0 ? RIFFLE_OK : fail_memory("a kernel's key", 1 << 16);
}

riffle_status nvrtc_make(unsigned capability, const char *source, nvrtc_code *out, char **messages) {
    nvrtc_way way;
    char *key;
    uint64_t most;
    *messages = NULL;
    riffle_status status = nvrtc_cache_limit(&most);
    if (status == RIFFLE_OK) status = nvrtc_find(capability, &way);
    if (status == RIFFLE_OK) status = make_key(&way, source, &key);
    if (status != RIFFLE_OK) return status;
    if (!nvrtc_cache_find(key, out)) {
        status = nvrtc_compile(&way, source, out, messages);
        if (status == RIFFLE_OK) nvrtc_cache_keep(key, out, most);
    }
    free(key);
    return status;
}
