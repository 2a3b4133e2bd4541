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
