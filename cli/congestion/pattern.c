/* SPDX-License-Identifier: Apache-2.0 */
#include "congestion/pattern.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/message.h"

enum { MAX_ADDRESSES = 1 << 24, WORD_ROOM = 64 };

static const char *const names[PATTERN_COUNT + 1] = {
    "contiguous", "stride1", "stride2", "stride3", "diagonal", "random", "malicious", "file:PATH", NULL};

const char *pattern_name(pattern_kind kind) { return kind == PATTERN_FILE ? "file" : names[kind]; }

bool pattern_parse(const char *text, pattern_kind *kind, const char **path) {
    *path = NULL;
    for (int k = 0; k < PATTERN_FILE; ++k) {
        *kind = (pattern_kind)k;
        if (strcmp(text, names[k]) == 0) return true;
    }
    if (strncmp(text, "file:", 5) == 0 && text[5] != '\0') {
        *kind = PATTERN_FILE;
        *path = text + 5;
        return true;
    }
    complain_unknown("option --pattern: pattern", text, names);
    return false;
}

/* --------------------------------------------------------------------------- files of requests */

typedef struct file_reader {
    const char *path;
    uint32_t width;
    uint64_t elements; /* elements of the array */
    size_t line, addresses, address_room, request_room;
    pattern *out;
} file_reader;

/* Room for one more of `bytes` bytes; doubles. */
static bool grow(void **array, size_t *room, size_t used, size_t bytes) {
    if (used < *room) return true;
    const size_t larger = *room == 0 ? 64 : 2 * *room;
    void *moved = realloc(*array, larger * bytes);
    if (moved == NULL) {
        complain("a file of addresses: no memory for %zu bytes; split the file", larger * bytes);
        return false;
    }
    *array = moved;
    *room = larger;
    return true;
}

static bool add_address(file_reader *reader, const char *word) {
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || *end != '\0' || strlen(word) == WORD_ROOM - 1 || errno != 0 ||
        value >= reader->elements) {
        complain("%s: line %zu: '%.32s' is no address; write numbers from 0 to %llu with blanks between them",
                 reader->path, reader->line, word, (unsigned long long)reader->elements - 1);
        return false;
    }
    if (reader->addresses - reader->out->start[reader->out->requests] == reader->width) {
        complain("%s: line %zu: more than %u addresses; a line is what one warp asks for", reader->path,
                 reader->line, reader->width);
        return false;
    }
    if (reader->addresses == MAX_ADDRESSES) {
        complain("%s: line %zu: more than %d addresses in the file; split it", reader->path, reader->line,
                 MAX_ADDRESSES);
        return false;
    }
    if (!grow((void **)&reader->out->address, &reader->address_room, reader->addresses, sizeof(uint64_t)))
        return false;
    reader->out->address[reader->addresses++] = value;
    return true;
}

/* Ends the request of one warp, unless the line held nothing but blanks or a comment. */
static bool end_line(file_reader *reader) {
    pattern *out = reader->out;
    reader->line++;
    if (reader->addresses == out->start[out->requests]) return true;
    out->requests++;
    if (!grow((void **)&out->start, &reader->request_room, out->requests, sizeof(size_t))) return false;
    out->start[out->requests] = reader->addresses;
    return true;
}

/* The next character outside comments. */
static int next_character(FILE *file) {
    int c = getc(file);
    if (c == '#') {
        do c = getc(file);
        while (c != '\n' && c != '\0' && c != EOF);
    }
    return c;
}

/* Reads word by word, so a line may be of any length. A word that fills its room is no number of 64 bits. */
static bool read_words(FILE *file, file_reader *reader) {
    char word[WORD_ROOM];
    size_t used = 0;
    int c;
    do {
        c = next_character(file);
        if (c == '\0') {
            complain("%s: line %zu: holds a zero byte; it must be a text", reader->path, reader->line);
            return false;
        }
        const bool ends_line = c == '\n' || c == EOF, ends_word = ends_line || strchr(" \t\r", c) != NULL;
        if (!ends_word && used < WORD_ROOM - 1) word[used++] = (char)c;
        if (!ends_word) continue;
        word[used] = '\0';
        if (used > 0 && !add_address(reader, word)) return false;
        used = 0;
        if (ends_line && !end_line(reader)) return false;
    } while (c != EOF);
    return true;
}

static bool read_requests(FILE *file, file_reader *reader) {
    if (!grow((void **)&reader->out->start, &reader->request_room, 0, sizeof(size_t))) return false;
    reader->out->start[0] = 0;
    if (!read_words(file, reader)) return false;
    if (ferror(file)) {
        complain("%s: cannot be read: %s", reader->path, strerror(errno));
    } else if (reader->out->requests == 0) {
        complain("%s: holds no addresses; write what one warp asks for on each line", reader->path);
    }
    return !ferror(file) && reader->out->requests > 0;
}

bool pattern_read_file(const char *path, const riffle_layout *layout, pattern *out) {
    *out = (pattern){.kind = PATTERN_FILE};
    file_reader reader = {.path = path, .width = layout->width, .line = 1, .out = out};
    reader.elements = riffle_layout_rows(layout) * layout->width;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        complain("%s: cannot be read: %s", path, strerror(errno));
        return false;
    }
    const bool good = read_requests(file, &reader);
    fclose(file);
    if (!good) pattern_free(out);
    return good;
}

void pattern_free(pattern *p) {
    free(p->start);
    free(p->address);
    *p = (pattern){.kind = p->kind};
}

/* ------------------------------------------------------------------------------- requests */

/* Elements (first_row + t * row_step, first_col + t * col_step mod w). */
static void ask_line(warp_request *out, uint32_t w, uint64_t first_row, uint64_t row_step, uint32_t first_col,
                     uint32_t col_step) {
    out->count = w;
    for (uint32_t t = 0; t < w; ++t) {
        out->row[t] = first_row + t * row_step;
        out->col[t] = (first_col + t * col_step) % w;
    }
}

static void ask_random(warp_request *out, uint32_t w, uint64_t rows, uint64_t *state) {
    const uint32_t planes = (uint32_t)(rows / w);
    out->count = w;
    for (uint32_t t = 0; t < w; ++t) {
        const uint64_t plane = planes == 1 ? 0 : riffle_draw_below(state, planes);
        out->row[t] = plane * w + riffle_draw_below(state, w);
        out->col[t] = riffle_draw_below(state, w);
    }
}

/* R1P: the six orders of three indices share a bank whatever the numbers are (section VII). The groups
 * {0, 1, 2}, {0, 3, 4}, {0, 5, 6}, ... in one column meet in a bank a little more often than groups without a
 * common index do; requests left over are part of one more group. */
static void ask_six_orders(warp_request *out, uint32_t w) {
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    out->count = w;
    for (uint32_t t = 0; t < w; ++t) {
        const uint32_t group = t / 6, index[3] = {0, (1 + 2 * group) % w, (2 + 2 * group) % w};
        const uint8_t *order = orders[t % 6];
        out->row[t] = ((uint64_t)index[order[0]] * w + index[order[1]]) * w + index[order[2]];
        out->col[t] = 0;
    }
}

/* Each line of the switch is an attack; docs/rap.md says why none that is known does more harm. */
static void ask_malicious(warp_request *out, const riffle_layout *layout) {
    const uint32_t w = layout->width;
    switch (layout->kind) {
    case RIFFLE_LAYOUT_RAW:
    case RIFFLE_LAYOUT_RAS: ask_line(out, w, 0, 1, 0, 0); break; /* a column: w rows, one element each */
    case RIFFLE_LAYOUT_1P: ask_line(out, w, 0, w, 0, 0); break;  /* rows of one rotation */
    case RIFFLE_LAYOUT_R1P: ask_six_orders(out, w); break;
    case RIFFLE_LAYOUT_PADDED: ask_line(out, w, 0, 1, 0, w - 1); break; /* row + col = 0 mod w */
    case RIFFLE_LAYOUT_XOR: ask_line(out, w, 0, 1, 0, 1); break;        /* row = col */
    case RIFFLE_LAYOUT_SWIZZLE128: ask_line(out, w, 0, 1, 0, 4); break; /* piece = row mod 8 */
    default: ask_line(out, w, 0, 1, 0, 1); break; /* w rows and w columns: any two may meet */
    }
}

static void ask_from_file(warp_request *out, const pattern *asked, uint32_t w, uint64_t trial) {
    const size_t request = (size_t)(trial % asked->requests);
    const uint64_t *address = asked->address + asked->start[request];
    out->count = (uint32_t)(asked->start[request + 1] - asked->start[request]);
    for (uint32_t t = 0; t < out->count; ++t) {
        out->row[t] = address[t] / w;
        out->col[t] = (uint32_t)(address[t] % w);
    }
}

void pattern_request(const pattern *asked, const riffle_layout *layout, uint64_t trial, uint64_t *state,
                     warp_request *out) {
    const uint32_t w = layout->width;
    const uint64_t plane = (uint64_t)w * w, rows = riffle_layout_rows(layout);
    const uint64_t k = riffle_draw_below(state, w), l = riffle_draw_below(state, w);
    const uint64_t j = rows == w ? 0 : riffle_draw_below(state, w),
                   i = rows == w ? 0 : riffle_draw_below(state, w);
    const uint32_t col = (uint32_t)l;
    switch (asked->kind) {
    case PATTERN_CONTIGUOUS: ask_line(out, w, i * plane + j * w + k, 0, 0, 1); break;
    case PATTERN_STRIDE1: ask_line(out, w, i * plane + j * w, 1, col, 0); break;
    case PATTERN_STRIDE2: ask_line(out, w, i * plane + k, w, col, 0); break;
    case PATTERN_STRIDE3: ask_line(out, w, j * w + k, plane, col, 0); break;
    case PATTERN_DIAGONAL: ask_line(out, w, i * plane + j * w, 1, col, 1); break;
    case PATTERN_RANDOM: ask_random(out, w, rows, state); break;
    case PATTERN_MALICIOUS: ask_malicious(out, layout); break;
    case PATTERN_FILE: ask_from_file(out, asked, w, trial); break;
    }
}
