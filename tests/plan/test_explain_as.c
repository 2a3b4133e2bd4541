/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations for GPUs that are not here and for other machines: what they say by the library's calls, and what is refused.
 */
#include "support.h"

#include <limits.h>

#include "riffle/cuda.h"
#include "riffle/machine.h"

enum { ROOM = 1 << 14 };

static riffle_status explain_into(char text[static ROOM], const char *spec, uint64_t n, riffle_engine engine,
                                  const riffle_explanation *how) {
    riffle_perm *perm = parse_or_fail(spec, n);
    FILE *stream = fmemopen(text, ROOM, "w");
    assert_non_null(stream);
    const riffle_status status = riffle_explain_as(perm, 4, engine, NULL, how, stream);
    fclose(stream);
    riffle_perm_free(perm);
    return status;
}

static void named_gpus_have_every_number(void **state) {
    (void)state;
    static const char *const names[] = {"a100", "h100", "h200"};
    char text[ROOM] = {0};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        riffle_cuda_device gpu;
        riffle_explanation how = {.gpu = &gpu};
        assert_int_equal(riffle_cuda_device_named(names[k], &gpu, &how.bytes_per_second), RIFFLE_OK);
        assert_int_equal(riffle_cuda_device_named(names[k], &gpu, NULL), RIFFLE_OK);
        assert_true(how.bytes_per_second > UINT64_C(2000000000000));
        assert_int_equal(explain_into(text, "bit-reversal", 1 << 24, RIFFLE_ENGINE_CUDA, &how), RIFFLE_OK);
        assert_non_null(strstr(text, "\nat best "));
    }
}

static void other_names_are_refused(void **state) {
    (void)state;
    riffle_cuda_device gpu;
    assert_int_equal(riffle_cuda_device_named("H200", &gpu, NULL), RIFFLE_ERROR_INVALID_ARGUMENT);
    assert_string_equal(riffle_error_detail(), "there is no GPU named 'H200'; there are a100, h100 and h200");
}

/* riffle_explain prints the same as no explanation, and as one of zeros. */
static void zeros_are_the_defaults(void **state) {
    (void)state;
    char plain[ROOM] = {0}, none[ROOM] = {0}, zeros[ROOM] = {0};
    riffle_perm *perm = parse_or_fail("shuffle", 1 << 12);
    FILE *stream = fmemopen(plain, ROOM, "w");
    assert_non_null(stream);
    assert_int_equal(riffle_explain(perm, 4, RIFFLE_ENGINE_CPU, NULL, stream), RIFFLE_OK);
    fclose(stream);
    riffle_perm_free(perm);
    const riffle_explanation how = {.json = false};
    assert_int_equal(explain_into(none, "shuffle", 1 << 12, RIFFLE_ENGINE_CPU, NULL), RIFFLE_OK);
    assert_int_equal(explain_into(zeros, "shuffle", 1 << 12, RIFFLE_ENGINE_CPU, &how), RIFFLE_OK);
    assert_string_equal(plain, none);
    assert_string_equal(plain, zeros);
}

static void refuses(riffle_status status, const char *reason, riffle_engine engine,
                    const riffle_explanation *how) {
    char text[ROOM] = {0};
    assert_int_equal(explain_into(text, "reverse", 64, engine, how), status);
    assert_string_equal(text, "");
    assert_non_null(strstr(riffle_error_detail(), reason));
}

static void what_cannot_be_explained_is_refused(void **state) {
    (void)state;
    riffle_cuda_device gpu;
    assert_int_equal(riffle_cuda_device_named("h100", &gpu, NULL), RIFFLE_OK);
    refuses(RIFFLE_ERROR_INVALID_ARGUMENT, "ask for cuda", RIFFLE_ENGINE_CPU,
            &(riffle_explanation){.gpu = &gpu});
    riffle_cuda_device changed = gpu;
    changed.l2_bytes = 0;
    refuses(RIFFLE_ERROR_INVALID_ARGUMENT, "lacks a number", RIFFLE_ENGINE_CUDA,
            &(riffle_explanation){.gpu = &changed});
    changed = gpu;
    changed.multiprocessors = UINT_MAX;
    refuses(RIFFLE_ERROR_INVALID_ARGUMENT, "that no GPU has", RIFFLE_ENGINE_CUDA,
            &(riffle_explanation){.gpu = &changed});
    static const unsigned widths[] = {3, 33, 64, UINT_MAX};
    for (unsigned k = 0; k < 4; k++)
        refuses(RIFFLE_ERROR_UNSUPPORTED, "a power of two, 32 at most", RIFFLE_ENGINE_CPU,
                &(riffle_explanation){.model = {.width = widths[k]}});
}

static void a_full_disk_is_noticed(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) skip();
    riffle_perm *perm = parse_or_fail("reverse", 64);
    assert_int_equal(
        riffle_explain_as(perm, 4, RIFFLE_ENGINE_CPU, NULL, &(riffle_explanation){.json = true}, full),
        RIFFLE_ERROR_IO);
    fclose(full);
    riffle_perm_free(perm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_gpus_have_every_number), cmocka_unit_test(other_names_are_refused),
        cmocka_unit_test(zeros_are_the_defaults),       cmocka_unit_test(what_cannot_be_explained_is_refused),
        cmocka_unit_test(a_full_disk_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
