/* SPDX-License-Identifier: Apache-2.0
 *
 * The spec language (docs/spec.md), read by recursive descent:
 *
 *     sequence = term { "|" term }
 *     term     = { "~" } ( "(" sequence ")" | word [ ":" argument ] )
 *
 * The parser's only state is where it stands. Spaces may stand around every token.
 */
#include "base/status.h"
#include "perm/kind.h"
#include "perm/spec/words.h"

enum { MOST_NESTED = 64 /* parentheses inside parentheses */ };

static riffle_status read_sequence(spec_parser *in, riffle_perm **out);

static riffle_status read_parenthesis(spec_parser *in, riffle_perm **out) {
    if (in->nested == MOST_NESTED)
        return spec_fail_at(in, in->at - 1, "parentheses are nested more than %d deep", MOST_NESTED);
    in->nested++;
    riffle_perm *perm;
    riffle_status status = read_sequence(in, &perm);
    in->nested--;
    if (status != RIFFLE_OK) return status;
    if (spec_accept(in, ')')) {
        *out = perm;
        return RIFFLE_OK;
    }
    riffle_perm_free(perm);
    return spec_fail_expected(in, "'|' or ')'");
}

static riffle_status read_term(spec_parser *in, riffle_perm **out) {
    bool inverted = false;
    while (spec_accept(in, '~')) inverted = !inverted;
    riffle_perm *perm;
    riffle_status status = spec_accept(in, '(') ? read_parenthesis(in, &perm) : spec_read_word(in, &perm);
    if (status != RIFFLE_OK) return status;
    if (!inverted) {
        *out = perm;
        return RIFFLE_OK;
    }
    status = riffle_perm_invert(perm, out);
    riffle_perm_free(perm);
    return status;
}

static riffle_status read_sequence(spec_parser *in, riffle_perm **out) {
    sequence_builder builder = {.n = in->n};
    riffle_status status;
    do {
        riffle_perm *part;
        status = read_term(in, &part);
        if (status != RIFFLE_OK) break;
        status = sequence_push(&builder, part);
        riffle_perm_free(part);
    } while (status == RIFFLE_OK && spec_accept(in, '|'));
    if (status == RIFFLE_OK) return sequence_finish(&builder, out);
    sequence_abandon(&builder);
    return status;
}

riffle_status riffle_perm_parse(const char *spec, uint64_t n, riffle_perm **out) {
    RETURN_IF_NULL(spec, out);
    riffle_status status = perm_check_length("spec", n);
    if (status != RIFFLE_OK) return status;
    spec_parser in = {.spec = spec, .at = spec, .n = n};
    riffle_perm *perm;
    status = read_sequence(&in, &perm);
    if (status != RIFFLE_OK) return status;
    spec_skip_spaces(&in);
    if (*in.at == '\0') {
        *out = perm;
        return RIFFLE_OK;
    }
    riffle_perm_free(perm);
    return spec_fail_expected(&in, "'|' or the end");
}
