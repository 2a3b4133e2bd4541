/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine: its options, its launches, and what they have added to its report.
 */
#include "machine/runtime/machine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "machine/count/verdict.h"
#include "machine/device/shared_memory.h"
#include "machine/layout/shared_layout.h"
#include "machine/library.h"
#include "machine/runtime/blocks.h"
#include "machine/runtime/machine_state.h"

enum { MAX_BLOCK_THREADS = 1 << 14, MAX_LATENCY = 1 << 30, MAX_DMMS = 1 << 16 };
static const uint64_t MAX_BLOCKS = (uint64_t)1 << 40;

/* Room for every block's dynamic shared memory and a page behind it that belongs to no array. */
_Alignas(4096) uint64_t riffle_machine_shared_memory[(MACHINE_MAX_SHARED_BYTES + 4096) / sizeof(uint64_t)];

/* Kernels find their shared memory and their thread by name, so a process runs one launch at a time. */
static pthread_mutex_t one_launch = PTHREAD_MUTEX_INITIALIZER;

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
    if (!shared_layout_is_one(o->shared_layout))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "a machine tries the layouts raw, ras, rap and xor of shared memory, not %s",
                    riffle_layout_string(o->shared_layout));
    if (o->shared_seeds > SHARED_LAYOUT_MAX_SEEDS)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a machine tries up to %d seeds of a layout, not %u",
                    SHARED_LAYOUT_MAX_SEEDS, o->shared_seeds);
    if (!(o->threshold > 0))
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a machine's threshold is a number above 0, not %g",
                    o->threshold);
    return RIFFLE_OK;
}

static riffle_machine_options with_defaults(riffle_machine_options o) {
    if (o.width == 0) o.width = 32;
    if (o.latency == 0) o.latency = 400;
    if (o.shared_latency == 0) o.shared_latency = 1;
    if (o.dmms == 0) o.dmms = 1;
    if (o.block_threads == 0) o.block_threads = 1024;
    if (o.shared_bytes == 0) o.shared_bytes = (size_t)227 << 10;
    if (o.shared_seeds == 0) o.shared_seeds = 16;
    if (o.threshold == 0) o.threshold = VERDICT_THRESHOLD;
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
    report_free(m->report);
    windows_close(&m->windows, &m->arrays);
    arrays_free(&m->arrays);
    budget_free(&m->budget);
    source_lines_free(m->lines);
    widths_free(&m->widths);
    free(m);
}

const riffle_machine_options *machine_options(const machine *m) { return &m->options; }

void machine_attribute(machine *m) { m->report->attributed = m->attributes = true; }

riffle_status machine_note_refusal(machine *m, const char *text, const void *pc) {
    pthread_mutex_lock(&one_launch);
    const source_line at = source_line_of(m->lines, pc);
    const report_refusal one = {.file = at.file, .line = at.line, .text = text, .count = 1};
    const riffle_status status = report_add_refusal(m->report, &one);
    pthread_mutex_unlock(&one_launch);
    return status;
}

bool machine_lost(const machine *m) { return m->lost; }

void machine_sum_launches(machine *m) {
    for (unsigned k = 0; !m->sums && k < m->launches; k++) report_note_launch(m->report, k);
    m->sums = true;
}

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
    const machine_index blocks_of_grid = {grid.x, grid.y, grid.z};
    const machine_index asked = {work->cluster.x, work->cluster.y, work->cluster.z};
    return asked.x != 0 ? cluster_check(work->kernel, blocks_of_grid, asked) : RIFFLE_OK;
}

/* launch_free frees what is there of it in either case. */
static riffle_status prepare(machine *m, const machine_launch *work, launch_state *l) {
    *l = (launch_state){.launch = work,
                        .options = &m->options,
                        .arrays = &m->arrays,
                        .windows = &m->windows,
                        .lines = m->lines,
                        .gate = &m->gate,
                        .shown = m->shows ? &m->shown : NULL,
                        .knows_components = m->knows_components,
                        .widths = m->has_widths ? &m->widths : NULL};
    blocks_of(work->grid, &l->blocks);
    l->threads = (unsigned)volume(work->block);
    l->warps = (l->threads + m->options.width - 1) / m->options.width;
    l->releasing.threads = l->threads;
    l->thread = blocks_threads(l);
    const bool ordered = ordering_init(&l->order, l->threads, m->options.width);
    const bool counted = rounds_init(&l->rounds, &m->options, l->threads, l->widths != NULL);
    if (l->thread == NULL || !ordered || !counted)
        return fail_memory("a launch's threads", l->threads * sizeof *l->thread);
    l->rounds.attributes = m->attributes;
    for (size_t k = 0; k < m->arrays.count; k++) {
        m->arrays.array[k]->unit = 1;
        m->arrays.array[k]->stretch = 1;
    }
    l->order.next = m->next_segment;
    return RIFFLE_OK;
}

/* Sets how many accesses of this launch may be counted and checked. */
static riffle_status begin_budget(machine *m, launch_state *l, budget_entry **out) {
    *out = budget_of(&m->budget, l->launch->kernel);
    if (*out == NULL) return fail_memory("the kernels' names", sizeof **out);
    l->own = **out;
    l->counted.left = m->passes_over ? 0 : budget_left(m->options.accesses, l->own.counted);
    l->may_check = m->options.checks > 0 ? m->options.checks : UINT64_MAX;
    l->work = m->work;
    l->may_work = m->options.work > 0 ? m->options.work : UINT64_MAX;
    l->blind = m->blind;
    return RIFFLE_OK;
}

static void end_budget(machine *m, const launch_state *l, budget_entry *own) {
    m->blind = l->blind || l->ended || l->skipped > 0;
    m->work = l->work;
    own->checked = l->own.checked;
    own->checked_blocks = l->own.checked_blocks;
    if (m->passes_over) return;
    own->counted += l->counted.accesses;
    m->report->blocks += l->blocks;
    m->report->run_blocks += l->ran;
    m->report->left_blocks += l->skipped;
    m->report->counted_blocks += l->counted.blocks - l->cut_counts;
    m->report->cut_counts += l->cut_counts;
    m->report->checked_blocks += l->checked_blocks;
}

/* With the lock held. */
static riffle_status run_alone(machine *m, const machine_launch *work) {
    launch_state l;
    budget_entry *own;
    machine_define_shared(m);
    riffle_status status = prepare(m, work, &l);
    if (status == RIFFLE_OK) status = begin_budget(m, &l, &own);
    if (status == RIFFLE_OK) {
        m->dynamic_shared->bytes = work->shared_bytes;
        m->runs = m->passes_over ? NULL : work->kernel;
        gate_pass(&m->gate, GATE_IDLE, GATE_RUNNING);
        machine_running = &l;
        atomic_store(&machine_on_stack, &l);
        machine_trace_begin(m, &l);
        launch_run(&l);
        machine_trace_end(m, &l);
        machine_running = NULL;
        atomic_store(&machine_stack, 0);
        gate_pass(&m->gate, GATE_RUNNING, GATE_FOLDING);
        end_budget(m, &l, own);
        m->next_segment = l.order.next;
        m->stopped |= l.ended || l.strayed;
        m->lost = l.lost;
        m->report->partial |= l.ended && !m->passes_over;
        status = l.status;
    }
    if (status == RIFFLE_OK && !m->passes_over) status = machine_fold(m, &l);
    if (status == RIFFLE_OK) m->report->lines_unknown = source_lines_missing(m->lines);
    launch_free(&l);
    machine_forget_calls(m);
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
