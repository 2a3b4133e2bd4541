/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/lint/source/lengths.h"

#include <string.h>

#include "base/status.h"
#include "machine/lint/source/text.h"

/* Behind the mark of a kernel. */
static const char mark[] = "section(\"riffle_kernel\")))";

bool lint_is_asked(const char *kernel, const char *name, size_t length) {
    if (kernel == NULL) return true;
    size_t end = strcspn(kernel, "<"), start = end;
    while (start > 0 && kernel[start - 1] != ':') start--;
    while (end > start && kernel[end - 1] == ' ') end--;
    return end - start == length && memcmp(kernel + start, name, length) == 0;
}

/* ---- the job's words */

/* '=' is an assignment but in ==, !=, <= and >=. */
static bool is_assignment(const char *text, const char *at) {
    if (*at != '=') return (*at == '+' || *at == '-') && at[1] == *at;
    const char before = at > text ? at[-1] : '\0';
    const bool is_shift = at > text + 1 && at[-2] == before;
    return at[1] != '=' && before != '=' && (before == '\0' || strchr("!<>", before) == NULL || is_shift);
}

/* An expression of one line, whose brackets close, and which changes nothing. */
static bool is_expression(const char *text) {
    int depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth < 0 || is_assignment(text, at) || strchr(";{}\"'\\#\n", *at) != NULL) return false;
    }
    return depth == 0 && *skip_blanks(text) != '\0';
}

static riffle_status check(const char *length) {
    size_t name = 0;
    while (is_word(length[name])) name++;
    if (name > 0 && length[name] == '=' && is_expression(length + name + 1)) return RIFFLE_OK;
    return fail(RIFFLE_ERROR_SYNTAX, "length '%s': is no NAME=EXPRESSION; write a=n*m, say", length);
}

/* ---- kernels */

/* Where the parameters open of a kernel whose mark has ended here; NULL if it is none. */
static const char *find_list(const char *text, const char *at) {
    static const char *const words[] = {"__attribute__", "__launch_bounds__", "__cluster_dims__", NULL};
    while (*at != '\0' && strchr(";{}", *at) == NULL) {
        const char *next = NULL;
        for (const char *const *word = words; *word != NULL; word++)
            if (is_word_at(text, at, *word)) next = skip_blanks(at + strlen(*word));
        if (next == NULL && *at == '(') return at;
        at = next == NULL ? behind_one(at) : *next == '(' ? behind_brackets(next) : next;
    }
    return NULL;
}

static bool is_kernel_asked(const char *kernel, const char *text, const char *list) {
    const char *end = skip_back(text, list), *start = end;
    while (start > text && is_word(start[-1])) start--;
    return lint_is_asked(kernel, start, (size_t)(end - start));
}

/* True if a parameter of the list ends with the name. */
static bool has_parameter(const char *list, const char *end, const char *name, size_t length) {
    for (const char *at = list + 1; at + length < end; at++) {
        if (memcmp(at, name, length) != 0 || is_word(at[-1]) || is_word(at[length])) continue;
        if (strchr(",)[=", *skip_blanks(at + length)) != NULL) return true;
    }
    return false;
}

/* Writes the text from `at` on to where the kernel's body has begun, and the calls there; where to go on. */
static const char *write_kernel(const char *text, const char *at, const riffle_lint_job *job, uint64_t *taken,
                                FILE *out) {
    const char *list = find_list(text, at);
    if (list == NULL || !is_kernel_asked(job->kernel, text, list)) return at;
    const char *end = behind_brackets(list), *body = skip_markers(end);
    if (*body != '{') return at;
    fwrite(at, 1, (size_t)(body + 1 - at), out);
    for (size_t k = 0; k < job->length_count; k++) {
        const int name = (int)strcspn(job->lengths[k], "=");
        if (!has_parameter(list, end, job->lengths[k], (size_t)name)) continue;
        fprintf(out, " ::riffle_lint_length(%.*s, sizeof *%.*s * (%s));", name, job->lengths[k], name,
                job->lengths[k], job->lengths[k] + name + 1);
        *taken |= UINT64_C(1) << k;
    }
    return body + 1;
}

riffle_status lint_lengths_write(const char *text, const riffle_lint_job *job, FILE *out) {
    uint64_t taken = 0;
    if (job->length_count > 64)
        return fail(RIFFLE_ERROR_UNSUPPORTED, "%zu lengths; 64 are the most", job->length_count);
    for (size_t k = 0; k < job->length_count; k++) {
        const riffle_status status = check(job->lengths[k]);
        if (status != RIFFLE_OK) return status;
        const size_t name = strcspn(job->lengths[k], "=") + 1;
        for (size_t l = 0; l < k; l++)
            if (strncmp(job->lengths[k], job->lengths[l], name) == 0)
                return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "length '%s': '%s' is of the same parameter; give one",
                            job->lengths[k], job->lengths[l]);
    }
    const char *at = text;
    for (const char *found; (found = strstr(at, mark)) != NULL;) {
        found += sizeof mark - 1;
        fwrite(at, 1, (size_t)(found - at), out);
        at = write_kernel(text, found, job, &taken, out);
    }
    fputs(at, out);
    for (size_t k = 0; k < job->length_count; k++)
        if (job->more_count == 0 && !(taken >> k & 1))
            return fail(RIFFLE_ERROR_INVALID_ARGUMENT, "length '%s': no kernel%s%s has such a parameter",
                        job->lengths[k], job->kernel != NULL ? " " : "", job->kernel != NULL ? job->kernel : "");
    return RIFFLE_OK;
}
