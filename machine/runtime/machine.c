/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine: its options and arrays, and what launches have added to its report.
 */
#include "machine/runtime/machine.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/count/advice.h"
#include "machine/count/verdict.h"
#include "machine/device/shared_memory.h"
#include "machine/runtime/budget.h"
#include "machine/runtime/launch_state.h"

enum { MAX_BLOCK_THREADS = 1 << 14, MAX_LATENCY = 1 << 30, MAX_DMMS = 1 << 16 };
static const uint64_t MAX_BLOCKS = (uint64_t)1 << 40;

/* Room for every block's dynamic shared memory and a page behind it that belongs to no array. */
_Alignas(4096) uint64_t riffle_machine_shared_memory[(MACHINE_MAX_SHARED_BYTES + 4096) / sizeof(uint64_t)];

/* Kernels find their shared memory and their thread by name, so a process runs one launch at a time. */
static pthread_mutex_t one_launch = PTHREAD_MUTEX_INITIALIZER;

struct machine {
    riffle_machine_options options;
    riffle_report *report;
    machine_arrays arrays;
    machine_array *dynamic_shared;
    source_lines *lines;
    machine_indices shown;
    bool shows;
    budget budget;
    uint32_t next_segment;
    unsigned launches;
    bool knows_components;
    line_widths widths; /* widths of nvcc's accesses, if has_widths */
    bool has_widths;
    bool sums, passes_over; /* launches of one kernel are counted as one; the next is not counted */
    gate gate;
    const char *runs; /* the kernel whose launch is counted, while the gate is running */
    bool stopped;
    bool lost; /* the last launch was ended by an access to what is in no array */
    bool
        attributes; /* the report has arrays and callers: told here, since a launch may come to a closed gate without the report */
    bool blind;     /* blocks have run unseen */
    bool forgetful; /* the host's writes could not be remembered, for want of memory */
};

static riffle_status check_options(const riffle_machine_options *o) {
    if (o->width > MACHINE_MAX_WIDTH)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a machine's width is 1 to %d, not %u", MACHINE_MAX_WIDTH,
                    o->width);
    if (o->block_threads > MAX_BLOCK_THREADS)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a machine's blocks have up to %d threads, not %u",
                    MAX_BLOCK_THREADS, o->block_threads);
    if (o->shared_bytes > MACHINE_MAX_SHARED_BYTES)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "a machine's blocks have up to %d bytes of shared memory, not %zu",
                    MACHINE_MAX_SHARED_BYTES, o->shared_bytes);
    if (o->latency > MAX_LATENCY || o->shared_latency > MAX_LATENCY)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a machine's latencies are up to %d time units",
                    MAX_LATENCY);
    if (o->dmms > MAX_DMMS)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a machine has up to %d DMMs, not %u", MAX_DMMS, o->dmms);
    return RIFFLE_OK;
}

static riffle_machine_options with_defaults(riffle_machine_options o) {
    if (o.width == 0) o.width = 32;
    if (o.latency == 0) o.latency = 400;
    if (o.shared_latency == 0) o.shared_latency = 1;
    if (o.dmms == 0) o.dmms = 1;
    if (o.block_threads == 0) o.block_threads = 1024;
    if (o.shared_bytes == 0) o.shared_bytes = (size_t)227 << 10;
    if (!(o.threshold > 0)) o.threshold = VERDICT_THRESHOLD;
    return o;
}

riffle_status machine_create(const riffle_machine_options *options, machine **out) {
    const riffle_machine_options full = with_defaults(options != NULL ? *options : (riffle_machine_options){0});
    riffle_status status = check_options(&full);
    if (status != RIFFLE_OK) return status;
    machine *m = calloc(1, sizeof *m);
    if (m == NULL) return fail_memory("a machine", sizeof *m);
    m->options = full;
    m->next_segment = SEGMENT_FIRST;
    m->lines = source_lines_create();
    status = report_create(&full, &m->report);
    if (status == RIFFLE_OK)
        status = arrays_adopt(&m->arrays, "dynamic shared memory", SPACE_SHARED, riffle_machine_shared_memory,
                              full.shared_bytes, &m->dynamic_shared);
    if (status != RIFFLE_OK) {
        machine_free(m);
        return status;
    }
    m->dynamic_shared->dynamic = true;
    *out = m;
    return RIFFLE_OK;
}

void machine_free(machine *m) {
    if (m == NULL) return;
    riffle_report_free(m->report);
    arrays_free(&m->arrays);
    budget_free(&m->budget);
    source_lines_free(m->lines);
    widths_free(&m->widths);
    free(m);
}

const riffle_machine_options *machine_options(const machine *m) { return &m->options; }

riffle_status machine_buffer(machine *m, const char *name, size_t bytes, void **out) {
    machine_array *array;
    const riffle_status status = arrays_create(&m->arrays, name, bytes, &array);
    if (status == RIFFLE_OK) *out = array->owned;
    return status;
}

riffle_status machine_shared_buffer(machine *m, const char *name, size_t bytes, void **out) {
    machine_array *array;
    const riffle_status status = arrays_create(&m->arrays, name, bytes, &array);
    if (status != RIFFLE_OK) return status;
    array->shared_with_host = true;
    *out = array->owned;
    return RIFFLE_OK;
}

bool machine_release(machine *m, void *start) { return arrays_remove(&m->arrays, (uintptr_t)start); }

bool machine_holds(const machine *m, const void *start, size_t bytes) {
    const machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    return array == NULL || bytes <= array->bytes - ((uintptr_t)start - array->start);
}

void machine_call_array(machine *m, const void *at, const char *name, size_t length) {
    machine_array *array = arrays_find(&m->arrays, (uintptr_t)at);
    if (array == NULL) array = arrays_find_freed(&m->arrays, (uintptr_t)at);
    if (array != NULL && array->called[0] == '\0')
        snprintf(array->called, sizeof array->called, "%.*s", (int)length, name);
}

static void forget_calls(machine *m) {
    for (size_t k = 0; k < m->arrays.gone_count && k < ARRAYS_FREED; k++) m->arrays.gone[k]->called[0] = '\0';
    for (size_t k = 0; k < m->arrays.count; k++) m->arrays.array[k]->called[0] = '\0';
}

void machine_attribute(machine *m) { m->report->attributed = m->attributes = true; }

bool machine_owns_address(const machine *m, const void *at) {
    return arrays_find(&m->arrays, (uintptr_t)at) != NULL;
}

machine_memory machine_owns(const machine *m, const void *at) {
    const machine_array *array = arrays_find(&m->arrays, (uintptr_t)at);
    if (array != NULL)
        return array->owned != NULL && !array->shared_with_host ? MACHINE_OWNS_ALONE : MACHINE_OWNS_SHARED;
    return arrays_find_freed(&m->arrays, (uintptr_t)at) != NULL ? MACHINE_OWNS_FREED : MACHINE_OWNS_NONE;
}

riffle_status machine_note_refusal(machine *m, const char *text, const void *pc) {
    pthread_mutex_lock(&one_launch);
    const source_line at = source_line_of(m->lines, pc);
    const report_refusal one = {.file = at.file, .line = at.line, .text = text, .count = 1};
    const riffle_status status = report_add_refusal(m->report, &one);
    pthread_mutex_unlock(&one_launch);
    return status;
}

bool machine_lost(const machine *m) { return m->lost; }

void machine_sum_launches(machine *m) { m->sums = true; }
riffle_status machine_note_program(machine *m, const machine_program *program) {
    riffle_report *report = m->report;
    report->is_program = true;
    report->exit_status = program->exit_status;
    report->launched = m->launches;
    report->refused = program->refused;
    if (program->asked != NULL) report->asked = report_string(report, program->asked);
    if (program->others != NULL) report->others = report_string(report, program->others);
    const bool kept = (program->asked == NULL || report->asked != NULL) &&
                      (program->others == NULL || report->others != NULL);
    return kept ? RIFFLE_OK : fail_memory("the names of kernels", 1 << 9);
}

void machine_count_next(machine *m, bool counted) { m->passes_over = !counted; }

/* Marks memory that the host shares with the kernels as written: the host may have done so unseen. */
static void define_shared(machine *m) {
    for (size_t k = 0; k < m->arrays.count; k++) {
        machine_array *array = m->arrays.array[k];
        if (array->shared_with_host) m->forgetful |= !shadow_define(&array->shadow, 0, array->bytes);
    }
}

void machine_written(machine *m, const void *start, size_t bytes) {
    machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    if (array == NULL) return;
    const size_t offset = (uintptr_t)start - array->start;
    const size_t held = bytes < array->bytes - offset ? bytes : array->bytes - offset;
    m->forgetful |= !shadow_define(&array->shadow, offset, held);
}

riffle_status machine_adopt_shared(machine *m, const char *name, void *start, size_t bytes) {
    machine_array *array;
    return arrays_adopt(&m->arrays, name, SPACE_SHARED, start, bytes, &array);
}

riffle_status machine_adopt_global(machine *m, const char *name, void *start, size_t bytes) {
    machine_array *array;
    const riffle_status status = arrays_adopt(&m->arrays, name, SPACE_GLOBAL, start, bytes, &array);
    if (status == RIFFLE_OK) machine_written(m, start, bytes);
    return status;
}

riffle_status machine_adopt_constant(machine *m, const char *name, void *start, size_t bytes) {
    machine_array *array;
    const riffle_status status = arrays_adopt(&m->arrays, name, SPACE_GLOBAL, start, bytes, &array);
    if (status == RIFFLE_OK) array->constant = true;
    return status;
}

void machine_spare(machine *m, const void *start, size_t before, size_t behind) {
    machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    if (array == NULL) return;
    array->front = before;
    array->room = array->bytes + behind;
}

void machine_shared_of(machine *m, const void *start, const void *code, size_t bytes) {
    machine_array *array = arrays_find(&m->arrays, (uintptr_t)start);
    if (array == NULL) return;
    array->code = (uintptr_t)code;
    array->code_end = (uintptr_t)code + bytes;
}

riffle_status machine_adopt_foreign(machine *m, void *start, size_t bytes) {
    machine_array *array;
    const riffle_status status =
        arrays_adopt(&m->arrays, "a table of functions", SPACE_GLOBAL, start, bytes, &array);
    if (status == RIFFLE_OK) array->foreign = true;
    return status;
}

riffle_status machine_know_components(machine *m, const char *text) {
    m->knows_components = true;
    return source_lines_preprocessed(m->lines, text) ? RIFFLE_OK : fail_memory("a kernel's text", strlen(text));
}

void machine_show_indices(machine *m, machine_indices where) {
    m->shown = where;
    m->shows = true;
}

void machine_know_widths(machine *m, line_widths widths) {
    widths_free(&m->widths);
    m->widths = widths;
    m->has_widths = true;
}

void machine_place_dynamic_shared(machine *m, void *start, size_t before) {
    m->dynamic_shared->start = (uintptr_t)start;
    m->dynamic_shared->front = before;
}

riffle_status machine_name_dynamic_shared(machine *m, const char *name) {
    char *own = strdup(name);
    if (own == NULL) return fail_memory("the name of an array", strlen(name));
    free(m->dynamic_shared->name);
    m->dynamic_shared->name = own;
    return RIFFLE_OK;
}

void machine_move_shared(machine *m, void *dynamic) {
    const uintptr_t by = (uintptr_t)dynamic - m->dynamic_shared->start;
    for (size_t k = 0; by != 0 && k < m->arrays.count; k++)
        if (m->arrays.array[k]->space == SPACE_SHARED) m->arrays.array[k]->start += by;
}

static uint64_t volume(machine_shape shape) { return (uint64_t)shape.x * shape.y * shape.z; }

/* Multiplies three 32-bit factors. False for grids too large to finish. */
static bool blocks_of(machine_shape grid, uint64_t *blocks) {
    return !__builtin_mul_overflow((uint64_t)grid.x * grid.y, (uint64_t)grid.z, blocks) &&
           *blocks <= MAX_BLOCKS;
}

static riffle_status check_launch(const machine *m, const machine_launch *work) {
    const machine_shape grid = work->grid, block = work->block;
    uint64_t blocks;
    if (block.x == 0 || block.y == 0 || block.z == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "kernel %s: a grid and a block have at least 1 in each dimension",
                    work->kernel);
    if ((uint64_t)block.x * block.y > m->options.block_threads || volume(block) > m->options.block_threads)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "kernel %s: a block of %u x %u x %u threads on a machine with %u a block", work->kernel,
                    block.x, block.y, block.z, m->options.block_threads);
    if (!blocks_of(grid, &blocks))
        return fail(RIFFLE_ERROR_UNSUPPORTED, "kernel %s: a grid of %u x %u x %u blocks is too large",
                    work->kernel, grid.x, grid.y, grid.z);
    if (work->shared_bytes > m->options.shared_bytes)
        return fail(RIFFLE_ERROR_UNSUPPORTED,
                    "kernel %s: %zu bytes of shared memory on a machine with %zu a block", work->kernel,
                    work->shared_bytes, m->options.shared_bytes);
    return RIFFLE_OK;
}

static void number_threads(launch_state *l) {
    const machine_shape block = l->launch->block;
    for (unsigned t = 0; t < l->threads; t++)
        l->thread[t].index = (machine_index){t % block.x, t / block.x % block.y, t / block.x / block.y};
}

/* launch_free frees what is there of it in either case. */
static riffle_status prepare(machine *m, const machine_launch *work, launch_state *l) {
    *l = (launch_state){.launch = work,
                        .options = &m->options,
                        .arrays = &m->arrays,
                        .lines = m->lines,
                        .gate = &m->gate,
                        .shown = m->shows ? &m->shown : NULL,
                        .knows_components = m->knows_components,
                        .widths = m->has_widths ? &m->widths : NULL};
    blocks_of(work->grid, &l->blocks);
    l->threads = (unsigned)volume(work->block);
    l->warps = (l->threads + m->options.width - 1) / m->options.width;
    l->thread = calloc(l->threads, sizeof *l->thread);
    l->idle = calloc(l->threads, sizeof(context *));
    const bool ordered = ordering_init(&l->order, l->threads, m->options.width);
    const bool counted = rounds_init(&l->rounds, &m->options, l->threads, l->widths != NULL);
    if (l->thread == NULL || l->idle == NULL || !ordered || !counted)
        return fail_memory("a launch's threads", l->threads * (sizeof *l->thread + sizeof(context *)));
    l->rounds.attributes = m->attributes;
    for (size_t k = 0; k < m->arrays.count; k++) m->arrays.array[k]->unit = 1;
    number_threads(l);
    l->order.next = m->next_segment;
    return RIFFLE_OK;
}

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
        if (1 + (uint32_t)(all->array[k]->base >> PLACE_OFFSET_BITS) == number) return all->array[k];
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
        const source_line at = source_line_of(l->lines, found->pc);
        report_hazard row = {.kind = found->kind,
                             .kernel = l->launch->kernel,
                             .file = at.file,
                             .line = at.line,
                             .op = found->op,
                             .text = found->text,
                             .count = found->count};
        if (found->other_pc != NULL) {
            const source_line other = source_line_of(l->lines, found->other_pc);
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

/* Sets how many accesses of this launch may be counted. */
static riffle_status begin_budget(machine *m, launch_state *l, budget_entry **out) {
    const uint64_t most = m->options.accesses > 0 ? m->options.accesses : UINT64_MAX;
    *out = budget_of(&m->budget, l->launch->kernel);
    if (*out == NULL) return fail_memory("the kernels' names", sizeof **out);
    l->left = most > (*out)->spent ? most - (*out)->spent : 0;
    l->blind = m->blind;
    return RIFFLE_OK;
}

static void end_budget(machine *m, const launch_state *l, budget_entry *own) {
    m->blind = l->blind;
    if (m->passes_over) return;
    own->spent += l->counted;
    m->report->blocks += l->block;
    m->report->counted_blocks += l->counted_blocks;
}

/* With the lock held. */
static riffle_status run_alone(machine *m, const machine_launch *work) {
    launch_state l;
    budget_entry *own;
    define_shared(m);
    riffle_status status = prepare(m, work, &l);
    if (status == RIFFLE_OK) status = begin_budget(m, &l, &own);
    if (status == RIFFLE_OK) {
        m->dynamic_shared->bytes = work->shared_bytes;
        m->runs = m->passes_over ? NULL : work->kernel;
        gate_pass(&m->gate, GATE_IDLE, GATE_RUNNING);
        machine_running = &l;
        launch_run(&l);
        machine_running = NULL;
        gate_pass(&m->gate, GATE_RUNNING, GATE_FOLDING);
        end_budget(m, &l, own);
        m->next_segment = l.order.next;
        m->stopped |= l.ended || l.strayed;
        m->lost = l.lost;
        m->report->partial |= l.ended && !m->passes_over;
        status = l.status;
    }
    if (status == RIFFLE_OK && !m->passes_over) status = fold_rounds(m, &l);
    if (status == RIFFLE_OK && !m->passes_over) status = fold_hazards(m, &l);
    if (status == RIFFLE_OK) m->report->lines_unknown = source_lines_missing(m->lines);
    launch_free(&l);
    forget_calls(m);
    if (!m->passes_over) m->launches++;
    gate_end(&m->gate);
    return status;
}

riffle_status machine_run(machine *m, const machine_launch *work) {
    const riffle_status status = check_launch(m, work);
    if (status != RIFFLE_OK) return status;
    if (m->forgetful)
        return fail(RIFFLE_ERROR_OUT_OF_MEMORY, "no memory for what the machine knows of its arrays");
    pthread_mutex_lock(&one_launch);
    const riffle_status ran = run_alone(m, work);
    pthread_mutex_unlock(&one_launch);
    return ran;
}

void machine_close(machine *m) {
    if (!gate_close(&m->gate) && m->runs != NULL) m->report->left_out = report_string(m->report, m->runs);
}

void machine_note_not_done(machine *m, unsigned seconds) { m->report->not_done_after = seconds; }

bool machine_stopped(const machine *m) { return m->stopped; }

const riffle_report *machine_report(const machine *m) { return m->report; }

riffle_report *machine_take_report(machine *m) {
    riffle_report *report = m->report;
    m->report = NULL;
    return report;
}
