/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/measure/fit.h"

static bool belongs(const vat_row *row, riffle_vat_program program, vat_pages pages) {
    return row->program == program && row->pages == pages && vat_row_is_granted(row);
}

static double predicted(const vat_row *row, vat_predictor by) {
    switch (by) {
    case VAT_BY_EM: return row->cost.em / row->cost.ram;
    case VAT_BY_LEAST: return row->cost.vat_least / row->cost.ram;
    case VAT_BY_MOST: return row->cost.vat_most / row->cost.ram;
    default: return 1;
    }
}

const char *vat_predictor_name(vat_predictor by) {
    static const char *const names[] = {"ram", "em", "vat_least", "vat_most"};
    return names[by];
}

const char *vat_base_name(vat_base from) { return from == VAT_FROM_EDGE ? "edge" : "smallest"; }

/* Where the line through the times begins. */
typedef struct origin {
    double x, t;
} origin;

static origin origin_of(const vat_fit *fit, vat_predictor by, vat_base from) {
    /* The RAM's x never changes: from the edge too, its constant is what an operation costs besides t0. */
    const double x = from == VAT_FROM_SMALLEST || by == VAT_BY_RAM ? 0 : predicted(fit->edge, by);
    return (origin){x, vat_row_nanoseconds(from == VAT_FROM_EDGE ? fit->edge : fit->fastest)};
}

static vat_explained explain(const vat_run *run, const vat_fit *fit, vat_predictor by, origin at) {
    double xx = 0, xt = 0, t_sum = 0, tt = 0;
    for (size_t k = 0; k < run->count; ++k) {
        const vat_row *row = &run->rows[k];
        if (!belongs(row, fit->fastest->program, fit->fastest->pages) || row->bytes <= run->machine.cache)
            continue;
        const double x = predicted(row, by) - at.x, t = vat_row_nanoseconds(row) - at.t;
        xx += x * x;
        xt += x * t;
        t_sum += t;
        tt += t * t;
    }
    const double variation = tt - t_sum * t_sum / fit->sizes;
    if (xx <= 0 || variation <= 0) return (vat_explained){0};
    const double constant = xt / xx;
    return (vat_explained){true, constant, 1 - (tt - 2 * constant * xt + constant * constant * xx) / variation};
}

vat_fit vat_fit_rows(const vat_run *run, riffle_vat_program program, vat_pages pages) {
    vat_fit fit = {0};
    for (size_t k = 0; k < run->count; ++k) {
        const vat_row *row = &run->rows[k];
        if (!belongs(row, program, pages)) continue;
        if (fit.fastest == NULL || vat_row_nanoseconds(row) < vat_row_nanoseconds(fit.fastest))
            fit.fastest = row;
        if (row->bytes > run->machine.cache) {
            ++fit.sizes;
        } else if (fit.edge == NULL || row->bytes > fit.edge->bytes) {
            fit.edge = row;
        }
    }
    if (fit.sizes < VAT_FIT_LEAST) return fit;
    for (int by = 0; by < VAT_PREDICTORS; ++by) {
        for (int from = 0; from < VAT_BASES; ++from) {
            if (from == VAT_FROM_EDGE && fit.edge == NULL) continue;
            const origin at = origin_of(&fit, (vat_predictor)by, (vat_base)from);
            fit.by[by][from] = explain(run, &fit, (vat_predictor)by, at);
        }
    }
    return fit;
}
