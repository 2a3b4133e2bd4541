/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* open_memstream, memmem */
#include "machine/lint/compiler/precompiled.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder/cache_folder.h"
#include "base/folder/checksum.h"

/* A text, and where the user's part of it begins. */
typedef struct parts {
    char *text;
    const char *users;
    size_t length;
} parts;

/* The three includes of source_write() end where the fourth line does. */
static bool find_parts(const source_paths *at, const private_folder *folder, parts *out) {
    char mark[FOLDER_PATH + 16];
    if (folder_read(folder, source_name(at->preprocessed), &out->text, &out->length) != RIFFLE_OK) return false;
    snprintf(mark, sizeof mark, "\n# 4 \"%s\" 2\n", at->source);
    out->users = strstr(out->text, mark);
    if (out->users != NULL) out->users++;
    if (out->users == NULL) free(out->text);
    return out->users != NULL;
}

/* ---- the key: the command and the headers */

static bool write_command(const compiler_line *line, FILE *out) {
    fprintf(out, "//");
    for (size_t k = 0; k < line->count; k++) {
        if (strpbrk(line->words[k], "\\\n") != NULL) return false;
        fprintf(out, " %s", line->words[k]);
    }
    fprintf(out, "\n");
    return !line->full;
}

/* Past the mark of gcc's that names the working folder, which no header depends on: # 1 "/home/me//" */
static const char *behind_working_folder(const char *text, FILE *out) {
    const char *const mark = strchr(text, '\n') + 1, *const end = strchr(mark, '\n');
    if (end - mark < 3 || memcmp(end - 3, "//\"", 3) != 0) return text;
    fwrite(text, 1, (size_t)(mark - text), out);
    return end + 1;
}

/* Names have the private folder's in them, another in each run, and the source has a number. */
static void write_headers(const parts *p, const source_paths *at, const char *folder, FILE *out) {
    const size_t length = strlen(folder), whole = strlen(at->source);
    const char *from = p->text, *next;
    for (bool is_first = true; (next = memmem(from, (size_t)(p->users - from), folder, length)) != NULL;) {
        const bool is_source = strncmp(next, at->source, whole) == 0;
        fprintf(out, "%.*s/riffle-lint%s", (int)(next - from), from, is_source ? "/kernel.cpp" : "");
        from = next + (is_source ? whole : length);
        if (is_first) from = behind_working_folder(from, out);
        is_first = false;
    }
    fwrite(from, 1, (size_t)(p->users - from), out);
}

static char *make_key(const compiler_line *line, const parts *p, const source_paths *at,
                      const private_folder *folder, size_t *length) {
    char *key = NULL;
    FILE *const out = open_memstream(&key, length);
    if (out == NULL) return NULL;
    const bool fits = write_command(line, out);
    if (fits) write_headers(p, at, folder->path, out);
    const bool written = !ferror(out);
    if (fclose(out) == 0 && written && fits) return key;
    free(key);
    return NULL;
}

/* ---- files of the cache */

static bool is_text_of(const char *path, const char *text, size_t length) {
    const int number = cache_folder_open(path);
    FILE *const file = number < 0 ? NULL : fdopen(number, "rb");
    if (number >= 0 && file == NULL) close(number);
    char *const found = malloc(length + 1);
    const bool same = file != NULL && found != NULL && fread(found, 1, length + 1, file) == length &&
                      memcmp(found, text, length) == 0;
    if (file != NULL) fclose(file);
    free(found);
    return same;
}

/* A new file beside others, for a while; its name is nobody else's. */
static int open_aside(const char *stem, char out[static PATH_MAX + 64]) {
    snprintf(out, PATH_MAX + 64, "%s" CACHE_FOLDER_PART, stem);
    return mkstemp(out);
}

/* Writes a file aside and gives it its name. */
static bool keep(const char *stem, const char *path, const char *text, size_t length) {
    char aside[PATH_MAX + 64];
    const int file = open_aside(stem, aside);
    FILE *const stream = file < 0 ? NULL : fdopen(file, "wb");
    if (file >= 0 && stream == NULL) close(file);
    if (stream == NULL) return false;
    const bool written = fwrite(text, 1, length, stream) == length;
    if (fclose(stream) == 0 && written && rename(aside, path) == 0) return true;
    unlink(aside);
    return false;
}

/* All of the file is on the disk before it has its name: neither compiler would see that a part is missing after a power cut. */
static bool settle(const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool settled = fsync(file) == 0;
    close(file);
    return settled;
}

static bool ends_with(const char *name, const char *ending) {
    const size_t length = strlen(name), least = strlen(ending);
    return length >= least && strcmp(name + length - least, ending) == 0;
}

/* The file of a compiled file's sum stands beside it: CACHE/headers-SUM.sum. */
static bool find_sum(const char *compiled, char out[static PATH_MAX]) {
    const size_t stem = strlen(compiled) - (ends_with(compiled, ".pch") ? strlen(".pch") : 0);
    return stem < strlen(compiled) && snprintf(out, PATH_MAX, "%.*s.sum", (int)stem, compiled) < PATH_MAX;
}

/* Removes a file, and its sum where it has one; false if it is still there. */
static bool remove_kept(const char *path) {
    char sum[PATH_MAX];
    if (find_sum(path, sum)) unlink(sum);
    return unlink(path) == 0 || errno == ENOENT;
}

static bool is_text(const char *path, const char *name) {
    (void)path;
    return cache_folder_names(name, "headers-", ".h");
}

/* Files that a run has left half made are among them, sums are not. */
static bool is_compiled(const char *path, const char *name) {
    (void)path;
    return cache_folder_names(name, "headers-", ".pch") || cache_folder_names(name, "headers-", CACHE_FOLDER_PART);
}

static const cache_files texts = {is_text, remove_kept, PRECOMPILED_TEXTS, UINT64_MAX};
static const cache_files compiled_files = {is_compiled, remove_kept, PRECOMPILED_MOST, UINT64_MAX};

/* ---- the headers, compiled */

enum { SUM_DIGITS = 16 };

/* The sum of a file as text; false if it cannot be read. */
static bool sum_file(const char *path, char out[static SUM_DIGITS + 1]) {
    struct stat status;
    const int file = cache_folder_open(path);
    if (file < 0) return false;
    const size_t bytes = fstat(file, &status) == 0 && status.st_size > 0 ? (size_t)status.st_size : 0;
    void *const all =
        bytes > 0 ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0) : MAP_FAILED;
    close(file);
    if (all == MAP_FAILED) return false;
    snprintf(out, SUM_DIGITS + 1, "%016llx", (unsigned long long)checksum_words(CHECKSUM_BEGIN, all, bytes));
    munmap(all, bytes);
    return true;
}

/* A compiler takes a file in which a bit is another one. */
static bool is_whole(const char *compiled) {
    char path[PATH_MAX], sum[SUM_DIGITS + 1];
    return find_sum(compiled, path) && sum_file(compiled, sum) && is_text_of(path, sum, SUM_DIGITS);
}

/* The sum comes first: no run sees a file that has none yet. */
static bool keep_compiled(const char *stem, const char *aside, const char *path) {
    char name[PATH_MAX], sum[SUM_DIGITS + 1];
    return find_sum(path, name) && sum_file(aside, sum) && keep(stem, name, sum, SUM_DIGITS) &&
           rename(aside, path) == 0;
}

static bool make(const riffle_lint_job *job, const compiler_line *flags, const source_paths *at,
                 const private_folder *folder, const char *stem, const char *text, const char *path) {
    char aside[PATH_MAX + 64];
    compiler_line line = *flags;
    const char *const rest[] = {"-x", "c++-header", text, "-o", aside, NULL};
    const int file = open_aside(stem, aside);
    if (file < 0) return false;
    close(file);
    compiler_add_all(&line, rest, COMPILER_MAX_WORDS);
    const bool made = compiler_run(job, &line, at->file, at->shown, folder) == RIFFLE_OK && settle(aside) &&
                      keep_compiled(stem, aside, path);
    if (!made) unlink(aside);
    return made;
}

/* Each step once for a run: the text is kept, or compiled, or found to be compiled. */
static bool find_compiled(const riffle_lint_job *job, const compiler_line *line, const source_paths *at,
                          const private_folder *folder, const char *key, size_t length,
                          char out[static PATH_MAX]) {
    char stem[PATH_MAX], text[PATH_MAX], place[PATH_MAX];
    if (!cache_folder_find(place) || strpbrk(place, "\"\\\n") != NULL) return false;
    if (snprintf(stem, PATH_MAX, "%s/headers-%016llx", place,
                 (unsigned long long)checksum_bytes(CHECKSUM_BEGIN, key, length)) >= PATH_MAX ||
        snprintf(text, PATH_MAX, "%s.h", stem) >= PATH_MAX ||
        snprintf(out, PATH_MAX, "%s.pch", stem) >= PATH_MAX)
        return false;
    if (!is_text_of(text, key, length)) { /* headers that were made of another text of this name go first */
        if (remove_kept(out)) keep(stem, text, key, length);
        cache_folder_sweep(place, &texts);
        return false;
    }
    cache_folder_note_use(text);
    if (access(out, F_OK) == 0 && !is_whole(out)) {
        remove_kept(out);
        return false;
    }
    if (cache_folder_note_use(out)) return true;
    const bool made = make(job, line, at, folder, stem, text, out);
    cache_folder_sweep(place, &compiled_files);
    return made;
}

/* gcc is told in the text, behind the name of its source; clang in its command. The mark of the fourth line loses its 2, which would end
 * an include. */
static bool write_rest(const parts *p, const source_paths *at, const private_folder *folder,
                       const char *headers, bool is_clang, char rest[static FOLDER_PATH]) {
    char *text;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) return false;
    if (!is_clang) fprintf(stream, "# 1 \"%s\"\n#pragma GCC pch_preprocess \"%s\"\n", at->source, headers);
    const char *const behind = strchr(p->users, '\n');
    fprintf(stream, "# 4 \"%s\"", at->source);
    fwrite(behind, 1, strlen(behind), stream);
    source_path_of(folder, at->number, "rest.ii", rest);
    return source_write_stream(folder, source_name(rest), stream, &text, &length) == RIFFLE_OK;
}

bool precompiled_find(const riffle_lint_job *job, const compiler_line *line, bool is_clang,
                      const source_paths *at, const private_folder *folder, char out[static PATH_MAX],
                      char rest[static FOLDER_PATH]) {
    parts p;
    size_t length;
    if (!find_parts(at, folder, &p)) return false;
    char *const key = make_key(line, &p, at, folder, &length);
    const bool found = key != NULL && find_compiled(job, line, at, folder, key, length, out) &&
                       write_rest(&p, at, folder, out, is_clang, rest);
    free(key);
    free(p.text);
    return found;
}

void precompiled_add(compiler_line *line, bool is_clang, const char *headers) {
    const char *const words[] = {"-Xclang", "-include-pch", "-Xclang", headers, NULL};
    if (is_clang) compiler_add_all(line, words, COMPILER_MAX_WORDS);
}

void precompiled_remove(const char *headers) { remove_kept(headers); }
