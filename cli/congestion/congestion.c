/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle congestion: how many requests of a warp meet in one bank of shared memory, by simulation, and what
 * theory says.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "congestion/simulate.h"
#include "congestion/theory.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "trace/traces.h"

enum { DEFAULT_WIDTH = 32, DEFAULT_TRIALS = 100000, DEFAULT_SEED = 1 };

typedef struct request {
    bool wants_json;
    riffle_layout_kind layout;
    pattern_kind pattern;
    const char *path; /* path of a file of addresses */
    uint64_t width, dims, trials, seed;
    traces traces;
} request;

static const char *const *layout_words(void) {
    static const char *words[RIFFLE_LAYOUT_COUNT + 1];
    for (int k = 0; k < RIFFLE_LAYOUT_COUNT; ++k) words[k] = riffle_layout_string((riffle_layout_kind)k);
    return words;
}

static bool read_layout(const command_option *option, const char *text, void *field) {
    const int k = read_word(option, "layout", text, layout_words());
    if (k >= 0) *(riffle_layout_kind *)field = (riffle_layout_kind)k;
    return k >= 0;
}

static bool read_pattern(const command_option *option, const char *text, void *whole) {
    request *ask = whole;
    (void)option;
    return pattern_parse(text, &ask->pattern, &ask->path);
}

/* 2 dimensions unless told, or the layout or the pattern is of 4. */
static uint32_t dims_of(const request *ask) {
    const bool higher_layout = ask->layout >= RIFFLE_LAYOUT_1P && ask->layout <= RIFFLE_LAYOUT_1PW2R;
    const bool higher_pattern = ask->pattern == PATTERN_STRIDE2 || ask->pattern == PATTERN_STRIDE3;
    if (ask->dims != 0) return (uint32_t)ask->dims;
    return higher_layout || higher_pattern ? 4 : 2;
}

/* The layout that is asked for, without its numbers. */
static bool choose_layout(const request *ask, riffle_layout *layout) {
    *layout = (riffle_layout){
        .kind = ask->layout, .width = (uint32_t)ask->width, .dims = dims_of(ask), .elem_bytes = 4};
    const char *wrong = riffle_layout_check(layout);
    if (wrong != NULL) {
        complain("congestion: --layout %s --width %llu --dims %u: %s", riffle_layout_string(ask->layout),
                 (unsigned long long)ask->width, layout->dims, wrong);
        return false;
    }
    if (layout->dims == 2 && (ask->pattern == PATTERN_STRIDE2 || ask->pattern == PATTERN_STRIDE3)) {
        complain("congestion: an array of 2 dimensions has no %s; leave --dims out",
                 pattern_name(ask->pattern));
        return false;
    }
    return true;
}

/* A request and its result. */
typedef struct outcome {
    riffle_layout layout;
    pattern asked;
    uint64_t seed;
    congestion_counts counts;
} outcome;

static void print_json_number(const char *name, double value) {
    if (isnan(value)) {
        printf(",\n \"%s\": null", name);
    } else {
        printf(",\n \"%s\": %.6g", name, value);
    }
}

static void print_json(const outcome *result) {
    const congestion_counts *counts = &result->counts;
    printf("{\"layout\": \"%s\", \"pattern\": \"%s\", \"width\": %u, \"dims\": %u, \"trials\": %llu, \"seed\": "
           "%llu",
           riffle_layout_string(result->layout.kind), pattern_name(result->asked.kind), result->layout.width,
           result->layout.dims, (unsigned long long)counts->trials, (unsigned long long)result->seed);
    printf(",\n \"mean\": %.6g, \"max\": %u, \"ci99\": [%.6g, %.6g]", counts->mean, counts->max, counts->low,
           counts->high);
    print_json_number("expected", congestion_expected(&result->layout, &result->asked));
    print_json_number("bound", congestion_bound(&result->layout, &result->asked));
    print_json_number("theorem2", congestion_theorem2(&result->layout, &result->asked));
    printf(",\n \"random_numbers\": %llu,\n \"histogram\": [",
           (unsigned long long)riffle_layout_numbers(&result->layout));
    for (uint32_t c = 0; c <= counts->max; ++c)
        printf("%s%llu", c > 0 ? ", " : "", (unsigned long long)counts->histogram[c]);
    printf("]}\n");
}

static void print_known(const char *name, double value, const char *meaning) {
    if (!isnan(value)) printf("%-16s%8.3f   %s\n", name, value, meaning);
}

static void print_text_report(const outcome *result) {
    const congestion_counts *counts = &result->counts;
    printf("layout %s, pattern %s, width %u, %u dimensions, %llu trials, seed %llu\n\n",
           riffle_layout_string(result->layout.kind), pattern_name(result->asked.kind), result->layout.width,
           result->layout.dims, (unsigned long long)counts->trials, (unsigned long long)result->seed);
    printf("%-16s%8.3f   99%% confidence: %.3f to %.3f\n", "mean", counts->mean, counts->low, counts->high);
    print_known("expected", congestion_expected(&result->layout, &result->asked),
                "requests independent of each other");
    print_known("bound", congestion_bound(&result->layout, &result->asked), "of the expectation, proven");
    print_known("Theorem 2", congestion_theorem2(&result->layout, &result->asked),
                "the bound of the RAP paper's proof");
    printf("%-16s%8u\n", "largest", counts->max);
    printf("%-16s%8llu\n\n", "random numbers", (unsigned long long)riffle_layout_numbers(&result->layout));
    printf("congestion      trials    share\n");
    for (uint32_t c = 0; c <= counts->max; ++c) {
        if (counts->histogram[c] == 0) continue;
        printf("%10u  %10llu  %6.2f%%\n", c, (unsigned long long)counts->histogram[c],
               100 * (double)counts->histogram[c] / (double)counts->trials);
    }
}

/* Each line of a file counts as much as the others. */
static uint64_t whole_rounds(uint64_t trials, const pattern *asked) {
    if (asked->kind != PATTERN_FILE) return trials;
    return (trials + asked->requests - 1) / asked->requests * asked->requests;
}

static int simulate(const request *ask, outcome *result) {
    const uint64_t trials = whole_rounds(ask->trials, &result->asked);
    const size_t bytes = (size_t)(riffle_layout_numbers(&result->layout) + 1) * sizeof(uint16_t);
    result->layout.numbers = malloc(bytes);
    if (result->layout.numbers == NULL) {
        complain("congestion: no memory for %zu bytes of random numbers; choose a smaller width", bytes);
        return EXIT_FAILED;
    }
    riffle_trace *trace;
    bool done = traces_begin(&ask->traces, &trace) &&
                congestion_simulate(&result->layout, &result->asked, trials, ask->seed, trace, &result->counts);
    if (done && ask->wants_json) print_json(result);
    if (done && !ask->wants_json) print_text_report(result);
    if (done) done = traces_write(&ask->traces, trace);
    riffle_trace_free(trace);
    free(result->layout.numbers);
    return done ? finish_stdout(EXIT_DONE) : EXIT_FAILED;
}

static int run(int argc, char **argv) {
    request ask = {.width = DEFAULT_WIDTH, .trials = DEFAULT_TRIALS, .seed = DEFAULT_SEED};
    int exit_status;
    if (!options_read(&congestion_command, argc, argv, &ask, &exit_status)) return exit_status;
    outcome result = {.seed = ask.seed, .asked = {.kind = ask.pattern}};
    if (!choose_layout(&ask, &result.layout)) return EXIT_USAGE;
    exit_status = traces_check(&ask.traces);
    if (exit_status != EXIT_DONE) return exit_status;
    if (ask.path != NULL && !pattern_read_file(ask.path, &result.layout, &result.asked)) return EXIT_FAILED;
    exit_status = simulate(&ask, &result);
    pattern_free(&result.asked);
    return exit_status;
}

static const option_choice *pattern_choices(void) {
    static const option_choice all[] = {
        {"malicious", .text = "the worst for LAYOUT that needs no knowledge of its random numbers"},
        {"file:PATH", .text =
                          "on each line the elements, up to W, that a warp asks for, as numbers in row-major "
                          "order; trials take the lines in turn"},
        {NULL, .text = NULL}};
    return all;
}

static const command_option options[] = {
    {"layout", "LAYOUT", read_layout, FIELD(riffle_layout_kind, layout), .help = "where elements lie:",
     .words = layout_words, .missing = "no layout given; say which with --layout LAYOUT"},
    {"pattern", "PATTERN", WHOLE(read_pattern),
     .help = "contiguous, stride1, stride2, stride3, diagonal, random, or", .choices = pattern_choices,
     .missing = "no pattern given; say which with --pattern PATTERN"},
    {"width", "W", NUMBER(width), .help = "banks, threads of a warp and elements of a row; 32 by default",
     RANGE(1, RIFFLE_LAYOUT_MAX_WIDTH)},
    {"dims", "D", NUMBER(dims),
     .help = "2: an array of W x W; 4: of W x W x W x W. By default 2 where LAYOUT and PATTERN allow it",
     RANGE(2, 4)},
    {"trials", "T", NUMBER(trials), .help = "100000 by default", RANGE(1, 1000000000)},
    {"seed", "S", NUMBER(seed), .help = "of all random numbers; 1 by default", RANGE(0, UINT64_MAX)},
    TRACE_OPTIONS(traces),
    TRACE_PAGE_OPTION("html", traces),
    {"json", NULL, SWITCH(wants_json), .help = "print one JSON document"},
    {0},
};

const command congestion_command = {
    .name = "congestion",
    .summary = "count bank conflicts of shared-memory layouts",
    .usage = "--layout LAYOUT --pattern PATTERN [OPTION]...",
    .about = "Simulates a warp of W threads that asks for elements of an array in a shared\n"
             "memory of W banks, and prints the congestion: the largest number of different\n"
             "addresses in one bank, which is how many turns the request takes. Each trial\n"
             "draws the layout's random numbers anew.\n",
    .options = options,
    .notes = "raw is an array as it is, row by row. padded has an unused element after each\n"
             "row, xor has column c of row r at c XOR r. The others rotate rows by random\n"
             "numbers: rap in 2 dimensions, 1p, r1p, 3p, w2p and 1pw2r in 4, ras in both.\n",
    .run = run,
};
