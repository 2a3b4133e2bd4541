/* SPDX-License-Identifier: Apache-2.0
 *
 * The libraries that libriffle loads: missing, of another build, asked for by many threads, failing, and still there when libriffle
 * goes. Loading happens once a process, so each test is a process of its own.
 *
 *     test_libraries BUILD OTHER LIBRIFFLE    the folder of the libraries, one of others with their names, and libriffle.so
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "riffle/cuda.h"
#include "riffle/machine.h"

enum { N = 256, THREADS = 16 };

static const char *build, *other, *libriffle;

static void in_a_process(void (*test)(void)) {
    int status;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        test();
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* cmocka's assertions jump into the parent's test: a child ends where one does not hold. */
static void check(int holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s: %s\n", what, riffle_error_detail());
    exit(1);
}
#define CHECK(holds) check(holds, #holds)

static void look_in(const char *folder) { CHECK(setenv("RIFFLE_LIBRARY_PATH", folder, 1) == 0); }
static int says(const char *words) { return strstr(riffle_error_detail(), words) != NULL; }

static riffle_status simulate(uint64_t *time_units) {
    riffle_perm *perm = NULL;
    riffle_report *report = NULL;
    riffle_status status = riffle_perm_bit_reversal(N, &perm);
    if (status == RIFFLE_OK) status = riffle_simulate(perm, 4, NULL, NULL, &report);
    if (status == RIFFLE_OK) *time_units = riffle_report_time_units(report);
    riffle_report_free(report);
    riffle_perm_free(perm);
    return status;
}

static void miss(void) {
    uint64_t time_units = 0;
    riffle_cuda_device gpu;
    look_in("/no such folder");
    riffle_report_free(NULL);
    CHECK(simulate(&time_units) == RIFFLE_ERROR_UNSUPPORTED);
    CHECK(says("the memory machine is in libriffle-machine.so.0.1, which cannot be loaded (/no such "
               "folder/libriffle-machine.so.0.1"));
    CHECK(says("install libriffle-machine " RIFFLE_VERSION
               " (Python: riffle-arrays[machine]), or have RIFFLE_LIBRARY_PATH name the folder that has it"));
    CHECK(riffle_cuda_describe(&gpu) == RIFFLE_ERROR_UNSUPPORTED);
    CHECK(says("the cuda engine is in libriffle-cuda.so.0.1, which cannot be loaded (/no such "
               "folder/libriffle-cuda.so.0.1"));
    CHECK(says("; or use the cpu engine"));
    look_in(build);
    CHECK(simulate(&time_units) == RIFFLE_OK && time_units > 0);
}
static void test_missing(void **state) {
    (void)state;
    in_a_process(miss);
}

static void meet_another_build(void) {
    uint64_t time_units = 0;
    riffle_cuda_device gpu;
    look_in(other);
    CHECK(simulate(&time_units) == RIFFLE_ERROR_UNSUPPORTED);
    CHECK(says("libriffle-machine.so.0.1 was loaded and is of another build, 0.0.0 of nobody, than this "
               "libriffle, " RIFFLE_VERSION " "));
    CHECK(says("install libriffle-machine and libriffle of one build"));
    CHECK(riffle_cuda_describe(&gpu) == RIFFLE_ERROR_UNSUPPORTED);
    CHECK(says("libriffle-cuda.so.0.1 was loaded and is of another build, unknown, than"));
    look_in(build);
    CHECK(simulate(&time_units) == RIFFLE_OK && time_units > 0);
}
static void test_another_build(void **state) {
    (void)state;
    in_a_process(meet_another_build);
}

static void *simulate_in_a_thread(void *time_units) {
    return simulate(time_units) == RIFFLE_OK ? time_units : NULL;
}
static void ask_at_once(void) {
    pthread_t threads[THREADS];
    uint64_t time_units[THREADS] = {0};
    look_in(build);
    for (int k = 0; k < THREADS; k++)
        CHECK(pthread_create(&threads[k], NULL, simulate_in_a_thread, &time_units[k]) == 0);
    for (int k = 0; k < THREADS; k++) {
        void *done;
        CHECK(pthread_join(threads[k], &done) == 0 && done != NULL);
        CHECK(time_units[k] > 0 && time_units[k] == time_units[0]);
    }
}
static void test_threads(void **state) {
    (void)state;
    in_a_process(ask_at_once);
}

/* The last failure's sentence, wherever it was. */
static void fail_on_both_sides(void) {
    const riffle_lint_job job = {.file = "no such kernel.cu", .kernel = "k"};
    riffle_report *report = NULL;
    riffle_perm *perm = NULL;
    look_in(build);
    CHECK(riffle_perm_bit_reversal(3, &perm) == RIFFLE_ERROR_LENGTH);
    CHECK(riffle_lint(&job, NULL, &report) != RIFFLE_OK && says("no such kernel.cu"));
    CHECK(riffle_perm_bit_reversal(3, &perm) == RIFFLE_ERROR_LENGTH && !says("no such kernel.cu"));
}
static void test_failures(void **state) {
    (void)state;
    in_a_process(fail_on_both_sides);
}

typedef riffle_status simulate_of(const riffle_perm *perm, size_t elem_bytes, const riffle_plan_options *plan,
                                  const riffle_machine_options *machine, riffle_report **out);
typedef riffle_status reversal_of(uint64_t n, riffle_perm **out);
typedef void free_report(riffle_report *report);
typedef void free_perm(riffle_perm *perm);

static void simulate_by(void *library) {
    riffle_perm *perm = NULL;
    riffle_report *report = NULL;
    CHECK(((reversal_of *)dlsym(library, "riffle_perm_bit_reversal"))(N, &perm) == RIFFLE_OK);
    CHECK(((simulate_of *)dlsym(library, "riffle_simulate"))(perm, 4, NULL, NULL, &report) == RIFFLE_OK);
    ((free_report *)dlsym(library, "riffle_report_free"))(report);
    ((free_perm *)dlsym(library, "riffle_perm_free"))(perm);
}

/* libriffle.so comes and goes beside the libriffle of this program. */
static void unload(void) {
    uint64_t time_units;
    look_in(build);
    for (int k = 0; k < 3; k++) {
        void *const library = dlopen(libriffle, RTLD_NOW | RTLD_LOCAL);
        CHECK(library != NULL);
        simulate_by(library);
        CHECK(dlclose(library) == 0);
        CHECK(dlopen(libriffle, RTLD_NOW | RTLD_NOLOAD) == NULL);
        CHECK(simulate(&time_units) == RIFFLE_OK);
    }
}
static void test_unloading(void **state) {
    (void)state;
    in_a_process(unload);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing),  cmocka_unit_test(test_another_build), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_failures), cmocka_unit_test(test_unloading),
    };
    if (argc != 4) return 2;
    build = argv[1], other = argv[2], libriffle = argv[3];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
