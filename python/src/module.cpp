// SPDX-License-Identifier: Apache-2.0
//
// riffle._core: the library's handles and calls. riffle/*.py makes of it what users see.
#include <nanobind/nanobind.h>

#include "arrays.h"
#include "failing.h"
#include "perm.h"
#include "riffle.h"
#include "riffle/mpi_files.h"

void bind_plan(nb::module_ &m);
void bind_moves(nb::module_ &m);
void bind_program(nb::module_ &m);
void bind_hull(nb::module_ &m);
void bind_group(nb::module_ &m);
void bind_histogram(nb::module_ &m);
void bind_jax(nb::module_ &m);
void bind_sort(nb::module_ &m);
void bind_machine(nb::module_ &m);
void bind_vat(nb::module_ &m);
void bind_f2(nb::module_ &m);
void bind_cycles(nb::module_ &m);
void bind_bits(nb::module_ &m);
void bind_multigpu(nb::module_ &m);

NB_MODULE(_core, m) {
    nb::set_leak_warnings(false); // plans that a program still holds when it ends
    bind_failing(m);
    bind_arrays(m);
    bind_perm(m);
    bind_plan(m);
    bind_moves(m);
    bind_program(m);
    bind_hull(m);
    bind_group(m);
    bind_histogram(m);
    bind_jax(m);
    bind_sort(m);
    bind_machine(m);
    bind_vat(m);
    bind_f2(m);
    bind_cycles(m);
    bind_bits(m);
    bind_multigpu(m);
    m.def("version", [] { return riffle_version(); });
    m.def("build", [] { return riffle_build(); });
}
