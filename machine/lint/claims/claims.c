/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_lint_for_all: from the job's files to claims, by LLVM's text of their kernels.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "machine/lint/claims/claims.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/folder/folder.h"
#include "base/status.h"
#include "machine/count/verdict.h"
#include "machine/library.h"
#include "machine/lint/claims/say.h"
#include "machine/lint/claims/sites.h"
#include "machine/lint/compiler/compile.h"
#include "machine/lint/compiler/compiler.h"
#include "machine/lint/llvm/ir_types.h"
#include "machine/lint/source/lengths.h"

const char *const claim_verdict_names[CLAIM_VERDICTS] = {[CLAIM_PROVED] = "proved",
                                                         [CLAIM_REFUTED] = "refuted",
                                                         [CLAIM_OTHER] = "not-affine",
                                                         [CLAIM_OPEN] = "open"};

/* ---- strings */

/* What `write` writes. NULL without memory. */
static char *written(void (*write)(const forms *s, const void *what, FILE *out), const forms *s,
                     const void *what) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return NULL;
    write(s, what, out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static void write_name(const forms *s, const void *what, FILE *out) {
    const ir_name *name = what;
    (void)s;
    fprintf(out, "%.*s", (int)name->length, name->text);
}

static void write_file(const forms *s, const void *what, FILE *out) {
    const ir_name *name = what;
    unsigned start = name->length;
    (void)s;
    while (start > 0 && name->text[start - 1] != '/') start--;
    fprintf(out, "%.*s", (int)(name->length - start), name->text + start);
}

static void write_array(const forms *s, const void *what, FILE *out) {
    say_array(s, &((const access_site *)what)->address, out);
}

static void write_index(const forms *s, const void *what, FILE *out) {
    const access_site *site = what;
    if (site->address.at.broken)
        fputc('?', out);
    else
        say_index(s, &site->address.at, site->bytes, out);
}

static void write_example(const forms *s, const void *what, FILE *out) { say_example(s, what, out); }

/* ---- one kernel */

static void claim_free(claim *one) {
    free(one->kernel);
    free(one->file);
    free(one->array);
    free(one->index);
    free(one->example);
    free(one->within.example);
}

static bool is_same(const claim *a, const claim *b) {
    return a->line == b->line && a->space == b->space && a->op == b->op && a->bytes == b->bytes &&
           a->verdict == b->verdict && strcmp(a->kernel, b->kernel) == 0 && strcmp(a->file, b->file) == 0 &&
           strcmp(a->array, b->array) == 0 && strcmp(a->index, b->index) == 0;
}

/* Of two equal claims the bounds are those of which less is known to be right. */
static void join(claim *old, claim *one) {
    if (one->within.verdict <= old->within.verdict) return;
    const bounds within = old->within;
    old->within = one->within;
    one->within = within;
}

/* Takes the claim. */
static riffle_status keep(riffle_claims *all, claim *one) {
    const bool whole = one->kernel != NULL && one->file != NULL && one->array != NULL && one->index != NULL &&
                       one->example != NULL;
    bool known = false;
    for (size_t k = 0; whole && !known && k < all->claims; k++) {
        known = is_same(&all->claim[k], one);
        if (known) join(&all->claim[k], one);
    }
    if (whole && !known && ir_grow((void **)&all->claim, all->claims, &all->capacity, sizeof *all->claim)) {
        all->claim[all->claims++] = *one;
        return RIFFLE_OK;
    }
    claim_free(one);
    return known ? RIFFLE_OK : fail_memory("a claim", sizeof *one);
}

/* Takes what the bounds have. */
static riffle_status add_claim(forms *s, const access_site *site, bounds *within, riffle_claims *all) {
    const judgement found = judge_access(s, site, all->side, all->threshold);
    const ir_place at = sites_place(s, site->value);
    const ir_name kernel = ir_source_name(s->m, s->f);
    claim one = {.line = at.line,
                 .space = site->space,
                 .op = site->op,
                 .bytes = site->bytes,
                 .verdict = found.verdict,
                 .requests = found.requests,
                 .ideal = found.ideal,
                 .always = found.always,
                 .kernel = written(write_name, s, &kernel),
                 .file = written(write_file, s, &at.file),
                 .array = written(write_array, s, site),
                 .index = written(write_index, s, site),
                 .example = written(write_example, s, &found.numbers),
                 .why = found.why,
                 .within = *within};
    *within = (bounds){.why = ""};
    return keep(all, &one);
}

static riffle_status add_call(const forms *s, unsigned value, riffle_claims *all) {
    const ir_name function = sites_call_unseen(s, value), kernel = ir_source_name(s->m, s->f);
    if (function.length == 0) return RIFFLE_OK;
    const claim_call one = {written(write_name, s, &kernel), written(write_name, s, &function),
                            ir_place_of(s->m, s->f->value[value].location, s->folder).line};
    if (ir_grow((void **)&all->call, all->calls, &all->call_capacity, sizeof *all->call)) {
        all->call[all->calls++] = one;
        return RIFFLE_OK;
    }
    free(one.kernel);
    free(one.function);
    return fail_memory("a call", sizeof one);
}

static riffle_status claim_kernel(const ir_module *m, const ir_function *f, const char *folder,
                                  riffle_claims *all) {
    forms s;
    sites found = {0};
    riffle_status status = forms_begin(&s, m, f, folder);
    if (status == RIFFLE_OK) status = sites_find(&s, &found);
    bounds *within = calloc(found.count + 1, sizeof *within);
    if (within == NULL && status == RIFFLE_OK) status = fail_memory("a kernel's bounds", found.count);
    if (status == RIFFLE_OK) status = bounds_judge(&s, &found, all->side, within);
    for (size_t k = 0; k < found.count && status == RIFFLE_OK; k++)
        status = add_claim(&s, &found.site[k], &within[k], all);
    for (unsigned k = 0; k < f->values && status == RIFFLE_OK; k++) status = add_call(&s, k, all);
    if (status == RIFFLE_OK && (s.no_memory || s.symbols.no_memory))
        status = fail_memory("a kernel's symbols", s.symbols.count * sizeof(symbol));
    for (size_t k = 0; within != NULL && k < found.count; k++) free(within[k].example);
    free(within);
    free(found.site);
    forms_free(&s);
    all->kernels++;
    return status;
}

/* ---- all of it */

static bool is_asked(const riffle_lint_job *job, const ir_module *m, const ir_function *f) {
    const ir_name name = ir_source_name(m, f);
    return lint_is_asked(job->kernel, name.text, name.length);
}

static riffle_status claim_file(const riffle_lint_job *job, unsigned number, const private_folder *folder,
                                riffle_claims *all) {
    char name[32], *text;
    size_t length;
    ir_module m;
    snprintf(name, sizeof name, "kernel-%u.ll", number);
    riffle_status status = folder_read(folder, name, &text, &length);
    if (status != RIFFLE_OK) return status;
    status = ir_read(text, "section \"" LINT_KERNEL_SECTION "\"", &m);
    for (size_t k = 0; k < m.functions && status == RIFFLE_OK; k++)
        if (is_asked(job, &m, &m.function[k]))
            status = claim_kernel(&m, &m.function[k], folder->path, all);
    ir_free(&m);
    free(text);
    return status;
}

static int compare(const void *a, const void *b) {
    const claim *one = a, *other = b;
    const int kernels = strcmp(one->kernel, other->kernel), files = strcmp(one->file, other->file);
    if (kernels != 0 || files != 0) return kernels != 0 ? kernels : files;
    return one->line != other->line ? (one->line < other->line ? -1 : 1) : (int)one->op - (int)other->op;
}

/* The job's compiler where that is clang, else the clang on PATH. */
static const char *clang_of(const riffle_lint_job *job) {
    const char *own = compiler_of(job);
    return strstr(own, "clang") != NULL ? own : "clang++";
}

static riffle_status claim_all(const riffle_lint_job *job, riffle_claims *all) {
    private_folder folder;
    riffle_lint_job own = *job;
    own.is_program = true; /* all of its code is compiled */
    own.compiler = clang_of(job);
    riffle_status status = folder_create(&folder);
    if (status != RIFFLE_OK) return status;
    status = lint_compile_forms(&own, &folder);
    for (unsigned k = 0; k <= job->more_count && status == RIFFLE_OK; k++)
        status = claim_file(job, k, &folder, all);
    folder_remove(&folder);
    if (status == RIFFLE_OK && all->claims > 0) qsort(all->claim, all->claims, sizeof *all->claim, compare);
    if (status == RIFFLE_OK && all->kernels == 0 && job->kernel != NULL)
        return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: has no kernel '%s' that is launched or is no template",
                    job->file, job->kernel);
    return status;
}

riffle_status lint_for_all(const riffle_lint_job *job, const riffle_machine_options *options,
                           riffle_claims **out) {
    RETURN_IF_NULL(job, out);
    if (job->file == NULL) return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "a job has a file; give it");
    const uint64_t sides[] = {job->block[0], max(job->block[1], 1U), max(job->block[2], 1U)};
    const uint64_t most = SYMBOLS_MOST_THREADS;
    if (max(sides[0], max(sides[1], sides[2])) > most || sides[0] * sides[1] * sides[2] > most)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "a block of %u x %u x %u threads; CUDA takes %d a block", job->block[0],
                    (unsigned)sides[1], (unsigned)sides[2], SYMBOLS_MOST_THREADS);
    riffle_claims *all = calloc(1, sizeof *all);
    if (all == NULL) return fail_memory("claims", sizeof *all);
    all->threshold = options != NULL && options->threshold > 0 ? options->threshold : VERDICT_THRESHOLD;
    for (unsigned k = 0; k < 3; k++) all->side[k] = job->block[0] > 0 && job->block[k] == 0 ? 1 : job->block[k];
    const riffle_status status = claim_all(job, all);
    if (status == RIFFLE_OK)
        *out = all;
    else
        claims_free(all);
    return status;
}

void claims_free(riffle_claims *all) {
    if (all == NULL) return;
    for (size_t k = 0; k < all->claims; k++) claim_free(&all->claim[k]);
    for (size_t k = 0; k < all->calls; k++) {
        free(all->call[k].kernel);
        free(all->call[k].function);
    }
    free(all->claim);
    free(all->call);
    free(all);
}

size_t claims_count(const riffle_claims *all, claim_verdict verdict) {
    size_t sum = 0;
    for (size_t k = 0; k < all->claims; k++) sum += all->claim[k].verdict == verdict;
    return sum;
}

size_t claims_count_bounds(const riffle_claims *all, bounds_verdict verdict) {
    size_t sum = 0;
    for (size_t k = 0; k < all->claims; k++) sum += all->claim[k].within.verdict == verdict;
    return sum;
}

uint64_t claims_refuted(const riffle_claims *all, const char *what) {
    uint64_t sum = 0;
    if (all == NULL || what == NULL) return 0;
    if (strcmp(what, "out-of-bounds") == 0) return claims_count_bounds(all, BOUNDS_REFUTED);
    const bool conflicts = strcmp(what, "conflict") == 0;
    if (!conflicts && strcmp(what, "uncoalesced") != 0) return 0;
    for (size_t k = 0; k < all->claims; k++)
        sum += all->claim[k].verdict == CLAIM_REFUTED && (all->claim[k].space == SPACE_SHARED) == conflicts;
    return sum;
}
