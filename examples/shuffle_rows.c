/* SPDX-License-Identifier: Apache-2.0
 *
 * shuffle_rows [SAMPLES [SEED]]: makes a data set of two .npy files in the current folder, features (64
 * floats a sample) and labels, and shuffles both by one random permutation, so that pairs stay together.
 */
#include <riffle/npy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 64 };

static void check(riffle_status status) {
    if (status == RIFFLE_OK) return;
    fprintf(stderr, "shuffle_rows: %s: %s\n", riffle_status_string(status), riffle_error_detail());
    exit(1);
}

/* Sample k has label k and the features k, k + 1, ..., so whatever moved can be recognized. */
static void make_files(uint64_t samples) {
    riffle_npy_header features = {.descr = "'<f4'", .elem_bytes = 4, .rank = 2, .shape = {samples, FEATURES}};
    riffle_npy_header labels = {.descr = "'<i8'", .elem_bytes = 8, .rank = 1, .shape = {samples}};
    riffle_npy_output *feature_file, *label_file;
    check(riffle_npy_output_create("features.npy", &features, NULL, &feature_file));
    check(riffle_npy_output_create("labels.npy", &labels, NULL, &label_file));
    float *feature = riffle_npy_output_data(feature_file);
    int64_t *label = riffle_npy_output_data(label_file);
    for (uint64_t k = 0; k < samples; k++) {
        label[k] = (int64_t)k;
        for (uint64_t j = 0; j < FEATURES; j++) feature[k * FEATURES + j] = (float)(k + j);
    }
    check(riffle_npy_output_commit(feature_file));
    check(riffle_npy_output_commit(label_file));
}

/* Moves whole rows: an element of the plan is everything under one index of the first axis. */
static void shuffle_file(const char *from, const char *to, const riffle_perm *order) {
    riffle_npy_input *input;
    riffle_npy_output *output;
    riffle_plan *plan;
    check(riffle_npy_input_open(from, &input));
    const riffle_npy_header *header = riffle_npy_input_header(input);
    uint64_t samples = riffle_perm_length(order);
    size_t row_bytes = riffle_npy_input_length(input) / samples * header->elem_bytes;
    check(riffle_npy_output_create(to, header, input, &output));
    check(riffle_plan_create(order, row_bytes, RIFFLE_ENGINE_CPU, NULL, &plan));
    check(riffle_execute(plan, riffle_npy_output_data(output), riffle_npy_input_data(input)));
    check(riffle_npy_output_commit(output));
    riffle_plan_free(plan);
    riffle_npy_input_close(input);
}

static uint64_t count_wrong(const riffle_perm *order) {
    riffle_npy_input *features, *labels;
    check(riffle_npy_input_open("features-shuffled.npy", &features));
    check(riffle_npy_input_open("labels-shuffled.npy", &labels));
    const float *feature = riffle_npy_input_data(features);
    const int64_t *label = riffle_npy_input_data(labels);
    uint64_t wrong = 0;
    for (uint64_t k = 0; k < riffle_perm_length(order); k++) { // sample k went to row `at`
        uint64_t at = riffle_perm_at(order, k);
        wrong += label[at] != (int64_t)k;
        for (uint64_t j = 0; j < FEATURES; j++) wrong += feature[at * FEATURES + j] != (float)(k + j);
    }
    riffle_npy_input_close(features);
    riffle_npy_input_close(labels);
    return wrong;
}

int main(int argc, char **argv) {
    char *end = "", *seed_end = "";
    long long samples = argc > 1 ? strtoll(argv[1], &end, 10) : 100000;
    unsigned long long seed = argc > 2 ? strtoull(argv[2], &seed_end, 10) : 1;
    if (argc > 3 || *end || *seed_end || samples < 1 || samples > 1 << 24) {
        fprintf(stderr, "usage: shuffle_rows [SAMPLES [SEED]]   with 1 <= SAMPLES <= %d\n", 1 << 24);
        return 2;
    }
    riffle_perm *order;
    check(riffle_perm_random((uint64_t)samples, seed, &order));
    make_files((uint64_t)samples);
    shuffle_file("features.npy", "features-shuffled.npy", order);
    shuffle_file("labels.npy", "labels-shuffled.npy", order);
    uint64_t wrong = count_wrong(order);
    printf("%lld samples shuffled into features-shuffled.npy and labels-shuffled.npy, %llu numbers wrong\n",
           samples, (unsigned long long)wrong);
    riffle_perm_free(order);
    return wrong ? 1 : 0;
}
