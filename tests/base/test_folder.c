/* SPDX-License-Identifier: Apache-2.0
 *
 * The private folder in which a user's text is compiled, and the tools that run there: both are gone with the process, however that
 * ends. Each test has a folder of its own as TMPDIR.
 */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/folder/folder.h"
#include "base/folder/remove.h"
#include "base/folder/tool.h"

static void expect_detail(const char *part) {
    if (strstr(riffle_error_detail(), part) == NULL) fail_msg("'%s' lacks '%s'", riffle_error_detail(), part);
}

static char place[] = "/tmp/riffle-test-XXXXXX";

static int enter(void **state) {
    (void)state;
    strcpy(place + strlen(place) - 6, "XXXXXX");
    return mkdtemp(place) == NULL || setenv("TMPDIR", place, 1) != 0;
}

static int leave(void **state) {
    (void)state;
    unsetenv("TMPDIR");
    return !remove_tree(place);
}

static unsigned names(void) {
    unsigned count = 0;
    DIR *const folder = opendir(place);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* Waits until there is nothing, at most for half a minute. */
static void expect_nothing_soon(void) {
    for (int k = 0; k < 3000 && names() > 0; k++) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_int_equal(names(), 0);
}

static void expect_gone_soon(pid_t process) {
    for (int k = 0; k < 3000 && kill(process, 0) == 0; k++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_int_equal(kill(process, 0), -1);
}

static void test_a_folder_goes_with_all_that_is_in_it(void **state) {
    (void)state;
    private_folder folder;
    char path[FOLDER_PATH];
    struct stat file;
    assert_int_equal(folder_create(&folder), RIFFLE_OK);
    assert_int_equal(stat(folder.path, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0700);
    assert_int_equal(folder_make(&folder, "sub"), RIFFLE_OK);
    assert_int_equal(folder_make(&folder, "sub/sub"), RIFFLE_OK);
    assert_int_equal(folder_write(&folder, "sub/sub/file", "text", 4), RIFFLE_OK);
    folder_path(&folder, "link", path);
    assert_int_equal(symlink("/", path), 0);
    for (int k = 0; k < 500; k++) { /* more names than are listed at once */
        char name[40];
        snprintf(name, sizeof name, "sub/some-longer-name-%d", k);
        assert_int_equal(folder_write(&folder, name, "", 0), RIFFLE_OK);
    }
    folder_remove(&folder);
    assert_int_equal(names(), 0);
    expect_gone_soon(folder.keeper);
}

static void test_a_place_where_there_can_be_no_folder(void **state) {
    (void)state;
    private_folder folder;
    setenv("TMPDIR", "/no/such/place", 1);
    assert_int_equal(folder_create(&folder), RIFFLE_ERROR_IO);
    expect_detail("/no/such/place: no folder for the compiler can be made there: No such file or directory; "
                  "set TMPDIR to one");
    char *const longer = malloc(5000);
    assert_non_null(longer);
    memset(longer, 'x', 4999);
    longer[4999] = '\0';
    setenv("TMPDIR", longer, 1);
    free(longer);
    assert_int_equal(folder_create(&folder), RIFFLE_ERROR_IO);
    expect_detail("$TMPDIR is longer than a path can be; set it to a folder");
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* A host that waits for any of its children is not kept waiting. */
static void test_a_host_waits_for_its_own_children_only(void **state) {
    (void)state;
    private_folder folder;
    assert_int_equal(folder_create(&folder), RIFFLE_OK);
    const pid_t child = fork();
    if (child == 0) _exit(0);
    assert_int_equal(wait(NULL), child);
    assert_int_equal(wait(NULL), -1);
    assert_int_equal(errno, ECHILD);
    folder_remove(&folder);
    assert_int_equal(names(), 0);
}

/* A process with a tool that never ends and says its number in a file beside the folder, in a child. */
static pid_t start_with_tool(pid_t *tool) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        private_folder folder;
        char line[64];
        int status;
        snprintf(line, sizeof line, "trap '' TERM; echo $$ >&%d; while :; do sleep 1; done", ends[1]);
        const char *const words[] = {"sh", "-c", line, NULL};
        if (folder_create(&folder) == RIFFLE_OK) tool_run(&folder, words, "messages", "", &status);
        _exit(1);
    }
    close(ends[1]);
    FILE *const said = fdopen(ends[0], "r");
    assert_non_null(said);
    assert_int_equal(fscanf(said, "%d", tool), 1);
    fclose(said);
    return child;
}

static void test_an_end_takes_the_folder_and_the_tool_away(void **state) {
    (void)state;
    static const int signals[] = {SIGKILL, SIGTERM, SIGINT};
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
        pid_t tool;
        int status;
        const pid_t child = start_with_tool(&tool);
        assert_int_equal(names(), 1);
        assert_int_equal(kill(tool, 0), 0);
        assert_int_equal(kill(child, signals[k]), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        expect_nothing_soon();
        expect_gone_soon(tool);
    }
}

static void test_a_tool_has_the_folder_for_temporary_files(void **state) {
    (void)state;
    private_folder folder;
    char *said;
    size_t length;
    int status;
    const char *const words[] = {"sh", "-c", "echo $TMPDIR $LC_ALL; exit 3", NULL};
    assert_int_equal(folder_create(&folder), RIFFLE_OK);
    assert_int_equal(tool_run(&folder, words, "messages", "", &status), RIFFLE_OK);
    assert_int_equal(WEXITSTATUS(status), 3);
    assert_int_equal(folder_read(&folder, "messages", &said, &length), RIFFLE_OK);
    assert_int_equal(strncmp(said, folder.path, strlen(folder.path)), 0);
    assert_string_equal(said + strlen(folder.path), " C\n");
    free(said);
    const char *const absent[] = {"absent-compiler", NULL};
    assert_int_equal(tool_run(&folder, absent, "messages", "install it", &status), RIFFLE_ERROR_UNSUPPORTED);
    expect_detail("'absent-compiler' cannot be started: No such file or directory; install it");
    folder_remove(&folder);
    assert_int_equal(names(), 0);
}

static void test_want_and_refusal_are_told_apart(void **state) {
    (void)state;
    static const char *const wants[] = {
        "x.c:1:1: fatal error: error writing to /tmp/x.s: No space left on device\n",
        "/tmp/x.s: Assembler messages:\n/tmp/x.s: Fatal error: can't write 40 bytes to x.o: File too large\n",
        "cc1: error while loading shared libraries: libc.so.6: failed to map segment from shared object\n",
        "ld: cannot find x.o: Too many open files\n",
        "cc: internal compiler error: Killed signal terminated program cc1\n"};
    static const char *const refusals[] = {
        "", "operation0:1:12: error: 'c' undeclared\n",
        "operation0:1:12: error: expected ')'\n    1 | a /* No space left on device */ b\n"};
    for (size_t k = 0; k < sizeof wants / sizeof *wants; k++) assert_true(tool_lacked_means(1 << 8, wants[k]));
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++)
        assert_false(tool_lacked_means(1 << 8, refusals[k]));
    assert_true(tool_lacked_means(SIGKILL, ""));
    assert_int_equal(tool_fail_means("cc", 1 << 8, wants[3]), RIFFLE_ERROR_IO);
    expect_detail("'cc' could not do its work: ld: cannot find x.o: Too many open files; see to memory, disk "
                  "space and limits");
    assert_int_equal(tool_fail_means("cc", SIGKILL, ""), RIFFLE_ERROR_IO);
    expect_detail("'cc' could not do its work: signal 9 (Killed) ended it; see to memory");
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_a_folder_goes_with_all_that_is_in_it),
        IN_FOLDER(test_a_place_where_there_can_be_no_folder),
        IN_FOLDER(test_a_host_waits_for_its_own_children_only),
        IN_FOLDER(test_an_end_takes_the_folder_and_the_tool_away),
        IN_FOLDER(test_a_tool_has_the_folder_for_temporary_files),
        IN_FOLDER(test_want_and_refusal_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
