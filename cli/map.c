/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle map: prints where a permutation sends indices, or over how many address groups warps spread them.
 */
#include <stdio.h>

#include "arrays/program_text.h"
#include "arrays/table_files.h"
#include "frame/command.h"
#include "frame/message.h"
#include "frame/options.h"
#include "frame/readers.h"
#include "riffle.h"

enum { AT_A_TIME = 4096 };

typedef struct request {
    const char *by;
    uint64_t n;
    bool inverse, wants_json;
    unsigned width; /* a distribution is asked for; 0: none is */
    command_operands indices;
} request;

static bool read_index(const request *ask, const char *word, uint64_t *out) {
    if (read_number(word, out) && *out < ask->n) return true;
    if (ask->n == 0) {
        complain("map: index '%s': an array of 0 elements has none", word);
    } else {
        complain("map: index '%s' is no number from 0 to %llu; write it in decimal or as 2^K", word,
                 (unsigned long long)ask->n - 1);
    }
    return false;
}

/* Before anything is printed. */
static bool indices_are_right(const request *ask) {
    uint64_t index;
    for (unsigned k = 0; k < ask->indices.count; ++k)
        if (!read_index(ask, ask->indices.words[k], &index)) return false;
    return true;
}

static void print_pair(const request *ask, bool is_first, uint64_t index, uint64_t to) {
    const unsigned long long i = index, p = to;
    if (ask->wants_json) {
        printf("%s[%llu, %llu]", is_first ? "" : ",\n  ", i, p);
    } else {
        printf("%llu -> %llu\n", i, p);
    }
}

static void print_given(const request *ask, const riffle_perm *perm) {
    uint64_t index;
    for (unsigned k = 0; k < ask->indices.count; ++k)
        if (read_index(ask, ask->indices.words[k], &index))
            print_pair(ask, k == 0, index, riffle_perm_at(perm, index));
}

/* A piece at a time, however many there are; until nobody listens. */
static riffle_status print_all(const request *ask, const riffle_perm *perm) {
    uint64_t to[AT_A_TIME];
    for (uint64_t first = 0; first < ask->n && ferror(stdout) == 0; first += AT_A_TIME) {
        const size_t count = ask->n - first < AT_A_TIME ? (size_t)(ask->n - first) : AT_A_TIME;
        const riffle_status status = riffle_perm_map(perm, first, count, to);
        if (status != RIFFLE_OK) return status;
        for (size_t k = 0; k < count; ++k) print_pair(ask, first + k == 0, first + k, to[k]);
    }
    return RIFFLE_OK;
}

static riffle_status print_map(const request *ask, const riffle_perm *perm) {
    riffle_status status = RIFFLE_OK;
    if (ask->wants_json)
        printf("{\"n\": %llu, \"inverse\": %s, \"map\": [\n  ", (unsigned long long)ask->n,
               ask->inverse ? "true" : "false");
    if (ask->indices.count > 0) {
        print_given(ask, perm);
    } else {
        status = print_all(ask, perm);
    }
    if (ask->wants_json) printf("]}\n");
    return status;
}

static riffle_status print_distribution(const request *ask, const riffle_perm *perm) {
    uint64_t sum;
    const riffle_status status = riffle_perm_distribution(perm, ask->width, &sum);
    if (status != RIFFLE_OK) return status;
    const unsigned long long d = sum, n = ask->n, least = (n + ask->width - 1) / ask->width;
    if (ask->wants_json)
        printf("{\"n\": %llu, \"inverse\": %s, \"width\": %u, \"distribution\": %llu}\n", n,
               ask->inverse ? "true" : "false", ask->width, d);
    else
        printf("D_%u = %llu, where %llu is the least and %llu the most\n", ask->width, d, least, n);
    return RIFFLE_OK;
}

static riffle_status parse(const request *ask, riffle_perm **out) {
    riffle_perm *perm;
    riffle_status status = riffle_perm_parse(ask->by, ask->n, &perm);
    if (status != RIFFLE_OK || !ask->inverse) {
        if (status == RIFFLE_OK) *out = perm;
        return status;
    }
    status = riffle_perm_invert(perm, out);
    riffle_perm_free(perm);
    return status;
}

static int run(int argc, char **argv) {
    request ask = {0};
    int exit_status;
    if (!options_read(&map_command, argc, argv, &ask, &exit_status)) return exit_status;
    if (ask.width > 0 && ask.indices.count > 0)
        complain("map: --distribution is of all indices; leave out those that are given");
    if ((ask.width > 0 && ask.indices.count > 0) || !indices_are_right(&ask)) return EXIT_USAGE;
    riffle_perm *perm;
    riffle_status status = parse(&ask, &perm);
    if (status != RIFFLE_OK) return complain_permutation(ask.by, ask.n, status);
    status = ask.width > 0 ? print_distribution(&ask, perm) : print_map(&ask, perm);
    riffle_perm_free(perm);
    return status == RIFFLE_OK ? finish_stdout(EXIT_DONE) : complain_status("map", status);
}

static const command_option options[] = {
    {"by", "SPEC", SPEC(by), .help = "the permutation P",
     .missing = "no permutation given; say which with --by SPEC"},
    N_OPTION,
    {"inverse", NULL, SWITCH(inverse), .help = "print which index goes to each INDEX, instead"},
    {"distribution", "W", UNSIGNED(width),
     .help = "print the distribution D_W(P) of the HMM paper instead: the address groups of W elements that a "
             "scatter's warps of W threads write, summed over all warps; a gather's with --inverse",
     RANGE(1, 32)},
    {"json", NULL, SWITCH(wants_json), .help = "print one JSON document"},
    {0},
};

const command map_command = {
    .name = "map",
    .summary = "print where a permutation sends indices",
    .usage = "--by SPEC --n N [OPTION]... [INDEX]...",
    .about = "Prints a line 'i -> P(i)' for each INDEX, or for every index of 0..N-1 if none\n"
             "is given. Moves nothing.\n",
    .options = options,
    .notes = SPEC_HELP,
    .operands = ANY_OPERANDS,
    .operand_field = FIELD(command_operands, indices),
    .run = run,
};
