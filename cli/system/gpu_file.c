/* SPDX-License-Identifier: Apache-2.0 */
#include "system/gpu_file.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/message.h"

enum { MOST_BYTES = 4096, MOST_WORD = 64 };

/* A file that is read, from its text's place on. */
typedef struct reader {
    const char *path, *at;
    riffle_cuda_device *gpu;
    uint64_t *bytes_per_second;
} reader;

static bool refuse(const reader *r, const char *what) {
    complain("%s: %s; a GPU is one JSON object such as {\"multiprocessors\": 132, \"shared_bytes\": 232448, "
             "\"l2_bytes\": 52428800, \"memory_bytes\": 141000000000}",
             r->path, what);
    return false;
}

static void skip(reader *r) {
    while (isspace((unsigned char)*r->at)) r->at++;
}

static bool take(reader *r, char wanted) {
    skip(r);
    if (*r->at != wanted) return false;
    r->at++;
    return true;
}

/* A string without escapes. */
static bool take_text(reader *r, char *out, size_t room) {
    if (!take(r, '"')) return false;
    const size_t length = strcspn(r->at, "\"\\");
    if (r->at[length] != '"' || length >= room) return false;
    snprintf(out, room, "%.*s", (int)length, r->at);
    r->at += length + 1;
    return true;
}

static bool take_number(reader *r, uint64_t most, uint64_t *out) {
    char *end;
    skip(r);
    if (!isdigit((unsigned char)*r->at)) return false;
    errno = 0;
    const unsigned long long value = strtoull(r->at, &end, 10);
    if (errno != 0 || value > most) return false;
    *out = value;
    r->at = end;
    return true;
}

static bool put_number(reader *r, const char *name, unsigned *small, size_t *large, uint64_t *huge) {
    uint64_t value;
    char what[2 * MOST_WORD];
    snprintf(what, sizeof what, "%s is no whole number, or one too large", name);
    if (!take_number(r, small != NULL ? UINT_MAX : UINT64_MAX, &value)) return refuse(r, what);
    if (small != NULL) *small = (unsigned)value;
    if (large != NULL) *large = (size_t)value;
    if (huge != NULL) *huge = value;
    return true;
}

static bool take_member(reader *r) {
    riffle_cuda_device *const gpu = r->gpu;
    const struct {
        const char *name;
        unsigned *small;
        size_t *large;
        uint64_t *huge;
    } all[] = {
        {"multiprocessors", .small = &gpu->multiprocessors}, {"compute_major", .small = &gpu->compute_major},
        {"compute_minor", .small = &gpu->compute_minor},     {"block_threads", .small = &gpu->block_threads},
        {"shared_bytes", .large = &gpu->shared_bytes},       {"l2_bytes", .large = &gpu->l2_bytes},
        {"memory_bytes", .large = &gpu->memory_bytes},       {"bytes_per_second", .huge = r->bytes_per_second}};
    char name[MOST_WORD], what[2 * MOST_WORD];
    if (!take_text(r, name, sizeof name) || !take(r, ':'))
        return refuse(r, "a member has no name, or no value");
    if (strcmp(name, "name") == 0)
        return take_text(r, gpu->name, sizeof gpu->name) || refuse(r, "the name is no text without escapes");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(all[k].name, name) == 0) return put_number(r, name, all[k].small, all[k].large, all[k].huge);
    snprintf(what, sizeof what, "a GPU has no '%s'", name);
    return refuse(r, what);
}

static bool take_object(reader *r) {
    if (!take(r, '{')) return refuse(r, "it does not begin with {");
    do {
        if (!take_member(r)) return false;
    } while (take(r, ','));
    if (!take(r, '}')) return refuse(r, "it does not end with }");
    skip(r);
    return *r->at == '\0' || refuse(r, "something stands behind }");
}

bool gpu_file_read(const char *path, riffle_cuda_device *out, uint64_t *bytes_per_second) {
    char text[MOST_BYTES];
    reader r = {path, text, out, bytes_per_second};
    FILE *const file = fopen(path, "re");
    if (file == NULL) {
        complain("%s: %s; --device is a100, h100, h200 or a file with a GPU's numbers", path, strerror(errno));
        return false;
    }
    const size_t length = fread(text, 1, sizeof text - 1, file);
    const bool is_short = length < sizeof text - 1 && !ferror(file);
    fclose(file);
    text[length] = '\0';
    *out = (riffle_cuda_device){.name = "of a file", .block_threads = 1024};
    *bytes_per_second = 0;
    return is_short ? take_object(&r) : refuse(&r, "it cannot be read, or has 4 KiB or more");
}
