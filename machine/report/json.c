/* SPDX-License-Identifier: Apache-2.0
 *
 * The report as one JSON document (docs/machine.md).
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/status.h"
#include "machine/count/account.h"
#include "machine/count/report.h"
#include "machine/count/summary.h"
#include "machine/count/verdict.h"
#include "machine/layout/shared_layout.h"
#include "machine/library.h"
#include "machine/report/escape.h"

/* "key":"text", */
static void print_text(const char *key, const char *text, FILE *stream) {
    fprintf(stream, "\"%s\":", key);
    escape_json(text, stream);
    fputc(',', stream);
}

static void print_head(const riffle_report *report, FILE *stream) {
    const riffle_machine_options *o = &report->options;
    fprintf(stream, "{\"width\":%u,\"latency\":%u,\"shared_latency\":%u,\"dmms\":%u,", o->width, o->latency,
            o->shared_latency, o->dmms);
    if (o->shared_layout != RIFFLE_LAYOUT_RAW)
        fprintf(stream, "\"shared_layout\":\"%s\",\"shared_seeds\":%u,", riffle_layout_string(o->shared_layout),
                shared_layout_seeds(o));
    if (report->algorithm != NULL) {
        fprintf(stream, "\"n\":%" PRIu64 ",", report->n);
        print_text("algorithm", report->algorithm, stream);
    } else {
        fprintf(stream, "\"n\":null,\"algorithm\":null,");
    }
}

/* "worst":{"bytes":4,"lanes":[0,1],"offsets":[0,128]}, of the bytes from the array's start */
static void print_worst(const warp_access *worst, FILE *stream) {
    fprintf(stream, "\"worst\":{\"bytes\":%u,\"lanes\":[", worst->bytes);
    for (unsigned k = 0; k < worst->lanes; k++) fprintf(stream, "%s%u", k > 0 ? "," : "", worst->lane[k]);
    fprintf(stream, "],\"offsets\":[");
    for (unsigned k = 0; k < worst->lanes; k++)
        fprintf(stream, "%s%" PRIu64, k > 0 ? "," : "", place_offset(worst->at[k]));
    fprintf(stream, "]},");
}

/* Whose accesses they are, and what would mend them. */
static void print_attributes(const report_line *line, double threshold, uint64_t wasted, FILE *stream) {
    if (line->array == NULL) return;
    print_text("array", line->array, stream);
    print_text("called_from", line->called_from != NULL ? line->called_from : "", stream);
    fprintf(stream, "\"lanes\":%" PRIu64 ",\"share\":%.6f,", line->lanes,
            report_share(line, threshold, wasted));
    fprintf(stream, "\"mergeable\":%" PRIu64 ",", line->mergeable);
    if (line->advice != NULL) print_text("advice", line->advice, stream);
    if (line->worst != NULL) print_worst(line->worst, stream);
}

static void print_laid_out(const report_line *line, const riffle_machine_options *options, FILE *stream) {
    if (options->shared_layout == RIFFLE_LAYOUT_RAW || line->space != SPACE_SHARED) return;
    fprintf(stream, "\"laid_requests\":%.4f,\"laid_worst\":%" PRIu64 ",", report_laid_out(line, options),
            line->laid_worst);
}

/* For rows that do not have all blocks; null: not known. */
static void print_estimate(const report_line *line, FILE *stream) {
    if (!line->sampled) return;
    const report_part all = verdict_estimate(line);
    const double error = verdict_error(line);
    fprintf(stream,
            "\"estimate\":{\"warps\":%" PRIu64 ",\"requests\":%" PRIu64 ",\"ideal_requests\":%" PRIu64 "},",
            all.warps, all.requests, all.ideal_requests);
    if (isinf(error))
        fprintf(stream, "\"error\":null,");
    else
        fprintf(stream, "\"error\":%.6f,", error);
}

static void print_line(const report_line *line, const riffle_machine_options *options, uint64_t wasted,
                       FILE *stream) {
    const double threshold = options->threshold;
    char verdict[VERDICT_TEXT];
    fprintf(stream, "{\"launch\":%u,", line->launch);
    print_text("kernel", line->kernel, stream);
    print_text("file", line->file, stream);
    fprintf(stream, "\"line\":%u,\"space\":\"%s\",\"op\":\"%s\",\"cell_bytes\":%u,", line->line,
            report_space_names[line->space], report_op_names[line->op], line->cell_bytes);
    print_attributes(line, threshold, wasted, stream);
    fprintf(stream,
            "\"merged\":%" PRIu64 ",\"rounds\":%" PRIu64 ",\"casual_rounds\":%" PRIu64 ",\"warps\":%" PRIu64
            ",",
            line->merged, line->rounds, line->casual_rounds, line->warps);
    fprintf(stream, "\"stages\":%" PRIu64 ",\"ideal_stages\":%" PRIu64 ",\"worst_stages\":%" PRIu64 ",",
            line->stages, line->ideal_stages, line->worst_stages);
    print_laid_out(line, options, stream);
    print_estimate(line, stream);
    fprintf(stream,
            "\"time_units\":%" PRIu64 ",\"requests\":%" PRIu64 ",\"ideal_requests\":%" PRIu64
            ",\"verdict\":\"%s\"}",
            line->time_units, line->requests, line->ideal_requests, verdict_say(line, threshold, verdict));
}

static void print_summary(const riffle_report *report, FILE *stream) {
    static const char *const good_names[SPACES] = {"coalesced", "conflict_free"};
    const report_summary sum = report_summarize(report);
    fprintf(stream, "\"summary\":{");
    for (unsigned space = 0; space < SPACES; space++) {
        const uint64_t *good = sum.good[space], *casual = sum.casual[space];
        fprintf(stream, "%s\"%s\":{\"%s_read\":%" PRIu64 ",\"%s_write\":%" PRIu64 ",", space > 0 ? "," : "",
                report_space_names[space], good_names[space], good[OP_READ], good_names[space], good[OP_WRITE]);
        fprintf(stream, "\"casual_read\":%" PRIu64 ",\"casual_write\":%" PRIu64 "}", casual[OP_READ],
                casual[OP_WRITE]);
    }
    fprintf(stream, "},");
}

static void print_moves(const riffle_report *report, FILE *stream) {
    if (report->moves == 0) return;
    fprintf(stream, "\"moved\":[");
    for (size_t k = 0; k < report->moves; k++) {
        const report_move *one = &report->move[k];
        fprintf(stream, "%s{\"launch\":%u,", k > 0 ? "," : "", one->launch);
        print_text("kernel", one->kernel, stream);
        print_text("file", one->file, stream);
        print_text("what", report_move_names[one->kind], stream);
        fprintf(stream, "\"line\":%u,\"times\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"requests\":%" PRIu64 "}", one->line, one->times, one->bytes,
                one->requests);
    }
    fprintf(stream, "],");
}

static void print_launches(const riffle_report *report, FILE *stream) {
    fprintf(stream, "\"launches\":[");
    for (size_t k = 0; k < report->lines;) {
        if (k > 0) fputc(',', stream);
        const report_launch sum = report_next_launch(report, &k);
        fprintf(stream, "{\"launch\":%u,", sum.first->launch);
        print_text("kernel", sum.first->kernel, stream);
        if (sum.first->launches > 0) fprintf(stream, "\"launches\":%" PRIu64 ",", sum.first->launches);
        fprintf(stream, "\"rounds\":%" PRIu64 ",\"stages\":%" PRIu64 ",\"time_units\":%" PRIu64 "}", sum.rounds,
                sum.stages, sum.time_units);
    }
    fprintf(stream, "],");
}

static void print_predicted(const report_predicted *one, FILE *stream) {
    fprintf(stream,
            "{\"rounds\":%" PRIu64 ",\"casual_rounds\":%" PRIu64 ",\"stages\":%" PRIu64
            ",\"time_units\":%" PRIu64 "}",
            one->rounds, one->casual_rounds, one->stages, one->time_units);
}

static void print_prediction(const report_prediction *p, size_t launch, FILE *stream) {
    fprintf(stream, "%s{\"launch\":%zu,", launch > 0 ? "," : "", launch);
    print_text("kernel", p->kernel, stream);
    for (unsigned space = 0; space < SPACES; space++) {
        fprintf(stream, "%s\"%s\":{\"read\":", space > 0 ? "," : "", report_space_names[space]);
        print_predicted(&p->of[space][OP_READ], stream);
        fprintf(stream, ",\"write\":");
        print_predicted(&p->of[space][OP_WRITE], stream);
        fputc('}', stream);
    }
    fputc('}', stream);
}

static void print_predictions(const riffle_report *report, FILE *stream) {
    if (!report->is_predicted) {
        fprintf(stream, "\"predicted_time_units\":null,");
        return;
    }
    fprintf(stream, "\"predicted_time_units\":%" PRIu64 ",", report->predicted_time_units);
    print_text("predicted_meaning", report->predicted_meaning, stream);
    if (report->predicted_of != NULL) print_text("predicted_of", report->predicted_of, stream);
    fprintf(stream, "\"predicted_launches\":[");
    for (size_t k = 0; k < report->predictions; k++) print_prediction(&report->prediction[k], k, stream);
    fprintf(stream, "],");
}

static void print_hazard(const report_hazard *hazard, FILE *stream) {
    fputc('{', stream);
    print_text("kind", hazard_names[hazard->kind], stream);
    print_text("kernel", hazard->kernel, stream);
    print_text("file", hazard->file, stream);
    fprintf(stream, "\"line\":%u,", hazard->line);
    if (hazard->other_file != NULL) {
        fprintf(stream, "\"op\":\"%s\",", report_op_names[hazard->op]);
        print_text("other_file", hazard->other_file, stream);
        fprintf(stream, "\"other_line\":%u,\"other_op\":\"%s\",", hazard->other_line,
                report_op_names[hazard->other_op]);
    }
    fprintf(stream, "\"count\":%" PRIu64 ",\"text\":", hazard->count);
    escape_json(hazard->text, stream);
    fputc('}', stream);
}

static void print_exchanges(const report_exchanges *e, FILE *stream) {
    if (e->block == 0) return;
    fprintf(stream,
            "\"block_exchanges\":{\"block\":%u,\"cache_blocks\":%u,\"counted\":%.1f,\"searches\":%.1f,"
            "\"sorting_bound\":%.1f,\"permuting_bound\":%.1f},",
            e->block, e->cache_blocks, e->counted, e->searches, e->sorting, e->permuting);
}

static void print_in_block(const report_in_block *b, FILE *stream) {
    if (b->blocks == 0) return;
    fprintf(stream,
            "\"in_block\":{\"blocks\":%u,\"reads\":%" PRIu64 ",\"writes\":%" PRIu64 ",\"warps\":%" PRIu64
            ",\"stages\":%" PRIu64 ",\"congestion\":%.4f,\"worst_stages\":%" PRIu64 ",",
            b->blocks, b->reads, b->writes, b->warps, b->stages, (double)b->stages / (double)b->warps,
            b->worst_stages);
    fprintf(stream, "\"time_units\":%" PRIu64 ",\"predicted_time_units\":%" PRIu64 "},", b->time_units,
            b->predicted_time_units);
}

static void print_hull(const riffle_hull_counts *h, FILE *stream) {
    if (h->corners == 0) return;
    fprintf(stream,
            "\"hull\":{\"corners\":%" PRIu64 ",\"outside\":%" PRIu64 ",\"iterations\":%" PRIu64
            ",\"problems\":%" PRIu64 ",\"pivots\":%" PRIu64 ",\"reads\":%" PRIu64 ",\"writes\":%" PRIu64 "},",
            h->corners, h->outside, h->iterations, h->problems, h->pivots, h->reads, h->writes);
}

static void print_note(const char *name, const riffle_report *report, report_note which, FILE *stream) {
    char note[REPORT_NOTE_TEXT];
    if (report_say_note(report, which, note) != NULL) print_text(name, note, stream);
}

static void print_refusals(const riffle_report *report, FILE *stream) {
    if (report->refusals == 0) return;
    fprintf(stream, "\"refused\":[");
    for (size_t k = 0; k < report->refusals; k++) {
        const report_refusal *one = &report->refusal[k];
        fprintf(stream, "%s{", k > 0 ? "," : "");
        print_text("file", one->file, stream);
        fprintf(stream, "\"line\":%u,\"count\":%" PRIu64 ",\"text\":", one->line, one->count);
        escape_json(one->text, stream);
        fputc('}', stream);
    }
    fprintf(stream, "],");
}

/* How a program ended, and after which time it or a kernel had not. */
static void print_end(const riffle_report *report, FILE *stream) {
    if (report->is_program && report->not_done_after > 0)
        fprintf(stream, "\"exit_status\":null,");
    else if (report->is_program)
        fprintf(stream, "\"exit_status\":%d,", report->exit_status);
    if (report->is_program) fprintf(stream, "\"launched\":%" PRIu64 ",", report->launched);
    if (report->not_done_after > 0) fprintf(stream, "\"not_done_after\":%u,", report->not_done_after);
    if (report->unfinished != NULL) print_text("unfinished", report->unfinished, stream);
    print_note("nothing_counted", report, NOTE_IDLE, stream);
    print_note("lines_unknown", report, NOTE_LINES, stream);
    print_note("sampled", report, NOTE_SAMPLED, stream);
    if (report->left_out == NULL) return;
    fprintf(stream, "\"left_out\":");
    escape_json(report->left_out, stream);
    fputc(',', stream);
}

riffle_status report_print_json(const riffle_report *report, FILE *stream) {
    RETURN_IF_NULL(report, stream);
    print_head(report, stream);
    fprintf(stream, "\"rounds\":[");
    for (size_t k = 0; k < report->lines; k++) {
        if (k > 0) fputc(',', stream);
        print_line(&report->line[k], &report->options, report_wasted(report), stream);
    }
    fprintf(stream, "],");
    print_moves(report, stream);
    print_launches(report, stream);
    print_summary(report, stream);
    fprintf(stream, "\"time_units\":%" PRIu64 ",", report_time_units(report));
    print_predictions(report, stream);
    print_in_block(&report->in_block, stream);
    print_exchanges(&report->exchanges, stream);
    print_hull(&report->hull, stream);
    fprintf(stream, "\"hazards\":[");
    for (size_t k = 0; k < report->hazards; k++) {
        if (k > 0) fputc(',', stream);
        print_hazard(&report->hazard[k], stream);
    }
    fprintf(stream, "],");
    print_refusals(report, stream);
    print_end(report, stream);
    fprintf(stream, "\"blocks\":%" PRIu64 ",\"run_blocks\":%" PRIu64 ",\"checked_blocks\":%" PRIu64 ",\"counted_blocks\":%" PRIu64 ",\"partial\":%s}\n", report->blocks,
            report->run_blocks, report->checked_blocks, report->counted_blocks, report_is_partial(report) ? "true" : "false");
    if (fflush(stream) != 0 || ferror(stream)) return fail(RIFFLE_ERROR_IO, "the report could not be written");
    return RIFFLE_OK;
}
