/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/explain/document.h"

#include <inttypes.h>

#include "device/explain/text.h"
#include "plan/algorithm.h"
#include "plan/choose/choose.h"
#include "plan/explain/model.h"

static void print_request(const plan_request *r, const char *description, FILE *stream) {
    fputc('{', stream);
    explain_text("permutation", description, stream);
    fprintf(stream,
            "\"n\":%" PRIu64 ",\"elem_bytes\":%zu,\"batch\":%" PRIu64 ",\"stride\":%" PRIu64
            ",\"in_place\":%s,",
            r->n, r->elem_bytes, r->batch, r->stride, r->in_place ? "true" : "false");
    explain_text("check", riffle_check_string(r->check), stream);
    explain_text("engine", r->target.name, stream);
}

static void print_choice(const plan_request *r, const plan_choice *c, double bytes_per_second, FILE *stream) {
    const bool is_host = !plan_target_is_device(&r->target);
    explain_text("algorithm", c->algorithm->name, stream);
    explain_text("because", c->reason, stream);
    fprintf(stream, "\"passes\":%u,\"kept_bytes_per_element\":%.3f,\"workspace_bytes\":%zu,", c->passes,
            c->kept, c->workspace_bytes);
    if (is_host) fprintf(stream, "\"threads\":%u,", plan_threads(c));
    fprintf(stream, "\"cached\":%s,\"traffic_bytes_per_element\":%.3f,\"copy_bytes_per_element\":%zu,",
            is_host && explain_is_cached(r) ? "true" : "false", c->traffic, 2 * r->elem_bytes);
    if (c->copies > 0)
        fprintf(stream, "\"expected_copies\":%.3f,", c->copies);
    else
        fprintf(stream, "\"expected_copies\":null,");
    if (explain_has_time(r, bytes_per_second))
        fprintf(stream, "\"seconds_at_best\":%.6g,", explain_best_seconds(r, c, bytes_per_second));
    else
        fprintf(stream, "\"seconds_at_best\":null,");
}

/* Where rows go, and how many there are so far. */
typedef struct rows {
    FILE *stream;
    unsigned count;
} rows;

static void print_row(const model_row *row, void *context) {
    rows *const to = context;
    fprintf(to->stream, "%s{", to->count++ > 0 ? "," : "");
    explain_text("algorithm", row->algorithm, to->stream);
    if (row->is_known)
        fprintf(to->stream,
                "\"time_units\":%" PRIu64 ",\"over_bound\":%.6g,\"estimated\":%s,\"meaning\":\"%s\",",
                row->time_units, row->over, row->meaning == PATTERN_EXACT ? "false" : "true",
                pattern_meaning_string(row->meaning));
    else
        fprintf(to->stream, "\"time_units\":null,\"over_bound\":null,\"estimated\":null,\"meaning\":null,");
    if (row->is_known && row->has_blocks)
        fprintf(to->stream, "\"block_exchanges\":%" PRIu64, row->blocks);
    else
        fprintf(to->stream, "\"block_exchanges\":null");
    if (row->check_time_units > 0)
        fprintf(to->stream, ",\"check_time_units\":%" PRIu64 "}", row->check_time_units);
    else
        fprintf(to->stream, ",\"check_time_units\":null}");
}

static void print_bounds(const model_bounds *b, FILE *stream) {
    fprintf(stream, "\"bounds\":[{");
    explain_text("of", "all", stream);
    explain_text("meaning", "no algorithm moves any permutation in less", stream);
    fprintf(stream, "\"time_units\":%" PRIu64 ",\"block_exchanges\":%" PRIu64 "},{", b->time_units, b->blocks);
    explain_text("of", "the worst permutation", stream);
    explain_text("meaning", "some permutation takes as many, by any algorithm; perhaps not this one", stream);
    fprintf(stream, "\"time_units\":null,\"block_exchanges\":%.0f}]", b->worst_blocks);
}

static riffle_status print_model(const plan_request *r, const riffle_machine_options *m, FILE *stream) {
    rows to = {stream, 0};
    const model_bounds bounds = explain_model_bounds(r, m);
    fprintf(stream, "\"model\":{\"width\":%u,\"latency\":%u,\"shared_latency\":%u,\"dmms\":%u,\"algorithms\":[",
            m->width, m->latency, m->shared_latency, m->dmms);
    uint64_t of_check;
    const riffle_status status = explain_model_rows(r, m, print_row, &to, &of_check);
    fprintf(stream, "],\"check_time_units\":");
    if (status == RIFFLE_OK && r->check == RIFFLE_CHECK_FULL)
        fprintf(stream, "%" PRIu64 ",", of_check);
    else
        fprintf(stream, "null,");
    print_bounds(&bounds, stream);
    fputc('}', stream);
    return status;
}

riffle_status explain_document(const plan_request *r, const plan_choice *c, const char *description,
                               const explain_how *how, FILE *stream) {
    const measured_bound sectors = explain_sectors(r, c);
    riffle_status status = RIFFLE_OK;
    print_request(r, description, stream);
    if (how->gpu != NULL) explain_text("gpu", how->gpu, stream);
    print_choice(r, c, how->bytes_per_second, stream);
    if (r->n > 0)
        status = print_model(r, &how->model, stream);
    else
        fprintf(stream, "\"model\":null");
    measured_times_print_json(&how->times, &sectors, 1, stream);
    fprintf(stream, "}\n");
    return status;
}
