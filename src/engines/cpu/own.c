/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* strtok_r */
#include "engines/cpu/own.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/status.h"
#include "base/tool.h"

enum { MOST_WORDS = 32 };

/* Runs the line with its output in `messages`; *exit_status is 127 where there is no such program. */
static riffle_status run_compiler(const char *const *words, const char *messages, int *exit_status) {
    int ended = 0;
    const riffle_status status = tool_run(words, messages, "set CC", &ended);
    if (status != RIFFLE_OK && status != RIFFLE_ERROR_UNSUPPORTED) return status;
    *exit_status = status != RIFFLE_OK ? 127 : WIFEXITED(ended) ? WEXITSTATUS(ended) : 1;
    return *exit_status != 127
               ? RIFFLE_OK
               : fail(RIFFLE_ERROR_UNSUPPORTED,
                      "users' operations need a C compiler, and '%s' does not start; set CC", words[0]);
}

/* What a text is compiled with. */
typedef struct compiling {
    const private_folder *folder;
    own_refusal *refuse;
    const void *context;
} compiling;

/* A compiler that says nothing has not looked at the text. */
static riffle_status fail_to_compile(const compiling *c, const char *compiler, int exit_status) {
    char *messages = NULL;
    size_t length;
    riffle_status status = folder_read(c->folder, "messages", &messages, &length);
    if (status != RIFFLE_OK) return status;
    if (messages[strspn(messages, " \t\r\n")] != '\0')
        status = c->refuse(c->context, messages);
    else
        status =
            fail(RIFFLE_ERROR_UNSUPPORTED,
                 "users' operations need a C compiler, and '%s' ends with status %d and without a word; set CC",
                 compiler, exit_status);
    free(messages);
    return status;
}

static riffle_status compile_in(const compiling *c, void **loaded) {
    const private_folder *const folder = c->folder;
    char source[FOLDER_PATH], object[FOLDER_PATH], messages[FOLDER_PATH], compiler[1024];
    folder_path(folder, "own.c", source);
    folder_path(folder, "own.so", object);
    folder_path(folder, "messages", messages);
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
    int exit_status = 0;
    riffle_status status = run_compiler(words, messages, &exit_status);
    if (status != RIFFLE_OK) return status;
    if (exit_status != 0) return fail_to_compile(c, words[0], exit_status);
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
