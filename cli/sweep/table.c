/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/table.h"

#include <inttypes.h>

#include "sweep/points.h"

/* In quotes, with quotes doubled. */
static void print_quoted(const char *text, FILE *stream) {
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static void print_point(const sweep_point *p, FILE *stream) {
    const bool is_measured = p->what == SWEEP_MEASURED;
    fprintf(stream, "%s,%s", sweep_whats[p->what], riffle_algorithm_string(p->algorithm));
    for (unsigned k = 0; k < SWEEP_PARAMETERS; k++) {
        fputc(',', stream);
        if (!is_measured || !sweep_is_of_model((sweep_parameter)k)) fprintf(stream, "%" PRIu64, p->at[k]);
    }
    if (p->has_value)
        fprintf(stream, ",%.*g,%.*g,%s,", is_measured ? 6 : 17, p->value, is_measured ? 6 : 17, p->bound,
                is_measured   ? ""
                : p->is_exact ? "1"
                              : "0");
    else
        fprintf(stream, ",,,,");
    if (*p->note != '\0') print_quoted(p->note, stream);
    fputc('\n', stream);
}

riffle_status sweep_table(const void *subject, FILE *stream) {
    const sweep *const s = subject;
    fprintf(stream, "what,algorithm");
    for (unsigned k = 0; k < SWEEP_PARAMETERS; k++) fprintf(stream, ",%s", sweep_columns[k]);
    fprintf(stream, ",time,bound,exact,note\n");
    for (size_t k = 0; k < s->count; k++) print_point(&s->point[k], stream);
    return RIFFLE_OK;
}
