/* SPDX-License-Identifier: Apache-2.0 */
#include "device/machine/compile.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "machine/lint/compiler/compile.h"
#include "machine/lint/object/object.h"

static void unload(void *module) {
    lint_object_unload(module);
    free(module);
}

static riffle_status compile(machine *m, const char *source, const char *kernel, const private_folder *folder,
                             char **messages) {
    char file[FOLDER_PATH];
    size_t length;
    folder_path(folder, "own.cu", file);
    riffle_status status = folder_write(folder, "own.cu", source, strlen(source));
    if (status != RIFFLE_OK) return status;
    const riffle_lint_job job = {.file = file, .kernel = kernel};
    status = lint_compile(&job, NULL, NULL, machine_options(m)->shared_bytes, folder);
    if (status != RIFFLE_ERROR_FORMAT) return status;
    status = folder_read(folder, "messages", messages, &length);
    return status == RIFFLE_OK ? RIFFLE_ERROR_SYNTAX : status;
}

static riffle_status load(machine *m, const private_folder *folder, users_kernel *out) {
    char path[FOLDER_PATH];
    lint_object *const object = calloc(1, sizeof *object);
    if (object == NULL) return fail_memory("a kernel with what the user wrote", sizeof *object);
    folder_path(folder, LINT_OBJECT, path);
    const lint_text nothing = {"", ""};
    const riffle_status status = lint_object_load(path, &nothing, m, object);
    if (status != RIFFLE_OK) {
        free(object);
        return status;
    }
    lint_object_connect(object);
    *out = (users_kernel){
        .entry = object->entry, .shared = object->dynamic_start(), .module = object, .unload = unload};
    return RIFFLE_OK;
}

riffle_status machine_compile(const device *d, const char *source, const char *kernel, users_kernel *out,
                              char **messages) {
    private_folder folder;
    *messages = NULL;
    riffle_status status = folder_create(&folder);
    if (status != RIFFLE_OK) return status;
    status = compile(d->machine, source, kernel, &folder, messages);
    if (status == RIFFLE_OK) status = load(d->machine, &folder, out);
    folder_remove(&folder);
    return status;
}
