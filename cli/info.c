/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle info: what there is to say in a bug report about this build and this machine.
 */
#include <stdio.h>

#include "build_commit.h"
#include "command.h"
#include "machine.h"
#include "message.h"
#include "options.h"
#include "riffle.h"

static const char help[] = "Usage: riffle info\n"
                           "\n"
                           "Prints the version, the processor, its threads and vector instructions, the\n"
                           "setting for huge pages, and which engines there are.\n"
                           "\n"
                           "  --help             print this and exit\n";

static const struct option options[] = {{"help", no_argument, NULL, OPTION_HELP}, {0}};

static void print_engine(riffle_engine engine) {
    bool ready = machine_try_engine(engine) == RIFFLE_OK;
    printf("engine %-4s  %s\n", engine_name(engine), ready ? "ready" : riffle_error_detail());
}

static void print_info(void) {
    char cpu[256], huge_pages[64];
    machine_cpu(cpu, sizeof cpu);
    machine_huge_pages(huge_pages, sizeof huge_pages);
    printf("riffle       %s (%s)\n", riffle_version(), RIFFLE_COMMIT);
    printf("processor    %s\n", cpu);
    printf("cores        %ld\n", machine_cores());
    printf("threads      %d\n", machine_threads());
    printf("vectors      %s\n", machine_simd());
    printf("huge pages   %s\n", huge_pages);
    print_engine(RIFFLE_ENGINE_CPU);
    print_engine(RIFFLE_ENGINE_CUDA);
}

static int run(int argc, char **argv) {
    switch (next_option(argc, argv, options)) {
    case OPTION_HELP: return print_text(help);
    case OPTION_WRONG: return EXIT_USAGE;
    default: break;
    }
    if (!expect_operands(argc, argv, 0, "")) return EXIT_USAGE;
    print_info();
    return finish_stdout(EXIT_DONE);
}

const command info_command = {"info", "describe this build and this machine", help, run};
