/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of what measuring found. Text, an entry a line, between a line that says what it is and one that says how much there is:
 *
 *     riffle wisdom 1
 *     KEY ALGORITHM THREADS STORES PICOSECONDS          key and sum in 16 hexadecimal digits
 *     ...
 *     end COUNT SUM                                     FNV-1a of all bytes before this line
 *
 * A file is read whole and checked before anything of it is taken. It is written aside and renamed, so that a reader finds the old one
 * or the new one.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder/checksum.h"
#include "base/status.h"
#include "plan/wisdom/wisdom.h"

#define FIRST_LINE "riffle wisdom 1\n"

enum { NAME_BYTES = 512, LONGEST_LINE = 128, MOST_BYTES = (WISDOM_MOST + 2) * LONGEST_LINE };

static uint64_t sum_of(const char *text, size_t bytes) { return checksum_bytes(CHECKSUM_BEGIN, text, bytes); }

static const char *shown(const char *path, char room[NAME_BYTES]) {
    return riffle_printable(path, room, NAME_BYTES);
}

static riffle_status fail_file(const char *path, const char *what) {
    const int why = errno;
    char name[NAME_BYTES];
    return fail(RIFFLE_ERROR_IO, "%s: %s: %s", shown(path, name), what, strerror(why));
}

static riffle_status fail_format(const char *path, size_t line) {
    char name[NAME_BYTES];
    if (line == 1)
        return fail(RIFFLE_ERROR_FORMAT,
                    "%s: no file of riffle_wisdom_save; name one, or a file that is not there yet",
                    shown(path, name));
    return fail(RIFFLE_ERROR_FORMAT,
                "%s: line %zu: cut short or changed since it was saved; delete the file and measure again",
                shown(path, name), line);
}

/* ----------------------------------------------------------------- reading */

/* The whole file and a NUL behind it, for free(). */
static riffle_status read_whole(const char *path, char **out, size_t *bytes) {
    FILE *const file = fopen(path, "rbe");
    if (file == NULL) return fail_file(path, "cannot be opened");
    char *const text = malloc(MOST_BYTES + 1);
    riffle_status status = text != NULL ? RIFFLE_OK : fail_memory("a file of wisdom", MOST_BYTES + 1);
    if (status == RIFFLE_OK) {
        *bytes = fread(text, 1, MOST_BYTES + 1, file);
        if (ferror(file))
            status = fail_file(path, "cannot be read");
        else if (*bytes > MOST_BYTES)
            status = fail_format(path, 1);
    }
    fclose(file);
    if (status == RIFFLE_OK) {
        text[*bytes] = '\0';
        *out = text;
    } else {
        free(text);
    }
    return status;
}

static bool read_entry(const char *line, size_t bytes, wisdom_entry *out) {
    char name[32] = "", again[LONGEST_LINE];
    *out = (wisdom_entry){.key = 0};
    if (sscanf(line, "%16" SCNx64 " %31s %u %u %" SCNu64, &out->key, name, &out->threads, &out->stores,
               &out->picoseconds) != 5 ||
        riffle_algorithm_parse(name, &out->algorithm) != RIFFLE_OK || out->threads == 0 || out->stores > 2)
        return false;
    const int length = snprintf(again, sizeof again, "%016" PRIx64 " %s %u %u %" PRIu64 "\n", out->key, name,
                                out->threads, out->stores, out->picoseconds);
    return (size_t)length == bytes && memcmp(again, line, bytes) == 0;
}

/* The line that ends a file: nothing follows it. */
static bool is_end(const char *text, const char *line, size_t count) {
    char end[LONGEST_LINE];
    snprintf(end, sizeof end, "end %zu %016" PRIx64 "\n", count, sum_of(text, (size_t)(line - text)));
    return strcmp(line, end) == 0;
}

/* Entries go to `out`, which has room for WISDOM_MOST. */
static riffle_status read_entries(const char *path, const char *text, wisdom_entry *out, size_t *count) {
    const size_t first = strlen(FIRST_LINE);
    if (strncmp(text, FIRST_LINE, first) != 0) return fail_format(path, 1);
    const char *line = text + first;
    for (*count = 0; *count < WISDOM_MOST; ++*count) {
        const char *const end = strchr(line, '\n');
        if (end == NULL || strncmp(line, "end ", 4) == 0) break;
        if (!read_entry(line, (size_t)(end - line) + 1, &out[*count])) return fail_format(path, *count + 2);
        line = end + 1;
    }
    return is_end(text, line, *count) ? RIFFLE_OK : fail_format(path, *count + 2);
}

riffle_status riffle_wisdom_load(const char *path) {
    char *text = NULL;
    size_t bytes = 0, count = 0;
    RETURN_IF_NULL(path);
    riffle_status status = read_whole(path, &text, &bytes);
    if (status != RIFFLE_OK) return status;
    wisdom_entry *const entries = malloc(WISDOM_MOST * sizeof *entries);
    if (entries == NULL)
        status = fail_memory("entries of wisdom", WISDOM_MOST * sizeof *entries);
    else if (strlen(text) != bytes)
        status = fail_format(path, 1); /* a NUL is in no text */
    else
        status = read_entries(path, text, entries, &count);
    if (status == RIFFLE_OK) status = wisdom_keep(entries, count);
    free(entries);
    free(text);
    return status;
}

/* ----------------------------------------------------------------- writing */

static size_t write_text(char *text, const wisdom_entry *entries, size_t count) {
    size_t bytes = (size_t)sprintf(text, FIRST_LINE);
    for (size_t k = 0; k < count; k++)
        bytes += (size_t)snprintf(text + bytes, LONGEST_LINE, "%016" PRIx64 " %s %u %u %" PRIu64 "\n",
                                  entries[k].key, riffle_algorithm_string(entries[k].algorithm),
                                  entries[k].threads, entries[k].stores, entries[k].picoseconds);
    return bytes +
           (size_t)snprintf(text + bytes, LONGEST_LINE, "end %zu %016" PRIx64 "\n", count, sum_of(text, bytes));
}

static bool write_whole(int file, const char *text, size_t bytes) {
    while (bytes > 0) {
        const ssize_t done = write(file, text, bytes);
        if (done < 0 && errno != EINTR) return false;
        if (done > 0) text += done, bytes -= (size_t)done;
    }
    return fsync(file) == 0;
}

/* Beside `path` under a name that no other call has, and then in its place. */
static riffle_status replace(const char *path, const char *aside, const char *text, size_t bytes) {
    const int file = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) return fail_file(aside, "cannot be created");
    riffle_status status = write_whole(file, text, bytes) ? RIFFLE_OK : fail_file(aside, "cannot be written");
    if (close(file) != 0 && status == RIFFLE_OK) status = fail_file(aside, "cannot be written");
    if (status == RIFFLE_OK && rename(aside, path) != 0) status = fail_file(path, "cannot be replaced");
    if (status != RIFFLE_OK) unlink(aside);
    return status;
}

static riffle_status write_aside(const char *path, const char *text, size_t bytes) {
    static atomic_uint calls;
    const size_t room = strlen(path) + 64;
    char *const aside = malloc(room);
    if (aside == NULL) return fail_memory("a file's name", room);
    snprintf(aside, room, "%s.%ld-%u", path, (long)getpid(), atomic_fetch_add(&calls, 1));
    const riffle_status status = replace(path, aside, text, bytes);
    free(aside);
    return status;
}

riffle_status riffle_wisdom_save(const char *path) {
    wisdom_entry *entries;
    size_t count;
    RETURN_IF_NULL(path);
    riffle_status status = wisdom_all(&entries, &count);
    if (status != RIFFLE_OK) return status;
    const size_t room = (count + 2) * LONGEST_LINE;
    char *const text = malloc(room);
    status = text != NULL ? write_aside(path, text, write_text(text, entries, count))
                          : fail_memory("a file of wisdom", room);
    free(text);
    free(entries);
    return status;
}
