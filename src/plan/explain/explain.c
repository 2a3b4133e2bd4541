/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan in words: what it moves, how, why so, and what that is expected to cost beside a copy.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "perm/kind.h"
#include "plan/algorithm.h"
#include "plan/checked.h"
#include "plan/choose/choose.h"
#include "plan/explain/document.h"
#include "plan/explain/how.h"
#include "plan/explain/model.h"
#include "plan/explain/one_use.h"
#include "plan/explain/translation.h"
#include "plan/request/measured.h"

static const char *const BUFFER_NAMES[BUFFERS] = {
    [BUFFER_SRC] = "src", [BUFFER_DST] = "dst", [BUFFER_WORKSPACE] = "workspace", [BUFFER_SPARE] = "spare"};

static void print_threads(unsigned threads, FILE *stream) {
    fprintf(stream, ", %u thread%s", threads, threads == 1 ? "" : "s");
}

static void print_request(const plan_request *r, const plan_choice *c, const char *description, FILE *stream) {
    fprintf(stream, "permutation  %s\n", description);
    fprintf(stream, "array        %llu elements of %zu byte%s, %.1f MiB\n", (unsigned long long)r->n,
            r->elem_bytes, r->elem_bytes == 1 ? "" : "s", (double)r->array_bytes / (1 << 20));
    if (r->batch > 1)
        fprintf(stream, "batch        %llu arrays, %llu elements apart\n", (unsigned long long)r->batch,
                (unsigned long long)r->stride);
    fprintf(stream, "engine       %s", r->target.name);
    if (!plan_target_is_device(&r->target)) print_threads(plan_threads(c), stream);
    fputc('\n', stream);
}

/* The expected figures were measured with AVX2 and with AVX-512 VBMI. */
static void print_loops(vector_loops loops, FILE *stream) {
    const vector_set here = vectors_for(loops), best = vectors_best_for(loops);
    fprintf(stream, "loops        %s\n", vectors_name(here));
    if (here == best) return;
    fprintf(stream, "             those of %s are the best%s\n", vectors_name(best),
            here == VECTORS_AVX2 ? "" : ", and what is expected below was not measured with these");
}

/* True if the passes of a choice add up src as they read it, for a check. */
static riffle_status find_whether_read(const plan_request *r, const plan_choice *c, bool *adds_read) {
    riffle_plan *plan;
    *adds_read = false;
    if (!plan_target_is_device(&r->target)) return RIFFLE_OK;
    const riffle_status status = plan_outline(r, c, &plan);
    if (status != RIFFLE_OK) return status;
    *adds_read = plan_adds_read(plan);
    plan_destroy(plan);
    return RIFFLE_OK;
}

/* All that the check reads. */
static riffle_status print_check(const plan_request *r, const plan_choice *c, FILE *stream) {
    perm_affine affine;
    bool adds_read;
    if (r->check == RIFFLE_CHECK_NONE) return RIFFLE_OK;
    const riffle_status status = find_whether_read(r, c, &adds_read);
    if (status != RIFFLE_OK) return status;
    fprintf(stream, "check        %s: ", riffle_check_string(r->check));
    if (r->check == RIFFLE_CHECK_PASSES) {
        fprintf(stream, "what each pass writes for the next one is added up as it is written and as it is "
                        "read, with no traffic besides\n");
        return RIFFLE_OK;
    }
    if (adds_read)
        fprintf(stream, "src is added up as it is moved, and dst is read once more, %zu bytes an element",
                r->elem_bytes);
    else
        fprintf(stream, "src and dst are read once more, %zu bytes an element", 2 * r->elem_bytes);
    if (!adds_read && plan_target_is_device(&r->target) && !plan_check_evaluates(r, r->perm, &affine))
        fprintf(stream, ", and a table of %zu", table_entry_bytes(r->n));
    fprintf(stream, ", besides that traffic\n");
    return RIFFLE_OK;
}

static void print_choice(const plan_request *r, const plan_choice *c, const plan_trials *trials, FILE *stream) {
    fprintf(stream, "algorithm    %s, %u pass%s%s\n", c->algorithm->name, c->passes, c->passes == 1 ? "" : "es",
            r->in_place ? ", in place" : "");
    fprintf(stream, "because      %s\n", c->reason);
    if (trials != NULL) measured_print(trials, stream);
    if (!plan_target_is_device(&r->target)) print_loops(c->loops, stream);
    fprintf(stream, "memory       about %.1f bytes an element, and %.1f MiB of workspace\n", c->kept,
            (double)c->workspace_bytes / (1 << 20));
    if (!plan_target_is_device(&r->target) && plan_is_cached(r->span_bytes)) {
        fprintf(stream, "expected     no traffic to memory: the array stays in the second-level cache\n");
        return;
    }
    explain_translation(r, c, stream);
    if (!plan_target_is_device(&r->target) && explain_is_cached(r))
        fprintf(stream, "traffic      little to memory: the array stays in the last-level cache\n");
    else
        fprintf(stream, "traffic      %.*f bytes an element, where a copy carries %zu\n",
                c->traffic == floor(c->traffic) ? 0 : 1, c->traffic, 2 * r->elem_bytes);
    if (c->copies > 0) fprintf(stream, "expected     about %.1f times a copy's time\n", c->copies);
}

static void print_pass(unsigned number, const pass *p, FILE *stream) {
    fprintf(stream, "pass %u       %s, %s to %s", number, p->kind->name, BUFFER_NAMES[p->from],
            BUFFER_NAMES[p->to]);
    if (p->kind->print != NULL) p->kind->print(p, stream);
    if (p->reads_between > 0 || p->writes_between > 0) fprintf(stream, ", what is between passes added up");
    fputc('\n', stream);
}

static riffle_status check_stream(FILE *stream) {
    if (fflush(stream) == 0 && ferror(stream) == 0) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_IO, "the explanation could not be written: %s", strerror(errno));
}

riffle_status riffle_plan_explain(const riffle_plan *plan, FILE *stream) {
    RETURN_IF_NULL(plan, stream);
    print_request(&plan->request, &plan->choice, plan->description, stream);
    print_choice(&plan->request, &plan->choice, plan->trials, stream);
    for (unsigned k = 0; k < plan->built; k++) print_pass(k + 1, &plan->passes[k], stream);
    fprintf(stream, "plan         %zu bytes, workspace %zu bytes\n", plan->bytes, plan->workspace_bytes);
    return check_stream(stream);
}

static void print_time(const plan_request *r, const plan_choice *c, double bytes_per_second, FILE *stream) {
    if (!explain_has_time(r, bytes_per_second)) return;
    fprintf(stream, "at best      %.4g ms: the traffic at %.4g GB/s, what memory carries at most\n",
            1e3 * explain_best_seconds(r, c, bytes_per_second), bytes_per_second / 1e9);
}

static void print_times(const plan_request *r, const plan_choice *c, const measured_times *t, FILE *stream) {
    const measured_bound sectors = explain_sectors(r, c);
    measured_times_print(t, &sectors, 1, stream);
    if (t->runs > 0) fprintf(stream, "  in cells: the rows of the model below\n");
}

static riffle_status print_all(const plan_request *request, const plan_choice *choice,
                               const plan_trials *trials, const explain_how *how, FILE *stream) {
    char description[PLAN_DESCRIPTION_BYTES];
    plan_describe(request->perm, description);
    if (how->json) return explain_document(request, choice, description, how, stream);
    print_request(request, choice, description, stream);
    if (how->gpu != NULL) fprintf(stream, "gpu          %s\n", how->gpu);
    print_choice(request, choice, trials, stream);
    riffle_status status = print_check(request, choice, stream);
    if (status != RIFFLE_OK) return status;
    print_time(request, choice, how->bytes_per_second, stream);
    print_times(request, choice, &how->times, stream);
    status = explain_one_use(request, choice, stream);
    return status == RIFFLE_OK ? explain_model(request, &how->model, stream) : status;
}

riffle_status plan_explain(const plan_request *request, const explain_how *how, FILE *stream) {
    plan_choice choice;
    plan_trials known;
    plan_request narrowed = *request;
    const bool was_measured = request->effort == RIFFLE_EFFORT_MEASURE && measured_recall(&narrowed, &known) &&
                              plan_choose(&narrowed, &choice) == RIFFLE_OK;
    riffle_status status = was_measured ? RIFFLE_OK : plan_choose(request, &choice);
    if (status != RIFFLE_OK) return status;
    if (was_measured) known.trial[0].threads = plan_threads(&choice);
    if (was_measured && request->algorithm == RIFFLE_ALGORITHM_AUTO) choice.reason = MEASURED_REASON;
    if (choice.algorithm->traffic_as_planned != NULL && !request->in_place)
        plan_expect_traffic(request, choice.algorithm->traffic_as_planned(request), &choice);
    status = print_all(request, &choice, was_measured ? &known : NULL, how, stream);
    return status == RIFFLE_OK ? check_stream(stream) : status;
}
