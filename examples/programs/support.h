/* SPDX-License-Identifier: Apache-2.0
 *
 * Code that the examples of programs share: a clock, an end after a failure, and a program that is parsed and planned.
 */
#ifndef EXAMPLES_PROGRAMS_SUPPORT_H
#define EXAMPLES_PROGRAMS_SUPPORT_H

#include <riffle.h>
#include <riffle/program.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline void check(riffle_status status) {
    if (status == RIFFLE_OK) return;
    fprintf(stderr, "%s: %s\n", riffle_status_string(status), riffle_error_detail());
    exit(1);
}

/* `definitions` may be NULL; `batch` arrays of 2^bits elements, one behind the other. */
static inline riffle_program_plan *plan(const char *text, const char *definitions, unsigned bits,
                                        riffle_type type, uint64_t batch) {
    riffle_program *program;
    riffle_program_plan *made;
    const riffle_program_options options = {.batch = batch};
    check(riffle_program_parse(text, definitions, bits, &program));
    check(riffle_program_plan_create(program, type, RIFFLE_ENGINE_CPU, &options, &made));
    riffle_program_free(program);
    return made;
}

static inline void *buffer(size_t bytes) {
    void *start;
    check(riffle_buffer_create(bytes, &start));
    return start;
}

/* Argument k as a number from least to most, or `otherwise` where it is not given; ends with the usage if it is none. */
static inline long argument(int argc, char **argv, int k, long otherwise, long least, long most,
                            const char *usage) {
    char *end = "";
    const long number = k < argc ? strtol(argv[k], &end, 10) : otherwise;
    if (*end == '\0' && number >= least && number <= most) return number;
    fprintf(stderr, "usage: %s\n", usage);
    exit(2);
}

#endif
