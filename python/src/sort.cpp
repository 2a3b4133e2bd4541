// SPDX-License-Identifier: Apache-2.0
//
// riffle's sorts: arrays in C order, each segment by itself, on the host or on a GPU. riffle/_sort.py says what is asked for.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "arrays.h"
#include "failing.h"
#include "owned.h"
#include "riffle/sort.h"
#include "text.h"

namespace {

struct sort_plan {
    owned<riffle_sort_plan, riffle_sort_plan_free> handle;
    uint64_t n, segments;
    size_t elem_bytes, value_bytes, index_bytes;
    bool is_unique, is_checked;
};

// kind, bytes, offset, descending, name, as riffle/_sort.py reads them from a dtype.
using field = std::tuple<int, size_t, size_t, bool, std::optional<std::string>>;

riffle_sort_key key_of(const std::vector<field> &fields, size_t elem_bytes,
                       const std::optional<std::string> &before) {
    riffle_sort_key key{};
    key.elem_bytes = elem_bytes;
    key.before = before ? before->c_str() : nullptr;
    if (fields.size() > RIFFLE_SORT_MAX_FIELDS)
        fail(RIFFLE_ERROR_UNSUPPORTED, "x: to be sorted by %zu fields; riffle takes up to %d", fields.size(),
             RIFFLE_SORT_MAX_FIELDS);
    for (const auto &[kind, bytes, offset, descending, name] : fields)
        key.field[key.fields++] = {static_cast<riffle_sort_key_kind>(kind), bytes, offset, descending,
                                   name ? name->c_str() : nullptr};
    return key;
}

// True if a signal's handler has raised, as that of Ctrl-C does. The library asks while it sorts by a comparison, without the GIL.
bool signals_have_raised(void *) {
    const nb::gil_scoped_acquire alone;
    return PyErr_CheckSignals() != 0;
}

sort_plan planned(nb::handle like, uint64_t n, const std::vector<field> &fields, size_t elem_bytes,
                  const std::optional<std::string> &before, int task, uint64_t segments, uint64_t count,
                  size_t value_bytes, size_t index_bytes, const std::string &algorithm, unsigned threads,
                  const std::string &checks) {
    const array there(like);
    const device_guard current(there);
    const riffle_sort_key key = key_of(fields, elem_bytes, before);
    riffle_sort_options options{};
    options.task = static_cast<riffle_sort_task>(task);
    options.segments = segments;
    options.count = count;
    options.value_bytes = value_bytes;
    options.index_bytes = index_bytes;
    options.threads = threads;
    options.callers_workspace = there.on_gpu();
    options.stop = signals_have_raised;
    check(riffle_check_parse(checks.c_str(), &options.check));
    check(riffle_sort_algorithm_parse(algorithm.c_str(), &options.algorithm));
    sort_plan made;
    made.n = n;
    made.segments = segments;
    made.elem_bytes = elem_bytes;
    made.value_bytes = value_bytes;
    made.index_bytes = index_bytes;
    made.is_unique = options.task == RIFFLE_SORT_TASK_UNIQUE;
    made.is_checked = options.check != RIFFLE_CHECK_NONE;
    run([&] {
        return riffle_sort_plan_create(n, &key, there.on_gpu() ? RIFFLE_ENGINE_CUDA : RIFFLE_ENGINE_CPU,
                                       &options, made.handle.out());
    });
    return made;
}

void execute(const sort_plan &plan, const riffle_sort_arrays &arrays, const array &at) {
    if (!at.on_gpu()) return run([&] { return riffle_sort_execute(plan.handle, &arrays); });
    // A workspace for each call: the plan may then run on several streams at once.
    const size_t bytes = riffle_sort_plan_workspace_bytes(plan.handle);
    const nb::object room = bytes > 0 ? at.room(bytes) : nb::none();
    void *const workspace = bytes > 0 ? array(room, "workspace", true).data : nullptr;
    run([&] {
        const riffle_status status =
            riffle_cuda_sort_execute(plan.handle, &arrays, workspace, bytes, at.stream);
        if (status != RIFFLE_OK || !plan.is_checked) return status;
        return riffle_cuda_sort_check(plan.handle, workspace, at.stream);
    });
}

// An array that is read, in C order, or nothing.
class giver {
  public:
    giver(nb::handle x, const char *name, size_t alignment) {
        if (x.is_none()) return;
        there.emplace(x, name);
        elements.emplace(*there, true, alignment);
    }
    const void *data() const { return elements ? elements->data() : nullptr; }

  private:
    std::optional<array> there;
    std::optional<contiguous> elements;
};

// An array that receives results, or nothing.
class receiver {
  public:
    explicit receiver(nb::handle out) {
        if (!out.is_none()) there.emplace(out, "out");
    }
    void *data() const { return there ? there->data : nullptr; }

  private:
    std::optional<array> there;
};

// Results go to arrays that are as the library wants them, in C order and where x is; those that are None are not wanted.
// Arrays that are read may have any strides.
void sort(const sort_plan &plan, nb::handle x, nb::handle from_values, nb::handle first, nb::handle keys,
          nb::handle values, nb::handle indices, nb::handle lengths) {
    const array from(x);
    const device_guard current(from);
    const giver elements(x, "x", alignment_of(plan.elem_bytes)),
        carried(from_values, "values", plan.value_bytes), bounds(first, "first", sizeof(uint64_t));
    const receiver to_keys(keys), to_values(values), to_indices(indices), to_lengths(lengths);
    riffle_sort_arrays arrays{};
    arrays.from_keys = elements.data();
    arrays.keys = to_keys.data();
    arrays.values = to_values.data();
    arrays.indices = to_indices.data();
    arrays.lengths = static_cast<uint64_t *>(to_lengths.data());
    arrays.from_values = carried.data();
    arrays.first = static_cast<const uint64_t *>(bounds.data());
    execute(plan, arrays, from);
}

// Raises for elements, on the host, that contradict a comparison of the user's.
void check_order(const sort_plan &plan, nb::handle x) {
    const array from(x);
    const contiguous elements(from, true, alignment_of(plan.elem_bytes));
    run([&] { return riffle_sort_check(plan.handle, elements.data(), nullptr); });
}

} // namespace

void bind_sort(nb::module_ &m) {
    nb::class_<sort_plan>(m, "SortPlan").def("explain", [](const sort_plan &p) {
        return printed([&](FILE *stream) { return riffle_sort_plan_explain(p.handle, stream); });
    });
    m.def("sort_plan", &planned, nb::arg("like"), nb::arg("n"), nb::arg("fields"), nb::arg("elem_bytes"),
          nb::arg("before").none(), nb::arg("task"), nb::arg("segments"), nb::arg("count"),
          nb::arg("value_bytes"), nb::arg("index_bytes"), nb::arg("algorithm"), nb::arg("threads"),
          nb::arg("checks"));
    m.def("sort", &sort, nb::arg("plan"), nb::arg("x"), nb::arg("from_values").none(), nb::arg("first").none(),
          nb::arg("keys").none(), nb::arg("values").none(), nb::arg("indices").none(),
          nb::arg("lengths").none());
    m.def("sort_check", &check_order, nb::arg("plan"), nb::arg("x"));
}
