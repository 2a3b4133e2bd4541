/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/source/quiet.h"

#include <stdbool.h>
#include <string.h>

#include "machine/device/device_api.h"
#include "machine/lint/source/text.h"

#if defined(__x86_64__)
/* What must be seen of a block where a line calls a hook for a plain access, or for the path through the code; 0 for other lines. */
static int seen_by(const char *line) {
    static const char *const accesses[] = {"__tsan_read",
                                           "__tsan_write",
                                           "__tsan_unaligned_read",
                                           "__tsan_unaligned_write",
                                           "__tsan_vptr_",
                                           NULL};
    static const char *const path[] = {"__tsan_func_entry", "__tsan_func_exit", "__sanitizer_cov_trace_pc", NULL};
    line += strspn(line, " \t");
    if (!begins_with(line, "call")) return 0;
    line += strcspn(line, " \t\n");
    line += strspn(line, " \t");
    return begins_with_any(line, accesses) ? MACHINE_SEEN : begins_with_any(line, path) ? MACHINE_FOLLOWED : 0;
}

static void write_line(const char *line, size_t length, FILE *assembler) {
    const int seen = seen_by(line);
    if (seen != 0) fprintf(assembler, "\ttestb\t$%d, riffle_lint_seen(%%rip)\n\tje\t93f\n", seen);
    fwrite(line, 1, length, assembler);
    if (seen != 0) fputs("93:\n", assembler);
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
