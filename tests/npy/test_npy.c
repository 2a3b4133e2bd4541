/* SPDX-License-Identifier: Apache-2.0
 *
 * .npy files read and written in a fresh folder: what is good comes back the same, what is bad is refused
 * with its reason, and no failure leaves anything behind.
 */
#define _GNU_SOURCE /* unshare, fallocate */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <riffle/npy.h>

static char folder[400];

static int enter_fresh_folder(void **state) {
    (void)state;
    const char *root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/riffle-test-npy-XXXXXX", root != NULL ? root : "/tmp");
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave_folder(void **state) {
    (void)state;
    DIR *here = opendir(".");
    if (here == NULL) return 1;
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(entry->d_name) != 0)
            rmdir(entry->d_name);
    closedir(here);
    return chdir("/") != 0 || rmdir(folder) != 0;
}

/* ------------------------------------------------------------------ tools */

static void expect_detail(const char *part) {
    if (strstr(riffle_error_detail(), part) == NULL) fail_msg("'%s' lacks '%s'", riffle_error_detail(), part);
}

static size_t names_in(const char *path) {
    size_t names = 0;
    DIR *entries = opendir(path);
    assert_non_null(entries);
    while (readdir(entries) != NULL) names++;
    closedir(entries);
    return names - 2;
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static size_t size_of(const char *path) {
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    return (size_t)file.st_size;
}

static mode_t mode_of(const char *path) {
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    return file.st_mode & 07777;
}

static const riffle_npy_header one_kilobyte = {.descr = "'<f4'", .elem_bytes = 4, .rank = 1, .shape = {256}};

/* Writes `bytes` of the one byte `value` as a .npy file. */
static void save(const char *path, const riffle_npy_header *header, int value, size_t bytes) {
    riffle_npy_output *output;
    if (riffle_npy_output_create(path, header, NULL, &output) != RIFFLE_OK)
        fail_msg("%s", riffle_error_detail());
    memset(riffle_npy_output_data(output), value, bytes);
    if (riffle_npy_output_commit(output) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
}

static void assert_opens(const char *path, int value, size_t bytes) {
    riffle_npy_input *input;
    if (riffle_npy_input_open(path, &input) != RIFFLE_OK) fail_msg("%s", riffle_error_detail());
    const unsigned char *data = riffle_npy_input_data(input);
    for (size_t k = 0; k < bytes; k++) assert_int_equal(data[k], value);
    riffle_npy_input_close(input);
}

static void assert_open_fails(const char *path, riffle_status status, const char *detail) {
    riffle_npy_input *const untouched = (riffle_npy_input *)&one_kilobyte;
    riffle_npy_input *input = untouched;
    assert_int_equal(riffle_npy_input_open(path, &input), status);
    assert_ptr_equal(input, untouched);
    expect_detail(path);
    expect_detail(detail);
}

static void assert_create_fails(const char *path, const riffle_npy_header *header,
                                const riffle_npy_input *input, riffle_status status, const char *detail) {
    size_t before = names_in(".");
    riffle_npy_output *const untouched = (riffle_npy_output *)&one_kilobyte;
    riffle_npy_output *output = untouched;
    assert_int_equal(riffle_npy_output_create(path, header, input, &output), status);
    assert_ptr_equal(output, untouched);
    expect_detail(path);
    expect_detail(detail);
    assert_int_equal(names_in("."), before);
}

/* The library's calls of these land here: errors that no disk at hand can be made to have. */
static int fallocate_error, fsync_error;

/* The output that a signal's handler would find, while room is made. */
static riffle_npy_output **looked_at, *seen;

int fallocate(int fd, int mode, off_t offset, off_t bytes) {
    if (looked_at != NULL) seen = *looked_at;
    errno = fallocate_error;
    return fallocate_error != 0 ? -1 : (int)syscall(SYS_fallocate, fd, mode, offset, bytes);
}

int fsync(int fd) {
    errno = fsync_error;
    return fsync_error != 0 ? -1 : (int)syscall(SYS_fsync, fd);
}

/* ---------------------------------------------------------------- reading */

static void test_writes_and_reads_back(void **state) {
    (void)state;
    static const riffle_npy_header headers[] = {
        {.descr = "'<f4'", .elem_bytes = 4, .rank = 2, .shape = {1031, 7}},
        {.descr = "'|u1'", .elem_bytes = 1, .rank = 1, .shape = {1}},
        {.descr = "'<c16'", .elem_bytes = 16, .rank = 0},
        {.descr = "[('x', '<i8'), ('', '|V3')]",
         .elem_bytes = 11,
         .fortran_order = true,
         .rank = 3,
         .shape = {5, 7, 9}},
        {.descr = "'<f8'", .elem_bytes = 8, .rank = 2, .shape = {0, 12}},
        {.descr = "'<f4'", .elem_bytes = 4, .rank = 1, .shape = {(5u << 20) + 1}},
    };
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        const riffle_npy_header *header = &headers[k];
        uint64_t length = 1;
        for (unsigned d = 0; d < header->rank; d++) length *= header->shape[d];
        const size_t bytes = (size_t)length * header->elem_bytes;
        riffle_npy_output *output;
        assert_int_equal(riffle_npy_output_create("a.npy", header, NULL, &output), RIFFLE_OK);
        unsigned char *data = riffle_npy_output_data(output);
        assert_int_equal((uintptr_t)data % 64, 0);
        for (size_t i = 0; i < bytes; i++) data[i] = (unsigned char)(i * 2654435761u >> 24);
        assert_int_equal(riffle_npy_output_commit(output), RIFFLE_OK);

        riffle_npy_input *input;
        assert_int_equal(riffle_npy_input_open("a.npy", &input), RIFFLE_OK);
        assert_int_equal(riffle_npy_input_length(input), length);
        const riffle_npy_header *read = riffle_npy_input_header(input);
        assert_string_equal(read->descr, header->descr);
        assert_int_equal(read->elem_bytes, header->elem_bytes);
        assert_int_equal(read->fortran_order, header->fortran_order);
        assert_int_equal(read->rank, header->rank);
        assert_memory_equal(read->shape, header->shape, sizeof read->shape);
        const unsigned char *again = riffle_npy_input_data(input);
        for (size_t i = 0; i < bytes; i++) assert_int_equal(again[i], (unsigned char)(i * 2654435761u >> 24));
        riffle_npy_input_close(input);
    }
    assert_int_equal(names_in("."), 1);
}

static void test_bytes_after_the_elements_are_ignored(void **state) {
    (void)state;
    save("a.npy", &one_kilobyte, 7, 1024);
    assert_int_equal(truncate("a.npy", 5000), 0);
    assert_opens("a.npy", 7, 1024);
}

static void test_files_that_cannot_be_read(void **state) {
    (void)state;
    assert_open_fails("none.npy", RIFFLE_ERROR_IO, "none.npy: cannot be opened: No such file");
    assert_open_fails("none/none.npy", RIFFLE_ERROR_IO, "No such file");
    assert_open_fails(".", RIFFLE_ERROR_IO, ". is a folder, not a file");
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_open_fails("fifo", RIFFLE_ERROR_IO, "fifo is no regular file");
    assert_open_fails("/dev/null", RIFFLE_ERROR_IO, "/dev/null is no regular file");
}

static void test_files_that_are_not_npy(void **state) {
    (void)state;
    write_file("empty", "", 0);
    assert_open_fails("empty", RIFFLE_ERROR_FORMAT, "empty is no .npy file: it is empty");
    write_file("text", "hello, world", 12);
    assert_open_fails("text", RIFFLE_ERROR_FORMAT, "text is no .npy file: it does not start with \\x93NUMPY");
    write_file("new", "\x93NUMPY\x04\x00\x10\x00\x00\x00", 12);
    assert_open_fails("new", RIFFLE_ERROR_FORMAT, "new: .npy version 4.0 is not known");
}

static void test_truncated_files(void **state) {
    (void)state;
    save("a.npy", &one_kilobyte, 7, 1024);
    assert_int_equal(size_of("a.npy"), 128 + 1024);
    assert_int_equal(truncate("a.npy", 128 + 1024 - 96), 0);
    assert_open_fails(
        "a.npy", RIFFLE_ERROR_FORMAT,
        "a.npy: truncated: its header promises 1024 bytes of elements after byte 128 but the file "
        "ends 96 bytes short");
    assert_int_equal(truncate("a.npy", 100), 0);
    assert_open_fails("a.npy", RIFFLE_ERROR_FORMAT,
                      "a.npy: truncated: its header should end at byte 128 but the file has 100");
    assert_int_equal(truncate("a.npy", 9), 0);
    assert_open_fails("a.npy", RIFFLE_ERROR_FORMAT,
                      "a.npy: truncated: it ends after 9 bytes, within its header");
}

static void test_a_file_that_is_cut_short_while_it_is_open(void **state) {
    (void)state;
    riffle_npy_input *input;
    save("shrinks.npy", &one_kilobyte, 7, 1024);
    assert_int_equal(riffle_npy_input_open("shrinks.npy", &input), RIFFLE_OK);
    assert_int_equal(riffle_npy_input_check(input), RIFFLE_OK);
    assert_int_equal(truncate("shrinks.npy", (off_t)size_of("shrinks.npy") - 1), 0);
    assert_int_equal(((const unsigned char *)riffle_npy_input_data(input))[1023], 0);
    assert_int_equal(riffle_npy_input_check(input), RIFFLE_ERROR_IO);
    assert_string_equal(riffle_error_detail(), "shrinks.npy: was cut short while it was read");
    riffle_npy_input_close(input);
    unlink("shrinks.npy");
}

static void test_sizes_that_overflow(void **state) {
    (void)state;
    static const char text[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,), }";
    char bytes[10 + sizeof text] = "\x93NUMPY\x01";
    bytes[8] = (char)(sizeof text - 1);
    memcpy(bytes + 10, text, sizeof text - 1);
    write_file("a.npy", bytes, 10 + sizeof text - 1);
    assert_open_fails("a.npy", RIFFLE_ERROR_FORMAT, "elements of 8 bytes are more than a file can hold");
}

/* ---------------------------------------------------------------- writing */

static void test_final_name_appears_with_commit_only(void **state) {
    (void)state;
    riffle_npy_output *output;
    assert_int_equal(riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output), RIFFLE_OK);
    assert_int_equal(access("a.npy", F_OK), -1);
    assert_int_equal(names_in("."), 1); /* the hidden one */
    assert_int_equal(riffle_npy_output_commit(output), RIFFLE_OK);
    assert_int_equal(access("a.npy", F_OK), 0);
    assert_int_equal(names_in("."), 1);
}

static void test_abort_leaves_nothing(void **state) {
    (void)state;
    riffle_npy_output *output;
    assert_int_equal(riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output), RIFFLE_OK);
    riffle_npy_output_abort(output);
    riffle_npy_output_abort(NULL);
    assert_int_equal(names_in("."), 0);
}

static void test_unlink_takes_only_the_hidden_file_away(void **state) {
    (void)state;
    riffle_npy_output *output;
    save("kept.npy", &one_kilobyte, 1, 1024);
    const size_t before = names_in(".");
    assert_int_equal(riffle_npy_output_create("kept.npy", &one_kilobyte, NULL, &output), RIFFLE_OK);
    riffle_npy_output_unlink(output);
    assert_int_equal(names_in("."), before);
    riffle_npy_output_abort(output);
    assert_opens("kept.npy", 1, 1024);
    unlink("kept.npy");
}

static void test_commit_replaces_and_abort_does_not(void **state) {
    (void)state;
    save("a.npy", &one_kilobyte, 1, 1024);
    riffle_npy_output *output;
    assert_int_equal(riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output), RIFFLE_OK);
    memset(riffle_npy_output_data(output), 2, 1024);
    riffle_npy_output_abort(output);
    assert_opens("a.npy", 1, 1024);

    riffle_npy_input *old;
    assert_int_equal(riffle_npy_input_open("a.npy", &old), RIFFLE_OK);
    save("a.npy", &one_kilobyte, 3, 1024);
    assert_int_equal(*(const char *)riffle_npy_input_data(old), 1); /* whoever reads the old file keeps it */
    riffle_npy_input_close(old);
    assert_opens("a.npy", 3, 1024);
    assert_int_equal(names_in("."), 1);
}

static void test_a_symbolic_link_is_followed(void **state) {
    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    save("sub/old.npy", &one_kilobyte, 1, 1024);
    assert_int_equal(symlink("sub/old.npy", "link.npy"), 0);
    save("link.npy", &one_kilobyte, 2, 1024);
    assert_opens("sub/old.npy", 2, 1024);
    char target[32] = {0};
    assert_int_equal(readlink("link.npy", target, sizeof target - 1), strlen("sub/old.npy"));
    assert_int_equal(names_in("sub"), 1);

    assert_int_equal(symlink("nowhere", "dangling.npy"), 0);
    assert_create_fails("dangling.npy", &one_kilobyte, NULL, RIFFLE_ERROR_IO,
                        "dangling.npy is a link that leads to no file");
    assert_int_equal(symlink("/dev/null", "device.npy"), 0);
    assert_create_fails("device.npy", &one_kilobyte, NULL, RIFFLE_ERROR_IO, "is no regular file");
    assert_int_equal(unlink("sub/old.npy"), 0);
}

static void test_permissions(void **state) {
    (void)state;
    mode_t before = umask(027);
    save("a.npy", &one_kilobyte, 1, 1024);
    umask(before);
    assert_int_equal(mode_of("a.npy"), 0640);
    assert_int_equal(chmod("a.npy", 0604), 0);
    save("a.npy", &one_kilobyte, 2, 1024);
    assert_int_equal(mode_of("a.npy"), 0604);
}

static void test_the_folder_stays_the_one_named_at_first(void **state) {
    (void)state;
    riffle_npy_output *output;
    assert_int_equal(riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output), RIFFLE_OK);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(riffle_npy_output_commit(output), RIFFLE_OK);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(access("a.npy", F_OK), 0);
}

static void test_names_and_folders(void **state) {
    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    save("sub/a.npy", &one_kilobyte, 1, 1024);
    save("sub//b.npy", &one_kilobyte, 2, 1024);
    char path[500], longest[256];
    snprintf(path, sizeof path, "%s/sub/c.npy", folder);
    save(path, &one_kilobyte, 3, 1024);
    assert_int_equal(names_in("sub"), 3);
    unlink("sub/a.npy");
    unlink("sub/b.npy");
    unlink("sub/c.npy");
    memset(longest, 'n', 255);
    longest[255] = '\0';
    save(longest, &one_kilobyte, 4, 1024);
    assert_opens(longest, 4, 1024);
}

static void test_targets_that_cannot_be(void **state) {
    (void)state;
    assert_create_fails("none/a.npy", &one_kilobyte, NULL, RIFFLE_ERROR_IO,
                        "none/a.npy: there is no folder none");
    write_file("plain", "", 0);
    assert_create_fails("plain/a.npy", &one_kilobyte, NULL, RIFFLE_ERROR_IO,
                        "the folder plain cannot be opened: Not a directory");
    assert_int_equal(mkdir("sub", 0700), 0);
    assert_create_fails("sub", &one_kilobyte, NULL, RIFFLE_ERROR_IO, "sub is a folder, not a file");
    assert_create_fails("sub/", &one_kilobyte, NULL, RIFFLE_ERROR_INVALID_ARGUMENT, "'sub/' names no file");
    assert_create_fails("", &one_kilobyte, NULL, RIFFLE_ERROR_INVALID_ARGUMENT, "'' names no file");
    assert_create_fails("..", &one_kilobyte, NULL, RIFFLE_ERROR_IO, ".. is a folder");
    assert_create_fails("/", &one_kilobyte, NULL, RIFFLE_ERROR_INVALID_ARGUMENT, "'/' names no file");
    assert_create_fails("/dev/null", &one_kilobyte, NULL, RIFFLE_ERROR_IO, "/dev/null is no regular file");
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_create_fails("loop", &one_kilobyte, NULL, RIFFLE_ERROR_IO, "loop is a link that leads to no file");
}

static void test_headers_are_checked(void **state) {
    (void)state;
    riffle_npy_header header = one_kilobyte;
    header.elem_bytes = 8;
    assert_create_fails("a.npy", &header, NULL, RIFFLE_ERROR_INVALID_ARGUMENT, "elem_bytes is 8");
    header = one_kilobyte;
    header.shape[0] = UINT64_MAX;
    assert_create_fails("a.npy", &header, NULL, RIFFLE_ERROR_INVALID_ARGUMENT, "more than a file can hold");
}

static void test_input_and_output_must_differ(void **state) {
    (void)state;
    static const char *const names[] = {"in.npy", "./in.npy", "hard.npy", "soft.npy"};
    save("in.npy", &one_kilobyte, 1, 1024);
    assert_int_equal(link("in.npy", "hard.npy"), 0);
    assert_int_equal(symlink("in.npy", "soft.npy"), 0);
    riffle_npy_input *input;
    assert_int_equal(riffle_npy_input_open("in.npy", &input), RIFFLE_OK);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_create_fails(names[k], &one_kilobyte, input, RIFFLE_ERROR_INVALID_ARGUMENT,
                            "input and output are the same file; give the output another name");
    riffle_npy_output *output;
    assert_int_equal(riffle_npy_output_create("out.npy", &one_kilobyte, input, &output), RIFFLE_OK);
    riffle_npy_output_abort(output);
    riffle_npy_input_close(input);
    assert_opens("in.npy", 1, 1024);
}

static void test_commit_fails_where_a_folder_took_the_name(void **state) {
    (void)state;
    riffle_npy_output *output;
    assert_int_equal(riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output), RIFFLE_OK);
    assert_int_equal(mkdir("a.npy", 0700), 0);
    assert_int_equal(riffle_npy_output_commit(output), RIFFLE_ERROR_IO);
    expect_detail("a.npy: cannot be put in place: Is a directory");
    assert_int_equal(names_in("."), 1);
}

static void test_commit_fails_where_the_disk_does(void **state) {
    (void)state;
    save("a.npy", &one_kilobyte, 1, 1024);
    riffle_npy_output *output;
    assert_int_equal(riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output), RIFFLE_OK);
    fsync_error = EIO;
    riffle_status status = riffle_npy_output_commit(output);
    fsync_error = 0;
    assert_int_equal(status, RIFFLE_ERROR_IO);
    expect_detail("a.npy: its 1152 bytes did not reach the disk: Input/output error");
    assert_opens("a.npy", 1, 1024);
    assert_int_equal(names_in("."), 1);
}

static void test_a_file_that_is_synced_is_only_renamed(void **state) {
    (void)state;
    riffle_npy_output *output;
    save("a.npy", &one_kilobyte, 1, 1024);
    assert_int_equal(riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output), RIFFLE_OK);
    memset(riffle_npy_output_data(output), 2, 1024);
    fsync_error = EIO;
    assert_int_equal(riffle_npy_output_sync(output), RIFFLE_ERROR_IO);
    expect_detail("a.npy: its 1152 bytes did not reach the disk: Input/output error");
    fsync_error = 0;
    assert_int_equal(riffle_npy_output_sync(output), RIFFLE_OK);
    assert_opens("a.npy", 1, 1024);
    fsync_error = EIO; /* syncing the folder alone fails: nothing can be undone there */
    assert_int_equal(riffle_npy_output_commit(output), RIFFLE_OK);
    fsync_error = 0;
    assert_opens("a.npy", 2, 1024);
    assert_int_equal(names_in("."), 1);
}

static void test_a_file_that_is_no_array(void **state) {
    (void)state;
    riffle_npy_output *output;
    char text[16] = {0};
    assert_int_equal(riffle_npy_output_create_bare("a.txt", 5, NULL, &output), RIFFLE_OK);
    memcpy(riffle_npy_output_data(output), "hello", 5);
    assert_int_equal(access("a.txt", F_OK), -1);
    assert_int_equal(riffle_npy_output_commit(output), RIFFLE_OK);
    assert_int_equal(size_of("a.txt"), 5);
    FILE *const file = fopen("a.txt", "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text, file), 5);
    fclose(file);
    assert_string_equal(text, "hello");
    assert_int_equal(riffle_npy_output_create_bare("b.txt", 0, NULL, &output), RIFFLE_ERROR_INVALID_ARGUMENT);
    expect_detail("b.txt: a file without bytes");
    assert_int_not_equal(riffle_npy_output_create_bare("b.txt", SIZE_MAX / 2 + 1, NULL, &output), RIFFLE_OK);
    assert_int_equal(riffle_npy_output_create_bare("no/b.txt", 5, NULL, &output), RIFFLE_ERROR_IO);
    expect_detail("no/b.txt: there is no folder no");
    assert_int_equal(names_in("."), 1);
}

/* And when the room cannot be had it is taken back: nothing is left to be found. */
static void test_a_handler_finds_the_file_while_room_is_made(void **state) {
    (void)state;
    riffle_npy_output *output = NULL;
    looked_at = &output;
    assert_int_equal(riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output), RIFFLE_OK);
    assert_ptr_equal(seen, output);
    riffle_npy_output_abort(output);
    output = seen = NULL;
    fallocate_error = ENOSPC;
    assert_int_equal(riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output), RIFFLE_ERROR_IO);
    fallocate_error = 0;
    looked_at = NULL;
    assert_non_null(seen);
    assert_null(output);
    assert_int_equal(names_in("."), 0);
}

static void test_space_on_a_file_system_without_fallocate(void **state) {
    (void)state;
    static const riffle_npy_header header = {.descr = "'|u1'", .elem_bytes = 1, .rank = 1, .shape = {1000003}};
    fallocate_error = EOPNOTSUPP;
    save("a.npy", &header, 5, 1000003);
    fallocate_error = 0;
    assert_int_equal(size_of("a.npy"), 128 + 1000003);
    assert_opens("a.npy", 5, 1000003);
}

/* ------------------------------------------------------- what is not given */

/* The limit is met with the signal at its default, which would end the process. */
static void test_file_size_limit(void **state) {
    (void)state;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    riffle_npy_output *output;
    riffle_status status = riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, RIFFLE_ERROR_IO);
    expect_detail("a.npy: no room for its 1152 bytes in the folder .: File too large");
    assert_int_equal(names_in("."), 0);
}

enum { DONE = 0, FAILED = 1, NOT_PERMITTED = 77 };

/* Runs `body` in a child, which may change what it is allowed, and returns its exit status. */
static int in_child(int (*body)(void)) {
    pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) _exit(body());
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFEXITED(result));
    return WEXITSTATUS(result);
}

static int fails_with(const char *path, const riffle_npy_header *header, const char *detail) {
    riffle_npy_output *output;
    if (riffle_npy_output_create(path, header, NULL, &output) == RIFFLE_ERROR_IO &&
        strstr(riffle_error_detail(), detail) != NULL)
        return DONE;
    print_message("'%s' lacks '%s'\n", riffle_error_detail(), detail);
    return FAILED;
}

static int fill_small_disk(void) {
    static const riffle_npy_header large = {.descr = "'|u1'", .elem_bytes = 1, .rank = 1, .shape = {8u << 20}};
    static const riffle_npy_header fits = {.descr = "'|u1'", .elem_bytes = 1, .rank = 1, .shape = {2u << 20}};
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "disk", "tmpfs", 0, "size=4m") != 0)
        return NOT_PERMITTED;
    if (fails_with("disk/a.npy", &large,
                   "disk/a.npy: no room for its 8388736 bytes in the folder disk: No space left on device") !=
        DONE)
        return FAILED;
    fallocate_error = EOPNOTSUPP; /* the same where zeros are written instead */
    if (fails_with("disk/a.npy", &large, "disk: No space left on device") != DONE) return FAILED;
    fallocate_error = 0;
    if (names_in("disk") != 0) return FAILED;
    riffle_npy_output *output;
    if (riffle_npy_output_create("disk/a.npy", &fits, NULL, &output) != RIFFLE_OK) return FAILED;
    return riffle_npy_output_commit(output) == RIFFLE_OK ? DONE : FAILED;
}

static void test_full_disk(void **state) {
    (void)state;
    assert_int_equal(mkdir("disk", 0700), 0);
    int result = in_child(fill_small_disk);
    if (result == NOT_PERMITTED) {
        print_message("skipped: this user may not mount a small file system\n");
        skip();
    }
    assert_int_equal(result, DONE);
}

static int use_locked_things(void) {
    if (geteuid() == 0 && setuid(65534) != 0) return NOT_PERMITTED;
    riffle_npy_input *input;
    if (riffle_npy_input_open("secret.npy", &input) != RIFFLE_ERROR_IO ||
        strstr(riffle_error_detail(), "secret.npy: cannot be opened: Permission denied") == NULL)
        return FAILED;
    return fails_with("locked/a.npy", &one_kilobyte,
                      "locked/a.npy: no file can be made in the folder locked: Permission denied");
}

static void test_permission_denied(void **state) {
    (void)state;
    save("secret.npy", &one_kilobyte, 1, 1024);
    assert_int_equal(chmod("secret.npy", 0), 0);
    assert_int_equal(mkdir("locked", 0555), 0);
    assert_int_equal(chmod(".", 0755), 0);
    int result = in_child(use_locked_things);
    if (result == NOT_PERMITTED) {
        print_message("skipped: root may not become another user\n");
        skip();
    }
    assert_int_equal(result, DONE);
}

/* Replaces a.npy; was `changes` said, and has it this owner, group and mode now? */
static bool replaces_with(bool changes, uid_t owner, gid_t group, mode_t mode) {
    struct stat file;
    riffle_npy_output *output;
    if (riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output) != RIFFLE_OK) return false;
    const bool said = riffle_npy_output_changes_owner(output);
    return riffle_npy_output_commit(output) == RIFFLE_OK && said == changes && stat("a.npy", &file) == 0 &&
           file.st_uid == owner && file.st_gid == group && (file.st_mode & 07777) == mode;
}

/* The owner and group of the file that is replaced, and who replaces it. */
static void replace_as(uid_t owner, gid_t group, int (*replace)(void)) {
    save("a.npy", &one_kilobyte, 1, 1024);
    if (geteuid() != 0 || chown("a.npy", owner, group) != 0) {
        print_message("skipped: only root may give files away\n");
        skip();
    }
    assert_int_equal(chmod("a.npy", 0640), 0);
    assert_int_equal(chmod(".", 0777), 0);
    const int result = in_child(replace);
    if (result == NOT_PERMITTED) {
        print_message("skipped: root may not become another user\n");
        skip();
    }
    assert_int_equal(result, DONE);
}

static bool become(uid_t user, gid_t group, gid_t other_group) {
    return setgroups(1, &other_group) == 0 && setgid(group) == 0 && setuid(user) == 0;
}

static int replace_as_root(void) { return replaces_with(false, 12345, 54321, 0640) ? DONE : FAILED; }

static void test_root_keeps_the_owner_of_a_file(void **state) {
    (void)state;
    replace_as(12345, 54321, replace_as_root);
}

static int replace_as_another(void) {
    if (!become(65534, 65534, 65534)) return NOT_PERMITTED;
    return replaces_with(true, 65534, 65534, 0640) && replaces_with(false, 65534, 65534, 0640) ? DONE : FAILED;
}

static void test_a_user_owns_what_he_replaces(void **state) {
    (void)state;
    replace_as(12345, 54321, replace_as_another);
}

static int replace_as_member(void) {
    if (!become(65534, 65534, 54321)) return NOT_PERMITTED;
    return replaces_with(false, 65534, 54321, 0640) ? DONE : FAILED;
}

static void test_a_member_keeps_the_group_of_a_file(void **state) {
    (void)state;
    replace_as(65534, 54321, replace_as_member);
}

static int replace_as_member_only(void) {
    if (!become(65534, 65534, 54321)) return NOT_PERMITTED;
    return replaces_with(true, 65534, 54321, 0640) ? DONE : FAILED;
}

static void test_the_group_stays_where_the_owner_cannot(void **state) {
    (void)state;
    replace_as(12345, 54321, replace_as_member_only);
}

/* A killed writer leaves the final name as it was. */
static int get_killed(void) {
    riffle_npy_output *output;
    if (riffle_npy_output_create("a.npy", &one_kilobyte, NULL, &output) != RIFFLE_OK) return FAILED;
    memset(riffle_npy_output_data(output), 2, 512);
    return DONE; /* _exit, neither commit nor abort */
}

static void test_a_killed_writer_leaves_the_old_file(void **state) {
    (void)state;
    save("a.npy", &one_kilobyte, 1, 1024);
    assert_int_equal(in_child(get_killed), DONE);
    assert_opens("a.npy", 1, 1024);
    assert_int_equal(names_in("."), 2);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_fresh_folder, leave_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_writes_and_reads_back),
        IN_FOLDER(test_bytes_after_the_elements_are_ignored),
        IN_FOLDER(test_files_that_cannot_be_read),
        IN_FOLDER(test_files_that_are_not_npy),
        IN_FOLDER(test_truncated_files),
        IN_FOLDER(test_a_file_that_is_cut_short_while_it_is_open),
        IN_FOLDER(test_sizes_that_overflow),
        IN_FOLDER(test_final_name_appears_with_commit_only),
        IN_FOLDER(test_abort_leaves_nothing),
        IN_FOLDER(test_unlink_takes_only_the_hidden_file_away),
        IN_FOLDER(test_commit_replaces_and_abort_does_not),
        IN_FOLDER(test_a_symbolic_link_is_followed),
        IN_FOLDER(test_permissions),
        IN_FOLDER(test_the_folder_stays_the_one_named_at_first),
        IN_FOLDER(test_names_and_folders),
        IN_FOLDER(test_targets_that_cannot_be),
        IN_FOLDER(test_headers_are_checked),
        IN_FOLDER(test_input_and_output_must_differ),
        IN_FOLDER(test_commit_fails_where_a_folder_took_the_name),
        IN_FOLDER(test_commit_fails_where_the_disk_does),
        IN_FOLDER(test_a_file_that_is_synced_is_only_renamed),
        IN_FOLDER(test_a_file_that_is_no_array),
        IN_FOLDER(test_a_handler_finds_the_file_while_room_is_made),
        IN_FOLDER(test_space_on_a_file_system_without_fallocate),
        IN_FOLDER(test_file_size_limit),
        IN_FOLDER(test_full_disk),
        IN_FOLDER(test_permission_denied),
        IN_FOLDER(test_root_keeps_the_owner_of_a_file),
        IN_FOLDER(test_a_user_owns_what_he_replaces),
        IN_FOLDER(test_a_member_keeps_the_group_of_a_file),
        IN_FOLDER(test_the_group_stays_where_the_owner_cannot),
        IN_FOLDER(test_a_killed_writer_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
