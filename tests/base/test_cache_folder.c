/* SPDX-License-Identifier: Apache-2.0
 *
 * Who can write into the folder of what was compiled could have anything run: such a folder is none, nor is a link, nor what is no folder.
 * It has its limits: files go whose use is longest ago.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder/cache_folder.h"
#include "base/folder/remove.h"

static char place[32], folder[64], aside[128];

static int enter(void **state) {
    (void)state;
    strcpy(place, "/tmp/riffle-test-XXXXXX");
    if (mkdtemp(place) == NULL) return 1;
    snprintf(folder, sizeof folder, "%s/riffle", place);
    snprintf(aside, sizeof aside, "%s/aside", place);
    return setenv("XDG_CACHE_HOME", place, 1) != 0 || setenv("HOME", "/", 1) != 0;
}

static int leave(void **state) {
    (void)state;
    return !remove_tree(place);
}

static bool is_found(void) {
    char found[PATH_MAX] = "";
    const bool is_there = cache_folder_find(found);
    if (is_there) assert_string_equal(found, folder);
    return is_there;
}

static void test_a_folder_that_is_missing_is_made_for_the_user_alone(void **state) {
    (void)state;
    struct stat status;
    assert_true(is_found());
    assert_int_equal(stat(folder, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
    assert_true(is_found());
}

static void test_folders_into_which_others_write(void **state) {
    (void)state;
    static const mode_t refused[] = {0770, 0702, 0777, 01777};
    assert_true(is_found());
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        assert_int_equal(chmod(folder, refused[k]), 0);
        assert_false(is_found());
    }
    assert_int_equal(chmod(folder, 0755), 0);
    assert_true(is_found());
    assert_int_equal(chmod(place, 0777), 0);
    assert_false(is_found());
    assert_int_equal(chmod(place, 01777), 0);
    assert_true(is_found());
}

static void test_folders_of_others(void **state) {
    (void)state;
    if (geteuid() != 0) skip();
    assert_true(is_found());
    assert_int_equal(chown(folder, 1, 1), 0);
    assert_false(is_found());
    assert_int_equal(chown(folder, 0, 0), 0);
    assert_true(is_found());
}

static void test_links(void **state) {
    (void)state;
    assert_int_equal(mkdir(aside, 0700), 0);
    assert_int_equal(symlink(aside, folder), 0);
    assert_false(is_found());
    assert_int_equal(unlink(folder), 0);
    assert_true(is_found());
}

static void test_what_is_no_folder(void **state) {
    (void)state;
    FILE *const file = fopen(aside, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    static const char *const places[] = {aside, "/proc/no-such-folder"}, *const homes[] = {aside, "relative",
                                                                                           ""};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        assert_int_equal(setenv("XDG_CACHE_HOME", places[k], 1), 0);
        assert_false(is_found());
    }
    assert_int_equal(setenv("XDG_CACHE_HOME", "", 1), 0);
    for (size_t k = 0; k < sizeof homes / sizeof *homes; k++) {
        assert_int_equal(setenv("HOME", homes[k], 1), 0);
        assert_false(is_found());
    }
    assert_int_equal(unsetenv("HOME"), 0);
    assert_false(is_found());
}

/* ---- sweeps: files "one-NUMBER", of 10 * NUMBER bytes, used at the second NUMBER */

static void write_files(unsigned count) {
    assert_true(is_found());
    for (unsigned k = 1; k <= count; k++) {
        snprintf(aside, sizeof aside, "%s/one-%u", folder, k);
        FILE *const file = fopen(aside, "w");
        assert_non_null(file);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(truncate(aside, 10 * k), 0);
        const struct timespec used[2] = {{.tv_sec = k}, {.tv_nsec = UTIME_OMIT}};
        assert_int_equal(utimensat(AT_FDCWD, aside, used, 0), 0);
    }
}

static bool is_there(unsigned k) {
    snprintf(aside, sizeof aside, "%s/one-%u", folder, k);
    return access(aside, F_OK) == 0;
}

static bool is_one(const char *path, const char *name) {
    assert_string_equal(strrchr(path, '/') + 1, name);
    return strncmp(name, "one-", 4) == 0;
}

static bool remove_it(const char *path) { return unlink(path) == 0; }

/* Another process is faster by one file. */
static bool remove_first(const char *path) {
    unlink(path);
    return unlink(path) == 0 || errno == ENOENT;
}

static bool remove_even(const char *path) {
    return strtoul(strrchr(path, '-') + 1, NULL, 10) % 2 == 0 && unlink(path) == 0;
}

static void test_sweeps_remove_what_was_used_longest_ago(void **state) {
    (void)state;
    static const struct {
        cache_files files;
        unsigned left; /* bit k: file k, of 1 to 5 */
    } all[] = {
        {{is_one, remove_it, 5, 150}, 0x3e},        {{is_one, remove_it, 5, 149}, 0x3c},
        {{is_one, remove_it, 5, 120}, 0x38},        {{is_one, remove_it, 5, 49}, 0},
        {{is_one, remove_it, 2, UINT64_MAX}, 0x30}, {{is_one, remove_it, SIZE_MAX, 50}, 0x20},
        {{is_one, remove_first, 3, 150}, 0x38},     {{is_one, remove_even, SIZE_MAX, 100}, 0x2a},
    };
    for (size_t t = 0; t < sizeof all / sizeof *all; t++) {
        write_files(5);
        cache_folder_sweep(folder, &all[t].files);
        for (unsigned k = 1; k <= 5; k++)
            if (is_there(k) != (all[t].left >> k & 1)) fail_msg("sweep %zu: file %u", t, k);
    }
}

static void test_links_pipes_and_folders_stay(void **state) {
    (void)state;
    const cache_files none = {is_one, remove_it, 0, 0};
    struct stat status;
    write_files(5);
    assert_true(is_there(1) && unlink(aside) == 0 && symlink("one-5", aside) == 0);
    assert_true(is_there(2) && unlink(aside) == 0 && mkfifo(aside, 0600) == 0);
    assert_true(is_there(3) && unlink(aside) == 0 && mkdir(aside, 0700) == 0);
    cache_folder_sweep(folder, &none);
    assert_true(!is_there(4) && !is_there(5) && is_there(3) && is_there(2));
    assert_true(!is_there(1) && lstat(aside, &status) == 0); /* the link leads nowhere now */
}

static void test_names_are_riffles_to_the_last_letter(void **state) {
    (void)state;
    static const struct {
        const char *name, *start, *ending;
        bool is_one;
    } all[] = {
        {"0123456789abcdef", "", "", true},
        {"0123456789abcdef0", "", "", false},
        {"0123456789abcde", "", "", false},
        {"0123456789ABCDEF", "", "", false},
        {"", "", "", false},
        {"0123456789abcdef.part-aZ09bc", "", CACHE_FOLDER_PART, true},
        {"0123456789abcdef.part-aZ09b", "", CACHE_FOLDER_PART, false},
        {"0123456789abcdef.part-aZ09bcd", "", CACHE_FOLDER_PART, false},
        {"0123456789abcdef.part-aZ0.bc", "", CACHE_FOLDER_PART, false},
        {"0123456789abcdef.backup", "", CACHE_FOLDER_PART, false},
        {"headers-0123456789abcdef.pch", "headers-", ".pch", true},
        {"headers-0123456789abcdef.pch~", "headers-", ".pch", false},
        {"headers-mine.pch", "headers-", ".pch", false},
        {"header", "headers-", ".pch", false},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (cache_folder_names(all[k].name, all[k].start, all[k].ending) != all[k].is_one)
            fail_msg("%s", all[k].name);
}

static void test_a_use_is_noted_and_no_change(void **state) {
    (void)state;
    struct stat before, after;
    const cache_files files = {is_one, remove_it, 1, UINT64_MAX};
    write_files(3);
    assert_true(is_there(1));
    assert_int_equal(stat(aside, &before), 0);
    assert_true(cache_folder_note_use(aside));
    assert_int_equal(stat(aside, &after), 0);
    assert_memory_equal(&before.st_mtim, &after.st_mtim, sizeof before.st_mtim);
    cache_folder_sweep(folder, &files);
    assert_true(is_there(1) && !is_there(2) && !is_there(3));
    assert_true(!is_there(4) && !cache_folder_note_use(aside));
    cache_folder_sweep("/proc/no-such-folder", &files);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_PLACE(test_a_folder_that_is_missing_is_made_for_the_user_alone),
        IN_PLACE(test_folders_into_which_others_write),
        IN_PLACE(test_folders_of_others),
        IN_PLACE(test_links),
        IN_PLACE(test_what_is_no_folder),
        IN_PLACE(test_sweeps_remove_what_was_used_longest_ago),
        IN_PLACE(test_links_pipes_and_folders_stay),
        cmocka_unit_test(test_names_are_riffles_to_the_last_letter),
        IN_PLACE(test_a_use_is_noted_and_no_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
