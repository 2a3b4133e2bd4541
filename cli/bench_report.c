/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_report.h"

#include <stdio.h>

#include "build_commit.h"
#include "machine.h"
#include "options.h"

static double ratio(const bench_result *result) {
    return result->copy_seconds > 0 ? result->seconds / result->copy_seconds : 0;
}

static const char *yes_or_wrong(const bench_result *result) { return result->right ? "" : "  WRONG"; }

static void table_begin(const bench_settings *settings) {
    char cpu[256];
    machine_cpu(cpu, sizeof cpu);
    printf("riffle %s (%s), %s, %u threads of %s\n", riffle_version(), RIFFLE_COMMIT,
           engine_name(settings->engine), settings->threads, cpu);
    printf("ratio: time over that of a threaded memcpy of the same bytes in the same run\n\n");
    printf("%-30s %10s %5s %-8s %9s %8s %6s %8s %9s %9s\n", "by", "n", "elem", "algo", "ms", "ns/elem", "ratio",
           "plan s", "plan B/el", "work MiB");
}

static void table_row(const char *suite, const bench_row *row, const bench_result *result) {
    (void)suite;
    const double n = (double)row->n;
    printf("%-30.30s %10llu %5zu %-8s %9.3f %8.3f %6.2f %8.4f %9.3f %9.2f%s\n", row->by,
           (unsigned long long)row->n, row->elem_bytes, riffle_algorithm_string(result->algorithm),
           result->seconds * 1e3, result->seconds * 1e9 / n, ratio(result), result->plan_seconds,
           (double)result->plan_bytes / n, (double)result->workspace_bytes / (1 << 20), yes_or_wrong(result));
    fflush(stdout);
}

static void table_end(void) {}

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

static const char *separator; /* what stands before the next row of the document */

static void json_begin(const bench_settings *settings) {
    char cpu[256];
    machine_cpu(cpu, sizeof cpu);
    printf("{\"engine\": \"%s\", \"device\": ", engine_name(settings->engine));
    print_json_string(cpu);
    printf(", \"driver\": null, \"version\": \"%s\", \"commit\": \"%s\", \"threads\": %u,\n \"results\": [",
           riffle_version(), RIFFLE_COMMIT, settings->threads);
    separator = "\n  ";
}

static void json_row(const char *suite, const bench_row *row, const bench_result *result) {
    printf("%s{\"suite\": \"%s\", \"by\": ", separator, suite);
    print_json_string(row->by);
    printf(", \"n\": %llu, \"elem_bytes\": %zu, \"algorithm\": \"%s\", \"asked_algorithm\": \"%s\"",
           (unsigned long long)row->n, row->elem_bytes, riffle_algorithm_string(result->algorithm),
           riffle_algorithm_string(row->algorithm));
    printf(", \"seconds\": %.9f, \"copy_seconds\": %.9f, \"ratio\": %.4f, \"plan_seconds\": %.9f",
           result->seconds, result->copy_seconds, ratio(result), result->plan_seconds);
    printf(", \"plan_bytes\": %zu, \"workspace_bytes\": %zu}", result->plan_bytes, result->workspace_bytes);
    separator = ",\n  ";
    fflush(stdout);
}

static void json_end(void) { printf("\n ]}\n"); }

const bench_format bench_table = {table_begin, table_row, table_end};
const bench_format bench_json = {json_begin, json_row, json_end};
