/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_explain_group: which way, what the launches access on a GPU that need not be there, and what an execution takes here.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/names.h"
#include "base/status.h"
#include "device/explain/explain.h"
#include "group/gpu/launches.h"
#include "group/predict/patterns.h"
#include "riffle/machine.h"

/* By its number in the table of arrays. */
enum { FROM_ROWS, ROWS, KEYS, OFFSETS, COUNTS, LEFT_OUT, PLACES };
enum { MOST_ELEMENTS = 1 << 17 };

typedef struct group_question {
    group_subject subject; /* made of a device's plan */
    uint64_t n, groups;
    size_t row_bytes;
    riffle_type key_type;
    riffle_group_options options;
} group_question;

static const riffle_group_plan *plan_of(const plan_base *base) { return (const riffle_group_plan *)base; }

static riffle_status plan(void *asked, riffle_engine engine, const device *on, plan_base **out) {
    group_question *const q = asked;
    riffle_group_plan *made;
    q->options.callers_workspace = engine == RIFFLE_ENGINE_CUDA;
    const riffle_status status =
        group_plan_create(q->n, q->row_bytes, q->key_type, q->groups, engine, on, &q->options, &made);
    if (status != RIFFLE_OK) return status;
    q->subject.plan = made;
    *out = &made->base;
    return RIFFLE_OK;
}

static void discard(plan_base *base) { riffle_group_plan_free((riffle_group_plan *)base); }

static void arrays(const plan_base *base, size_t out[EXPLAINED_ARRAYS]) {
    const riffle_group_plan *const p = plan_of(base);
    out[FROM_ROWS] = group_columns_bytes(p, p->n, p->columns);
    out[ROWS] = group_columns_bytes(p, p->room, p->columns);
    out[KEYS] = (size_t)p->entries * riffle_type_bytes(p->key_type);
    out[OFFSETS] = (p->rule.groups + (size_t)1) * sizeof(uint64_t);
    out[COUNTS] = p->rule.groups * sizeof(uint64_t);
    out[LEFT_OUT] = GROUP_LEFT_OUTS * sizeof(uint64_t);
    out[PLACES] = (size_t)p->entries * p->index_bytes;
}

static riffle_group_arrays arrays_of(const riffle_group_plan *p, const explained_arrays *a,
                                     riffle_group_column columns[RIFFLE_GROUP_MAX_COLUMNS]) {
    riffle_group_arrays out = {.keys = a->of[KEYS],
                               .offsets = a->of[OFFSETS],
                               .counts = a->of[COUNTS],
                               .left_out = a->of[LEFT_OUT],
                               .places = a->of[PLACES]};
    group_columns_in(p, a->of[ROWS], a->of[FROM_ROWS], columns, &out);
    return out;
}

static void append(const plan_base *base, const explained_arrays *a, launch_list *out) {
    riffle_group_column columns[RIFFLE_GROUP_MAX_COLUMNS];
    const riffle_group_arrays all = arrays_of(plan_of(base), a, columns);
    group_append(plan_of(base), &all, a->workspace, out);
}

static riffle_status execute(const plan_base *base, const explained_arrays *a) {
    riffle_group_column columns[RIFFLE_GROUP_MAX_COLUMNS];
    const riffle_group_arrays all = arrays_of(plan_of(base), a, columns);
    return riffle_group_execute(plan_of(base), &all);
}

/* Keys whose groups are drawn evenly: numbers of groups, or any numbers of their type. */
static riffle_status fill(const plan_base *base, void *keys) {
    const riffle_group_plan *const p = plan_of(base);
    const size_t bytes = riffle_type_bytes(p->key_type);
    for (uint64_t e = 0; e < p->entries; e++) {
        uint64_t seed = e;
        const uint64_t any = splitmix_next(&seed),
                       key = p->rule.by == RIFFLE_GROUP_BY_VALUE ? group_part(any, p->rule.groups) : any;
        memcpy((char *)keys + e * bytes, &key, bytes); /* little-endian */
    }
    return RIFFLE_OK;
}

static double row_bytes_of(const riffle_group_plan *p) {
    double bytes = 0;
    for (unsigned k = 0; k < p->columns; k++) bytes += (double)group_column_bytes(p, k);
    return bytes;
}

/* Bytes that are read and written at least. */
static double least_bytes(const riffle_group_plan *p) {
    const double entries = (double)p->entries, row = row_bytes_of(p);
    return (double)p->n * row + entries * (row + (double)(riffle_type_bytes(p->key_type) + p->index_bytes));
}

static unsigned bounds(const plan_base *base, measured_bound out[EXPLAINED_BOUNDS]) {
    const riffle_group_plan *const p = plan_of(base);
    out[0] = (measured_bound){"rows and keys", "moving",
                              "each row and key is read once, each row written for each key",
                              least_bytes(p) / (2 * (double)p->n * row_bytes_of(p))};
    return 1;
}

/* ------------------------------------------------------------------- in words */

static const char *way_of(const plan_base *base) {
    static const char *const names[] = {
        [GROUP_STAGED] = "staged", [GROUP_TWICE] = "twice", [GROUP_ONE] = "one", [GROUP_WIDE] = "wide"};
    const riffle_group_plan *const p = plan_of(base);
    return base->on.ops == NULL ? "scatter" : names[group_lay_out(p, p->multiprocessors).way];
}

static const char *words_of(const plan_base *base) {
    static const char *const words[] = {
        [GROUP_STAGED] = "keys are counted, and rows moved tile by tile through shared memory",
        [GROUP_TWICE] = "the same twice, by the lowest byte of a group's number, and then by the other",
        [GROUP_ONE] = "one block counts keys and finds places, along which rows are moved",
        [GROUP_WIDE] = "keys are counted and places found, along which rows are moved"};
    const riffle_group_plan *const p = plan_of(base);
    if (base->on.ops == NULL) return "keys are counted, and rows scattered";
    return words[group_lay_out(p, p->multiprocessors).way];
}

static riffle_status print(const plan_base *base, FILE *stream) {
    const riffle_group_plan *const p = plan_of(base);
    fprintf(stream, "group       %" PRIu64 " row%s of %zu", p->n, plural(p->n), p->row_bytes);
    for (unsigned k = 1; k < p->columns; k++) fprintf(stream, " + %zu", group_column_bytes(p, k));
    fprintf(stream, " byte%s by ", p->columns > 1 ? "s" : plural(p->row_bytes));
    if (p->keys_per_row > 1)
        fprintf(stream, "%" PRIu64 " keys each, of type %s", p->keys_per_row, riffle_type_string(p->key_type));
    else
        fprintf(stream, "keys of type %s", riffle_type_string(p->key_type));
    fprintf(stream, ", into %" PRIu32 " group%s\n", p->rule.groups, plural(p->rule.groups));
    fprintf(stream, "algorithm   %s: %s", way_of(base), words_of(base));
    if (base->threads > 0) fprintf(stream, ", by %u thread%s", base->threads, plural(base->threads));
    if (base->on.ops != NULL)
        fprintf(stream, "\nmemory      %zu bytes besides the arrays", base->workspace_bytes);
    fprintf(
        stream,
        "\nbound       %.0f bytes are read and written: rows and keys once, each row for each of its keys\n",
        least_bytes(p));
    if (p->check == RIFFLE_CHECK_FULL)
        fprintf(
            stream,
            "check       full: rows and their places are read once more before, and the result behind it\n");
    if (p->check == RIFFLE_CHECK_PASSES)
        fprintf(stream,
                "check       passes: what the first pass writes and the second one reads is compared\n");
    return ferror(stream) ? fail(RIFFLE_ERROR_IO, "the explanation could not be written") : RIFFLE_OK;
}

static void members(const plan_base *base, FILE *stream) {
    const riffle_group_plan *const p = plan_of(base);
    fprintf(stream,
            "\"n\":%" PRIu64 ",\"elem_bytes\":%zu,\"type\":\"%s\",\"groups\":%" PRIu32
            ",\"keys_per_row\":%" PRIu64 ",\"column_bytes\":[",
            p->n, p->row_bytes, riffle_type_string(p->key_type), p->rule.groups, p->keys_per_row);
    for (unsigned k = 1; k < p->columns; k++)
        fprintf(stream, "%s%zu", k > 1 ? "," : "", group_column_bytes(p, k));
    fputc(']', stream);
    explain_members(base, way_of(base), stream);
}

riffle_status riffle_explain_group(uint64_t n, size_t row_bytes, riffle_type key_type, uint64_t groups,
                                   riffle_engine engine, const riffle_group_options *options,
                                   const riffle_explanation *how, FILE *stream) {
    RETURN_IF_NULL(stream);
    if (row_bytes == 0)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "rows of no bytes are not moved; explain rows of at least one");
    group_known known = {.pass = {{.first = NULL}}};
    group_question asked = {{NULL, NULL, &known},
                            n,
                            groups,
                            row_bytes,
                            key_type,
                            options != NULL ? *options : (riffle_group_options){0}};
    const explained what = {.kernels = "groups",
                            .most_elements = MOST_ELEMENTS,
                            .patterns = group_patterns,
                            .subject = &asked.subject,
                            .asked = &asked,
                            .filled = KEYS,
                            EXPLAINED_PARTS};
    const riffle_status status = explain_plan(&what, engine, how, stream);
    group_known_free(&known);
    return status;
}
