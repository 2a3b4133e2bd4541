/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs in the opposite order, by each set of instructions that is here, against the definition: elements of common and of odd sizes,
 * lengths about those of vectors, any addresses, past the caches or not; nothing beyond the run is written.
 */
#include "move/cpu/passes/reverse_run/reverse_run.h"
#include "support.h"

static uint64_t seed;

static void check_run(rng *r, vector_set set) {
    static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    const size_t elem_bytes = sizes[rng_below(r, sizeof sizes / sizeof *sizes)];
    const uint64_t count = rng_below(r, 300);
    const bool stream = rng_below(r, 2) == 0;
    guarded dst = guarded_create(count * elem_bytes, rng_below(r, 64));
    guarded src = guarded_create(count * elem_bytes, rng_below(r, 64));
    fill_random(r, src.data, src.bytes);
    reverse_runs[set]((char *)dst.data, (const char *)src.data + src.bytes, count, elem_bytes, stream);
    bool right = guarded_intact(&dst);
    for (uint64_t i = 0; i < count; i++)
        right &= memcmp(dst.data + i * elem_bytes, src.data + (count - 1 - i) * elem_bytes, elem_bytes) == 0;
    if (!right)
        fail_msg("seed %llu, %s: %llu elements of %zu bytes, offsets %zu and %zu%s", (unsigned long long)seed,
                 vectors_name(set), (unsigned long long)count, elem_bytes, dst.offset, src.offset,
                 stream ? ", streamed" : "");
    guarded_free(&dst);
    guarded_free(&src);
}

static void runs_are_reversed(void **state) {
    (void)state;
    rng r = {seed};
    for (vector_set set = VECTORS_PORTABLE; set < VECTOR_SETS; set++)
        for (unsigned round = 0; round < test_rounds(2000); round++)
            if (vectors_has(set) && reverse_runs[set] != NULL) check_run(&r, set);
}

int main(void) {
    seed = test_seed();
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_are_reversed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
