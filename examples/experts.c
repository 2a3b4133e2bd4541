/* SPDX-License-Identifier: Apache-2.0
 *
 * experts [TOKENS]: the permutation of a layer that is a mixture of experts. A router gives each token two of eight experts and a
 * weight for each; tokens are brought together by expert, padded to multiples of 16 rows as matrix products like them; each expert works
 * on its rows; and each token becomes the weighted sum of what its experts made of it. A token is read once on its way there, and the
 * sums are the same bytes each time.
 */
#include <math.h>
#include <riffle.h>
#include <riffle/group.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXPERTS = 8, OF_TOKEN = 2, WIDTH = 64, MULTIPLE = 16 };

typedef struct layer {
    uint64_t tokens, room; /* rows of all experts, at most */
    float *in, *grouped, *out, *weights;
    int32_t *experts; /* two for each token */
    uint32_t *places; /* where a token's two rows are in grouped */
    uint64_t offsets[EXPERTS + 1], counts[EXPERTS];
} layer;

static void *allocate(size_t bytes) {
    void *const out = calloc(1, bytes + 1);
    if (out == NULL) exit(EXIT_FAILURE);
    return out;
}

/* The router's choice, and its weights, which add up to 1. */
static void route(layer *l) {
    for (uint64_t t = 0; t < l->tokens; t++) {
        const uint64_t word = riffle_group_hash(t);
        l->experts[2 * t] = (int32_t)(word % EXPERTS);
        l->experts[2 * t + 1] = (int32_t)((word % EXPERTS + 1 + word / EXPERTS % (EXPERTS - 1)) % EXPERTS);
        l->weights[2 * t] = 0.5f + (float)(word >> 40 & 255) / 512;
        l->weights[2 * t + 1] = 1 - l->weights[2 * t];
        for (int k = 0; k < WIDTH; k++) l->in[t * WIDTH + (uint64_t)k] = sinf((float)t + (float)k);
    }
}

/* A stand-in for two matrix products. */
static float expert(int number, float x) { return x * (float)(number + 1) + (float)number; }

static void work(layer *l) {
    for (int e = 0; e < EXPERTS; e++)
        for (uint64_t k = l->offsets[e] * WIDTH; k < l->offsets[e + 1] * WIDTH; k++)
            l->grouped[k] = expert(e, l->grouped[k]);
}

static riffle_status run(layer *l, const riffle_group_plan *plan) {
    const riffle_ungroup_task back = {.n = l->tokens,
                                      .keys_per_row = OF_TOKEN,
                                      .rows = l->room,
                                      .row_bytes = WIDTH * sizeof(float),
                                      .index_bytes = sizeof *l->places,
                                      .sum = RIFFLE_UNGROUP_SUM_F32};
    const riffle_status status = riffle_group_execute(plan, &(riffle_group_arrays){.rows = l->grouped,
                                                                                   .from_rows = l->in,
                                                                                   .keys = l->experts,
                                                                                   .offsets = l->offsets,
                                                                                   .counts = l->counts,
                                                                                   .places = l->places});
    if (status != RIFFLE_OK) return status;
    work(l);
    return riffle_ungroup(&back, &(riffle_ungroup_arrays){l->out, l->grouped, l->places, l->weights}, NULL);
}

/* The layer, token by token. */
static int is_right(const layer *l) {
    for (uint64_t t = 0; t < l->tokens; t++)
        for (uint64_t k = t * WIDTH; k < (t + 1) * WIDTH; k++) {
            const float first = l->weights[2 * t] * expert(l->experts[2 * t], l->in[k]),
                        second = l->weights[2 * t + 1] * expert(l->experts[2 * t + 1], l->in[k]);
            if (fabsf(l->out[k] - (first + second)) > 1e-5f) return 0;
        }
    return 1;
}

/* 0 for what is no number of tokens. */
static uint64_t tokens_of(const char *text) {
    char *end;
    const uint64_t tokens = strtoull(text, &end, 10);
    return *end != '\0' || tokens > 100000000 ? 0 : tokens;
}

int main(int argc, char **argv) {
    const riffle_group_options options = {
        .keys_per_row = OF_TOKEN, .multiple = MULTIPLE, .index_bytes = sizeof(uint32_t)};
    layer l = {.tokens = argc > 1 ? tokens_of(argv[1]) : 8192};
    riffle_group_plan *plan = NULL;
    if (l.tokens == 0) {
        fprintf(stderr, "usage: experts [TOKENS], TOKENS from 1 to 10^8\n");
        return EXIT_FAILURE;
    }
    if (riffle_group_plan_create(l.tokens, WIDTH * sizeof(float), RIFFLE_TYPE_I32, EXPERTS, RIFFLE_ENGINE_CPU,
                                 &options, &plan) != RIFFLE_OK) {
        fprintf(stderr, "experts: %s\n", riffle_error_detail());
        return EXIT_FAILURE;
    }
    l.room = riffle_group_plan_room(plan);
    l.in = allocate(l.tokens * WIDTH * sizeof *l.in);
    l.out = allocate(l.tokens * WIDTH * sizeof *l.out);
    l.grouped = allocate(l.room * WIDTH * sizeof *l.grouped);
    l.weights = allocate(l.tokens * OF_TOKEN * sizeof *l.weights);
    l.experts = allocate(l.tokens * OF_TOKEN * sizeof *l.experts);
    l.places = allocate(l.tokens * OF_TOKEN * sizeof *l.places);
    route(&l);
    const riffle_status status = run(&l, plan);
    riffle_group_plan_free(plan);
    if (status != RIFFLE_OK || !is_right(&l)) {
        fprintf(stderr, "experts: %s\n", status != RIFFLE_OK ? riffle_error_detail() : "the sums are wrong");
        return EXIT_FAILURE;
    }
    printf("%llu tokens, rows of the experts:", (unsigned long long)l.tokens);
    for (int e = 0; e < EXPERTS; e++) printf(" %llu", (unsigned long long)l.counts[e]);
    printf("\n");
    free(l.in), free(l.out), free(l.grouped), free(l.weights), free(l.experts), free(l.places);
    return EXIT_SUCCESS;
}
