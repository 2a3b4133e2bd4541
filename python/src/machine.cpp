// SPDX-License-Identifier: Apache-2.0
//
// The memory machine's reports as text and as JSON, which riffle/machine.py makes data of.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdio>
#include <string>
#include <vector>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "perm.h"
#include "riffle/machine.h"
#include "riffle/papers.h"
#include "text.h"

namespace {

struct report {
    owned<riffle_report, riffle_report_free> handle;
};

struct claims {
    owned<riffle_claims, riffle_claims_free> handle;
};

riffle_layout_kind layout_of(const std::string &name) {
    for (int k = 0; k < RIFFLE_LAYOUT_COUNT; ++k)
        if (name == riffle_layout_string(static_cast<riffle_layout_kind>(k)))
            return static_cast<riffle_layout_kind>(k);
    fail(RIFFLE_ERROR_INVALID_ARGUMENT, "shared_layout: %s: no layout; the machine tries ras, rap and xor",
         name.c_str());
}

riffle_machine_options options_of(nb::dict asked) {
    riffle_machine_options options{};
    for (auto [name, value] : asked) {
        const std::string word = nb::cast<std::string>(name);
        unsigned *const field = word == "width"            ? &options.width
                                : word == "latency"        ? &options.latency
                                : word == "shared_latency" ? &options.shared_latency
                                : word == "dmms"           ? &options.dmms
                                : word == "block_threads"  ? &options.block_threads
                                : word == "shared_seeds"   ? &options.shared_seeds
                                                           : nullptr;
        if (field != nullptr)
            *field = nb::cast<unsigned>(value);
        else if (word == "shared_bytes")
            options.shared_bytes = nb::cast<size_t>(value);
        else if (word == "shared_layout")
            options.shared_layout = layout_of(nb::cast<std::string>(value));
        else if (word == "threshold")
            options.threshold = nb::cast<double>(value);
        else
            fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                 "%s: no option of the machine; they are width, latency, shared_latency, dmms, block_threads, "
                 "shared_bytes, shared_layout, shared_seeds, threshold",
                 word.c_str());
    }
    return options;
}

riffle_check check_of(bool is_wanted) { return is_wanted ? RIFFLE_CHECK_FULL : RIFFLE_CHECK_NONE; }

riffle_plan_options moving_of(const std::string &algorithm, uint64_t row_length, uint64_t batch, bool in_place,
                              bool is_checked) {
    riffle_plan_options moving{};
    check(riffle_algorithm_parse(algorithm.c_str(), &moving.algorithm));
    moving.row_length = row_length;
    moving.batch = batch;
    moving.in_place = in_place;
    moving.check = check_of(is_checked);
    return moving;
}

report simulated(const perm &p, size_t elem_bytes, const std::string &algorithm, uint64_t row_length,
                 uint64_t batch, bool in_place, bool is_checked, nb::dict machine) {
    const riffle_machine_options options = options_of(machine);
    const riffle_plan_options moving = moving_of(algorithm, row_length, batch, in_place, is_checked);
    report made;
    run([&] { return riffle_simulate(p.handle, elem_bytes, &moving, &options, made.handle.out()); });
    return made;
}

report simulated_in_blocks(const perm &p, size_t elem_bytes, const std::string &algorithm, unsigned blocks,
                           nb::dict machine) {
    const riffle_machine_options options = options_of(machine);
    riffle_algorithm moving;
    check(riffle_algorithm_parse(algorithm.c_str(), &moving));
    report made;
    run([&] {
        return riffle_simulate_in_blocks(p.handle, elem_bytes, moving, blocks, &options, made.handle.out());
    });
    return made;
}

nb::dict predicted(const perm &p, size_t elem_bytes, const std::string &algorithm, uint64_t row_length,
                   uint64_t batch, bool in_place, bool is_checked, nb::dict machine) {
    const riffle_machine_options options = options_of(machine);
    const riffle_plan_options moving = moving_of(algorithm, row_length, batch, in_place, is_checked);
    riffle_prediction told;
    run([&] { return riffle_predict(p.handle, elem_bytes, &moving, &options, &told); });
    nb::dict made;
    made["time_units"] = told.is_known ? nb::cast(told.time_units) : nb::none();
    made["is_exact"] = told.is_exact;
    made["bound"] = told.bound;
    return made;
}

// How explanations are asked for: as documents.
struct question {
    riffle_engine engine;
    riffle_explanation how{};
    question(const std::string &name, bool measure, nb::dict machine) {
        check(riffle_engine_parse(name.c_str(), &engine));
        how.model = options_of(machine);
        how.json = true;
        how.measure = measure;
    }
};

using parsed_program = owned<riffle_program, riffle_program_free>;

parsed_program program_of(const std::string &text, const nb::object &definitions, unsigned n) {
    const std::string own = definitions.is_none() ? "" : nb::cast<std::string>(definitions);
    parsed_program made;
    check(riffle_program_parse(text.c_str(), definitions.is_none() ? nullptr : own.c_str(), n, made.out()));
    return made;
}

riffle_type program_type(const std::string &name) {
    return type_named(name, "type", "programs know integers, floats and complex numbers");
}

riffle_program_options program_options_of(const std::string &algorithm, uint64_t batch) {
    riffle_program_options options{};
    options.batch = batch;
    check(riffle_program_algorithm_parse(algorithm.c_str(), &options.algorithm));
    return options;
}

report simulated_program(const std::string &text, const nb::object &definitions, unsigned n,
                         const std::string &type, const std::string &algorithm, uint64_t batch,
                         nb::dict machine) {
    const riffle_machine_options model = options_of(machine);
    const riffle_program_options options = program_options_of(algorithm, batch);
    const riffle_type which = program_type(type);
    const parsed_program program = program_of(text, definitions, n);
    report made;
    run([&] { return riffle_simulate_program(program, which, &options, &model, made.handle.out()); });
    return made;
}

std::string explained_program(const std::string &text, const nb::object &definitions, unsigned n,
                              const std::string &type, const std::string &algorithm, uint64_t batch,
                              const std::string &engine, bool measure, nb::dict machine) {
    const question asked(engine, measure, machine);
    const riffle_program_options options = program_options_of(algorithm, batch);
    const riffle_type which = program_type(type);
    const parsed_program program = program_of(text, definitions, n);
    return printed([&](FILE *stream) {
        const nb::gil_scoped_release others_may_run;
        return riffle_explain_program(program, which, asked.engine, &options, &asked.how, stream);
    });
}

riffle_sort_key sort_key_of(const std::string &type) {
    riffle_sort_key key;
    check(riffle_sort_key_of_type(type_named(type, "type", "sorts know integers and floats"), 0, &key));
    return key;
}

riffle_sort_options sort_options_of(const std::string &algorithm, uint64_t streams, uint64_t top,
                                    uint64_t partition, size_t index_bytes, bool is_checked) {
    riffle_sort_options options{};
    options.task = streams > 0     ? RIFFLE_SORT_TASK_MERGE
                   : top > 0       ? RIFFLE_SORT_TASK_TOP
                   : partition > 0 ? RIFFLE_SORT_TASK_PARTITION
                                   : RIFFLE_SORT_TASK_SORT;
    options.segments = streams;
    options.count = top > 0 ? top : partition;
    options.index_bytes = index_bytes;
    options.check = check_of(is_checked);
    check(riffle_sort_algorithm_parse(algorithm.c_str(), &options.algorithm));
    return options;
}

report simulated_sort(uint64_t n, const std::string &type, const std::string &algorithm, uint64_t streams,
                      uint64_t top, uint64_t partition, size_t index_bytes, bool is_checked, bool is_worst,
                      nb::dict machine) {
    const riffle_machine_options model = options_of(machine);
    const riffle_sort_key key = sort_key_of(type);
    const riffle_sort_options options =
        sort_options_of(algorithm, streams, top, partition, index_bytes, is_checked);
    const riffle_simulated_keys keys = is_worst ? RIFFLE_SIMULATED_KEYS_WORST : RIFFLE_SIMULATED_KEYS_RANDOM;
    report made;
    run([&] { return riffle_simulate_sort(n, &key, &options, keys, &model, made.handle.out()); });
    return made;
}

std::string explained_sort(uint64_t n, const std::string &type, const std::string &algorithm, uint64_t streams,
                           uint64_t top, uint64_t partition, size_t index_bytes, bool is_checked,
                           const std::string &engine, bool measure, nb::dict machine) {
    const question asked(engine, measure, machine);
    const riffle_sort_key key = sort_key_of(type);
    const riffle_sort_options options =
        sort_options_of(algorithm, streams, top, partition, index_bytes, is_checked);
    return printed([&](FILE *stream) {
        const nb::gil_scoped_release others_may_run;
        return riffle_explain_sort(n, &key, asked.engine, &options, &asked.how, stream);
    });
}

riffle_type hull_type(const std::string &name) {
    return type_named(name, "type", "hulls are of integers, float32 and float64");
}

riffle_hull_options hull_options_of(const std::string &algorithm, uint64_t sets, bool all, bool points) {
    riffle_hull_options options{};
    options.segments = sets;
    options.all = all;
    options.points = points;
    check(riffle_hull_algorithm_parse(algorithm.c_str(), &options.algorithm));
    return options;
}

// Points are in C order, as riffle/machine.py makes them.
report simulated_hull(nb::handle points, const std::string &type, const std::string &algorithm, uint64_t sets,
                      bool all, nb::dict machine) {
    const riffle_machine_options model = options_of(machine);
    const riffle_hull_options options = hull_options_of(algorithm, sets, all, false);
    const riffle_type which = hull_type(type);
    const array of(points, "points");
    report made;
    run([&] {
        return riffle_simulate_hull(of.size() / 2, which, of.data, &options, &model, nullptr,
                                    made.handle.out());
    });
    return made;
}

std::string explained_hull(uint64_t n, const std::string &type, const std::string &algorithm, uint64_t sets,
                           bool all, bool points, const std::string &engine, bool measure, nb::dict machine) {
    const question asked(engine, measure, machine);
    const riffle_type which = hull_type(type);
    const riffle_hull_options options = hull_options_of(algorithm, sets, all, points);
    return printed([&](FILE *stream) {
        const nb::gil_scoped_release others_may_run;
        return riffle_explain_hull(n, which, asked.engine, &options, &asked.how, stream);
    });
}

riffle_type group_type(const std::string &name) { return type_named(name, "type", "keys are integers"); }

// `columns` outlives the options.
riffle_group_options group_options_of(uint64_t keys_per_row, size_t index_bytes,
                                      const std::vector<size_t> &columns, bool is_checked) {
    riffle_group_options options{};
    options.keys_per_row = keys_per_row;
    options.index_bytes = index_bytes;
    options.columns = (unsigned)columns.size();
    options.column_bytes = columns.data();
    options.check = check_of(is_checked);
    return options;
}

// Keys are in C order, as riffle/machine.py makes them: (rows) or (rows, keys of each).
report simulated_group(nb::handle keys, const std::string &type, size_t row_bytes, uint64_t groups,
                       size_t index_bytes, const std::vector<size_t> &columns, bool is_checked,
                       nb::dict machine) {
    const riffle_machine_options model = options_of(machine);
    const array by(keys, "keys");
    const riffle_group_options options =
        group_options_of(by.rank > 1 ? by.shape[1] : 1, index_bytes, columns, is_checked);
    const riffle_type which = group_type(type);
    report made;
    run([&] {
        return riffle_simulate_group(by.shape[0], row_bytes, which, groups, by.data, &options, &model,
                                     made.handle.out());
    });
    return made;
}

std::string explained_group(uint64_t n, size_t row_bytes, const std::string &type, uint64_t groups,
                            uint64_t keys_per_row, size_t index_bytes, const std::vector<size_t> &columns,
                            bool is_checked, const std::string &engine, bool measure, nb::dict machine) {
    const question asked(engine, measure, machine);
    const riffle_type which = group_type(type);
    const riffle_group_options options = group_options_of(keys_per_row, index_bytes, columns, is_checked);
    return printed([&](FILE *stream) {
        const nb::gil_scoped_release others_may_run;
        return riffle_explain_group(n, row_bytes, which, groups, asked.engine, &options, &asked.how, stream);
    });
}

std::string explained_ungroup(uint64_t n, size_t row_bytes, uint64_t rows, uint64_t keys_per_row,
                              const std::string &sum, bool is_weighted, size_t index_bytes,
                              const std::string &engine, bool measure, nb::dict machine) {
    const question asked(engine, measure, machine);
    riffle_ungroup_task task{};
    task.n = n;
    task.keys_per_row = keys_per_row;
    task.rows = rows;
    task.row_bytes = row_bytes;
    task.index_bytes = index_bytes;
    check(riffle_ungroup_sum_parse(sum.c_str(), &task.sum));
    return printed([&](FILE *stream) {
        const nb::gil_scoped_release others_may_run;
        return riffle_explain_ungroup(&task, is_weighted, asked.engine, &asked.how, stream);
    });
}

std::vector<const char *> pointers(const std::vector<std::string> &texts) {
    std::vector<const char *> result;
    for (const std::string &text : texts) result.push_back(text.c_str());
    return result;
}

using extent = std::vector<unsigned>;

report linted(const std::string &file, const std::string &kernel, const extent &grid, const extent &block,
              size_t shared_bytes, const std::vector<std::string> &arguments, uint64_t seed,
              const std::string &compiler, const std::vector<std::string> &flags, nb::dict machine) {
    const riffle_machine_options options = options_of(machine);
    const std::vector<const char *> values = pointers(arguments), words = pointers(flags);
    riffle_lint_job job{};
    job.file = file.c_str();
    job.kernel = kernel.c_str();
    for (size_t k = 0; k < 3; k++) {
        job.grid[k] = k < grid.size() ? grid[k] : 1;
        job.block[k] = k < block.size() ? block[k] : 1;
    }
    job.shared_bytes = shared_bytes;
    job.argument_count = values.size();
    job.arguments = values.data();
    job.seed = seed;
    job.compiler = compiler.empty() ? nullptr : compiler.c_str();
    job.flag_count = words.size();
    job.flags = words.data();
    report made;
    run([&] { return riffle_lint(&job, &options, made.handle.out()); });
    return made;
}

claims claimed(const std::string &file, const std::string &kernel, const extent &block,
               const std::vector<std::string> &lengths, const std::string &compiler,
               const std::vector<std::string> &flags, nb::dict machine) {
    const riffle_machine_options options = options_of(machine);
    const std::vector<const char *> of = pointers(lengths), words = pointers(flags);
    riffle_lint_job job{};
    job.file = file.c_str();
    job.kernel = kernel.empty() ? nullptr : kernel.c_str();
    for (size_t k = 0; k < block.size(); k++) job.block[k] = block[k];
    job.compiler = compiler.empty() ? nullptr : compiler.c_str();
    job.flag_count = words.size();
    job.flags = words.data();
    job.length_count = of.size();
    job.lengths = of.data();
    claims made;
    run([&] { return riffle_lint_for_all(&job, &options, made.handle.out()); });
    return made;
}

} // namespace

void bind_machine(nb::module_ &m) {
    nb::class_<claims>(m, "Claims")
        .def("text",
             [](const claims &c) {
                 return printed([&](FILE *stream) { return riffle_claims_print(c.handle, stream); });
             })
        .def("json", [](const claims &c) {
            return printed([&](FILE *stream) { return riffle_claims_print_json(c.handle, stream); });
        });
    nb::class_<report>(m, "Report")
        .def("text",
             [](const report &r) {
                 return printed([&](FILE *stream) { return riffle_report_print(r.handle, stream); });
             })
        .def("json",
             [](const report &r) {
                 return printed([&](FILE *stream) { return riffle_report_print_json(r.handle, stream); });
             })
        .def_prop_ro("time_units", [](const report &r) { return riffle_report_time_units(r.handle); })
        .def_prop_ro("predicted_time_units",
                     [](const report &r) { return riffle_report_predicted_time_units(r.handle); })
        .def_prop_ro("casual_rounds", [](const report &r) { return riffle_report_casual_rounds(r.handle); })
        .def_prop_ro("hazards", [](const report &r) { return riffle_report_hazards(r.handle); });
    m.def("simulate", &simulated, nb::arg("perm"), nb::arg("elem_bytes"), nb::arg("algorithm"),
          nb::arg("row_length"), nb::arg("batch"), nb::arg("in_place"), nb::arg("check"), nb::arg("machine"));
    m.def("predict", &predicted, nb::arg("perm"), nb::arg("elem_bytes"), nb::arg("algorithm"),
          nb::arg("row_length"), nb::arg("batch"), nb::arg("in_place"), nb::arg("check"), nb::arg("machine"));
    m.def("simulate_program", &simulated_program, nb::arg("text"), nb::arg("definitions").none(), nb::arg("n"),
          nb::arg("type"), nb::arg("algorithm"), nb::arg("batch"), nb::arg("machine"));
    m.def("simulate_sort", &simulated_sort, nb::arg("n"), nb::arg("type"), nb::arg("algorithm"),
          nb::arg("streams"), nb::arg("top"), nb::arg("partition"), nb::arg("index_bytes"), nb::arg("check"),
          nb::arg("worst"), nb::arg("machine"));
    m.def("simulate_hull", &simulated_hull, nb::arg("points"), nb::arg("type"), nb::arg("algorithm"),
          nb::arg("sets"), nb::arg("all"), nb::arg("machine"));
    m.def("simulate_group", &simulated_group, nb::arg("keys"), nb::arg("type"), nb::arg("row_bytes"),
          nb::arg("groups"), nb::arg("index_bytes"), nb::arg("columns"), nb::arg("check"), nb::arg("machine"));
    m.def("explain_program", &explained_program, nb::arg("text"), nb::arg("definitions").none(), nb::arg("n"),
          nb::arg("type"), nb::arg("algorithm"), nb::arg("batch"), nb::arg("engine"), nb::arg("measure"),
          nb::arg("machine"));
    m.def("explain_sort", &explained_sort, nb::arg("n"), nb::arg("type"), nb::arg("algorithm"),
          nb::arg("streams"), nb::arg("top"), nb::arg("partition"), nb::arg("index_bytes"), nb::arg("check"),
          nb::arg("engine"), nb::arg("measure"), nb::arg("machine"));
    m.def("explain_hull", &explained_hull, nb::arg("n"), nb::arg("type"), nb::arg("algorithm"), nb::arg("sets"),
          nb::arg("all"), nb::arg("points"), nb::arg("engine"), nb::arg("measure"), nb::arg("machine"));
    m.def("explain_group", &explained_group, nb::arg("n"), nb::arg("row_bytes"), nb::arg("type"),
          nb::arg("groups"), nb::arg("keys_per_row"), nb::arg("index_bytes"), nb::arg("columns"),
          nb::arg("check"), nb::arg("engine"), nb::arg("measure"), nb::arg("machine"));
    m.def("explain_ungroup", &explained_ungroup, nb::arg("n"), nb::arg("row_bytes"), nb::arg("rows"),
          nb::arg("keys_per_row"), nb::arg("sum"), nb::arg("weights"), nb::arg("index_bytes"),
          nb::arg("engine"), nb::arg("measure"), nb::arg("machine"));
    m.def("simulate_in_blocks", &simulated_in_blocks, nb::arg("perm"), nb::arg("elem_bytes"),
          nb::arg("algorithm"), nb::arg("blocks"), nb::arg("machine"));
    m.def("lint", &linted, nb::arg("file"), nb::arg("kernel"), nb::arg("grid"), nb::arg("block"),
          nb::arg("shared_bytes"), nb::arg("arguments"), nb::arg("seed"), nb::arg("compiler"), nb::arg("flags"),
          nb::arg("machine"));
    m.def("lint_for_all", &claimed, nb::arg("file"), nb::arg("kernel"), nb::arg("block"), nb::arg("lengths"),
          nb::arg("compiler"), nb::arg("flags"), nb::arg("machine"));
}
