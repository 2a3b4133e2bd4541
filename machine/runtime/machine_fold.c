/* SPDX-License-Identifier: Apache-2.0
 *
 * The rounds and hazards of a launch, as rows of the report.
 */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "machine/count/advice.h"
#include "machine/count/verdict.h"
#include "machine/runtime/machine_state.h"

static bool comes_before(const report_line *a, const report_line *b) {
    if (a->launch != b->launch) return a->launch < b->launch;
    const int files = strcmp(a->file, b->file);
    return files != 0 ? files < 0 : a->line < b->line;
}

/* The rows of one launch, of which there are few, in order of their lines; those of a line stay as they are. */
static void sort_rows(report_line *row, size_t rows) {
    for (size_t k = 1; k < rows; k++) {
        const report_line moved = row[k];
        size_t at = k;
        for (; at > 0 && comes_before(&moved, &row[at - 1]); at--) row[at] = row[at - 1];
        row[at] = moved;
    }
}

/* ---- whose accesses they are */

enum { CALLERS_TEXT = 320, CALLERS_SAID = 6 };

static const machine_array *array_of(const machine_arrays *all, uint32_t number) {
    for (size_t k = 0; k < all->count; k++) {
        if (1 + place_array(all->array[k]->base) == number) return all->array[k];
    }
    return NULL;
}

/* Appends " < FILE:LINE". */
static size_t say_caller(source_line at, char text[static CALLERS_TEXT], size_t said) {
    if (said >= CALLERS_TEXT - 1) return said;
    const int more =
        snprintf(text + said, CALLERS_TEXT - said, "%s%.60s:%u", said > 0 ? " < " : "", at.file, at.line);
    return said + (size_t)more;
}

/* "n::tiled<0>" is tiled. */
static void name_plainly(const char *kernel, char out[static 128]) {
    const size_t length = strcspn(kernel, "<");
    size_t start = length;
    while (start > 0 && kernel[start - 1] != ':') start--;
    snprintf(out, 128, "%.*s", (int)(length - start), kernel + start);
}

/* For each place by which that code was inlined, from the innermost on; whether that leads to the kernel. */
static bool say_inlined(launch_state *l, const char *kernel, const void *pc, char text[static CALLERS_TEXT],
                        size_t *said) {
    source_line at[CALLERS_SAID];
    bool is_kernel;
    const unsigned count = source_callers_of(l->lines, pc, kernel, at, CALLERS_SAID, &is_kernel);
    for (unsigned k = 0; k < count; k++) *said = say_caller(at[k], text, *said);
    return is_kernel;
}

static void say_callers(launch_state *l, const site *s, char text[static CALLERS_TEXT]) {
    char kernel[128];
    size_t said = 0;
    uint32_t call = s->call;
    text[0] = '\0';
    name_plainly(l->launch->kernel, kernel);
    bool is_kernel = say_inlined(l, kernel, s->pc, text, &said);
    for (unsigned calls = 0; !is_kernel && call != FLOW_KERNEL && calls < CALLERS_SAID; calls++) {
        const flow_call *one = &l->rounds.flow.call[call];
        said = say_caller(source_line_of(l->lines, one->pc), text, said);
        is_kernel = say_inlined(l, kernel, one->pc, text, &said);
        call = one->parent;
    }
}

/* Bytes that some access moves at once, components that nvcc makes one among them. */
static unsigned widest_of(const launch_state *l, const machine_array *array, uint32_t number) {
    unsigned widest = array->unit;
    for (size_t k = 0; k < l->rounds.sites; k++) {
        const site *s = l->rounds.site[k];
        if (s->array == number && s->component > 0 && s->widest > widest) widest = s->widest;
    }
    return widest;
}

/* The texts are kept where the caller has put them. */
static void attribute(machine *m, launch_state *l, const site *s, report_line *line,
                      char advice[static ADVICE_TEXT], char callers[static CALLERS_TEXT]) {
    const machine_array *array = array_of(&m->arrays, s->array);
    line->array = array != NULL ? array_name(array) : report_several_arrays;
    say_callers(l, s, callers);
    if (*callers != '\0') line->called_from = callers;
    if (s->record == NULL || s->record->wasted == 0) return;
    line->worst = &s->record->worst;
    if (array == NULL || !verdict_is_wasteful(line, m->options.threshold)) return;
    const advice_array its = {.name = array_name(array),
                              .bytes = array->bytes,
                              .unit = widest_of(l, array, s->array),
                              .stretch = array->stretch > 0 ? array->stretch : 1,
                              .fixed = array->space == SPACE_SHARED && !array->dynamic};
    advice_say(&l->rounds, s, &its, advice);
    if (*advice != '\0') line->advice = advice;
}

static riffle_status fold_rounds(machine *m, launch_state *l) {
    const size_t before = m->report->lines;
    const unsigned launch =
        m->sums ? report_kernel_number(m->report, l->launch->kernel, m->launches) : m->launches;
    for (size_t k = 0; k < l->rounds.sites; k++) {
        const site *s = l->rounds.site[k];
        report_line line = rounds_sum(&l->rounds, s);
        if (line.rounds == 0) continue;
        const source_line at = source_line_of(l->lines, s->pc);
        char advice[ADVICE_TEXT], callers[CALLERS_TEXT];
        line.launch = launch;
        line.sampled = l->counted.blocks - l->cut_counts < l->ran + l->skipped;
        line.kernel = l->launch->kernel;
        line.file = at.file;
        line.line = at.line;
        if (m->report->attributed) attribute(m, l, s, &line, advice, callers);
        const riffle_status status = report_add_line(m->report, &line);
        if (status != RIFFLE_OK) return status;
    }
    if (m->sums) {
        sort_rows(m->report->line, m->report->lines);
        report_note_launch(m->report, launch);
    } else if (m->report->lines > before) {
        sort_rows(m->report->line + before, m->report->lines - before);
    }
    return RIFFLE_OK;
}

/* In a library that the user's code has called, the line of the call, where it is known. */
static source_line users_line(launch_state *l, const void *pc) {
    source_line at;
    return source_user_line_of(l->lines, pc, &at) ? at : source_line_of(l->lines, pc);
}

/* A kernel may have them and no rows. */
static riffle_status fold_moves(machine *m, launch_state *l) {
    const unsigned launch = m->sums ? report_kernel_number(m->report, l->launch->kernel, m->launches) : m->launches;
    for (size_t k = 0; k < l->moves.count; k++) {
        const move *one = &l->moves.move[k];
        const source_line at = users_line(l, one->pc);
        const report_move row = {.launch = launch,
                                 .kernel = l->launch->kernel,
                                 .file = at.file,
                                 .line = at.line,
                                 .kind = one->kind,
                                 .times = one->times,
                                 .bytes = one->bytes,
                                 .requests = one->requests};
        const riffle_status status = report_add_move(m->report, &row);
        if (status != RIFFLE_OK) return status;
    }
    return RIFFLE_OK;
}

/* A hazard's text with the place of a race's other access. */
static const char *place_text(const hazard *found, source_line other, char out[static HAZARD_TEXT_BYTES]) {
    const char *mark = strchr(found->text, HAZARD_PLACE);
    if (mark == NULL) return found->text;
    const int before = (int)(mark - found->text);
    int said = snprintf(out, HAZARD_TEXT_BYTES, "%.*s%.60s:%u", before, found->text, other.file, other.line);
    if (said >= HAZARD_TEXT_BYTES) said = HAZARD_TEXT_BYTES - 1;
    snprintf(out + said, (size_t)(HAZARD_TEXT_BYTES - said), "%s", mark + 1);
    return out;
}

static riffle_status fold_hazards(machine *m, launch_state *l) {
    for (size_t k = 0; k < l->hazards.count; k++) {
        char text[HAZARD_TEXT_BYTES];
        const hazard *found = &l->hazards.hazard[k];
        const source_line at = users_line(l, found->pc);
        report_hazard row = {.kind = found->kind,
                             .kernel = l->launch->kernel,
                             .file = at.file,
                             .line = at.line,
                             .op = found->op,
                             .text = found->text,
                             .count = found->count};
        if (found->other_pc != NULL) {
            const source_line other = users_line(l, found->other_pc);
            row.text = place_text(found, other, text);
            row.other_file = other.file;
            row.other_line = other.line;
            row.other_op = found->other_op;
        }
        const riffle_status status = report_add_hazard(m->report, &row);
        if (status != RIFFLE_OK) return status;
    }
    return RIFFLE_OK;
}

/* The line of the user's that called it, from the innermost function outward; the call's own where none is known. */
static source_line line_of_lacking(launch_state *l) {
    source_line at;
    uint32_t call = l->lacking.path;
    bool found = source_user_line_of(l->lines, l->lacking.pc, &at);
    for (; !found && call != FLOW_KERNEL; call = l->rounds.flow.call[call].parent)
        found = source_user_line_of(l->lines, l->rounds.flow.call[call].pc, &at);
    return found ? at : source_line_of(l->lines, l->lacking.pc);
}

static riffle_status fold_lacking(machine *m, launch_state *l) {
    char text[512];
    if (l->lacking.function == NULL) return RIFFLE_OK;
    const source_line at = line_of_lacking(l);
    snprintf(text, sizeof text,
             "kernel %.200s calls %.100s: kernels may launch others, and call little else of the runtime; its launch ended there",
             l->launch->kernel, l->lacking.function);
    const report_refusal one = {.file = at.file, .line = at.line, .text = text, .count = 1};
    return report_add_refusal(m->report, &one);
}

static riffle_status fold_unfinished(machine *m, launch_state *l) {
    const long_thread *one = &l->unfinished;
    if (one->pc == NULL || m->report->unfinished != NULL) return RIFFLE_OK;
    char what[HAZARD_TEXT_BYTES], text[HAZARD_TEXT_BYTES + 300];
    const source_line at = users_line(l, one->pc);
    hazards_say_unfinished(what, one->who, one->accesses);
    snprintf(text, sizeof text, "%.60s:%u: %.100s: %s", at.file, at.line, l->launch->kernel, what);
    m->report->unfinished = report_string(m->report, text);
    return m->report->unfinished != NULL ? RIFFLE_OK : fail_memory("a report's text", sizeof text);
}

riffle_status machine_fold(machine *m, launch_state *l) {
    riffle_status status = fold_rounds(m, l);
    if (status == RIFFLE_OK) status = fold_moves(m, l);
    if (status == RIFFLE_OK) status = fold_hazards(m, l);
    if (status == RIFFLE_OK) status = fold_lacking(m, l);
    return status == RIFFLE_OK ? fold_unfinished(m, l) : status;
}
