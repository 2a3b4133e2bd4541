/* SPDX-License-Identifier: Apache-2.0
 *
 * Stands in for libFuzzer where there is none: runs a fuzz target over every file of its corpus, then over
 * mutations of them, the same on every machine.
 *
 *     fuzz_NAME CORPUS_DIR [MUTATIONS]
 *
 * A crash leaves the input that caused it in crash-replay, for the libFuzzer build to take up.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_INPUT 4096
#define MOST_FILES 1024

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    uint8_t bytes[LARGEST_INPUT];
    size_t size;
} input;

static input current; // the input that the target is looking at now, for keep_input()

static uint64_t next_random(void) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void keep_input(int signal_number) {
    FILE *file = fopen("crash-replay", "wb");
    if (file && fwrite(current.bytes, 1, current.size, file) == current.size) fclose(file);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* The target gets a copy of exactly the input's size, so that a read beyond it is one beyond its memory. */
static void run_target(void) {
    uint8_t *exact = malloc(current.size ? current.size : 1);
    if (!exact) abort();
    memcpy(exact, current.bytes, current.size);
    LLVMFuzzerTestOneInput(exact, current.size);
    free(exact);
}

static size_t below(size_t bound) { return (size_t)(next_random() % bound); }

/* One change: a bit flipped, a byte set, a piece cut out, or a piece of another file put in. */
static void mutate_once(const input *other) {
    size_t at = below(current.size + 1);
    size_t left = current.size - at;
    switch (below(4)) {
    case 0:
        if (left) current.bytes[at] ^= (uint8_t)(1u << below(8));
        break;
    case 1:
        if (left) current.bytes[at] = (uint8_t)next_random();
        break;
    case 2: {
        size_t cut = left ? below(left < 8 ? left : 8) + 1 : 0;
        if (cut > left) cut = left;
        memmove(current.bytes + at, current.bytes + at + cut, left - cut);
        current.size -= cut;
        break;
    }
    default: {
        size_t start = below(other->size + 1);
        size_t piece = below(other->size - start + 1) % 32;
        if (current.size + piece > LARGEST_INPUT) break;
        memmove(current.bytes + at + piece, current.bytes + at, left);
        memcpy(current.bytes + at, other->bytes + start, piece);
        current.size += piece;
    }
    }
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool read_input(const char *folder, const char *name, input *out) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    out->size = fread(out->bytes, 1, LARGEST_INPUT, file);
    fclose(file);
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s CORPUS_DIR [MUTATIONS]\n", argv[0]);
        return 2;
    }
    long mutations = argc > 2 ? atol(argv[2]) : 50000;
    struct dirent **names;
    int found = scandir(argv[1], &names, NULL, by_name);
    input *corpus = malloc(MOST_FILES * sizeof *corpus);
    size_t files = 0;
    for (int k = 0; k < found; k++) {
        if (corpus && files < MOST_FILES && names[k]->d_name[0] != '.')
            files += read_input(argv[1], names[k]->d_name, &corpus[files]);
        free(names[k]);
    }
    if (found >= 0) free(names);
    if (!corpus || !files) {
        fprintf(stderr, "%s: no corpus in %s\n", argv[0], argv[1]);
        free(corpus);
        return 1;
    }
    signal(SIGABRT, keep_input);
    signal(SIGSEGV, keep_input);
    for (size_t k = 0; k < files; k++) {
        current = corpus[k];
        run_target();
    }
    for (long k = 0; k < mutations; k++) {
        current = corpus[below(files)];
        for (size_t changes = below(6) + 1; changes; changes--) mutate_once(&corpus[below(files)]);
        run_target();
    }
    printf("%zu inputs of %s and %ld mutations\n", files, argv[1], mutations);
    free(corpus);
    return 0;
}
