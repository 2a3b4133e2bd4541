/* SPDX-License-Identifier: Apache-2.0 */
#include "program/gpu/own.h"

#include <stdlib.h>

#include "base/status.h"
#include "custom/messages.h"
#include "program/fused/own_source.h"

enum { WORDS = 200 };

/* Fails with the first of the messages that tells an operation's error, and with the operation's place. */
static riffle_status refuse_operation(const device *d, const program_passes *passes, const char *messages) {
    char words[WORDS], why[WORDS + 64];
    const int which = custom_find_error(messages, sizeof words, words);
    snprintf(why, sizeof why, "%s refuses this operation: %s", d->ops->compiler, words);
    if (which >= 0 && which < (int)passes->own_count)
        return program_own_fail(passes, (unsigned)which, RIFFLE_ERROR_SYNTAX, why);
    return fail(RIFFLE_ERROR_UNSUPPORTED, "%s", why);
}

riffle_status own_load_program(const device *d, const program_passes *passes, riffle_type type,
                               users_kernel *out) {
    char *source, *messages = NULL;
    if (passes->own_count == 0) return RIFFLE_OK;
    riffle_status status = fused_own_source(passes, type, &source);
    if (status != RIFFLE_OK) return status;
    status = d->ops->compile(d, source, FUSED_OWN_KERNEL, out, &messages);
    if (messages != NULL) status = refuse_operation(d, passes, messages);
    free(messages);
    free(source);
    return status;
}
