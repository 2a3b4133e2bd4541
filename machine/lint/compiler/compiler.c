/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/compiler/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder/tool.h"
#include "base/status.h"
#include "machine/lint/compiler/messages.h"

void compiler_add(compiler_line *line, const char *word) {
    if (line->count < COMPILER_MAX_WORDS)
        line->words[line->count++] = word;
    else
        line->full = true;
    line->words[line->count] = NULL;
}

void compiler_add_all(compiler_line *line, const char *const *words, size_t count) {
    for (size_t k = 0; k < count && words[k] != NULL; k++) compiler_add(line, words[k]);
}

const char *compiler_of(const riffle_lint_job *job) {
    if (job->compiler != NULL) return job->compiler;
    const char *named = getenv("CXX");
    return named != NULL && *named != '\0' ? named : "c++";
}

void compiler_begin(compiler_line *line, const riffle_lint_job *job) {
    line->count = 0;
    line->full =
        snprintf(line->compiler, sizeof line->compiler, "%s", compiler_of(job)) >= (int)sizeof line->compiler;
    char *rest = NULL;
    for (char *word = strtok_r(line->compiler, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        compiler_add(line, word);
}

riffle_status compiler_run(const riffle_lint_job *job, const compiler_line *line, const char *path,
                           const char *shown, const private_folder *folder) {
    char *text;
    if (line->full)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the compiler's name and flags are more than fit; give fewer");
    if (line->count == 0 || *line->words[0] == '-')
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "the C++ compiler has no name; write g++ or clang++, say");
    int exit_status = 0;
    size_t length;
    riffle_status status =
        tool_run(folder, line->words, "messages", "install a C++ compiler or name it with CXX", &exit_status);
    if (status != RIFFLE_OK || exit_status == 0) return status;
    status = folder_read(folder, "messages", &text, &length);
    if (status != RIFFLE_OK) return status;
    status = tool_lacked_means(exit_status, text) ? tool_fail_means(line->words[0], exit_status, text)
                                                  : lint_fail_compile(job, path, shown, folder->path, text);
    free(text);
    return status;
}
