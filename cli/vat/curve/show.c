/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/curve/show.h"

#include <inttypes.h>
#include <math.h>

static void print_point(const curve_point *p, FILE *stream) {
    fprintf(stream, "%s,%" PRIu64 ",%" PRIu64, riffle_vat_program_string(p->program), p->n,
            riffle_vat_program_elements(p->program, p->n));
    for (unsigned k = 0; k < CURVE_COLUMNS; k++) {
        fputc(',', stream);
        if (!isnan(p->of[k])) fprintf(stream, "%.15g", p->of[k]);
    }
    if (*p->note != '\0')
        fprintf(stream, ",\"%s\"\n", p->note); /* messages of closed forms have no quotes */
    else
        fputs(",\n", stream);
}

riffle_status curve_table(const void *subject, FILE *stream) {
    const curve *const of = subject;
    fprintf(stream, "program,n,elements");
    for (unsigned k = 0; k < CURVE_COLUMNS; k++) fprintf(stream, ",%s", curve_columns[k]);
    fprintf(stream, ",note\n");
    for (size_t k = 0; k < of->count; k++) print_point(&of->point[k], stream);
    return RIFFLE_OK;
}

/* ------------------------------------------------------------------------------ the picture */

static void add_line(const curve *of, unsigned program, curve_column column, bool is_named, plot *out) {
    const curve_point *const first = &of->point[program * of->ask->n.count];
    plot_line *const line = &out->line[out->lines++];
    snprintf(line->name, sizeof line->name, "%s%s%s", riffle_vat_program_string(first->program),
             is_named ? ", " : "", is_named ? curve_columns[column] : "");
    line->style = curve_is_formula(column) ? PLOT_DOTTED : PLOT_MARKED;
    line->colour = program;
    for (unsigned k = 0; k < of->ask->n.count; k++) line->y[k] = first[k].of[column];
}

static void add_lines(const curve *of, const word_list *drawn, bool formulas, plot *out) {
    for (unsigned c = 0; c < drawn->count; c++) {
        if (curve_is_formula((curve_column)drawn->of[c]) != formulas) continue;
        for (unsigned program = 0; program < of->ask->programs.count; program++)
            add_line(of, program, (curve_column)drawn->of[c], drawn->count > 1, out);
    }
}

static void print_tree(const riffle_vat_options *tree, char *text, size_t room) {
    snprintf(text, room, "pages of %llu bytes, W = %llu", (unsigned long long)tree->page,
             (unsigned long long)tree->cache);
}

static void describe(const vat_model *model, char *text, size_t room) {
    const riffle_vat_options tree = vat_model_options(model, 0), host = vat_model_host(model, &tree);
    char guest_text[60], host_text[60];
    print_tree(&tree, guest_text, sizeof guest_text);
    print_tree(&host, host_text, sizeof host_text);
    snprintf(text, room, "%s, tau = %g%s%s", guest_text, tree.tau, model->is_nested ? "; host: " : "",
             model->is_nested ? host_text : "");
}

void curve_picture(const curve *of, const word_list *drawn, plot *out) {
    static const char *const y_names[] = {[CURVE_PER_TOTAL] = "in all",
                                          [CURVE_PER_OPERATION] = "an operation of the RAM",
                                          [CURVE_PER_ELEMENT] = "divided by n",
                                          [CURVE_PER_EM] = "over the cost of the EM"};
    *out = (plot){.title = drawn->count > 1 ? "Address translation" : curve_columns[drawn->of[0]],
                  .x_name = "n, elements",
                  .y_name = y_names[of->ask->per],
                  .x = &of->ask->n};
    describe(&of->ask->model, out->subtitle, sizeof out->subtitle);
    add_lines(of, drawn, false, out);
    add_lines(of, drawn, true, out);
}
