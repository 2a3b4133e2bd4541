/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations that measure on the GPU: times are there, above 0, in documents that say what is predicted too.
 */
#include "test_measured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"
#include "riffle/machine.h"

enum { N = 1 << 16 };
static const riffle_explanation how = {.json = true, .measure = true};

/* Reads the number behind a key, 0 where there is none. */
static double number_of(const char *text, const char *key) {
    const char *const at = strstr(text, key);
    return at != NULL ? strtod(at + strlen(key), NULL) : 0;
}

static void check_text(riffle_status status, FILE *stream, char **text, const char *what) {
    fclose(stream);
    if (check(status == RIFFLE_OK, "%s: %s", what, riffle_error_detail())) {
        check(number_of(*text, "\"seconds\":") > 0, "%s: no time: %s", what, *text);
        check(number_of(*text, "\"copy_seconds\":") > 0, "%s: no copy's time: %s", what, *text);
        check(strstr(*text, "\"time_units\":") != NULL, "%s: nothing is predicted: %s", what, *text);
    }
    free(*text);
}

static FILE *begin(char **text, size_t *bytes) {
    FILE *const stream = open_memstream(text, bytes);
    if (stream == NULL) abort();
    return stream;
}

static void measure_move(const char *by, bool in_place) {
    const riffle_plan_options options = {.in_place = in_place};
    riffle_perm *perm;
    char *text;
    size_t bytes;
    if (!check(riffle_perm_parse(by, N, &perm) == RIFFLE_OK, "%s: not parsed", by)) return;
    FILE *const stream = begin(&text, &bytes);
    check_text(riffle_explain_as(perm, 4, RIFFLE_ENGINE_CUDA, &options, &how, stream), stream, &text, by);
    riffle_perm_free(perm);
}

static void measure_program(const char *source, riffle_type type, uint64_t batch) {
    const riffle_program_options options = {.batch = batch};
    riffle_program *program;
    char *text;
    size_t bytes;
    if (!check(riffle_program_parse(source, NULL, 12, &program) == RIFFLE_OK, "%s: not parsed", source)) return;
    FILE *const stream = begin(&text, &bytes);
    check_text(riffle_explain_program(program, type, RIFFLE_ENGINE_CUDA, &options, &how, stream), stream, &text,
               source);
    riffle_program_free(program);
}

static void measure_sort(riffle_type type, const riffle_sort_options *options, const char *what) {
    riffle_sort_key key;
    char *text;
    size_t bytes;
    if (!check(riffle_sort_key_of_type(type, 0, &key) == RIFFLE_OK, "%s: no key", what)) return;
    FILE *const stream = begin(&text, &bytes);
    check_text(riffle_explain_sort(N, &key, RIFFLE_ENGINE_CUDA, options, &how, stream), stream, &text, what);
}

void test_measured(bool small) {
    (void)small;
    measure_move("bit-reversal", false);
    measure_move("reverse", true);
    measure_move("random:1", false);
    measure_program("sort n", RIFFLE_TYPE_U32, 1);
    measure_program("fft n", RIFFLE_TYPE_C64, 3);
    measure_sort(RIFFLE_TYPE_F32, NULL, "a sort");
    measure_sort(RIFFLE_TYPE_I64, &(riffle_sort_options){.index_bytes = 4}, "an argsort");
    measure_sort(RIFFLE_TYPE_U32, &(riffle_sort_options){.task = RIFFLE_SORT_TASK_MERGE, .segments = 4},
                 "a merge");
    measure_sort(RIFFLE_TYPE_U32, &(riffle_sort_options){.algorithm = RIFFLE_SORT_ALGORITHM_PAIRWISE},
                 "pairwise");
}
