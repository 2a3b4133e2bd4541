/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/report.h"

#include <stdio.h>

#include "bench/data.h"
#include "build_commit.h"
#include "frame/readers.h"
#include "riffle/cuda.h"
#include "system/machine.h"

static double ratio(const bench_result *result) {
    return result->copy_seconds > 0 ? result->seconds / result->copy_seconds : 0;
}

static double kernel_ratio(const bench_result *result) { return result->seconds / result->copy_kernel_seconds; }

static const char *yes_or_wrong(const bench_result *result) { return result->right ? "" : "  WRONG"; }

enum { NAME_BYTES = 256 };

/* The device that is measured, and the version of CUDA that its driver speaks, "" for a processor. */
static void name_device(riffle_engine engine, char name[NAME_BYTES], char driver[NAME_BYTES]) {
    riffle_cuda_device gpu;
    driver[0] = '\0';
    if (engine == RIFFLE_ENGINE_CUDA && riffle_cuda_describe(&gpu) == RIFFLE_OK) {
        snprintf(name, NAME_BYTES, "%s", gpu.name);
        snprintf(driver, NAME_BYTES, "CUDA %u.%u", gpu.driver / 1000, gpu.driver % 1000 / 10);
    } else {
        machine_cpu(name, NAME_BYTES);
    }
}

static void table_begin(const bench_settings *settings) {
    const bool on_gpu = settings->engine == RIFFLE_ENGINE_CUDA;
    char device[NAME_BYTES], driver[NAME_BYTES];
    name_device(settings->engine, device, driver);
    printf("riffle %s (%s), %s, ", riffle_version(), RIFFLE_COMMIT, riffle_engine_string(settings->engine));
    if (on_gpu) {
        printf("%s, driver for %s\n", device, driver);
    } else {
        printf("at most %u threads of %s\n", settings->threads, device);
    }
    printf("ratio: time over that of a %s of the same bytes in the same run\n\n",
           on_gpu ? "copy by the GPU" : "threaded memcpy");
    printf("%-30s %10s %5s %-13s %9s %8s %6s %8s %9s %9s\n", "by", "n", "elem", "algo", "ms", "ns/elem",
           "ratio", "plan s", "plan B/el", "work MiB");
}

/* The name of the algorithm that a row is measured with. */
static const char *algorithm_name(const bench_row *row, riffle_algorithm algorithm) {
    return row->kind->algorithm != NULL ? row->kind->algorithm(row) : riffle_algorithm_string(algorithm);
}

/* The words that tell the row from others of its permutation come first. */
static void print_row_head(const bench_row *row, riffle_algorithm algorithm) {
    char by[64];
    const unsigned long long arrays = bench_row_arrays(row);
    if (row->kind->name != NULL)
        row->kind->name(row, by, sizeof by);
    else if (arrays > 1)
        snprintf(by, sizeof by, "%llu x %s", arrays, row->by);
    else
        snprintf(by, sizeof by, "%s%s%s", row->check != RIFFLE_CHECK_NONE ? "checked " : "",
                 row->in_place ? "in place " : "", row->by);
    printf("%-30.30s %10llu %5zu %-13s", by, (unsigned long long)row->n, row->elem_bytes,
           algorithm_name(row, algorithm));
}

static void table_row(const char *suite, const bench_row *row, const bench_result *result) {
    (void)suite;
    const double n = (double)row->n * (double)(row->batch > 0 ? row->batch : 1);
    print_row_head(row, result->algorithm);
    printf(" %9.3f %8.3f %6.2f %8.4f %9.3f %9.2f", result->seconds * 1e3, result->seconds * 1e9 / n,
           ratio(result), result->plan_seconds, (double)result->plan_bytes / n,
           (double)result->workspace_bytes / (1 << 20));
    if (result->copy_kernel_seconds > 0) printf("  %.2f of a copy kernel's", kernel_ratio(result));
    if (row->kind->table_result != NULL) row->kind->table_result(row, result);
    printf("%s%s%s\n", row->algorithm == RIFFLE_ALGORITHM_AUTO ? "" : "  asked for",
           result->in_l2 ? "  in L2" : "", yes_or_wrong(result));
    if (row->kind->table_below != NULL) row->kind->table_below(row, result);
    fflush(stdout);
}

static void table_skipped(const char *suite, const bench_row *row, const char *why) {
    (void)suite;
    print_row_head(row, row->algorithm);
    printf(" skipped: %s\n", why);
    fflush(stdout);
}

static void table_end(const bench_mean *means, size_t count) {
    for (size_t k = 0; k < count; ++k)
        printf("%s%s: %.3f copies in the geometric mean of %u\n", k == 0 ? "\n" : "", means[k].group,
               means[k].ratio, means[k].rows);
}

static void print_json_string(const char *text) {
    putchar('"');
    for (; *text != '\0'; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < ' ') {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

static const char *separator; /* text before the next row of the document */

static void print_json_name(const char *name) {
    if (name[0] != '\0')
        print_json_string(name);
    else
        printf("null");
}

static void json_begin(const bench_settings *settings) {
    char device[NAME_BYTES], driver[NAME_BYTES];
    riffle_cpu cpu = {.vectors = ""};
    name_device(settings->engine, device, driver);
    if (settings->engine == RIFFLE_ENGINE_CPU && riffle_cpu_describe(&cpu) != RIFFLE_OK) cpu.vectors[0] = '\0';
    printf("{\"engine\": \"%s\", \"device\": ", riffle_engine_string(settings->engine));
    print_json_string(device);
    printf(", \"vectors\": ");
    print_json_name(cpu.vectors);
    printf(", \"driver\": ");
    print_json_name(driver);
    printf(", \"version\": \"%s\", \"commit\": \"%s\", \"threads\": %u,\n \"results\": [", riffle_version(),
           RIFFLE_COMMIT, settings->threads);
    separator = "\n  ";
}

static void json_head(const char *suite, const bench_row *row, riffle_algorithm algorithm) {
    printf("%s{\"suite\": \"%s\"", separator, suite);
    if (row->group != NULL) printf(", \"group\": \"%s\"", row->group);
    printf(", \"by\": ");
    print_json_string(row->by);
    printf(", \"n\": %llu, \"elem_bytes\": %zu, \"algorithm\": \"%s\", \"asked_algorithm\": \"%s\"",
           (unsigned long long)row->n, row->elem_bytes, algorithm_name(row, algorithm),
           algorithm_name(row, row->algorithm));
    if (row->kind->has_type) printf(", \"type\": \"%s\"", riffle_type_string(row->type));
    if (row->kind->json_row != NULL) row->kind->json_row(row);
    if (row->batch > 0) {
        printf(", \"arrays\": %llu, \"stride\": %llu", (unsigned long long)row->batch,
               (unsigned long long)row->stride);
    }
    if (row->in_place) printf(", \"in_place\": true");
    if (row->check != RIFFLE_CHECK_NONE) printf(", \"check\": \"%s\"", riffle_check_string(row->check));
    separator = ",\n  ";
}

static void json_row(const char *suite, const bench_row *row, const bench_result *result) {
    json_head(suite, row, result->algorithm);
    printf(", \"seconds\": %.12f, \"copy_seconds\": %.12f, \"ratio\": %.4f, \"plan_seconds\": %.9f",
           result->seconds, result->copy_seconds, ratio(result), result->plan_seconds);
    printf(", \"plan_bytes\": %zu, \"workspace_bytes\": %zu", result->plan_bytes, result->workspace_bytes);
    if (result->threads > 0) printf(", \"threads\": %u", result->threads);
    if (result->moves_timed > 0) {
        printf(", \"batch\": %u, \"in_l2\": %s, \"passes\": %u", result->moves_timed,
               result->in_l2 ? "true" : "false", result->passes);
    }
    if (row->kind->json_result != NULL) row->kind->json_result(row, result);
    if (result->planning_bytes > 0) printf(", \"planning_bytes\": %zu", result->planning_bytes);
    if (result->copy_kernel_seconds > 0) {
        printf(", \"copy_kernel_seconds\": %.12f, \"kernel_ratio\": %.4f", result->copy_kernel_seconds,
               kernel_ratio(result));
    }
    printf("%s}", result->right ? "" : ", \"wrong\": true");
    fflush(stdout);
}

static void json_skipped(const char *suite, const bench_row *row, const char *why) {
    json_head(suite, row, row->algorithm);
    printf(", \"skipped\": ");
    print_json_string(why);
    putchar('}');
    fflush(stdout);
}

static void json_end(const bench_mean *means, size_t count) {
    printf("\n ]");
    for (size_t k = 0; k < count; ++k)
        printf("%s{\"group\": \"%s\", \"rows\": %u, \"ratio\": %.4f}",
               k == 0 ? ",\n \"geometric_means\": [\n  " : ",\n  ", means[k].group, means[k].rows,
               means[k].ratio);
    printf("%s}\n", count > 0 ? "\n ]" : "");
}

const bench_format bench_table = {table_begin, table_row, table_skipped, table_end};
const bench_format bench_json = {json_begin, json_row, json_skipped, json_end};
