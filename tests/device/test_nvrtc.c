/* SPDX-License-Identifier: Apache-2.0
 *
 * Users' operations compiled for GPUs, without a GPU: the cache of kernels, also with files that are broken, other processes
 * and writers that are killed; and, where NVRTC is installed, the compiler itself.
 */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device/nvrtc/cache.h"
#include "program/gpu/own.h"
#include "program_support.h"
#include "sort/gpu/own_kernel.h"

static uint64_t seed;
static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/riffle-test-XXXXXX");
    return mkdtemp(folder) != NULL && setenv("XDG_CACHE_HOME", folder, 1) == 0 ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at) {
    (void)status, (void)kind, (void)at;
    return remove(path);
}

static int remove_folder(void **state) {
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Calls `see` for each file of the cache; how many there are. */
static unsigned each_file(void (*see)(const char *path)) {
    char path[512];
    snprintf(path, sizeof path, "%s/riffle", folder);
    DIR *files = opendir(path);
    unsigned count = 0;
    for (struct dirent *file; files != NULL && (file = readdir(files)) != NULL;) {
        if (file->d_name[0] == '.') continue;
        count++;
        snprintf(path, sizeof path, "%s/riffle/%s", folder, file->d_name);
        if (see != NULL) see(path);
    }
    if (files != NULL) closedir(files);
    return count;
}

static void keep(const char *key, const char *code) {
    nvrtc_cache_keep(key, &(nvrtc_code){(void *)(uintptr_t)code, strlen(code)}, NVRTC_CACHE_BYTES);
}

/* Other keys push this process's copies out of memory, so that the next look is at the files. */
static void forget(void) {
    static unsigned times;
    char key[32];
    setenv("XDG_CACHE_HOME", "/proc/no-such-folder", 1);
    for (unsigned k = 0; k < NVRTC_CACHE_KERNELS; k++) {
        snprintf(key, sizeof key, "other %u", times++);
        keep(key, "x");
    }
    setenv("XDG_CACHE_HOME", folder, 1);
}

static bool finds(const char *key, const char *code) {
    nvrtc_code found;
    if (!nvrtc_cache_find(key, &found)) return false;
    const bool same = found.count == strlen(code) && memcmp(found.bytes, code, found.count) == 0;
    free(found.bytes);
    if (!same) fail_msg("another code was found under '%s'", key);
    return true;
}

static void kernels_are_kept(void **state) {
    (void)state;
    assert_false(finds("key", "code"));
    keep("key", "code");
    assert_true(finds("key", "code"));
    assert_false(finds("kez", "code"));
    forget();
    assert_int_equal(each_file(NULL), 1);
    assert_true(finds("key", "code"));
    keep("key", "another code");
    forget();
    assert_true(finds("key", "another code"));
    assert_int_equal(each_file(NULL), 1);
}

static unsigned broken;
static void break_file(const char *path) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    const int file = open(path, O_RDWR);
    assert_true(file >= 0);
    char byte;
    const off_t at = broken % status.st_size;
    if (broken < status.st_size) { /* a byte is another one, and then files that end early */
        assert_int_equal(pread(file, &byte, 1, at), 1);
        byte = (char)(byte ^ 0x10);
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
    } else {
        assert_int_equal(ftruncate(file, at), 0);
    }
    close(file);
}

static void broken_files_are_no_kernels(void **state) {
    (void)state;
    const size_t bytes = 16 + 3 * 8 + strlen("key") + strlen("code");
    for (broken = 0; broken < 2 * bytes; broken++) {
        keep("key", "code");
        each_file(break_file);
        forget();
        if (finds("key", "code")) fail_msg("a file broken at %u is a kernel", broken);
    }
    keep("key", "code");
    forget();
    assert_true(finds("key", "code"));
}

/* ------------------------------------------------------- the limit of bytes */

enum {
    HEAD_BYTES = 16 + 3 * 8,
    KEY_BYTES = 2,
    CODE_BYTES = 1000,
    FILE_BYTES = HEAD_BYTES + KEY_BYTES + CODE_BYTES
};

/* Keeps a kernel of FILE_BYTES under "k0" to "k9". */
static void keep_numbered(unsigned k, uint64_t bytes) {
    char key[KEY_BYTES + 1] = {'k', (char)('0' + k)}, code[CODE_BYTES];
    memset(code, 'c', sizeof code);
    nvrtc_cache_keep(key, &(nvrtc_code){code, sizeof code}, bytes);
}

static bool finds_numbered(unsigned k) {
    const char key[KEY_BYTES + 1] = {'k', (char)('0' + k)};
    nvrtc_code found;
    if (!nvrtc_cache_find(key, &found)) return false;
    assert_int_equal(found.count, CODE_BYTES);
    free(found.bytes);
    return true;
}

static uint64_t all_bytes;
static void add_bytes(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0)
        all_bytes += (uint64_t)status.st_size; /* else another process has removed it */
}

static uint64_t bytes_of_all(void) {
    all_bytes = 0;
    each_file(add_bytes);
    return all_bytes;
}

/* Names a time of use that is later than all before. */
static void used_later(const char *path) {
    static time_t now = 1000;
    const struct timespec times[2] = {{.tv_sec = now++}, {.tv_nsec = UTIME_OMIT}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void kernels_go_whose_use_is_longest_ago(void **state) {
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        each_file(used_later); /* in any order, but all are before the next */
        keep_numbered(k, 4 * FILE_BYTES);
    }
    assert_int_equal(bytes_of_all(), 4 * FILE_BYTES);
    char users[128];
    snprintf(users, sizeof users, "%s/riffle/headers-0123456789abcdef.h", folder);
    FILE *const other = fopen(users, "w");
    assert_non_null(other);
    assert_int_equal(fclose(other), 0);
    each_file(used_later);
    forget();
    assert_true(finds_numbered(0));
    keep_numbered(
        4, 2 * FILE_BYTES); /* a lower limit than before: the one that was read stays, and what is no kernel */
    forget();
    for (unsigned k = 0; k < 5; k++) assert_int_equal(finds_numbered(k), k == 0 || k == 4);
    assert_int_equal(access(users, F_OK), 0);
    keep_numbered(5, FILE_BYTES - 1); /* it alone is too large */
    forget();
    assert_false(finds_numbered(5));
    assert_int_equal(bytes_of_all(), 0);
}

/* A file that a writer left half made counts, and goes when its turn comes. */
static void half_made_files_go(void **state) {
    (void)state;
    keep_numbered(0, FILE_BYTES);
    char aside[128];
    snprintf(aside, sizeof aside, "%s/riffle/0123456789abcdef.part-aB3xYz", folder);
    FILE *const file = fopen(aside, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(aside, FILE_BYTES), 0);
    const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, aside, old, 0), 0);
    keep_numbered(1, 2 * FILE_BYTES);
    assert_int_equal(access(aside, F_OK), -1);
    forget();
    assert_true(finds_numbered(0) && finds_numbered(1));
}

/* Makes a file of those bytes in the cache, the one that was used longest ago. */
static void write_others(const char *name, const void *bytes, size_t count) {
    char path[128];
    snprintf(path, sizeof path, "%s/riffle/%s", folder, name);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
}

/* Names alone do not make a file a kernel. */
static void files_of_others_stay(void **state) {
    (void)state;
    static const char *const all[] = {"deadbeefdeadbeef", "0000000000000000", "0123456789abcdef.backup",
                                      "DEADBEEFDEADBEEF", "cccccccccccccccc", "aaaaaaaaaaaaaaaa"};
    static const char zeros[FILE_BYTES];
    char path[128];
    struct stat status;
    keep_numbered(0, NVRTC_CACHE_BYTES);
    for (size_t k = 0; k < 4; k++) write_others(all[k], zeros, k == 1 ? 0 : sizeof zeros);
    snprintf(path, sizeof path, "%s/riffle/%s", folder, all[4]);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof path, "%s/riffle/%s", folder, all[5]);
    assert_int_equal(symlink("deadbeefdeadbeef", path), 0);
    keep_numbered(1, FILE_BYTES);
    keep_numbered(2, 0);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        snprintf(path, sizeof path, "%s/riffle/%s", folder, all[k]);
        if (lstat(path, &status) != 0) fail_msg("%s was removed", all[k]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(each_file(NULL), 0);
}

static void make_a_pipe(const char *path) {
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
}

/* It would be waited for without end. */
static void a_pipe_is_no_kernel(void **state) {
    (void)state;
    keep_numbered(0, FILE_BYTES);
    assert_int_equal(each_file(make_a_pipe), 1);
    forget();
    assert_false(finds_numbered(0));
    keep_numbered(0, FILE_BYTES);
    forget();
    assert_true(finds_numbered(0));
}

/* Four processes keep ten kernels where three have room, and are killed at any moment: none sees a part of one, and the next that keeps one
 * finds too many and leaves as many as may be. */
static void writers_keep_the_limit(void **state) {
    (void)state;
    rng r = {seed};
    for (unsigned round = 0; round < test_rounds(20); round++) {
        pid_t writers[4];
        for (unsigned k = 0; k < 4; k++) {
            writers[k] = fork();
            for (unsigned n = k; writers[k] == 0; n += 3) {
                keep_numbered(n % 10, 3 * FILE_BYTES);
                forget();
                finds_numbered((n + k) % 10);
            }
        }
        const struct timespec wait = {0, (long)rng_below(&r, 3000000)};
        nanosleep(&wait, NULL);
        for (unsigned k = 0; k < 4; k++) {
            assert_int_equal(kill(writers[k], SIGKILL), 0);
            assert_int_equal(waitpid(writers[k], NULL, 0), writers[k]);
        }
        keep_numbered(0, 3 * FILE_BYTES);
        assert_in_range(bytes_of_all(), FILE_BYTES, 3 * FILE_BYTES);
        forget();
        assert_true(finds_numbered(0));
    }
}

static void limits_are_numbers(void **state) {
    (void)state;
    static const char *const wrong[] = {"64M", "-1", "x", " 1", "1 ", "99999999999999999999999"};
    uint64_t bytes;
    unsetenv("RIFFLE_CACHE_BYTES");
    assert_int_equal(nvrtc_cache_limit(&bytes), RIFFLE_OK);
    assert_int_equal(bytes, NVRTC_CACHE_BYTES);
    setenv("RIFFLE_CACHE_BYTES", "5000000000", 1);
    assert_int_equal(nvrtc_cache_limit(&bytes), RIFFLE_OK);
    assert_int_equal(bytes, 5000000000);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv("RIFFLE_CACHE_BYTES", wrong[k], 1);
        assert_int_equal(nvrtc_cache_limit(&bytes), RIFFLE_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(riffle_error_detail(), "not a number of bytes such as 67108864"));
    }
    unsetenv("RIFFLE_CACHE_BYTES");
}

/* Two processes write and read the same files, and one after the other is killed at any moment. */
static void writers_may_be_killed(void **state) {
    (void)state;
    rng r = {seed};
    static char code[1 << 16];
    memset(code, 'c', sizeof code - 1);
    for (unsigned round = 0; round < test_rounds(30); round++) {
        pid_t writers[2];
        for (unsigned k = 0; k < 2; k++) {
            writers[k] = fork();
            for (; writers[k] == 0;) keep("key", code);
        }
        const struct timespec wait = {0, (long)rng_below(&r, 3000000)};
        nanosleep(&wait, NULL);
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(kill(writers[k], SIGKILL), 0);
            assert_int_equal(waitpid(writers[k], NULL, 0), writers[k]);
            forget();
            finds("key", code); /* nothing, or all of it */
        }
    }
    keep("key", code);
    forget();
    assert_true(finds("key", code));
}

static void no_folder_is_no_error(void **state) {
    (void)state;
    setenv("XDG_CACHE_HOME", "/proc/no-such-folder", 1);
    keep("nowhere", "code");
    assert_true(finds("nowhere", "code"));
    forget();
    assert_false(finds("nowhere", "code"));
    setenv("XDG_CACHE_HOME", "relative", 1); /* is none, by the convention */
    setenv("HOME", folder, 1);
    keep("home", "code");
    char path[128];
    snprintf(path, sizeof path, "%s/.cache/riffle", folder);
    assert_int_equal(access(path, R_OK), 0);
    setenv("XDG_CACHE_HOME", folder, 1);
}

/* ------------------------------------------------------------ the compiler */

static program_passes passes_of(const char *text, unsigned n, riffle_type type) {
    riffle_program *program = program_or_fail(text, NULL, n);
    const program_policy policy = {12, 3};
    program_passes passes;
    assert_int_equal(program_compile(program, type, &policy, &passes), RIFFLE_OK);
    riffle_program_free(program);
    return passes;
}

/* A device that compiles and runs nothing. */
static nvrtc_code made;

static riffle_status compile(const device *d, const char *source, const char *kernel, users_kernel *out,
                             char **messages) {
    (void)kernel, (void)out;
    return nvrtc_make((unsigned)d->number, source, &made, messages);
}

static const device_ops compiler = {.name = "compiler", .compiler = "NVRTC", .compile = compile};

static riffle_status make(const char *text, riffle_type type, unsigned capability, nvrtc_code *out) {
    const device on = {.ops = &compiler, .number = (int)capability};
    program_passes passes = passes_of(text, 14, type);
    users_kernel none = {0};
    const riffle_status status = own_load_program(&on, &passes, type, &none);
    *out = made;
    program_passes_free(&passes);
    return status;
}

static riffle_status make_sort(const riffle_sort_key *key) {
    const device on = {.ops = &compiler, .number = 90};
    users_kernel none = {0};
    return own_load_sort(&on, key, &none);
}

static void skip_without_nvrtc(void) {
    nvrtc_way way;
    if (nvrtc_find(90, &way) == RIFFLE_OK) return;
    print_message("skipped: %s\n", riffle_error_detail());
    skip();
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void operations_compile(void **state) {
    (void)state;
    skip_without_nvrtc();
    static const struct {
        const char *text;
        riffle_type type;
    } all[] = {
        {"pair {a + b, a * b + i}", RIFFLE_TYPE_I32},
        {"map {a < 0 ? -a : a} | pair minmax", RIFFLE_TYPE_I8},
        {"parm 3 (pair {b ^ a, a & 0xff}) (pair xor)", RIFFLE_TYPE_U64},
        {"group 4 {a15, a14, a13, a12, a11, a10, a9, a8, a7, a6, a5, a4, a3, a2, a1, a0}", RIFFLE_TYPE_F64},
        {"group 3 {a1, a2, a3, a4, a5, a6, a7, a0} | pair {fmax(a, b), sqrt(b)} | hadamard n", RIFFLE_TYPE_F32},
    };
    unsigned taken = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (!test_takes(k)) continue;
        taken++;
        nvrtc_code code, again;
        const double began = seconds();
        if (make(all[k].text, all[k].type, 90, &code) != RIFFLE_OK)
            fail_msg("%s: %s", all[k].text, riffle_error_detail());
        const double compiled = seconds();
        forget();
        assert_int_equal(make(all[k].text, all[k].type, 90, &again), RIFFLE_OK);
        print_message("%s: compiled in %.3f s, found in %.4f s, %zu bytes\n", all[k].text, compiled - began,
                      seconds() - compiled, code.count);
        assert_int_equal(code.count, again.count);
        assert_memory_equal(code.bytes, again.bytes, code.count);
        assert_memory_equal(code.bytes, "\177ELF", 4);
        free(code.bytes);
        free(again.bytes);
    }
    assert_int_equal(each_file(NULL), taken);
}

/* GPUs that are newer than the compiler get a text that CUDA's driver compiles. */
static void newer_gpus_get_ptx(void **state) {
    (void)state;
    skip_without_nvrtc();
    nvrtc_code code;
    assert_int_equal(make("pair {b, a}", RIFFLE_TYPE_U16, 990, &code), RIFFLE_OK);
    ((char *)code.bytes)[code.count - 1] = '\0';
    assert_non_null(strstr(code.bytes, ".target sm_"));
    free(code.bytes);
}

static void what_does_not_compile_is_refused(void **state) {
    (void)state;
    skip_without_nvrtc();
    nvrtc_code code;
    assert_int_equal(make("parm 1 (pair {a, c}) | sort n", RIFFLE_TYPE_I32, 90, &code), RIFFLE_ERROR_SYNTAX);
    assert_string_equal(riffle_error_detail(), "program, line 1, character 14: NVRTC refuses this operation: "
                                               "identifier \"c\" is undefined");
    assert_int_equal(make("pair {a, b} | pair {a}", RIFFLE_TYPE_I32, 90, &code), RIFFLE_ERROR_SYNTAX);
    assert_non_null(
        strstr(riffle_error_detail(), "program, line 1, character 20: NVRTC refuses this operation: "));
    assert_non_null(strstr(riffle_error_detail(), "an operation on pairs has two expressions"));
    assert_int_equal(make("group 2 {a0, a1, a2, a3, 0}", RIFFLE_TYPE_F32, 90, &code), RIFFLE_ERROR_SYNTAX);
    assert_non_null(strstr(riffle_error_detail(), "an operation on groups of 4 has 4 expressions"));
    assert_int_equal(each_file(NULL), 0);
}

static riffle_sort_key row_key(const char *before) {
    return (riffle_sort_key){
        .elem_bytes = 40,
        .fields = 4,
        .field = {{.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 8, .name = "x"},
                  {.kind = RIFFLE_SORT_KEY_FLOAT, .bytes = 2, .offset = 8, .name = "h"},
                  {.kind = RIFFLE_SORT_KEY_BYTES, .bytes = 6, .offset = 10, .name = "name"},
                  {.kind = RIFFLE_SORT_KEY_SIGNED, .bytes = 16, .offset = 16}},
        .before = before};
}

/* Comparisons of every kind of field, and some that are no order. */
static void comparisons_compile(void **state) {
    (void)state;
    skip_without_nvrtc();
    static const char *const all[] = {"a.x + a.h < b.x + b.h", "a.f3 < b.f3", "a.name[5] < b.name[5]",
                                      "abs(a.x) < abs(b.x)", "clock() & 1"};
    unsigned taken = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (!test_takes(k)) continue;
        taken++;
        const riffle_sort_key key = row_key(all[k]);
        if (make_sort(&key) != RIFFLE_OK) fail_msg("%s: %s", all[k], riffle_error_detail());
        assert_memory_equal(made.bytes, "\177ELF", 4);
        free(made.bytes);
    }
    assert_int_equal(each_file(NULL), taken);
}

static void comparisons_are_refused(void **state) {
    (void)state;
    skip_without_nvrtc();
    riffle_sort_key key = row_key("a.x < c");
    assert_int_equal(make_sort(&key), RIFFLE_ERROR_SYNTAX);
    assert_string_equal(riffle_error_detail(), "NVRTC refuses this comparison: identifier \"c\" is undefined");
    key.field[1].name = "new";
    assert_int_equal(make_sort(&key), RIFFLE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(riffle_error_detail(), "field 1: 'new' is a word of C++"));
    assert_int_equal(each_file(NULL), 0);
}

/* In another process, for a library is looked for once in each. */
static void without_nvrtc_it_says_what_to_install(void **state) {
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        setenv("RIFFLE_NVRTC", "/no/such/library.so", 1);
        nvrtc_code code;
        const bool refused =
            make("pair {b, a}", RIFFLE_TYPE_I32, 90, &code) == RIFFLE_ERROR_UNSUPPORTED &&
            strstr(riffle_error_detail(), "what users write for a GPU needs NVRTC, and no "
                                          "libnvrtc.so.13 or .12 is found; install it") != NULL;
        _exit(refused ? 0 : 1);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

int main(void) {
    seed = test_seed();
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_nvrtc_it_says_what_to_install), /* before it is found here */
        IN_A_FOLDER(kernels_are_kept),
        IN_A_FOLDER(broken_files_are_no_kernels),
        IN_A_FOLDER(writers_may_be_killed),
        IN_A_FOLDER(kernels_go_whose_use_is_longest_ago),
        IN_A_FOLDER(half_made_files_go),
        IN_A_FOLDER(files_of_others_stay),
        IN_A_FOLDER(a_pipe_is_no_kernel),
        IN_A_FOLDER(writers_keep_the_limit),
        cmocka_unit_test(limits_are_numbers),
        IN_A_FOLDER(no_folder_is_no_error),
        IN_A_FOLDER(operations_compile),
        IN_A_FOLDER(newer_gpus_get_ptx),
        IN_A_FOLDER(what_does_not_compile_is_refused),
        IN_A_FOLDER(comparisons_compile),
        IN_A_FOLDER(comparisons_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
