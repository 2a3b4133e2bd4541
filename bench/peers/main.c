/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_peers [arbitrary | axes [SEED] | sort]: what other libraries take for the rows of a suite, as one JSON document, checked
 * and timed by the same code as `riffle bench` does riffle's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"
#include "riffle/cuda.h"

enum { EXIT_WRONG = 1, EXIT_USED_WRONG = 2, EXIT_NO_PEERS = 77 };

static int no_peers(const char *why) {
    fprintf(stderr, "no peers: %s\n", why);
    return EXIT_NO_PEERS;
}

static int usage(void) {
    fprintf(stderr, "usage: cuda_peers [arbitrary | axes [SEED] | sort] >FILE.json\n");
    return EXIT_USED_WRONG;
}

int main(int argc, char **argv) {
    const bool is_axes = argc > 1 && strcmp(argv[1], "axes") == 0;
    const bool is_arbitrary = argc == 1 || (argc == 2 && strcmp(argv[1], "arbitrary") == 0);
    const bool is_sort = argc == 2 && strcmp(argv[1], "sort") == 0;
    char *end = NULL;
    errno = 0;
    const uint64_t seed = is_axes && argc == 3 ? strtoull(argv[2], &end, 10) : 1;
    if ((!is_axes && !is_arbitrary && !is_sort) || argc > 3 || errno != 0 ||
        (end != NULL && (*end != '\0' || end == argv[2])))
        return usage();
    riffle_cuda_device gpu;
    const char *why = NULL;
    if (riffle_cuda_describe(&gpu) != RIFFLE_OK) return no_peers(riffle_error_detail());
    const bool right = is_axes ? peers_axes(seed, &why) : is_sort ? peers_sort() : peers_arbitrary();
    if (why != NULL) return no_peers(why);
    return right && fflush(stdout) == 0 ? 0 : EXIT_WRONG;
}
