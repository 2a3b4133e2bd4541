/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/for_all.h"

#include <stdio.h>

#include "arrays/document.h"
#include "frame/message.h"
#include "system/child.h"

bool for_all_is_whole(const request *ask) {
    const riffle_lint_job *job = &ask->job;
    const struct {
        bool given;
        const char *option;
    } of_runs[] = {{job->argument_count > 0, "arg"},
                   {job->constant_count > 0, "constant"},
                   {job->grid[0] > 0, "grid"},
                   {job->shared_bytes > 0, "shared"},
                   {job->launches > 0, "launches"},
                   {ask->before != NULL, "compare"},
                   {ask->html != NULL, "html"},
                   {job->nvcc != NULL, "nvcc"},
                   {ask->machine.shared_layout != RIFFLE_LAYOUT_RAW, "shared-layout"}};
    for (size_t k = 0; k < sizeof of_runs / sizeof *of_runs; k++) {
        if (!of_runs[k].given) continue;
        complain("option --for-all: runs nothing, so --%s says nothing to it; leave one out",
                 of_runs[k].option);
        return false;
    }
    for (int k = 0; k < FAIL_ON_UNCOALESCED; k++) {
        if (!ask->fail_on[k].given || k == FAIL_ON_OUT_OF_BOUNDS) continue;
        complain("option --for-all: runs nothing; --fail-on takes uncoalesced, conflict and out-of-bounds with it");
        return false;
    }
    return true;
}

typedef struct subject {
    const request *ask;
    const riffle_claims *claims;
} subject;

static riffle_status print_sarif(const void *what, FILE *stream) {
    const subject *own = what;
    return riffle_claims_print_sarif(own->claims, own->ask->job.file, stream);
}

static int print_all(const request *ask, const riffle_claims *claims) {
    const subject own = {ask, claims};
    const riffle_status status =
        ask->json ? riffle_claims_print_json(claims, stdout) : riffle_claims_print(claims, stdout);
    if (status != RIFFLE_OK) return complain_status("lint", status);
    if (!document_write(ask->sarif, print_sarif, &own)) return EXIT_FAILED;
    const bool failed =
        (ask->fail_on[FAIL_ON_OUT_OF_BOUNDS].given && riffle_claims_refuted(claims, "out-of-bounds") > 0) ||
        (ask->fail_on[FAIL_ON_UNCOALESCED].given && riffle_claims_refuted(claims, "uncoalesced") > 0) ||
        (ask->fail_on[FAIL_ON_CONFLICT].given && riffle_claims_refuted(claims, "conflict") > 0);
    return failed ? EXIT_FAILED : EXIT_DONE;
}

static int claim(void *context) {
    const request *ask = context;
    riffle_claims *claims;
    const riffle_status status = riffle_lint_for_all(&ask->job, &ask->machine, &claims);
    if (status != RIFFLE_OK) {
        complain("%s", riffle_error_detail());
        return status == RIFFLE_ERROR_SYNTAX ? EXIT_USAGE : EXIT_FAILED;
    }
    const int exit_status = print_all(ask, claims);
    riffle_claims_free(claims);
    return finish_stream(stdout, exit_status);
}

int for_all_run(request *ask) { return run_child(ask->job.file, "program", claim, ask, ask->timeout); }
