/* SPDX-License-Identifier: Apache-2.0 */
#include "sort/gpu/own_kernel.h"

#include <stdlib.h>

#include "base/status.h"
#include "custom/messages.h"
#include "sort/gpu/own_source.h"

static riffle_status refuse_comparison(const device *d, const char *messages) {
    char words[200];
    custom_find_error(messages, sizeof words, words);
    return fail(RIFFLE_ERROR_SYNTAX, "%s refuses this comparison: %s", d->ops->compiler, words);
}

riffle_status own_load_sort(const device *d, const riffle_sort_key *key, users_kernel *out) {
    char *source, *messages = NULL;
    if (key->before == NULL) return RIFFLE_OK;
    riffle_status status = sort_own_source(key, &source);
    if (status != RIFFLE_OK) return status;
    status = d->ops->compile(d, source, SORT_OWN_KERNEL, out, &messages);
    if (messages != NULL) status = refuse_comparison(d, messages);
    free(messages);
    free(source);
    return status;
}
