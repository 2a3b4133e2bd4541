/* SPDX-License-Identifier: Apache-2.0 */
#include "move/cpu/passes/loops.h"

static void print(const pass *p, FILE *stream) {
    const bucket_schedule *const s = &p->bucket;
    fprintf(stream, ": %llu pieces of 2^%u elements from %llu runs", (unsigned long long)s->pieces,
            s->piece_bits, (unsigned long long)s->run_count);
    if (s->outs != NULL) fprintf(stream, " to %llu", (unsigned long long)s->out_count);
}

static void release(pass *p) { bucket_free(&p->bucket); }

const pass_kind PASS_BUCKET = {.name = "bucket", .print = print, .free = release, .run = cpu_bucket};
const pass_kind PASS_BUCKET_CHECKED = {
    .name = "bucket_checked", .print = print, .free = release, .run = cpu_bucket_checked};

static void print_rows(const pass *p, FILE *stream) {
    const bucket_rows *const s = &p->bucket_rows;
    fprintf(stream, ": %llu pieces, %llu rows of %u elements", (unsigned long long)s->pieces,
            (unsigned long long)s->first_row[s->pieces], s->row);
}

static void release_rows(pass *p) { bucket_rows_free(&p->bucket_rows); }

const pass_kind PASS_BUCKET_ROWS = {
    .name = "bucket_rows", .print = print_rows, .free = release_rows, .run = cpu_bucket_rows};
