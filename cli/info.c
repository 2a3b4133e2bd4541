/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle info: what there is to say in a bug report about this build and this machine.
 */
#include <stdio.h>

#include "build_commit.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "riffle.h"
#include "riffle/cuda.h"
#include "riffle/vat.h"
#include "system/machine.h"

static void print_engine(riffle_engine engine) {
    bool ready = machine_try_engine(engine) == RIFFLE_OK;
    printf("engine %-4s  %s\n", riffle_engine_string(engine), ready ? "ready" : riffle_error_detail());
}

/* The driver's and the library's own version of CUDA as CUDA counts them: 13000 is 13.0. */
static void print_gpu(void) {
    riffle_cuda_device gpu;
    if (riffle_cuda_describe(&gpu) != RIFFLE_OK) return;
    printf("gpu          %s, %u multiprocessors, %zu KiB of shared memory a block, %zu MiB of L2, %zu GiB\n",
           gpu.name, gpu.multiprocessors, gpu.shared_bytes >> 10, gpu.l2_bytes >> 20, gpu.memory_bytes >> 30);
    printf("cuda         compute capability %u.%u, driver for CUDA %u.%u, built with %u.%u\n",
           gpu.compute_major, gpu.compute_minor, gpu.driver / 1000, gpu.driver % 1000 / 10, gpu.runtime / 1000,
           gpu.runtime % 1000 / 10);
}

/* Where it is pretended, the description says so. */
static void print_translation(void) {
    riffle_vat_preset core;
    if (riffle_vat_detect(&core) != RIFFLE_OK) {
        printf("translation  %s\n", riffle_error_detail());
        return;
    }
    printf("translation  %s (%s): %llu pages of 4 KiB are cached\n", core.name, core.description,
           (unsigned long long)core.entries_4k);
}

static void print_vectors(void) {
    riffle_cpu cpu;
    if (riffle_cpu_describe(&cpu) == RIFFLE_OK)
        printf("vectors      %s; loops: %s\n", cpu.vectors, cpu.loops);
    else
        printf("vectors      %s\n", riffle_error_detail());
}

static void print_info(void) {
    char cpu[256], huge_pages[64];
    machine_cpu(cpu, sizeof cpu);
    machine_huge_pages(huge_pages, sizeof huge_pages);
    printf("riffle       %s (%s)\n", riffle_version(), RIFFLE_COMMIT);
    printf("processor    %s\n", cpu);
    printf("cores        %ld\n", machine_cores());
    printf("threads      %d\n", machine_threads());
    print_vectors();
    print_translation();
    printf("huge pages   %s\n", huge_pages);
    print_gpu();
    print_engine(RIFFLE_ENGINE_CPU);
    print_engine(RIFFLE_ENGINE_CUDA);
}

static int run(int argc, char **argv) {
    int exit_status;
    if (!options_read(&info_command, argc, argv, NULL, &exit_status)) return exit_status;
    print_info();
    return finish_stdout(EXIT_DONE);
}

const command info_command = {
    .name = "info",
    .summary = "describe this build and this machine",
    .usage = "",
    .about = "Prints the version, the processor, its threads and vector instructions, the\n"
             "core whose address translation is planned for, the setting for huge pages,\n"
             "the GPU, and which engines there are.\n",
    .run = run,
};
