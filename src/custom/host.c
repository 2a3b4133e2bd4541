/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* strtok_r */
#include "custom/host.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder/folder.h"
#include "base/folder/tool.h"
#include "base/status.h"

enum { MOST_WORDS = 32 };

/* How a shell ends that finds no such program. */
enum { NOT_FOUND = 127 };

static riffle_status fail_no_start(const char *compiler) {
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "users' operations need a C compiler, and '%s' does not start; set CC", compiler);
}

/* One text's way through the compiler. */
typedef struct compiling {
    const private_folder *folder;
    own_refusal *refuse;
    const void *context;
} compiling;

/* A compiler that lacks something, or says nothing, has not looked at the text. */
static riffle_status fail_by(const compiling *c, const char *compiler, int ended, const char *messages) {
    if (tool_lacked_means(ended, messages)) return tool_fail_means(compiler, ended, messages);
    if (WEXITSTATUS(ended) == NOT_FOUND) return fail_no_start(compiler);
    if (messages[strspn(messages, " \t\r\n")] != '\0') return c->refuse(c->context, messages);
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "users' operations need a C compiler, and '%s' ends with status %d and without a word; set CC",
                compiler, WEXITSTATUS(ended));
}

static riffle_status fail_to_compile(const compiling *c, const char *compiler, int ended) {
    char *messages = NULL;
    size_t length;
    riffle_status status = folder_read(c->folder, "messages", &messages, &length);
    if (status == RIFFLE_OK) status = fail_by(c, compiler, ended, messages);
    free(messages);
    return status;
}

static riffle_status compile_in(const compiling *c, void **loaded) {
    const private_folder *const folder = c->folder;
    char source[FOLDER_PATH], object[FOLDER_PATH], compiler[1024];
    folder_path(folder, "own.c", source);
    folder_path(folder, "own.so", object);
    const char *named = getenv("CC");
    snprintf(compiler, sizeof compiler, "%s", named != NULL && *named != '\0' ? named : "cc");
    const char *const flags[] = {"-std=gnu11",        "-O3", "-w",   "-fPIC", "-shared", "-fwrapv",
                                 "-ffp-contract=off", "-o",  object, source,  "-lm"};
    const char *words[MOST_WORDS + 1];
    char *rest = NULL;
    size_t count = 0;
    for (char *word = strtok_r(compiler, " ", &rest); word != NULL && count < MOST_WORDS / 2;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) words[count++] = flags[k];
    words[count] = NULL;
    int ended = 0;
    const riffle_status status = tool_run(folder, words, "messages", "set CC", &ended);
    if (status == RIFFLE_ERROR_UNSUPPORTED) return fail_no_start(words[0]);
    if (status != RIFFLE_OK) return status;
    if (ended != 0) return fail_to_compile(c, words[0], ended);
    if (access(object, F_OK) != 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "users' operations need a C compiler, and '%s' has written nothing; set CC", words[0]);
    *loaded = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    return *loaded != NULL ? RIFFLE_OK
                           : fail(RIFFLE_ERROR_UNSUPPORTED,
                                  "users' operations were compiled but not loaded: %s", dlerror());
}

riffle_status own_compile(const char *text, size_t length, own_refusal *refuse, const void *context,
                          void **object) {
    private_folder folder;
    riffle_status status = folder_create(&folder);
    if (status != RIFFLE_OK) return status;
    status = folder_write(&folder, "own.c", text, length);
    if (status == RIFFLE_OK) status = compile_in(&(compiling){&folder, refuse, context}, object);
    folder_remove(&folder);
    return status;
}

riffle_status own_find(void *object, const char *name, void *function) {
    void *const address = dlsym(object, name);
    if (address == NULL) return fail(RIFFLE_ERROR_INTERNAL, "%s is not in its object", name);
    memcpy(function, &address, sizeof address);
    return RIFFLE_OK;
}
