/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/source/quiet.h"

#include <stdbool.h>
#include <string.h>

#include "machine/lint/source/text.h"

#if defined(__x86_64__)
/* True if a line calls a hook for a plain access or for the path through the code. */
static bool calls_hook(const char *line) {
    static const char *const hooks[] = {"__tsan_read",
                                        "__tsan_write",
                                        "__tsan_unaligned_read",
                                        "__tsan_unaligned_write",
                                        "__tsan_vptr_",
                                        "__tsan_func_entry",
                                        "__tsan_func_exit",
                                        "__sanitizer_cov_trace_pc",
                                        NULL};
    line += strspn(line, " \t");
    if (!begins_with(line, "call")) return false;
    line += strcspn(line, " \t\n");
    return begins_with_any(line + strspn(line, " \t"), hooks);
}

static void write_line(const char *line, size_t length, FILE *assembler) {
    const bool quiet = calls_hook(line);
    if (quiet) fputs("\tcmpb\t$0, riffle_lint_seen(%rip)\n\tje\t93f\n", assembler);
    fwrite(line, 1, length, assembler);
    if (quiet) fputs("93:\n", assembler);
}

void lint_quiet_write(const char *text, FILE *assembler) {
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n") + (strchr(text, '\n') != NULL);
        write_line(text, length, assembler);
        text += length;
    }
    fputs("\t.hidden\triffle_lint_seen\n", assembler);
}
#else
void lint_quiet_write(const char *text, FILE *assembler) { fputs(text, assembler); }
#endif
