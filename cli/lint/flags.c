/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/flags.h"

#include <stdio.h>
#include <string.h>

#include "frame/message.h"
#include "frame/readers.h"
#include "lint/request.h"

void flags_write_whole(int argc, char **argv) {
    static char given[64], whole[] = "--gpu-architecture";
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "-arch") == 0) argv[k] = whole;
        if (strncmp(argv[k], "-arch=", 6) != 0) continue;
        snprintf(given, sizeof given, "%s%.40s", whole, argv[k] + 5);
        argv[k] = given;
    }
}

static bool push_flag(request *ask, const char *flag, const char *text) {
    if (ask->job.flag_count + 2 > MAX_FLAGS) {
        complain("lint: more than %d of -I, -D, -L, -l and -arch; give fewer", MAX_FLAGS / 2);
        return false;
    }
    ask->flags[ask->job.flag_count++] = flag;
    ask->flags[ask->job.flag_count++] = text;
    return true;
}

bool flags_add_architecture(const command_option *option, const char *text, void *whole) {
    (void)option;
    return push_flag(whole, "-arch", text);
}

bool flags_add(const command_option *option, const char *text, void *whole) {
    if (*text == '\0') {
        complain("option -%c: empty", option->letter);
        return false;
    }
    static const char *const flags[] = {"-I", "-D", "-L", "-l", NULL};
    const char *const *flag = flags;
    while ((*flag)[1] != option->letter) flag++;
    return push_flag(whole, *flag, text);
}

bool flags_read_compiler(const command_option *option, const char *text, void *field) {
    if (text[strspn(text, " ")] != '\0') return option_text(option, text, field);
    complain("option --%s: '%s' is no name; write g++ or clang++, say", option->name, text);
    return false;
}
