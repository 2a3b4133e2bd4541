/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* asprintf */
#include "engines/nvrtc/own.h"

#include <stdlib.h>

#include "base/status.h"
#include "engines/launch/sort_own_source.h"
#include "engines/nvrtc/cache.h"
#include "plan/fused/own_source.h"

/* All that the code depends on: the source has the user's text, the elements' type and the kernel itself. */
static riffle_status make_key(const nvrtc_way *way, const char *source, char **out) {
    const int length = asprintf(out, "riffle %s\nnvrtc %d.%d\n%s %s\n%s", riffle_version(), way->major,
                                way->minor, way->target, nvrtc_options, source);
    return length >= 0 ? RIFFLE_OK : fail_memory("a kernel's key", 1 << 16);
}

/* Fails for a source that does not compile; `messages` are the compiler's. */
typedef riffle_status refusal(const void *context, const char *messages);

static riffle_status make(const nvrtc_way *way, const char *source, refusal *refuse, const void *context,
                          nvrtc_code *out) {
    char *key, *messages = NULL;
    riffle_status status = make_key(way, source, &key);
    if (status != RIFFLE_OK) return status;
    if (!nvrtc_cache_find(key, out)) {
        status = nvrtc_compile(way, source, out, &messages);
        if (status == RIFFLE_OK) nvrtc_cache_keep(key, out);
        if (messages != NULL) status = refuse(context, messages);
    }
    free(messages);
    free(key);
    return status;
}

/* The first message that tells an operation's error, with the operation's place. */
static riffle_status refuse_operation(const void *context, const char *messages) {
    const program_passes *const passes = context;
    char words[200], why[256];
    const int which = program_own_find_error(messages, sizeof words, words);
    snprintf(why, sizeof why, "NVRTC refuses this operation: %s", words);
    if (which >= 0 && which < (int)passes->own_count)
        return program_own_fail(passes, (unsigned)which, RIFFLE_ERROR_SYNTAX, why);
    return fail(RIFFLE_ERROR_UNSUPPORTED, "%s", why);
}

riffle_status nvrtc_own_make(const program_passes *passes, riffle_type type, unsigned capability,
                             nvrtc_code *out) {
    nvrtc_way way;
    char *source;
    riffle_status status = nvrtc_find(capability, &way);
    if (status == RIFFLE_OK) status = fused_own_source(passes, type, &source);
    if (status != RIFFLE_OK) return status;
    status = make(&way, source, refuse_operation, passes, out);
    free(source);
    return status;
}

static riffle_status refuse_comparison(const void *context, const char *messages) {
    char words[200];
    (void)context;
    program_own_find_error(messages, sizeof words, words);
    return fail(RIFFLE_ERROR_SYNTAX, "NVRTC refuses this comparison: %s", words);
}

riffle_status nvrtc_own_make_sort(const riffle_sort_key *key, unsigned capability, nvrtc_code *out) {
    nvrtc_way way;
    char *source;
    riffle_status status = nvrtc_find(capability, &way);
    if (status == RIFFLE_OK) status = sort_own_source(key, &source);
    if (status != RIFFLE_OK) return status;
    status = make(&way, source, refuse_comparison, NULL, out);
    free(source);
    return status;
}
