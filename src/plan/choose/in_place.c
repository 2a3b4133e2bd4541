/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/choose/in_place.h"

#include "base/status.h"
#include "plan/algorithm.h"

/* Words that are joined, cut where there is no more room. */
typedef struct words {
    char text[512];
    size_t length;
} words;

static void join(words *w, const char *separator, const char *more) {
    if (w->length >= sizeof w->text) return;
    w->length += (size_t)snprintf(w->text + w->length, sizeof w->text - w->length, "%s%s",
                                  w->length > 0 ? separator : "", more);
}

static bool is_identity(const riffle_perm *perm) {
    return perm->n < 2 ||
           (perm->kind == PERM_ROTATION && perm->rotation.offset == 0 && !perm->rotation.reflected);
}

static bool is_asked_for(const plan_request *r, riffle_algorithm algorithm) {
    return r->algorithm == RIFFLE_ALGORITHM_AUTO || r->algorithm == algorithm;
}

/* Refuses an algorithm that needs a second array. */
static riffle_status refuse_algorithm(void) {
    words can = {0};
    for (unsigned k = 0; k < ALGORITHMS; k++)
        if (algorithm_records[k]->in_place != NULL) join(&can, " and ", algorithm_records[k]->name);
    return fail(RIFFLE_ERROR_UNSUPPORTED,
                "this cannot be done in place: only %s can; plan it with a second array", can.text);
}

/* The algorithm that is expected to be the fastest, the first of several. */
riffle_status in_place_choose(const plan_request *r, plan_choice *out) {
    if (is_identity(r->perm) && is_asked_for(r, RIFFLE_ALGORITHM_COPY)) {
        *out = (plan_choice){.algorithm = &algorithm_copy, .reason = "everything is in its place already"};
        return RIFFLE_OK;
    }
    words obstacles = {0};
    plan_choice best = {.algorithm = NULL};
    for (unsigned k = 0; k < ALGORITHMS; k++) {
        const plan_algorithm *const a = algorithm_records[k];
        if (a->in_place == NULL || !is_asked_for(r, a->id)) continue;
        plan_choice choice = {.algorithm = a, .passes = 1};
        const char *const why_not = a->in_place(r, &choice);
        if (why_not != NULL) {
            join(&obstacles, ", and ", why_not);
            continue;
        }
        plan_expect(r, &choice);
        if (best.algorithm == NULL || choice.copies < best.copies) best = choice;
    }
    if (best.algorithm != NULL) {
        *out = best;
        return RIFFLE_OK;
    }
    if (obstacles.length == 0) return refuse_algorithm();
    return fail(RIFFLE_ERROR_UNSUPPORTED, "this cannot be done in place: %s; plan it with a second array",
                obstacles.text);
}
