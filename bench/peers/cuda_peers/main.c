/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_peers [SUITE] [OPTION]...: what other libraries take for the rows of a suite, as one JSON document, checked and timed by the
 * same code as riffle-bench does riffle's. The document is whole whenever it ends.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "peers.h"
#include "riffle/cuda.h"
#include "system/clock.h"

enum { EXIT_WRONG = 1, EXIT_USED_WRONG = 2, EXIT_NO_PEERS = 77 };

typedef struct request {
    const char *suite;
    peers_choice choice;
} request;

static int no_peers(const char *why) {
    fprintf(stderr, "no peers: %s\n", why);
    return EXIT_NO_PEERS;
}

static int usage(void) {
    fprintf(stderr, "usage: cuda_peers [arbitrary | axes | sort] [OPTION]... >FILE.json\n\n"
                    "  --only TEXT   the rows whose SPEC contains TEXT, and those of the group TEXT\n"
                    "  --seconds S   begin no more rows after S seconds\n"
                    "  --seed S      of axes: the seed of its random shapes; 1 by default\n");
    return EXIT_USED_WRONG;
}

/* All of `text` has been read up to `end`. */
static bool is_read(const char *text, const char *end) { return errno == 0 && end != text && *end == '\0'; }

static bool read_option(int letter, const char *text, peers_choice *choice) {
    char *end = NULL;
    errno = 0;
    switch (letter) {
    case 'o': choice->only = text; return true;
    case 's': choice->until = seconds_now() + strtod(text, &end); return is_read(text, end);
    case 'd': choice->seed = strtoull(text, &end, 10); return is_read(text, end);
    default: return false;
    }
}

static bool read_request(int argc, char **argv, request *ask) {
    static const struct option options[] = {{"only", required_argument, NULL, 'o'},
                                            {"seconds", required_argument, NULL, 's'},
                                            {"seed", required_argument, NULL, 'd'},
                                            {0}};
    for (int letter; (letter = getopt_long(argc, argv, "", options, NULL)) >= 0;)
        if (!read_option(letter, optarg, &ask->choice)) return false;
    if (optind < argc) ask->suite = argv[optind];
    return optind + 1 >= argc;
}

static bool measure(const request *ask, const char **why) {
    if (strcmp(ask->suite, "axes") == 0) return peers_axes(&ask->choice, why);
    return strcmp(ask->suite, "sort") == 0 ? peers_sort(&ask->choice) : peers_arbitrary(&ask->choice);
}

static bool is_suite(const char *name) {
    return strcmp(name, "arbitrary") == 0 || strcmp(name, "axes") == 0 || strcmp(name, "sort") == 0;
}

int main(int argc, char **argv) {
    request ask = {.suite = "arbitrary", .choice = {.seed = 1}};
    if (!read_request(argc, argv, &ask) || !is_suite(ask.suite)) return usage();
    riffle_cuda_device gpu;
    const char *why = NULL;
    if (riffle_cuda_describe(&gpu) != RIFFLE_OK) return no_peers(riffle_error_detail());
    const bool right = measure(&ask, &why);
    if (why != NULL) return no_peers(why);
    if (document_rows() == 0) {
        fprintf(stderr, "cuda_peers: option --only: no row of '%s' has '%s'\n", ask.suite, ask.choice.only);
        return EXIT_USED_WRONG;
    }
    return right && fflush(stdout) == 0 ? 0 : EXIT_WRONG;
}
