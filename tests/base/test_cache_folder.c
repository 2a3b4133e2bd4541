/* SPDX-License-Identifier: Apache-2.0
 *
 * Who can write into the folder of what was compiled could have anything run: such a folder is none, nor is a link, nor what is no folder.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder/cache_folder.h"
#include "base/folder/remove.h"

static char place[32], folder[64], aside[64];

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

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_PLACE(test_a_folder_that_is_missing_is_made_for_the_user_alone),
        IN_PLACE(test_folders_into_which_others_write),
        IN_PLACE(test_folders_of_others),
        IN_PLACE(test_links),
        IN_PLACE(test_what_is_no_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
