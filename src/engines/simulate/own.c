/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/simulate/own.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "engines/launch/sort_own_source.h"
#include "machine/lint/compiler/compile.h"
#include "plan/fused/own_source.h"

/* Fails for a source that does not compile, where `which` operation is named, or none; `failed` is what lint said. */
typedef riffle_status refusal(const void *context, int which, const char *words, riffle_status failed);

static riffle_status fail_to_compile(const private_folder *folder, refusal *refuse, const void *context,
                                     riffle_status failed) {
    char *messages = NULL, words[200];
    size_t length;
    riffle_status status = folder_read(folder, "messages", &messages, &length);
    if (status != RIFFLE_OK) return status;
    const int which = program_own_find_error(messages, sizeof words, words);
    free(messages);
    return refuse(context, which, words, failed);
}

/* Compiles the source, and frees it. */
static riffle_status compile(machine *m, char *source, const char *kernel, const private_folder *folder) {
    char file[FOLDER_PATH];
    folder_path(folder, "own.cu", file);
    const riffle_status status = folder_write(folder, "own.cu", source, strlen(source));
    free(source);
    if (status != RIFFLE_OK) return status;
    const riffle_lint_job job = {.file = file, .kernel = kernel};
    return lint_compile(&job, NULL, NULL, machine_options(m)->shared_bytes, folder);
}

static riffle_status load(machine *m, char *source, const char *kernel, refusal *refuse, const void *context,
                          lint_object *out, users_kernel *made) {
    private_folder folder;
    char path[FOLDER_PATH];
    riffle_status status = folder_create(&folder);
    if (status != RIFFLE_OK) {
        free(source);
        return status;
    }
    folder_path(&folder, LINT_OBJECT, path);
    status = compile(m, source, kernel, &folder);
    if (status == RIFFLE_ERROR_FORMAT) status = fail_to_compile(&folder, refuse, context, status);
    if (status == RIFFLE_OK) status = lint_object_load(path, "", m, out);
    if (status == RIFFLE_OK) {
        lint_object_connect(out);
        *made = (users_kernel){.entry = out->entry, .shared = out->dynamic_start()};
    }
    folder_remove(&folder);
    return status;
}

static riffle_status refuse_operation(const void *context, int which, const char *words, riffle_status failed) {
    const program_passes *const passes = context;
    char why[256];
    if (which < 0 || which >= (int)passes->own_count) return failed;
    snprintf(why, sizeof why, "the compiler refuses this operation: %s", words);
    return program_own_fail(passes, (unsigned)which, RIFFLE_ERROR_SYNTAX, why);
}

riffle_status simulate_own_load(machine *m, const program_passes *passes, riffle_type type, lint_object *out,
                                users_kernel *kernel) {
    char *source;
    const riffle_status status = fused_own_source(passes, type, &source);
    return status == RIFFLE_OK ? load(m, source, FUSED_OWN_KERNEL, refuse_operation, passes, out, kernel)
                               : status;
}

static riffle_status refuse_comparison(const void *context, int which, const char *words,
                                       riffle_status failed) {
    (void)context;
    return which == 0 ? fail(RIFFLE_ERROR_SYNTAX, "the compiler refuses this comparison: %s", words) : failed;
}

riffle_status simulate_own_load_sort(machine *m, const riffle_sort_key *key, lint_object *out,
                                     users_kernel *kernel) {
    char *source;
    const riffle_status status = sort_own_source(key, &source);
    return status == RIFFLE_OK ? load(m, source, SORT_OWN_KERNEL, refuse_comparison, NULL, out, kernel)
                               : status;
}
