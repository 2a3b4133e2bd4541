/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* open_memstream */
#include "sort/cpu/comparison.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/status.h"
#include "custom/kept.h"
#include "custom/messages.h"
#include "sort/before.h"

struct comparison {
    void *object;
    int (*before)(const void *a, const void *b);
};

/* ----------------------------------------------------------------- compiling */

static riffle_status refuse(const void *context, const char *messages) {
    char words[200];
    (void)context;
    custom_find_error(messages, sizeof words, words);
    return fail(RIFFLE_ERROR_SYNTAX, "the compiler refuses this comparison: %s", words);
}

static riffle_status compile_text(const riffle_sort_key *key, comparison *c) {
    char *text = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    if (out == NULL) return fail_memory("a comparison of the user's", 0);
    fprintf(out, "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n");
    sort_before_print(key, "static inline", out);
    fprintf(out, "int before(const void *a, const void *b) { return compare(a, b); }\n");
    const riffle_status status = fclose(out) == 0 ? own_borrow(text, length, refuse, NULL, &c->object)
                                                  : fail_memory("a comparison of the user's", length);
    free(text);
    return status == RIFFLE_OK ? own_find(c->object, "before", &c->before) : status;
}

riffle_status comparison_compile(const riffle_sort_key *key, comparison **out) {
    comparison *const c = calloc(1, sizeof *c);
    if (c == NULL) return fail_memory("a comparison of the user's", sizeof *c);
    const riffle_status status = compile_text(key, c);
    if (status == RIFFLE_OK)
        *out = c;
    else
        comparison_free(c);
    return status;
}

void comparison_free(comparison *c) {
    if (c == NULL) return;
    own_release(c->object);
    free(c);
}

/* ----------------------------------------------------------------- comparing */

enum { MOST_BETWEEN = 512 /* comparisons from one look at the clock to the next */ };
static const uint64_t apart = 50000000; /* nanoseconds from one question to the next, about */

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

comparing comparing_by(const comparison *own, riffle_sort_stop *stop, void *context) {
    return (comparing){.own = own,
                       .stop = stop,
                       .stop_context = context,
                       .left = stop != NULL ? 0 : UINT64_MAX,
                       .between = 1,
                       .asked = now()};
}

/* Comparisons may take any time, so that between two looks at the clock are so many as took a part of what is between two questions. */
static void look(comparing *c) {
    const uint64_t passed = now() - c->asked;
    if (passed < apart / 4 && c->between < MOST_BETWEEN) c->between *= 2;
    if (passed > 2 * apart) c->between = 1;
    c->left = c->between;
    if (passed < apart) return;
    c->is_stopped = c->stop(c->stop_context) != 0;
    c->asked = now();
}

bool comparing_before(const void *context, const void *a, const void *b) {
    comparing *const c = (comparing *)(uintptr_t)context;
    if (c->left-- == 0) look(c);
    return !c->is_stopped && c->own->before(a, b) != 0;
}

bool comparing_is_stopped(const void *context) { return ((const comparing *)context)->is_stopped; }

riffle_status comparing_result(const comparing *c) {
    return c->is_stopped ? fail(RIFFLE_ERROR_STOPPED, "the sort was told to stop") : RIFFLE_OK;
}

/* ------------------------------------------------------------------ checking */

enum { MOST = 2048 };

/* Elements in the order that the comparison makes of them, and all that it says of them. */
typedef struct sample {
    uint64_t count;
    uint64_t element[MOST], room[MOST];
    uint32_t class[MOST]; /* how many times an element before this one, or this, comes behind the one before */
    unsigned char before[MOST][MOST]; /* true if the element at place i comes before that at place j */
} sample;

/* Three places of the sample that contradict, and why. */
typedef struct contradiction {
    uint64_t place[3];
    const char *why;
} contradiction;

static void fill(sample *s, comparing *c, const char *elements, size_t elem_bytes, uint64_t n) {
    s->count = n < MOST ? n : MOST;
    for (uint64_t i = 0; i < s->count; i++) s->element[i] = (uint64_t)((unsigned __int128)i * n / s->count);
    sort_definition_unless(comparing_is_stopped, comparing_before, c, elements, elem_bytes, s->element, s->room,
                           s->count);
    for (uint64_t i = 0; i < s->count && !c->is_stopped; i++)
        for (uint64_t j = 0; j < s->count; j++)
            s->before[i][j] = comparing_before(c, elements + s->element[i] * elem_bytes,
                                               elements + s->element[j] * elem_bytes);
    for (uint64_t i = 0; i < s->count; i++)
        s->class[i] = i == 0 ? 0 : s->class[i - 1] + (s->before[i - 1][i] != 0);
}

static bool is_self_contradiction(const sample *s, uint64_t i, uint64_t j, contradiction *out) {
    if (!s->before[i][j] || !s->before[j][i]) return false;
    *out = (contradiction){{i, j, i}, "each of the first two comes before the other"};
    if (i == j) out->why = "it comes before itself";
    return true;
}

/* Places i < j. The elements between them in order lead from one to the other by steps that hold; where what is said of the two is
 * otherwise, the first step at which it is gives the third element. */
static bool is_contradiction(const sample *s, uint64_t i, uint64_t j, contradiction *out) {
    uint64_t k = i + 1;
    if (s->before[j][i]) {
        while (!s->before[k][i]) k++;
        *out = (contradiction){{i, k - 1, k},
                               "none comes before the one named ahead of it, but the last before the first"};
        return true;
    }
    if (s->class[i] == s->class[j] && s->before[i][j]) {
        while (!s->before[i][k]) k++;
        *out = (contradiction){
            {i, k - 1, k},
            "the first equals the second and that the third, but the first comes before the third"};
        return true;
    }
    if (s->class[i] == s->class[j] || s->before[i][j]) return false;
    while (s->class[k] == s->class[i]) k++;
    if (s->before[i][k])
        *out = (contradiction){
            {i, k, j},
            "the first comes before the second and that not behind the third, but the first equals the third"};
    else
        *out = (contradiction){
            {i, k - 1, k}, "the first equals the second and the third, but the second comes before the third"};
    return true;
}

static bool find(const sample *s, contradiction *out) {
    for (uint64_t i = 0; i < s->count; i++)
        for (uint64_t j = 0; j <= i; j++)
            if (is_self_contradiction(s, j, i, out)) return true;
    for (uint64_t i = 0; i < s->count; i++)
        for (uint64_t j = i + 1; j < s->count; j++)
            if (is_contradiction(s, i, j, out)) return true;
    return false;
}

riffle_status comparison_check(comparing *c, const void *elements, size_t elem_bytes, uint64_t n,
                               uint64_t witness[3]) {
    contradiction found;
    sample *const s = malloc(sizeof *s);
    if (s == NULL) return fail_memory("the check of a comparison", sizeof *s);
    fill(s, c, elements, elem_bytes, n);
    const bool is_wrong = !c->is_stopped && find(s, &found);
    uint64_t named[3] = {0};
    for (unsigned k = 0; is_wrong && k < 3; k++) named[k] = s->element[found.place[k]];
    free(s);
    if (!is_wrong) return comparing_result(c);
    for (unsigned k = 0; witness != NULL && k < 3; k++) witness[k] = named[k];
    return fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                "the comparison is no order: elements %" PRIu64 ", %" PRIu64 " and %" PRIu64 ": %s", named[0],
                named[1], named[2], found.why);
}
