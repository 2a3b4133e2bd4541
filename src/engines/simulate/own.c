/* SPDX-License-Identifier: Apache-2.0 */
#include "engines/simulate/own.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/lint/compile.h"
#include "plan/fused/own_source.h"

/* The operation's place where the compiler's messages name one, else what lint said. */
static riffle_status fail_to_compile(const program_passes *passes, const lint_folder *folder,
                                     riffle_status failed) {
    char *messages = NULL, words[200], why[256];
    size_t length;
    riffle_status status = lint_folder_read(folder, "messages", &messages, &length);
    if (status != RIFFLE_OK) return status;
    const int which = program_own_find_error(messages, sizeof words, words);
    free(messages);
    if (which < 0 || which >= (int)passes->own_count) return failed;
    snprintf(why, sizeof why, "the compiler refuses this operation: %s", words);
    return program_own_fail(passes, (unsigned)which, RIFFLE_ERROR_SYNTAX, why);
}

static riffle_status compile(machine *m, const program_passes *passes, riffle_type type,
                             const lint_folder *folder) {
    char *source, file[LINT_PATH];
    riffle_status status = fused_own_source(passes, type, &source);
    if (status != RIFFLE_OK) return status;
    lint_folder_path(folder, "own.cu", file);
    status = lint_folder_write(folder, "own.cu", source, strlen(source));
    free(source);
    if (status != RIFFLE_OK) return status;
    const riffle_lint_job job = {.file = file, .kernel = FUSED_OWN_KERNEL};
    status = lint_compile(&job, NULL, machine_options(m)->shared_bytes, folder);
    return status == RIFFLE_ERROR_FORMAT ? fail_to_compile(passes, folder, status) : status;
}

riffle_status simulate_own_load(machine *m, const program_passes *passes, riffle_type type, lint_object *out) {
    lint_folder folder;
    char path[LINT_PATH];
    riffle_status status = lint_folder_create(&folder);
    if (status != RIFFLE_OK) return status;
    lint_folder_path(&folder, LINT_OBJECT, path);
    status = compile(m, passes, type, &folder);
    if (status == RIFFLE_OK) status = lint_object_load(path, "", m, out);
    if (status == RIFFLE_OK) lint_object_connect(out);
    lint_folder_remove(&folder);
    return status;
}
