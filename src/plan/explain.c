/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan in words: what it moves, how, why so, and what that is expected to cost beside a copy.
 */
#include <errno.h>
#include <string.h>

#include "base/status.h"
#include "plan/explain_model.h"
#include "plan/explain_translation.h"
#include "plan/plan.h"

static const char *const PASS_NAMES[PASS_KINDS] = {
    [PASS_COPY] = "copy",
    [PASS_SCATTER] = "scatter",
    [PASS_GATHER] = "gather",
    [PASS_AFFINE_LINES] = "affine_lines",
    [PASS_AXES_TILE] = "axes_tile",
    [PASS_BUCKET] = "bucket",
    [PASS_TRANSPOSE] = "transpose",
    [PASS_ROW_WISE] = "row_wise",
    [PASS_AFFINE_TILE] = "affine_tile",
    [PASS_BMMC] = "bmmc",
    [PASS_BUCKET_TILE] = "bucket_tile",
};

static const char *const BUFFER_NAMES[BUFFERS] = {
    [BUFFER_SRC] = "src", [BUFFER_DST] = "dst", [BUFFER_WORKSPACE] = "workspace", [BUFFER_SPARE] = "spare"};

/* What a plan of this decision will ask for: one array, and one more where the matrix is padded. */
static size_t workspace_bytes(const plan_summary *s) {
    const matrix_shape matrix = s->choice.matrix;
    if (s->choice.passes <= 1 || s->in_place) return 0;
    if (s->choice.algorithm != RIFFLE_ALGORITHM_SCHEDULED) return s->array_bytes;
    const size_t bytes = (size_t)(matrix.rows * matrix.cols) * s->elem_bytes;
    return bytes > s->array_bytes ? 2 * bytes : bytes;
}

static void print_threads(unsigned threads, FILE *stream) {
    fprintf(stream, ", %u thread%s", threads, threads == 1 ? "" : "s");
}

static void print_summary(const plan_summary *s, FILE *stream) {
    const double mib = (double)s->array_bytes / (1 << 20);
    fprintf(stream, "permutation  %s\n", s->description);
    fprintf(stream, "array        %llu elements of %zu bytes, %.1f MiB\n", (unsigned long long)s->n,
            s->elem_bytes, mib);
    if (s->batch > 1)
        fprintf(stream, "batch        %llu arrays, %llu elements apart\n", (unsigned long long)s->batch,
                (unsigned long long)s->stride);
    fprintf(stream, "engine       %s", s->target.name);
    if (!plan_target_is_device(&s->target))
        print_threads(s->threads > s->batch_threads ? s->threads : s->batch_threads, stream);
    fputc('\n', stream);
    fprintf(stream, "algorithm    %s, %u pass%s%s\n", riffle_algorithm_string(s->choice.algorithm),
            s->choice.passes, s->choice.passes == 1 ? "" : "es", s->in_place ? ", in place" : "");
    fprintf(stream, "because      %s\n", s->choice.reason);
    const size_t workspace = workspace_bytes(s);
    fprintf(stream, "memory       about %.1f bytes an element, and %.1f MiB of workspace\n", s->choice.kept,
            (double)workspace / (1 << 20));
    if (!plan_target_is_device(&s->target) && plan_is_cached(s->span_bytes)) {
        fprintf(stream, "expected     no traffic to memory: the array stays in the second-level cache\n");
        return;
    }
    explain_translation(s, stream);
    fprintf(stream, "traffic      %.0f bytes an element, where a copy carries %zu\n", s->choice.traffic,
            2 * s->elem_bytes);
    fprintf(stream, "expected     about %.1f times a copy's time\n", s->choice.copies);
}

static void print_tile(const affine_lines_schedule *s, FILE *stream) {
    const unsigned lines = 1u << s->width;
    fprintf(stream, ": 2^%u tiles, each reads %u and writes %u line%s of %d bytes", s->tile_bits, lines, lines,
            lines == 1 ? "" : "s", AFFINE_LINE_BYTES);
}

static void print_affine_tile(const affine_tile_schedule *s, FILE *stream) {
    fprintf(stream, ": %llu blocks of %u threads, %s of %u bytes",
            (unsigned long long)(s->arrays.count * s->run_blocks), 1u << s->thread_bits,
            s->in_place ? "pairs of tiles" : "tiles", 1u << s->tile_bits << s->arrays.unit_bits);
}

static void print_bucket(const bucket_schedule *s, FILE *stream) {
    fprintf(stream, ": %llu pieces of 2^%u elements from %llu runs", (unsigned long long)s->pieces,
            s->piece_bits, (unsigned long long)s->run_count);
}

static void print_bucket_tile(const bucket_tile_schedule *s, FILE *stream) {
    fprintf(stream, ": %llu pieces of %u elements", (unsigned long long)s->pieces, s->piece);
    if (s->chunk_count > 0) fprintf(stream, " from %llu chunks", (unsigned long long)s->chunk_count);
}

static void print_matrix(const pass *p, FILE *stream) {
    const uint64_t rows = p->kind == PASS_TRANSPOSE ? p->transpose.rows : p->row_wise.rows;
    const uint64_t cols = p->kind == PASS_TRANSPOSE ? p->transpose.cols : p->row_wise.cols;
    fprintf(stream, ": %llu x %llu", (unsigned long long)rows, (unsigned long long)cols);
}

static void print_pass(unsigned number, const pass *p, FILE *stream) {
    fprintf(stream, "pass %u       %s, %s to %s", number, PASS_NAMES[p->kind], BUFFER_NAMES[p->from],
            BUFFER_NAMES[p->to]);
    if (p->kind == PASS_AFFINE_LINES) print_tile(&p->affine_lines, stream);
    if (p->kind == PASS_AFFINE_TILE) print_affine_tile(&p->affine_tile, stream);
    if (p->kind == PASS_BUCKET) print_bucket(&p->bucket, stream);
    if (p->kind == PASS_BUCKET_TILE) print_bucket_tile(&p->bucket_tile, stream);
    if (p->kind == PASS_TRANSPOSE || p->kind == PASS_ROW_WISE) print_matrix(p, stream);
    fputc('\n', stream);
}

static riffle_status check_stream(FILE *stream) {
    if (fflush(stream) == 0 && ferror(stream) == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_IO, "the explanation could not be written: %s", strerror(errno));
}

riffle_status riffle_plan_explain(const riffle_plan *plan, FILE *stream) {
    print_summary(&plan->summary, stream);
    for (unsigned k = 0; k < plan->built; k++) print_pass(k + 1, &plan->passes[k], stream);
    fprintf(stream, "plan         %zu bytes, workspace %zu bytes\n", plan->bytes, plan->workspace_bytes);
    return check_stream(stream);
}

riffle_status plan_explain(const riffle_perm *perm, size_t elem_bytes, const plan_target *target,
                           const riffle_plan_options *options, FILE *stream) {
    riffle_perm *recognized;
    plan_summary summary;
    riffle_status status = plan_decide(perm, elem_bytes, target, options, &recognized, &summary);
    if (status != RIFFLE_OK) return status;
    print_summary(&summary, stream);
    status = explain_model(recognized, &summary, stream);
    riffle_perm_free(recognized);
    return status == RIFFLE_OK ? check_stream(stream) : status;
}
