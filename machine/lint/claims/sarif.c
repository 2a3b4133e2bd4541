/* SPDX-License-Identifier: Apache-2.0
 *
 * Refuted claims as SARIF 2.1.0: warnings at their lines.
 */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "machine/library.h"
#include "machine/lint/claims/claims.h"
#include "machine/report/sarif.h"
#include "riffle.h"

static void print_result(const claim *one, double threshold, const char *path, bool first, FILE *stream) {
    char verdict[CLAIM_TEXT], text[2 * CLAIM_TEXT];
    snprintf(text, sizeof text, "%s %s of %.60s: %s", report_space_names[one->space], report_op_names[one->op],
             one->array, claim_say(one, threshold, verdict));
    sarif_begin_result(one->space == SPACE_GLOBAL ? SARIF_UNCOALESCED : SARIF_CONFLICT, text, first, stream);
    sarif_print_place(one->file, one->line, path, stream);
    sarif_print_kernel(one->kernel, stream);
    fprintf(stream, "],\"properties\":{\"requests\":%u,\"ideal_requests\":%u}}", one->requests, one->ideal);
}

static void print_bounds(const claim *one, const char *path, bool first, FILE *stream) {
    char text[4 * CLAIM_TEXT];
    snprintf(text, sizeof text, "%s %s of %.60s: out of bounds: %.400s", report_space_names[one->space],
             report_op_names[one->op], one->array, one->within.example);
    sarif_begin_result(HAZARD_OUT_OF_BOUNDS, text, first, stream);
    sarif_print_place(one->file, one->line, path, stream);
    sarif_print_kernel(one->kernel, stream);
    fprintf(stream, "]}");
}

riffle_status claims_print_sarif(const riffle_claims *claims, const char *path, FILE *stream) {
    RETURN_IF_NULL(claims, path, stream);
    bool first = true;
    sarif_begin(stream);
    fprintf(stream, "\"results\":[");
    for (size_t k = 0; k < claims->claims; k++) {
        const claim *one = &claims->claim[k];
        if (one->within.verdict == BOUNDS_REFUTED) {
            print_bounds(one, path, first, stream);
            first = false;
        }
        if (one->verdict != CLAIM_REFUTED) continue;
        print_result(one, claims->threshold, path, first, stream);
        first = false;
    }
    fprintf(stream, "]}]}\n");
    if (fflush(stream) != 0 || ferror(stream)) return fail(RIFFLE_ERROR_IO, "the claims could not be written");
    return RIFFLE_OK;
}
