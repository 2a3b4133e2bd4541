/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/curve/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "frame/exit.h"
#include "frame/message.h"
#include "frame/progress.h"

const char *const curve_columns[] = {"ram",    "em",          "em_time",    "vat_least", "vat_most", "accesses",
                                     "faults", "host_faults", "references", "time",      NULL};
const char *const curve_pers[] = {"total", "operation", "element", "em", NULL};

bool curve_is_formula(curve_column column) { return column < CURVE_ACCESSES; }

static riffle_vat_options tree_of(const curve_request *ask) { return vat_model_options(&ask->model, 0); }

/* ------------------------------------------------------------------------------ formulas */

/* Where only the bounds are missing, operations are known all the same: they do not depend on the tree. */
static void add_formulas(const curve_request *ask, curve_point *p) {
    const riffle_vat_options tree = tree_of(ask);
    riffle_vat_cost cost;
    if (vat_model_cost(&ask->model, &tree, p->program, p->n, &cost) == RIFFLE_OK) {
        p->of[CURVE_LEAST] = cost.vat_least;
        p->of[CURVE_MOST] = cost.vat_most;
    } else {
        snprintf(p->note, sizeof p->note, "%s", riffle_error_detail());
        if (riffle_vat_program_cost(p->program, p->n, NULL, VAT_EM_CACHE, VAT_EM_BLOCK, &cost) != RIFFLE_OK)
            return;
    }
    p->of[CURVE_RAM] = cost.ram;
    p->of[CURVE_EM] = cost.em;
}

static riffle_status add_em_time(const curve_request *ask, curve_point *p) {
    const curve_memory *const memory = &ask->memory;
    if (!memory->is_given) return RIFFLE_OK;
    return riffle_vat_em_time((double)p->n, memory->levels, memory->sizes, memory->times,
                              &p->of[CURVE_EM_TIME]);
}

/* -------------------------------------------------------------------------------- counts */

static void take_counts(const vat_counted *counted, curve_point *p) {
    p->of[CURVE_ACCESSES] = (double)counted->counts.accesses;
    p->of[CURVE_FAULTS] = (double)counted->counts.faults;
    if (counted->is_nested) p->of[CURVE_HOST_FAULTS] = (double)counted->host.faults;
    p->of[CURVE_REFERENCES] = (double)vat_counted_references(counted);
    const double data = isnan(p->of[CURVE_EM_TIME]) ? p->of[CURVE_RAM] : p->of[CURVE_EM_TIME];
    p->of[CURVE_TIME] = data + counted->counts.cost + counted->host.cost;
}

static riffle_status replay(const curve_request *ask, curve_point *p, uint64_t *array) {
    const riffle_vat_options tree = tree_of(ask);
    riffle_vat *vat = NULL;
    vat_counted counted;
    uint64_t checksum;
    riffle_status status = vat_model_create(&ask->model, &tree, &vat);
    if (status == RIFFLE_OK) status = riffle_vat_program_prepare(p->program, p->n, ask->seed, array);
    if (status == RIFFLE_OK)
        status = riffle_vat_program_replay(p->program, p->n, ask->seed, array, vat, &checksum);
    if (status == RIFFLE_OK) status = vat_counted_take(&ask->model, &tree, vat, &counted);
    if (status == RIFFLE_OK) take_counts(&counted, p);
    riffle_vat_free(vat);
    return status;
}

static int add_counts(const curve_request *ask, curve_point *p) {
    if (!(p->of[CURVE_RAM] <= (double)ask->replay)) return EXIT_DONE;
    const uint64_t elements = riffle_vat_program_elements(p->program, p->n);
    uint64_t *array = calloc(elements + 1, sizeof *array);
    if (array == NULL) {
        complain("vat curve: no memory for %llu elements of 8 bytes; choose a smaller --replay",
                 (unsigned long long)elements);
        return EXIT_FAILED;
    }
    const riffle_status status = replay(ask, p, array);
    free(array);
    return status == RIFFLE_OK ? EXIT_DONE : complain_status("vat curve", status);
}

/* ------------------------------------------------------------------------------ all of them */

/* The elements of one of its arrays, where n is rounded down to a square. A van Emde Boas layout is searched n times, of however many keys. */
static double elements_worked_on(const curve_point *p) {
    if (p->program == RIFFLE_VAT_PROGRAM_VAN_EMDE_BOAS) return (double)p->n;
    return (double)(riffle_vat_program_elements(p->program, p->n) / riffle_vat_program_elements(p->program, 1));
}

static double divisor(const curve_request *ask, const curve_point *p) {
    switch (ask->per) {
    case CURVE_PER_OPERATION: return p->of[CURVE_RAM];
    case CURVE_PER_ELEMENT: return elements_worked_on(p);
    case CURVE_PER_EM: return p->of[ask->memory.is_given ? CURVE_EM_TIME : CURVE_EM];
    default: return 1;
    }
}

/* A program of one element may have no operation. */
static void divide(const curve_request *ask, curve_point *p) {
    const double by = divisor(ask, p);
    for (unsigned k = 0; k < CURVE_COLUMNS; k++) p->of[k] = by > 0 ? p->of[k] / by : (double)NAN;
}

static int find(const curve_request *ask, curve_point *p) {
    add_formulas(ask, p);
    const riffle_status status = add_em_time(ask, p);
    if (status != RIFFLE_OK) return complain_status("vat curve", status);
    const int exit_status = add_counts(ask, p);
    divide(ask, p);
    return exit_status;
}

int curve_run(const curve_request *ask, curve *out) {
    const size_t count = (size_t)ask->programs.count * ask->n.count;
    *out = (curve){.ask = ask, .point = calloc(count, sizeof *out->point)};
    if (out->point == NULL) {
        complain("vat curve: no memory for %zu points; give fewer sizes", count);
        return EXIT_FAILED;
    }
    int exit_status = EXIT_DONE;
    progress line;
    progress_start(&line, "counting");
    for (; exit_status == EXIT_DONE && out->count < count; out->count++) {
        curve_point *const p = &out->point[out->count];
        p->program = (riffle_vat_program)ask->programs.of[out->count / ask->n.count];
        p->n = ask->n.of[out->count % ask->n.count];
        for (unsigned k = 0; k < CURVE_COLUMNS; k++) p->of[k] = (double)NAN;
        exit_status = find(ask, p);
    }
    progress_stop(&line);
    return exit_status;
}

void curve_free(curve *of) { free(of->point); }
