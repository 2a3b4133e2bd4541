/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle lint: runs a kernel of a CUDA file on the memory machine and prints what each of its lines costs.
 */
#define _POSIX_C_SOURCE 200809L /* dup2 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "lint/documents.h"
#include "lint/flags.h"
#include "lint/for_all.h"
#include "lint/request.h"
#include "system/child.h"

static const char *const fail_on_words[] = {"hazard",  "out-of-bounds", "misaligned", "uninitialized",
                                            "race",    "same-value",    "barrier",    "division",
                                            "endless", "uncoalesced",   "conflict",   NULL};

/* ---- the command line */

/* "X", "X,Y" or "X,Y,Z" */
static bool read_sides(const command_option *option, const char *text, void *field) {
    unsigned *sides = field;
    const char *at = text;
    for (int count = 0; count < 3; ++count) {
        char side[32];
        uint64_t value;
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof side) break;
        snprintf(side, sizeof side, "%.*s", (int)length, at);
        if (!read_range(option, side, 1, 0x7fffffff, &value)) return false;
        sides[count] = (unsigned)value;
        at += length;
        if (*at++ == '\0') return true;
    }
    complain("option --%s: '%s' is no size; write X, X,Y or X,Y,Z", option->name, text);
    return false;
}

/* A ratio, from 1 on. */
static bool read_ratio(const command_option *option, const char *text, void *field) {
    char *end;
    const double value = strtod(text, &end);
    if (isdigit((unsigned char)*text) && *end == '\0' && value >= 1 && value <= 1000) {
        *(double *)field = value;
        return true;
    }
    complain("option --%s: '%s' is no number from 1 to 1000; write 1.5, say", option->name, text);
    return false;
}

/* "WHAT" or "WHAT:RATIO" */
static const option_choice *fail_on_choices(void) {
    static const option_choice all[] = {
        {"hazard", .text = "a hazard of any kind"},
        {"a kind",
         .text = "race, same-value, out-of-bounds, misaligned, uninitialized, barrier, division or endless"},
        {"uncoalesced", .text = "a row that is, by RATIO if that is given"},
        {"conflict", .text = "a row that is in conflict, by RATIO if given"},
        {NULL, .text = NULL}};
    return all;
}

static bool read_fail_on(const command_option *option, const char *text, void *whole) {
    char word[32];
    const size_t length = strcspn(text, ":");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    const int k = read_word(option, "choice", length < sizeof word ? word : text, fail_on_words);
    if (k < 0) return false;
    fail_on *one = &((request *)whole)->fail_on[k];
    one->given = true;
    if (text[length] == '\0') return true;
    if (k >= FAIL_ON_UNCOALESCED) return read_ratio(option, text + length + 1, &one->threshold);
    complain("option --%s: '%s': only uncoalesced and conflict have a ratio; write %s", option->name, text,
             word);
    return false;
}

static bool add_argument(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    if (ask->job.argument_count == MAX_ARGUMENTS) {
        complain("option --%s: given more than %d times; no kernel is taken that has so many", option->name,
                 MAX_ARGUMENTS);
        return false;
    }
    ask->arguments[ask->job.argument_count++] = text;
    return true;
}

static bool add_constant(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    if (ask->job.constant_count == MAX_ARGUMENTS) {
        complain("option --%s: given more than %d times", option->name, MAX_ARGUMENTS);
        return false;
    }
    ask->constants[ask->job.constant_count++] = text;
    return true;
}

static bool add_length(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    if (ask->job.length_count == MAX_ARGUMENTS) {
        complain("option --%s: given more than %d times", option->name, MAX_ARGUMENTS);
        return false;
    }
    ask->lengths[ask->job.length_count++] = text;
    return true;
}

/* Layouts that a machine tries, and the layout of each. */
static const char *const layout_names[] = {"ras", "rap", "xor", NULL};
static const riffle_layout_kind layouts[] = {RIFFLE_LAYOUT_RAS, RIFFLE_LAYOUT_RAP, RIFFLE_LAYOUT_XOR};

static const char *const *layout_words(void) { return layout_names; }

static bool read_layout(const command_option *option, const char *text, void *field) {
    const int k = read_word(option, "layout", text, layout_names);
    if (k >= 0) *(riffle_layout_kind *)field = layouts[k];
    return k >= 0;
}

/* ---- the work */

/* The report takes stdout. The kernel's output goes to stderr, also while the report is written. */
static FILE *take_stdout(void) {
    fflush(stdout);
    const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out == NULL)
        complain("standard output: cannot be written: %s", strerror(errno));
    else
        dup2(STDERR_FILENO, STDOUT_FILENO);
    return out;
}

/* A check of nothing is no success: where one was asked for, or a kernel by name that was not launched. */
static bool is_in_vain(const request *ask, const riffle_report *report) {
    bool in_vain = ask->job.kernel != NULL;
    for (int k = 0; k < FAIL_ON_WORDS; k++) in_vain |= ask->fail_on[k].given;
    if (!in_vain || !riffle_report_is_idle(report)) return false;
    complain("%s: no launch was counted, so nothing was checked; the report says why", ask->job.file);
    return true;
}

/* Where hazards are judged, a block that did not run is no success, and one in which nobody looked is told. */
static bool is_unrun(const request *ask, const riffle_report *report) {
    bool judges = false;
    for (int k = 0; k < FAIL_ON_UNCOALESCED; k++) judges |= ask->fail_on[k].given;
    const uint64_t unrun = riffle_report_not_run(report), unseen = riffle_report_not_checked(report);
    if (judges && unseen > 0)
        complain("%s: in %" PRIu64 " block%s that ran no hazard was looked for; look in more with --checks, in all by 0",
                 ask->job.file, unseen, plural_of(unseen));
    if (judges && unrun > 0)
        complain("%s: %" PRIu64 " block%s did not run, so nothing is known of hazards there; run more with --work, all by 0",
                 ask->job.file, unrun, plural_of(unrun));
    return judges && unrun > 0;
}

static bool is_found(const request *ask, const riffle_report *report) {
    const fail_on *on = ask->fail_on;
    uint64_t found = 0;
    if (on[FAIL_ON_HAZARD].given) found += riffle_report_hazards(report);
    for (int k = FAIL_ON_HAZARD + 1; k < FAIL_ON_UNCOALESCED; k++)
        if (on[k].given) found += riffle_report_hazards_of(report, fail_on_words[k]);
    if (on[FAIL_ON_UNCOALESCED].given)
        found += riffle_report_uncoalesced(report, on[FAIL_ON_UNCOALESCED].threshold);
    if (on[FAIL_ON_CONFLICT].given) found += riffle_report_conflicts(report, on[FAIL_ON_CONFLICT].threshold);
    return found > 0;
}

static int print_all(const request *ask, riffle_report *report, FILE *out) {
    const riffle_status status =
        ask->json ? riffle_report_print_json(report, out) : riffle_report_print(report, out);
    if (status != RIFFLE_OK) return complain_status("lint", status);
    if (!documents_write(ask, report)) return EXIT_FAILED;
    riffle_report *judged = documents_compare(ask, report, out);
    if (judged == NULL) return EXIT_FAILED;
    const bool is_cut = riffle_report_is_partial(report) && riffle_report_hazards(report) == 0;
    const bool unrun = is_unrun(ask, report);
    const bool failed = is_found(ask, judged) || is_in_vain(ask, report) || is_cut || unrun;
    if (judged != report) riffle_report_free(judged);
    return failed ? EXIT_FAILED : EXIT_DONE;
}

/* A run that was cut is no success, whatever has been found until then. */
static int judge(const request *ask, riffle_report *report, FILE *out) {
    const unsigned seconds = riffle_report_not_done_after(report);
    if (seconds == 0) return print_all(ask, report, out);
    if (!riffle_report_is_empty(report)) print_all(ask, report, out);
    const char *left = riffle_report_left_out(report);
    complain("%s: not done after %u seconds%s%s; allow more with --timeout", ask->job.file, seconds,
             left != NULL ? ", in the kernel " : "", left != NULL ? left : "");
    return EXIT_FAILED;
}

static int lint(void *context) {
    const request *ask = context;
    riffle_report *report;
    FILE *out = take_stdout();
    if (out == NULL) return EXIT_FAILED;
    riffle_machine_options machine = ask->machine;
    if (!traces_begin(&ask->traces, &machine.trace)) return EXIT_FAILED;
    const riffle_status status = riffle_lint(&ask->job, &machine, &report);
    int exit_status = status == RIFFLE_ERROR_SYNTAX ? EXIT_USAGE : EXIT_FAILED;
    if (status != RIFFLE_OK) {
        complain("%s", riffle_error_detail());
    } else {
        if (ask->job.is_program || riffle_report_not_done_after(report) > 0) leave_at_once();
        exit_status = judge(ask, report, out);
        if (!traces_write(&ask->traces, machine.trace)) exit_status = EXIT_FAILED;
        riffle_report_free(report);
    }
    riffle_trace_free(machine.trace);
    exit_status = finish_stream(out, exit_status);
    fclose(out);
    return exit_status;
}

/* A launch by hand has a kernel, a block and its arguments; without all of them the file is a program. */
static bool is_whole(const request *ask) {
    if (ask->for_all) return for_all_is_whole(ask);
    if (ask->job.length_count > 0) {
        complain("option --length: is for --for-all; a run has arrays of its own lengths");
        return false;
    }
    const bool by_hand = ask->job.block[0] > 0;
    if (by_hand && ask->job.kernel == NULL) {
        complain(
            "lint: no kernel given; say which with --kernel NAME, or leave out --block for the whole program");
        return false;
    }
    if (!by_hand && (ask->job.argument_count > 0 || ask->job.constant_count > 0 || ask->job.grid[0] > 0 ||
                     ask->job.shared_bytes > 0)) {
        complain("lint: no block given; say how many threads with --block X[,Y[,Z]]");
        return false;
    }
    if (by_hand && ask->job.launches > 0) {
        complain("option --launches: is for whole programs; leave out --block for one");
        return false;
    }
    if (ask->machine.shared_seeds > 0 && ask->machine.shared_layout == RIFFLE_LAYOUT_RAW) {
        complain("option --seeds: is for a layout that is tried; say which with --shared-layout");
        return false;
    }
    return true;
}

static bool take_files(request *ask) {
    if (ask->files.count == 0) {
        complain("lint: no file given; usage: riffle lint %s", lint_command.usage);
        return false;
    }
    if (!options_check_names(&lint_command, ask->files.words, ask->files.count)) return false;
    ask->job.file = ask->files.words[0];
    ask->job.more_count = ask->files.count - 1;
    ask->job.more = (const char *const *)ask->files.words + 1;
    return true;
}

/* The words behind "--" are the program's. */
static int cut_program_arguments(int argc, char **argv) {
    int k = 1;
    while (k < argc && strcmp(argv[k], "--") != 0) k++;
    return k;
}

static bool take_program_arguments(request *ask, int own, int argc, char **argv) {
    if (ask->for_all && own < argc) {
        complain("lint: what stands behind -- is for a run, and --for-all runs nothing; leave one out");
        return false;
    }
    if (own < argc && ask->job.block[0] > 0) {
        complain("lint: what stands behind -- is a program's; leave out --block for one");
        return false;
    }
    ask->job.is_program = ask->job.block[0] == 0;
    if (!ask->job.is_program || own + 1 >= argc) return true;
    if (argc - own - 1 > MAX_ARGUMENTS) {
        complain("lint: %d arguments of a program are the most", MAX_ARGUMENTS);
        return false;
    }
    for (int k = own + 1; k < argc; k++) ask->arguments[ask->job.argument_count++] = argv[k];
    return true;
}

static int run(int argc, char **argv) {
    request ask = {.timeout = 60, .machine = {.accesses = COUNTED_ACCESSES, .checks = CHECKED_ACCESSES, .work = WORK}};
    int exit_status;
    const int own = cut_program_arguments(argc, argv);
    flags_write_whole(own, argv);
    if (!options_read(&lint_command, own, argv, &ask, &exit_status)) return exit_status;
    if (!take_files(&ask) || !documents_are_apart(&ask)) return EXIT_USAGE;
    if (!is_whole(&ask) || !take_program_arguments(&ask, own, argc, argv)) return EXIT_USAGE;
    if (!documents_can_be(&ask)) return EXIT_FAILED;
    exit_status = traces_check(&ask.traces);
    if (exit_status != EXIT_DONE) return exit_status;
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0) { /* before a pipe takes its number */
        complain("standard output: cannot be written: %s; leave it open for the report", strerror(errno));
        return EXIT_FAILED;
    }
    ask.job.arguments = ask.arguments;
    ask.job.constants = ask.constants;
    ask.job.flags = ask.flags;
    ask.job.lengths = ask.lengths;
    ask.job.seconds = ask.timeout;
    if (ask.for_all) return for_all_run(&ask);
    return run_child(ask.job.file, ask.job.is_program ? "program" : "kernel", lint, &ask, ask.timeout);
}

static const command_option options[] = {
    {.help = "The launch:"},
    {"kernel", "NAME", TEXT(job.kernel),
     .help =
         "the kernel, with template arguments if it has any; of a program the one whose launches are reported"},
    {"grid", "X[,Y[,Z]]", read_sides, FIELD(unsigned[3], job.grid),
     .help = "blocks of the launch (the default is 1)"},
    {"block", "X[,Y[,Z]]", read_sides, FIELD(unsigned[3], job.block), .help = "threads of a block"},
    {"shared", "BYTES", NUMBER(job.shared_bytes), .help = "dynamic shared memory of a block (the default is 0)",
     RANGE(0, 1 << 30)},
    {"arg", "ARGUMENT", WHOLE(add_argument),
     .help = "an argument of the kernel, once for each parameter, in order", .repeatable = true},
    {"constant", "NAME=VALUE", WHOLE(add_constant),
     .help = "what a __constant__ holds (may be repeated): VALUE,VALUE... one after another, "
             "{FIELD=VALUE,...} or TYPE:LENGTH:FILL",
     .repeatable = true},
    {"seed", "SEED", NUMBER(job.seed), .help = "of random arguments (the default is 0)", RANGE(0, UINT64_MAX)},
    {"launches", "N", NUMBER(job.launches),
     .help = "of a program: report the first N launches only (the default is all)", RANGE(1, UINT64_MAX)},
    {"for-all", NULL, SWITCH(for_all),
     .help = "run nothing: prove for every grid, size and block (or that of --block) that accesses are coalesced, "
             "free of bank conflicts and in bounds, or give an example; by clang"},
    {"length", "NAME=ELEMENTS", WHOLE(add_length),
     .help = "--for-all: to how many elements a pointer points that is a parameter, as a=n*m (may be repeated)",
     .repeatable = true},
    {.help = "The machine:"},
    {"width", "W", UNSIGNED(machine.width),
     .help = "lanes of a warp, banks, cells of an address group, 1 to 32 (the default is 32)", RANGE(1, 32)},
    {"latency", "L", UNSIGNED(machine.latency), .help = "of global memory, in time units (the default is 400)",
     RANGE(1, 1 << 30)},
    {"shared-latency", "L", UNSIGNED(machine.shared_latency),
     .help = "of shared memory, in time units (the default is 1)", RANGE(1, 1 << 30)},
    {"shared-layout", "LAYOUT", read_layout, FIELD(riffle_layout_kind, machine.shared_layout),
     .help = "count wavefronts also as though the hardware laid shared memory out so, each row of 32 words of "
             "an array by itself:",
     .words = layout_words},
    {"seeds", "K", UNSIGNED(machine.shared_seeds),
     .help = "--shared-layout: the mean over K drawings of its random numbers (the default is 16)",
     RANGE(1, 4096)},
    {"accesses", "N", NUMBER(machine.accesses),
     .help = "count N accesses of each kernel at most, those of blocks drawn from all of a launch (the default is "
             "2^24, 0 is all)",
     RANGE(0, UINT64_MAX)},
    {"checks", "N", NUMBER(machine.checks),
     .help = "look for hazards in N accesses of each kernel at most, then let its blocks run unseen, those that are "
             "counted but for (the default is 2^28, 0 is all)",
     RANGE(0, UINT64_MAX)},
    {"work", "N", NUMBER(machine.work),
     .help = "leave out blocks after N units of work, 16 a thread or a wait of one, 1 an access, 8 one that is looked at (the "
             "default is 2^32, 0 leaves out none)",
     RANGE(0, UINT64_MAX)},
    {.help = "The compiler:"},
    {"include", "DIR", WHOLE(flags_add), .help = "look for included files there too; may be repeated",
     .letter = 'I', .repeatable = true},
    {"define", "NAME[=VALUE]", WHOLE(flags_add), .help = "define a macro; may be repeated", .letter = 'D',
     .repeatable = true},
    {"library", "NAME", WHOLE(flags_add),
     .help =
         "link with a library that host code calls, as z for libz; may be repeated (CUDA's own are supplied)",
     .letter = 'l', .repeatable = true},
    {"library-path", "DIR", WHOLE(flags_add), .help = "look for libraries there too; may be repeated",
     .letter = 'L', .repeatable = true},
    {"gpu-architecture", "ARCH", WHOLE(flags_add_architecture),
     .help = "-arch, as nvcc takes it: the GPU of the code's macros, sm_50 to sm_90a (the default is sm_90); what runs "
             "it stays an H200"},
    {"std", "STANDARD", TEXT(job.standard),
     .help = "the C++ standard: c++17 (the default), c++20, or an earlier one, compiled as C++17"},
    {"compiler", "CXX", flags_read_compiler, FIELD(const char *, job.compiler),
     .help = "the C++ compiler (the default is $CXX, else c++)"},
    {"nvcc", "NVCC", TEXT(job.nvcc),
     .help = "ask CUDA's compiler which neighbouring accesses it makes one, and count alike (the default is to "
             "ask nobody, so that counts are the same on every host)"},
    {.help = "The report:"},
    {"timeout", "SECONDS", UNSIGNED(timeout),
     .help = "report what has been counted after that long (the default is 60)", RANGE(1, 1000000)},
    {"threshold", "RATIO", read_ratio, FIELD(double, machine.threshold),
     .help = "call a row uncoalesced, or in conflict, that takes more than RATIO times the fewest sectors or "
             "wavefronts "
             "(the default is 1.25)"},
    {"fail-on", "WHAT[:RATIO]", WHOLE(read_fail_on),
     .help = "exit with status 1 if there is (may be repeated); for hazards also if blocks did not run, by --work:", .choices = fail_on_choices,
     .repeatable = true},
    {"json", NULL, SWITCH(json), .help = "print one JSON document instead of a table"},
    {"sarif", "FILE", FILE_NAME(sarif),
     .help = "write hazards and wasteful rows as SARIF 2.1.0, for code review"},
    {"html", "FILE", FILE_NAME(html),
     .help = "write one page with the annotated source and drawings of the worst accesses"},
    TRACE_OPTIONS(traces),
    TRACE_PAGE_OPTION("trace-html", traces),
    {"compare", "BEFORE.json", FILE_NAME(before),
     .help = "say what became better and worse since --json printed that; --fail-on judges only what became "
             "worse"},
    {0},
};

const command lint_command = {
    .name = "lint",
    .summary = "say which lines of a CUDA kernel are slow or wrong",
    .usage = "FILE.cu... [OPTION]... [-- ARGUMENT...]",
    .about = "Runs a CUDA program, host code and all, or one of its kernels (--kernel and\n"
             "--block) on the memory machine, without a GPU, and prints which source lines of\n"
             "its kernels are not coalesced or have bank conflicts, and their races, accesses\n"
             "out of bounds, reads of what nobody wrote and barriers that not all reach.\n",
    .options = options,
    .notes = "ARGUMENT is one of\n"
             "  TYPE:LENGTH[:FILL]   an array; FILL is none (never written, the default),\n"
             "                       zero, index (0, 1, 2...), random or permutation\n"
             "  TYPE:FILE.npy        an array with the elements of a file\n"
             "  TYPE:null            a NULL pointer\n"
             "  TYPE=VALUE           a number, or VALUE,VALUE,... for a vector\n"
             "  'TYPE={FIELD=VALUE,...}'   a structure of the file's; other fields are 0,\n"
             "                       pointers are TYPE:LENGTH[:FILL] or null\n"
             "TYPE is a type of CUDA C: int, size_t, uint8_t, float, double, float4...\n",
    .operands = ANY_OPERANDS,
    .operand_field = FIELD(command_operands, files),
    .run = run,
};
