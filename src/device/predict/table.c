/* SPDX-License-Identifier: Apache-2.0 */
#include "device/predict/table.h"

#include <inttypes.h>

static void print_row(const char *name, const pattern_counts *counts, FILE *stream) {
    uint64_t rounds = 0, casual = 0;
    for (unsigned k = 0; k < PATTERN_SPACES * PATTERN_OPS; k++) {
        const pattern_count *const one = &counts->of[k / PATTERN_OPS][k % PATTERN_OPS];
        rounds += one->rounds;
        casual += one->casual_rounds;
    }
    const pattern_count *const global = counts->of[PATTERN_GLOBAL], *const shared = counts->of[PATTERN_SHARED];
    fprintf(stream, "  %-22s %8" PRIu64 " %8" PRIu64 " %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", name,
            rounds, casual, global[PATTERN_READ].stages + global[PATTERN_WRITE].stages,
            shared[PATTERN_READ].stages + shared[PATTERN_WRITE].stages, pattern_time_units(counts));
}

void prediction_print(const prediction *p, const riffle_machine_options *machine, FILE *stream) {
    fprintf(stream, "predicted   on a memory machine of width %u, latency %u, shared latency %u, DMMs %u: ",
            machine->width, machine->latency, machine->shared_latency, machine->dmms);
    fprintf(stream, "%s\n", p->is_known ? pattern_meaning_string(p->meaning) : "not known; simulate it");
    if (!p->is_known) return;
    fprintf(stream, "  %-22s %8s %8s %14s %14s %14s\n", "launch", "rounds", "casual", "global stages",
            "shared stages", "time units");
    for (size_t k = 0; k < p->launches; k++) print_row(p->launch[k].kernel, &p->launch[k].counts, stream);
    print_row("all", &p->counts, stream);
}

/* ---------------------------------------------------------------------- JSON */

static void print_count(const char *name, const pattern_count *one, FILE *stream) {
    fprintf(stream,
            "\"%s\":{\"rounds\":%" PRIu64 ",\"casual_rounds\":%" PRIu64 ",\"stages\":%" PRIu64
            ",\"time_units\":%" PRIu64 "}",
            name, one->rounds, one->casual_rounds, one->stages, one->time_units);
}

static void print_space(const char *name, const pattern_count *of, FILE *stream) {
    fprintf(stream, ",\"%s\":{", name);
    print_count("read", &of[PATTERN_READ], stream);
    fputc(',', stream);
    print_count("write", &of[PATTERN_WRITE], stream);
    fputc('}', stream);
}

static void print_launch(const launch_prediction *one, size_t number, FILE *stream) {
    fprintf(stream, "%s{\"launch\":%zu,\"kernel\":\"%s\"", number > 0 ? "," : "", number, one->kernel);
    print_space("global", one->counts.of[PATTERN_GLOBAL], stream);
    print_space("shared", one->counts.of[PATTERN_SHARED], stream);
    fputc('}', stream);
}

void prediction_print_json(const prediction *p, const riffle_machine_options *machine, FILE *stream) {
    fprintf(stream, "\"model\":{\"width\":%u,\"latency\":%u,\"shared_latency\":%u,\"dmms\":%u},",
            machine->width, machine->latency, machine->shared_latency, machine->dmms);
    if (p->is_known)
        fprintf(stream, "\"time_units\":%" PRIu64 ",\"meaning\":\"%s\",\"launches\":[",
                pattern_time_units(&p->counts), pattern_meaning_string(p->meaning));
    else
        fprintf(stream, "\"time_units\":null,\"meaning\":null,\"launches\":[");
    for (size_t k = 0; p->is_known && k < p->launches; k++) print_launch(&p->launch[k], k, stream);
    fputc(']', stream);
}
