/* SPDX-License-Identifier: Apache-2.0
 *
 * The requests of a warp: the patterns of the RAP paper (Nakano, Matsumae, Ito 2014, sections III and VII), the worst
 * that an adversary can ask of a layout whose random numbers it does not know, and requests from a file.
 */
#ifndef RIFFLE_CLI_CONGESTION_PATTERN_H
#define RIFFLE_CLI_CONGESTION_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "riffle/rap.h"

typedef enum pattern_kind {
    PATTERN_CONTIGUOUS = 0,
    PATTERN_STRIDE1,
    PATTERN_STRIDE2,
    PATTERN_STRIDE3,
    PATTERN_DIAGONAL,
    PATTERN_RANDOM,
    PATTERN_MALICIOUS,
    PATTERN_FILE,
} pattern_kind;
enum { PATTERN_COUNT = PATTERN_FILE + 1 };

typedef struct pattern {
    pattern_kind kind;
    /* For PATTERN_FILE: request k asks for the elements address[start[k]] to address[start[k + 1] - 1]. */
    size_t requests;
    size_t *start;
    uint64_t *address;
} pattern;

/** One warp's elements: up to w of them. */
typedef struct warp_request {
    uint32_t count;
    uint64_t row[RIFFLE_LAYOUT_MAX_WIDTH];
    uint32_t col[RIFFLE_LAYOUT_MAX_WIDTH];
} warp_request;

/** Reads "contiguous", "stride1" to "stride3", "diagonal", "random", "malicious" or "file:PATH" into *kind, and
 *  PATH into *path; complains about anything else. */
bool pattern_parse(const char *text, pattern_kind *kind, const char **path);

const char *pattern_name(pattern_kind kind);

/** Reads a file of requests, one a line: up to w numbers of elements in row-major order, below w^dims, with
 *  blanks between them; "#" begins a comment. Complains, and leaves nothing to free, about what is none. */
bool pattern_read_file(const char *path, const riffle_layout *layout, pattern *out);

/** The elements that the warp asks for in this trial; *state is where random choices come from. */
void pattern_request(const pattern *asked, const riffle_layout *layout, uint64_t trial, uint64_t *state,
                     warp_request *out);

void pattern_free(pattern *p);

#endif
