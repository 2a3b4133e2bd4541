/* SPDX-License-Identifier: Apache-2.0
 *
 * Claims for people, and as one JSON document.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "machine/count/verdict.h"
#include "machine/library.h"
#include "machine/lint/claims/claims.h"
#include "machine/report/escape.h"

const char *claim_say(const claim *one, double threshold, char out[static CLAIM_TEXT]) {
    const report_line line = {
        .space = one->space, .warps = 1, .requests = one->requests, .ideal_requests = one->ideal};
    char text[VERDICT_TEXT];
    if (one->verdict == CLAIM_OTHER) return strcpy(out, "not affine");
    if (one->verdict == CLAIM_OPEN) return strcpy(out, "not decided");
    const char *verdict = verdict_say(&line, threshold, text);
    if (one->verdict == CLAIM_PROVED || *one->example == '\0')
        snprintf(out, CLAIM_TEXT, "%s%s", verdict,
                 one->verdict == CLAIM_PROVED ? ""
                 : one->always                ? ", always"
                                              : ", at times");
    else
        snprintf(out, CLAIM_TEXT, "%.80s where %.60s", verdict, one->example);
    return out;
}

static const char *say_bounds(const claim *one) {
    static const char *const words[BOUNDS_VERDICTS] = {[BOUNDS_PROVED] = "in bounds",
                                                       [BOUNDS_NO_LENGTH] = "-",
                                                       [BOUNDS_OPEN] = "not decided",
                                                       [BOUNDS_REFUTED] = "out of bounds"};
    return words[one->within.verdict];
}

void claims_say_assumptions(const riffle_claims *claims, FILE *out) {
    if (claims->side[0] > 0)
        fprintf(out, "blocks of %u x %u x %u threads", claims->side[0], claims->side[1], claims->side[2]);
    else
        fprintf(out, "all blocks whose x is a multiple of 32");
    fprintf(
        out,
        ", all grids, and all integer parameters that are not negative; of whole warps, arrays that begin at "
        "multiples of 128 bytes, and indices that do not overflow");
}

static int wider(int a, size_t b) { return (size_t)a > b ? a : (int)b; }

enum { SHOWN = 200 };

static void print_claim(const claim *one, const int w[4], double threshold, FILE *stream) {
    char place[SHOWN], shown[SHOWN], text[CLAIM_TEXT];
    snprintf(place, sizeof place, "%.150s:%u", one->file, one->line);
    fprintf(stream, "%-*s  ", w[0], riffle_printable(one->kernel, shown, sizeof shown));
    fprintf(stream, "%-*s  %-6s  %-6s  ", w[1], riffle_printable(place, shown, sizeof shown),
            report_space_names[one->space], report_op_names[one->op]);
    fprintf(stream, "%-*s  ", w[2], riffle_printable(one->array, shown, sizeof shown));
    fprintf(stream, "%-*s  %-13s  %s\n", w[3], claim_say(one, threshold, text), say_bounds(one),
            riffle_printable(one->index, shown, sizeof shown));
}

/* What is in the way of a proof that an access is coalesced, or free of conflicts. */
static void print_why(const claim *one, FILE *stream) {
    char array[SHOWN];
    if (one->verdict != CLAIM_OPEN) return;
    fprintf(stream, "not decided: %.150s:%u, %s of %s: whether it is %s: %s\n", one->file, one->line,
            report_op_names[one->op], riffle_printable(one->array, array, sizeof array),
            one->space == SPACE_SHARED ? "free of conflicts" : "coalesced", one->why);
}

/* What is in the way of a proof that an access is in bounds, or the launch in which it is not. */
static void print_bounds(const claim *one, FILE *stream) {
    char shown[SHOWN], array[SHOWN];
    const bool refuted = one->within.verdict == BOUNDS_REFUTED;
    if (!refuted && one->within.verdict != BOUNDS_OPEN) return;
    fprintf(stream, "%s: %.150s:%u, %s of %s: %s\n", say_bounds(one), one->file, one->line, report_op_names[one->op],
            riffle_printable(one->array, array, sizeof array),
            refuted ? riffle_printable(one->within.example, shown, sizeof shown) : one->within.why);
}

static riffle_status finish(FILE *stream) {
    if (fflush(stream) != 0 || ferror(stream)) return fail(RIFFLE_ERROR_IO, "the claims could not be written");
    return RIFFLE_OK;
}

riffle_status claims_print(const riffle_claims *claims, FILE *stream) {
    RETURN_IF_NULL(claims, stream);
    int w[4] = {6, 4, 5, 5};
    for (size_t k = 0; k < claims->claims; k++) {
        const claim *one = &claims->claim[k];
        char place[SHOWN], text[CLAIM_TEXT];
        w[0] = wider(w[0], strlen(one->kernel));
        w[1] = wider(w[1], (size_t)snprintf(place, sizeof place, "%.150s:%u", one->file, one->line));
        w[2] = wider(w[2], strlen(one->array));
        w[3] = wider(w[3], strlen(claim_say(one, claims->threshold, text)));
    }
    if (claims->claims > 0)
        fprintf(stream, "%-*s  %-*s  %-6s  %-6s  %-*s  %-*s  bounds         index\n", w[0], "kernel", w[1], "line", "space",
                "op", w[2], "array", w[3], "claim");
    for (size_t k = 0; k < claims->claims; k++) print_claim(&claims->claim[k], w, claims->threshold, stream);
    if (claims->claims > 0) fputc('\n', stream);
    for (size_t k = 0; k < claims->claims; k++) print_why(&claims->claim[k], stream);
    for (size_t k = 0; k < claims->claims; k++) print_bounds(&claims->claim[k], stream);
    fprintf(stream, "for all: ");
    claims_say_assumptions(claims, stream);
    fprintf(stream, "\nkernels: %u\naccesses: %zu; proved %zu, refuted %zu, not affine %zu, not decided %zu\n",
            claims->kernels, claims->claims, claims_count(claims, CLAIM_PROVED),
            claims_count(claims, CLAIM_REFUTED), claims_count(claims, CLAIM_OTHER),
            claims_count(claims, CLAIM_OPEN));
    fprintf(stream, "bounds: in %zu, out %zu, not decided %zu, of no known length %zu\n",
            claims_count_bounds(claims, BOUNDS_PROVED), claims_count_bounds(claims, BOUNDS_REFUTED),
            claims_count_bounds(claims, BOUNDS_OPEN), claims_count_bounds(claims, BOUNDS_NO_LENGTH));
    for (size_t k = 0; k < claims->calls; k++) {
        char kernel[SHOWN], function[SHOWN];
        fprintf(stream, "not seen: line %u of %s calls %s, which is not compiled into it\n",
                claims->call[k].line, riffle_printable(claims->call[k].kernel, kernel, sizeof kernel),
                riffle_printable(claims->call[k].function, function, sizeof function));
    }
    return finish(stream);
}

static void print_text(const char *name, const char *text, FILE *stream) {
    fprintf(stream, ",\"%s\":", name);
    escape_json(text, stream);
}

static void print_claim_json(const claim *one, double threshold, FILE *stream) {
    char text[CLAIM_TEXT];
    fprintf(stream, "{\"line\":%u,\"space\":\"%s\",\"op\":\"%s\",\"bytes\":%u,\"verdict\":\"%s\",\"always\":%s",
            one->line, report_space_names[one->space], report_op_names[one->op], one->bytes,
            claim_verdict_names[one->verdict], one->always ? "true" : "false");
    if (one->ideal > 0) fprintf(stream, ",\"requests\":%u,\"ideal_requests\":%u", one->requests, one->ideal);
    print_text("kernel", one->kernel, stream);
    print_text("file", one->file, stream);
    print_text("array", one->array, stream);
    print_text("index", one->index, stream);
    print_text("example", one->example, stream);
    print_text("claim", claim_say(one, threshold, text), stream);
    if (one->verdict == CLAIM_OPEN) print_text("why", one->why, stream);
    print_text("bounds", bounds_verdict_names[one->within.verdict], stream);
    if (one->within.verdict == BOUNDS_REFUTED) print_text("bounds_example", one->within.example, stream);
    if (one->within.verdict == BOUNDS_OPEN) print_text("bounds_why", one->within.why, stream);
    fputc('}', stream);
}

riffle_status claims_print_json(const riffle_claims *claims, FILE *stream) {
    RETURN_IF_NULL(claims, stream);
    fprintf(stream, "{\"block\":[%u,%u,%u],\"threshold\":%g,\"kernels\":%u", claims->side[0], claims->side[1],
            claims->side[2], claims->threshold, claims->kernels);
    fprintf(stream, ",\"assumptions\":\"");
    claims_say_assumptions(claims, stream);
    fputc('"', stream);
    for (claim_verdict k = 0; k < CLAIM_VERDICTS; k++)
        fprintf(stream, ",\"%s\":%zu", claim_verdict_names[k], claims_count(claims, k));
    fprintf(stream, ",\"bounds\":{");
    for (bounds_verdict k = 0; k < BOUNDS_VERDICTS; k++)
        fprintf(stream, "%s\"%s\":%zu", k > 0 ? "," : "", bounds_verdict_names[k], claims_count_bounds(claims, k));
    fprintf(stream, "},\"claims\":[");
    for (size_t k = 0; k < claims->claims; k++) {
        fputs(k > 0 ? ",\n" : "\n", stream);
        print_claim_json(&claims->claim[k], claims->threshold, stream);
    }
    fprintf(stream, "],\"calls\":[");
    for (size_t k = 0; k < claims->calls; k++) {
        fprintf(stream, "%s{\"line\":%u", k > 0 ? "," : "", claims->call[k].line);
        print_text("kernel", claims->call[k].kernel, stream);
        print_text("function", claims->call[k].function, stream);
        fputc('}', stream);
    }
    fprintf(stream, "]}\n");
    return finish(stream);
}
