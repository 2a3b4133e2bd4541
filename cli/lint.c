/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle lint: runs a kernel of a CUDA file on the memory machine and prints what each of its lines costs.
 */
#define _POSIX_C_SOURCE 200809L /* strtok_r, dup2 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "command.h"
#include "message.h"
#include "options.h"
#include "riffle/machine.h"

static const char help[] = "Usage: riffle lint FILE.cu --kernel NAME --block X[,Y[,Z]] [OPTION]...\n"
                           "\n"
                           "Runs a kernel on the memory machine, without a GPU, and prints which of its\n"
                           "source lines are not coalesced or have bank conflicts, and its races, accesses\n"
                           "out of bounds, reads of what nobody wrote and barriers that not all reach.\n"
                           "\n"
                           "  --kernel NAME      the kernel, with template arguments if it has any\n"
                           "  --grid X[,Y[,Z]]   blocks of the launch (the default is 1)\n"
                           "  --block X[,Y[,Z]]  threads of a block\n"
                           "  --shared BYTES     dynamic shared memory of a block (the default is 0)\n"
                           "  --arg ARGUMENT     an argument of the kernel, once for each parameter, in\n"
                           "                     order\n"
                           "  --seed SEED        of random arguments (the default is 0)\n"
                           "  --width W          lanes of a warp, banks, cells of an address group, 1 to 32\n"
                           "                     (the default is 32)\n"
                           "  --latency L        of global memory, in time units (the default is 400)\n"
                           "  -I, --include DIR  look for included files there too; may be repeated\n"
                           "  -D, --define NAME[=VALUE]\n"
                           "                     define a macro; may be repeated\n"
                           "  --compiler CXX     the C++ compiler (the default is $CXX, else c++)\n"
                           "  --timeout SECONDS  give up after that long (the default is 60)\n"
                           "  --fail-on WHAT     exit with status 1 if there is any hazard (hazard), or any\n"
                           "                     hazard or casual round (casual)\n"
                           "  --json             print one JSON document instead of a table\n"
                           "  --help             print this and exit\n"
                           "\n"
                           "ARGUMENT is one of\n"
                           "  TYPE:LENGTH[:FILL]   an array; FILL is none (never written, the default),\n"
                           "                       zero, index (0, 1, 2...), random or permutation\n"
                           "  TYPE:FILE.npy        an array with the elements of a file\n"
                           "  TYPE=VALUE           a number, or VALUE,VALUE,... for a vector\n"
                           "TYPE is a type of CUDA C: int, size_t, uint8_t, float, double, float4...\n";

enum {
    OPTION_KERNEL = OPTION_FIRST,
    OPTION_GRID,
    OPTION_BLOCK,
    OPTION_SHARED,
    OPTION_SEED,
    OPTION_WIDTH,
    OPTION_LATENCY,
    OPTION_COMPILER,
    OPTION_TIMEOUT,
    OPTION_FAIL_ON,
    OPTION_JSON,
    OPTION_ARG = OPTION_REPEATABLE,
    OPTION_INCLUDE,
    OPTION_DEFINE,
};
static const struct option options[] = {
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"grid", required_argument, NULL, OPTION_GRID},
    {"block", required_argument, NULL, OPTION_BLOCK},
    {"shared", required_argument, NULL, OPTION_SHARED},
    {"arg", required_argument, NULL, OPTION_ARG},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"width", required_argument, NULL, OPTION_WIDTH},
    {"latency", required_argument, NULL, OPTION_LATENCY},
    {"include", required_argument, NULL, OPTION_INCLUDE},
    {"define", required_argument, NULL, OPTION_DEFINE},
    {"compiler", required_argument, NULL, OPTION_COMPILER},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};
static const char letters[] = ":hI:D:";

typedef enum fail_on { FAIL_ON_NOTHING, FAIL_ON_HAZARD, FAIL_ON_CASUAL } fail_on;
static const char *const fail_on_names[] = {"hazard", "casual", NULL};

enum { MAX_ARGUMENTS = 64, MAX_FLAGS = 128, LONGEST_TIMEOUT = 1000000 };

typedef struct request {
    riffle_lint_job job;
    riffle_machine_options machine;
    const char *arguments[MAX_ARGUMENTS], *flags[MAX_FLAGS];
    fail_on fail_on;
    bool json, wants_help;
    unsigned timeout;
} request;

/* ---- the command line */

/* "X", "X,Y" or "X,Y,Z" */
static bool read_sides(const char *option, const char *text, unsigned sides[3]) {
    char copy[64], *rest = NULL;
    if (strlen(text) < sizeof copy && *text != '\0' && *text != ',' && text[strlen(text) - 1] != ',' &&
        strstr(text, ",,") == NULL) {
        strcpy(copy, text);
        int count = 0;
        for (char *side = strtok_r(copy, ",", &rest); side != NULL; side = strtok_r(NULL, ",", &rest)) {
            if (count == 3) break;
            if (!read_unsigned(option, side, 1, 0x7fffffff, &sides[count++])) return false;
            if (rest == NULL || *rest == '\0') return true;
        }
    }
    complain("option %s: '%s' is no size; write X, X,Y or X,Y,Z", option, text);
    return false;
}

static bool read_fail_on(const char *text, fail_on *out) {
    for (int k = 0; fail_on_names[k] != NULL; ++k) {
        if (strcmp(text, fail_on_names[k]) != 0) continue;
        *out = (fail_on)(k + 1);
        return true;
    }
    complain_unknown("option --fail-on: choice", text, fail_on_names);
    return false;
}

static bool add_argument(request *ask, const char *text) {
    if (ask->job.argument_count == MAX_ARGUMENTS) {
        complain("option --arg: given more than %d times; no kernel is taken that has so many", MAX_ARGUMENTS);
        return false;
    }
    ask->arguments[ask->job.argument_count++] = text;
    return true;
}

static bool add_flag(request *ask, const char *flag, const char *value) {
    if (ask->job.flag_count + 2 > MAX_FLAGS) {
        complain("option %s: given too often; %d of -I and -D are the most", flag, MAX_FLAGS / 2);
        return false;
    }
    ask->flags[ask->job.flag_count++] = flag;
    ask->flags[ask->job.flag_count++] = value;
    return true;
}

static bool read_machine_option(int option, request *ask) {
    uint64_t shared = 0;
    switch (option) {
    case OPTION_GRID: return read_sides("--grid", optarg, ask->job.grid);
    case OPTION_BLOCK: return read_sides("--block", optarg, ask->job.block);
    case OPTION_SHARED:
        if (!read_number("--shared", optarg, 0, (uint64_t)1 << 30, &shared)) return false;
        ask->job.shared_bytes = (size_t)shared;
        return true;
    case OPTION_WIDTH: return read_unsigned("--width", optarg, 1, 32, &ask->machine.width);
    case OPTION_LATENCY: return read_unsigned("--latency", optarg, 1, 1U << 30, &ask->machine.latency);
    case OPTION_SEED: return read_number("--seed", optarg, 0, UINT64_MAX, &ask->job.seed);
    case OPTION_TIMEOUT: return read_unsigned("--timeout", optarg, 1, LONGEST_TIMEOUT, &ask->timeout);
    default: return true;
    }
}

static bool read_compiler(const char *text, request *ask) {
    ask->job.compiler = text;
    if (text[strspn(text, " ")] != '\0') return true;
    complain("option --compiler: '%s' is no name; write g++ or clang++, say", text);
    return false;
}

static bool read_option_value(int option, request *ask) {
    switch (option) {
    case OPTION_KERNEL: ask->job.kernel = optarg; return true;
    case OPTION_COMPILER: return read_compiler(optarg, ask);
    case OPTION_JSON: ask->json = true; return true;
    case OPTION_FAIL_ON: return read_fail_on(optarg, &ask->fail_on);
    case OPTION_ARG: return add_argument(ask, optarg);
    case OPTION_INCLUDE:
    case 'I': return add_flag(ask, "-I", optarg);
    case OPTION_DEFINE:
    case 'D': return add_flag(ask, "-D", optarg);
    default: return read_machine_option(option, ask);
    }
}

static bool is_complete(const request *ask) {
    if (ask->job.kernel == NULL) complain("lint: no kernel given; say which with --kernel NAME");
    if (ask->job.block[0] == 0) complain("lint: no block given; say how many threads with --block X[,Y[,Z]]");
    return ask->job.kernel != NULL && ask->job.block[0] != 0;
}

static bool read_arguments(int argc, char **argv, request *ask) {
    for (;;) {
        const int option = next_option_or_letter(argc, argv, letters, options);
        switch (option) {
        case OPTION_WRONG: return false;
        case OPTION_HELP: ask->wants_help = true; return true;
        case OPTION_END:
            if (!expect_operands(argc, argv, 1, " FILE.cu --kernel NAME --block X[,Y[,Z]]")) return false;
            ask->job.file = argv[optind];
            return is_complete(ask);
        default:
            if (!read_option_value(option, ask)) return false;
        }
    }
}

/* ---- the work */

/* What the kernel prints goes to stderr: stdout is the report's. */
static riffle_status lint_apart(const request *ask, riffle_report **out) {
    fflush(stdout);
    const int stdout_copy = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const riffle_status status = riffle_lint(&ask->job, &ask->machine, out);
    fflush(stdout);
    dup2(stdout_copy, STDOUT_FILENO);
    close(stdout_copy);
    return status;
}

static bool is_found(const request *ask, const riffle_report *report) {
    if (ask->fail_on >= FAIL_ON_HAZARD && riffle_report_hazards(report) > 0) return true;
    return ask->fail_on == FAIL_ON_CASUAL && riffle_report_casual_rounds(report) > 0;
}

static int lint(void *context) {
    const request *ask = context;
    riffle_report *report;
    riffle_status status = lint_apart(ask, &report);
    if (status != RIFFLE_OK) {
        complain("%s", riffle_error_detail());
        return status == RIFFLE_ERROR_SYNTAX ? EXIT_USAGE : EXIT_FAILED;
    }
    status = ask->json ? riffle_report_print_json(report, stdout) : riffle_report_print(report, stdout);
    int exit_status = is_found(ask, report) ? EXIT_FAILED : EXIT_DONE;
    if (status != RIFFLE_OK) exit_status = complain_status("lint", status);
    riffle_report_free(report);
    return finish_stdout(exit_status);
}

static int run(int argc, char **argv) {
    request ask = {.timeout = 60};
    if (!read_arguments(argc, argv, &ask)) return EXIT_USAGE;
    if (ask.wants_help) return print_text(help);
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0) { /* before a pipe takes its number */
        complain("standard output: cannot be written: %s; leave it open for the report", strerror(errno));
        return EXIT_FAILED;
    }
    ask.job.arguments = ask.arguments;
    ask.job.flags = ask.flags;
    return run_child(ask.job.file, lint, &ask, ask.timeout);
}

const command lint_command = {"lint", "say which lines of a CUDA kernel are slow or wrong", help, run};
