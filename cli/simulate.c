/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle simulate: runs an algorithm's kernels on the memory machine and prints what they did to memory.
 */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "message.h"
#include "options.h"
#include "riffle/machine.h"
#include "threads.h"

static const char help[] = "Usage: riffle simulate --by SPEC --n N [OPTION]...\n"
                           "\n"
                           "Moves N elements along the permutation SPEC on the memory machine, an executable\n"
                           "model of a GPU, by the kernels that run on a GPU, and prints for every line of\n"
                           "them how many rounds of memory access it made and what they cost.\n"
                           "\n"
                           "  --by SPEC            the permutation; with row-wise and column-wise that of\n"
                           "                       each row or column\n"
                           "  --n N                number of elements, in decimal or as 2^K\n"
                           "  --algorithm NAME     copy, scatter, gather, bucket, transpose, row-wise,\n"
                           "                       column-wise, scheduled, conflict-free, affine,\n"
                           "                       bmmc-naive, bmmc-tile, bmmc-tile-banks,\n"
                           "                       bmmc-tile-iters, bmmc-tile-banks-iters, or auto (the\n"
                           "                       default)\n"
                           "  --elem-bytes B       bytes an element, 4 by default: 4 or 8; with affine any\n"
                           "                       power of two, with bucket up to 16 of them, with\n"
                           "                       scatter and gather any number\n"
                           "  --row-length C       elements in a row of row-wise and column-wise; by default\n"
                           "                       about the square root of N\n"
                           "  --batch B            arrays to move, each along SPEC; 1 by default\n"
                           "  --stride S           elements from the start of an array of the batch to the\n"
                           "                       next one's; by default N, one behind the other\n"
                           "  --in-place           move within the array, without a second one; with affine\n"
                           "  --width W            lanes of a warp, banks, cells of an address group; 32 by\n"
                           "                       default\n"
                           "  --latency L          of global memory, in time units; 400 by default\n"
                           "  --shared-latency L   of shared memory; 1 by default\n"
                           "  --dmms D             processors whose shared memories work at the same time;\n"
                           "                       1 by default, as the papers count\n"
                           "  --json               print one JSON document\n"
                           "  --help               print this and exit\n"
                           "\n" SPEC_HELP;

enum {
    OPTION_BY = OPTION_FIRST,
    OPTION_N,
    OPTION_ALGORITHM,
    OPTION_ELEM_BYTES,
    OPTION_ROW_LENGTH,
    OPTION_BATCH,
    OPTION_STRIDE,
    OPTION_IN_PLACE,
    OPTION_WIDTH,
    OPTION_LATENCY,
    OPTION_SHARED_LATENCY,
    OPTION_DMMS,
    OPTION_JSON,
};
static const struct option options[] = {
    {"by", required_argument, NULL, OPTION_BY},
    {"n", required_argument, NULL, OPTION_N},
    {"algorithm", required_argument, NULL, OPTION_ALGORITHM},
    {"elem-bytes", required_argument, NULL, OPTION_ELEM_BYTES},
    {"row-length", required_argument, NULL, OPTION_ROW_LENGTH},
    {"batch", required_argument, NULL, OPTION_BATCH},
    {"stride", required_argument, NULL, OPTION_STRIDE},
    {"in-place", no_argument, NULL, OPTION_IN_PLACE},
    {"width", required_argument, NULL, OPTION_WIDTH},
    {"latency", required_argument, NULL, OPTION_LATENCY},
    {"shared-latency", required_argument, NULL, OPTION_SHARED_LATENCY},
    {"dmms", required_argument, NULL, OPTION_DMMS},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, OPTION_HELP},
    {0},
};

typedef struct request {
    const char *by;
    bool has_n, wants_json, wants_help;
    uint64_t n, elem_bytes;
    riffle_plan_options plan;
    riffle_machine_options machine;
} request;

static bool read_option_value(int option, request *ask) {
    const unsigned longest_latency = 1 << 20;
    switch (option) {
    case OPTION_BY: ask->by = optarg; return true;
    case OPTION_N: return ask->has_n = read_number("--n", optarg, 0, RIFFLE_MAX_LENGTH, &ask->n);
    case OPTION_ALGORITHM: return read_algorithm(optarg, &ask->plan.algorithm);
    case OPTION_ELEM_BYTES: return read_elem_bytes(optarg, &ask->elem_bytes);
    case OPTION_ROW_LENGTH:
        return read_number("--row-length", optarg, 1, RIFFLE_MAX_LENGTH, &ask->plan.row_length);
    case OPTION_BATCH: return read_batch(optarg, &ask->plan);
    case OPTION_STRIDE: return read_stride(optarg, &ask->plan);
    case OPTION_IN_PLACE: ask->plan.in_place = 1; return true;
    case OPTION_WIDTH: return read_unsigned("--width", optarg, 1, 32, &ask->machine.width);
    case OPTION_LATENCY: return read_unsigned("--latency", optarg, 1, longest_latency, &ask->machine.latency);
    case OPTION_SHARED_LATENCY:
        return read_unsigned("--shared-latency", optarg, 1, longest_latency, &ask->machine.shared_latency);
    case OPTION_DMMS: return read_unsigned("--dmms", optarg, 1, 1 << 16, &ask->machine.dmms);
    case OPTION_JSON: ask->wants_json = true; return true;
    default: return false;
    }
}

static bool read_arguments(int argc, char **argv, request *ask) {
    for (;;) {
        const int option = next_option(argc, argv, options);
        switch (option) {
        case OPTION_HELP: ask->wants_help = true; return true;
        case OPTION_END:
            if (!expect_operands(argc, argv, 0, " --by SPEC --n N")) return false;
            if (ask->by == NULL) complain("simulate: no permutation given; say which with --by SPEC");
            if (!ask->has_n) complain("simulate: no length given; say how many elements with --n N");
            return ask->by != NULL && ask->has_n;
        default:
            if (!read_option_value(option, ask)) return false;
        }
    }
}

/* The power of two next to the square root: the length of rows unless told. */
static uint64_t square_length(uint64_t n) {
    uint64_t length = 1;
    while (length * length < n) length *= 2;
    return length;
}

/* Each row's (or column's) element goes where `line` sends it within that row (or column). */
static uint64_t moved(const riffle_perm *line, uint64_t i, uint64_t cols, bool columns) {
    const uint64_t row = i / cols, col = i % cols;
    return columns ? riffle_perm_at(line, row) * cols + col : row * cols + riffle_perm_at(line, col);
}

static riffle_status repeat_line(const riffle_perm *line, uint64_t n, uint64_t cols, bool columns,
                                 riffle_perm **out) {
    void *table;
    riffle_status status = riffle_buffer_create((size_t)n * sizeof(uint64_t), &table);
    if (status != RIFFLE_OK) return status;
    for (uint64_t i = 0; i < n; ++i) ((uint64_t *)table)[i] = moved(line, i, cols, columns);
    status = riffle_perm_table_u64(n, table, out);
    riffle_buffer_free(table, (size_t)n * sizeof(uint64_t));
    return status;
}

/* The permutation of all n elements; another status than EXIT_DONE after a complaint. */
static int parse_permutation(request *ask, riffle_perm **out) {
    const bool columns = ask->plan.algorithm == RIFFLE_ALGORITHM_COLUMN_WISE;
    if (!columns && ask->plan.algorithm != RIFFLE_ALGORITHM_ROW_WISE) {
        const riffle_status status = riffle_perm_parse(ask->by, ask->n, out);
        return status == RIFFLE_OK ? EXIT_DONE : complain_spec(ask->by, status);
    }
    if (ask->plan.row_length == 0) ask->plan.row_length = square_length(ask->n);
    const uint64_t cols = ask->plan.row_length;
    if (ask->n % cols != 0) {
        complain("--n: %llu elements are no whole rows of %llu; choose --row-length so that it divides N",
                 (unsigned long long)ask->n, (unsigned long long)cols);
        return EXIT_FAILED;
    }
    riffle_perm *line;
    riffle_status status = riffle_perm_parse(ask->by, columns ? ask->n / cols : cols, &line);
    if (status != RIFFLE_OK) return complain_spec(ask->by, status);
    status = repeat_line(line, ask->n, cols, columns, out);
    riffle_perm_free(line);
    return status == RIFFLE_OK ? EXIT_DONE : complain_status("simulate", status);
}

static int print_report(const riffle_report *report, bool json) {
    const riffle_status status =
        json ? riffle_report_print_json(report, stdout) : riffle_report_print(report, stdout);
    return status == RIFFLE_OK ? finish_stdout(EXIT_DONE) : complain_status("simulate", status);
}

static int run(int argc, char **argv) {
    request ask = {.elem_bytes = 4};
    if (!read_arguments(argc, argv, &ask)) return EXIT_USAGE;
    if (ask.wants_help) return print_text(help);
    threads_settle("simulate", 0);
    riffle_perm *perm;
    int exit_status = parse_permutation(&ask, &perm);
    if (exit_status != EXIT_DONE) return exit_status;
    riffle_report *report;
    const riffle_status status =
        riffle_simulate(perm, (size_t)ask.elem_bytes, &ask.plan, &ask.machine, &report);
    riffle_perm_free(perm);
    if (status != RIFFLE_OK) return complain_status("simulate", status);
    exit_status = print_report(report, ask.wants_json);
    riffle_report_free(report);
    return exit_status;
}

const command simulate_command = {"simulate", "run an algorithm's kernels on the memory machine", help, run};
