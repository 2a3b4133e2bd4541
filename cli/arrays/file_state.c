/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "arrays/file_state.h"

#include <sys/stat.h>

file_state file_state_now(const char *path) {
    struct stat file;
    if (stat(path, &file) != 0) return (file_state){.exists = false};
    return (file_state){.exists = true,
                        .device = file.st_dev,
                        .inode = file.st_ino,
                        .bytes = file.st_size,
                        .written = file.st_mtim};
}

bool file_state_is(const file_state *before, const char *path) {
    const file_state now = file_state_now(path);
    return now.exists == before->exists && now.device == before->device && now.inode == before->inode &&
           now.bytes == before->bytes && now.written.tv_sec == before->written.tv_sec &&
           now.written.tv_nsec == before->written.tv_nsec;
}
