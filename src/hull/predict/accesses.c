/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/predict/accesses.h"

void hull_declare_result(pattern *p, unsigned site, const hull_table *t) {
    if (t->result_bytes > 0) {
        pattern_declare(p, site, PATTERN_GLOBAL, PATTERN_WRITE, t->result_bytes);
        return;
    }
    for (unsigned k = 0; k < HULL_RESULT_SITES; k++)
        pattern_declare(p, site + k, PATTERN_GLOBAL, k < 2 ? PATTERN_READ : PATTERN_WRITE, t->coordinate_bytes);
}

void hull_note_result(tape *of, unsigned site, const hull_table *t, uint64_t at, uint64_t point) {
    const uint64_t bytes = t->coordinate_bytes;
    if (t->result_bytes > 0) {
        tape_note(of, site, at * t->result_bytes);
        return;
    }
    for (unsigned k = 0; k < HULL_RESULT_SITES; k++)
        tape_note(of, site + k, (2 * (k < 2 ? point : at) + k % 2) * bytes);
}

void hull_add_uniform(pattern *p, unsigned site, size_t round, uint64_t warps) {
    pattern_alike(p, 0, p->grid);
    pattern_stages(p, site, round, warps, 1);
}
