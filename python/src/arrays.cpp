// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

#include <nanobind/stl/vector.h>

#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "failing.h"
#include "owned.h"

// Names of numpy, torch and cupy, once they are there. Handles that are kept for the life of the process.
namespace {

struct numpy_names {
    PyTypeObject *ndarray = nullptr;
    PyObject *empty;
} numpy;

struct torch_names {
    PyTypeObject *tensor = nullptr;
    PyObject *to_dlpack, *current_stream, *current_device, *device, *strided, *uint8, *int64;
    PyObject *empty_on_host,
        *empty_on_gpu; // for PyTorch's compiled programs, which allocate by it; NULL where it has none
    const dlpack::exchange *table; // NULL: of before PyTorch 2.10
} torch;

struct cupy_names {
    PyTypeObject *ndarray = nullptr;
    PyObject *empty, *current_stream, *device;
} cupy;

PyObject *shape_word, *strides_word, *itemsize_word, *dtype_word, *hasobject_word, *new_empty_word,
    *requires_grad_word, *data_word, *ptr_word, *device_id_word, *layout_word, *is_conj_word, *is_neg_word;

PyObject *kept(const nb::object &value) { return value.inc_ref().ptr(); }

// A module that is imported already, or a null object: an array of it could not be here else.
nb::object imported(const char *name) {
    PyObject *const modules = PyImport_GetModuleDict();
    return nb::borrow(PyDict_GetItemString(modules, name));
}

bool find_numpy() {
    if (numpy.ndarray != nullptr) return true;
    const nb::object module = imported("numpy");
    if (!module.is_valid() || !nb::hasattr(module, "empty")) return false;
    numpy.empty = kept(module.attr("empty"));
    numpy.ndarray = reinterpret_cast<PyTypeObject *>(kept(module.attr("ndarray")));
    return true;
}

// The functions of DLPack's by which a type's arrays are looked at with no capsule, or NULL.
const dlpack::exchange *exchange_table(nb::handle type) {
    const nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
    if (!PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api")) return nullptr;
    auto header = static_cast<const dlpack::exchange_header *>(
        PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
    while (header != nullptr && header->major > 1) header = header->before;
    const auto table = reinterpret_cast<const dlpack::exchange *>(header);
    return table != nullptr && table->borrow != nullptr ? table : nullptr;
}

// A function that may be missing: NULL then.
PyObject *kept_if_there(nb::handle module, const char *name) {
    return nb::hasattr(module, name) ? kept(module.attr(name)) : nullptr;
}

bool find_torch() {
    if (torch.tensor != nullptr) return true;
    const nb::object module = imported("torch");
    if (!module.is_valid() || !nb::hasattr(module, "uint8") || !nb::hasattr(module, "cuda")) return false;
    const nb::object inner = module.attr("_C");
    torch.to_dlpack = kept(inner.attr("_to_dlpack"));
    torch.current_stream = kept_if_there(inner, "_cuda_getCurrentRawStream");
    torch.current_device = kept_if_there(inner, "_cuda_getDevice");
    torch.device = kept(module.attr("cuda").attr("device"));
    const nb::object compiled = imported("torch._C._dynamo.guards");
    torch.empty_on_host = compiled.is_valid() ? kept_if_there(compiled, "_empty_strided_cpu") : nullptr;
    torch.empty_on_gpu = compiled.is_valid() ? kept_if_there(compiled, "_empty_strided_cuda") : nullptr;
    torch.strided = kept(module.attr("strided"));
    torch.uint8 = kept(module.attr("uint8"));
    torch.int64 = kept(module.attr("int64"));
    torch.table = exchange_table(module.attr("Tensor"));
    torch.tensor = reinterpret_cast<PyTypeObject *>(kept(module.attr("Tensor")));
    return true;
}

bool find_cupy() {
    if (cupy.ndarray != nullptr) return true;
    const nb::object module = imported("cupy");
    if (!module.is_valid() || !nb::hasattr(module, "cuda") || !nb::hasattr(module, "ndarray")) return false;
    cupy.empty = kept(module.attr("empty"));
    cupy.current_stream = kept(module.attr("cuda").attr("get_current_stream"));
    cupy.device = kept(module.attr("cuda").attr("Device"));
    cupy.ndarray = reinterpret_cast<PyTypeObject *>(kept(module.attr("ndarray")));
    return true;
}

bool is_a(nb::handle x, PyTypeObject *type) {
    return Py_TYPE(x.ptr()) == type || PyType_IsSubtype(Py_TYPE(x.ptr()), type);
}

// The result of a call of Python's, unless it raised.
nb::object checked(PyObject *value) {
    if (value == nullptr) throw nb::python_error();
    return nb::steal(value);
}

// Vector calls make no tuple of arguments. Before them is a place that Python may use for its own.
nb::object called(PyObject *function, nb::handle a) {
    PyObject *arguments[] = {nullptr, a.ptr()};
    return checked(PyObject_Vectorcall(function, arguments + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
}

nb::object called_method(nb::handle x, PyObject *name) {
    PyObject *arguments[] = {nullptr, x.ptr()};
    return checked(PyObject_VectorcallMethod(name, arguments + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
}

nb::object attribute(nb::handle x, PyObject *name) { return checked(PyObject_GetAttr(x.ptr(), name)); }

nb::object tuple_of(unsigned rank, const uint64_t *shape) {
    PyObject *const tuple = PyTuple_New(rank);
    for (unsigned k = 0; k < rank; k++) PyTuple_SetItem(tuple, k, PyLong_FromUnsignedLongLong(shape[k]));
    return nb::steal(tuple);
}

} // namespace

// ------------------------------------------------------------------- looking

void array::set_rank(int64_t count, const char *name) {
    if (count > RIFFLE_MAX_RANK)
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: %" PRId64 " dimensions; riffle takes up to %d", name, count,
             RIFFLE_MAX_RANK);
    rank = static_cast<unsigned>(count);
}

void array::row_major() {
    int64_t step = static_cast<int64_t>(itemsize);
    for (unsigned k = rank; k-- > 0;) {
        strides[k] = step;
        step *= static_cast<int64_t>(shape[k]);
    }
}

// One of NumPy's own subclasses has more than its elements: a masked array's buffer shows nothing of its mask.
static void refuse_masks(nb::handle x, const char *name) {
    const nb::object masked = imported("numpy.ma");
    if (!masked.is_valid() || PyObject_IsInstance(x.ptr(), masked.attr("MaskedArray").ptr()) != 1) return;
    fail(RIFFLE_ERROR_UNSUPPORTED, "%s: a masked array; pass %s.filled(), or move %s.data and its mask each",
         name, name, name);
}

// True if the array is one of Python objects. The last dtype that was seen to have none is kept, so that the next array of it is not asked.
static bool has_objects(nb::handle x) {
    static PyObject *plain;
    const nb::object dtype = attribute(x, dtype_word);
    if (dtype.ptr() == plain) return false;
    if (attribute(dtype, hasobject_word).is(Py_True)) return true;
    PyObject *const before = plain;
    plain = dtype.inc_ref().ptr();
    Py_XDECREF(before);
    return false;
}

// No format is asked for: NumPy then exports what the buffer protocol has no letters for, datetime64 say.
void array::look_numpy(const char *name, bool is_new) {
    kind = library::numpy;
    if (Py_TYPE(source.ptr()) != numpy.ndarray) refuse_masks(source, name);
    if (!is_new && has_objects(source))
        fail(RIFFLE_ERROR_UNSUPPORTED, "%s: an array of Python objects; riffle moves elements of a fixed size",
             name);
    if (PyObject_GetBuffer(source.ptr(), &view, PyBUF_STRIDES) != 0) throw nb::python_error();
    data = static_cast<char *>(view.buf);
    itemsize = static_cast<size_t>(view.itemsize);
    readonly = view.readonly != 0;
    set_rank(view.ndim, name);
    for (unsigned k = 0; k < rank; k++) {
        shape[k] = static_cast<uint64_t>(view.shape[k]);
        strides[k] = view.strides[k];
    }
}

static bool answers_yes(nb::handle x, PyObject *question) { return called_method(x, question).is(Py_True); }

// Tensors whose memory does not have what they stand for: DLPack would export some of them as if it did.
static void refuse_gradients(nb::handle x, const char *name) {
    if (attribute(x, requires_grad_word).is(Py_True))
        fail(RIFFLE_ERROR_INVALID_ARGUMENT,
             "%s: a tensor that requires gradients; call the function of riffle.torch, or pass %s.detach()",
             name, name);
}

// Why DLPack did not export a tensor: one that is not dense has a sentence of ours.
[[noreturn]] static void refuse_unexported(nb::handle x, const char *name) {
    nb::python_error theirs;
    if (!attribute(x, layout_word).is(torch.strided))
        fail(RIFFLE_ERROR_UNSUPPORTED, "%s: a tensor that is not dense; pass %s.to_dense()", name, name);
    throw theirs;
}

// Negated views are of floats, as conjugates' imaginary parts are, and conjugate ones of complex numbers.
static void refuse_lazy_views(nb::handle x, uint8_t code, const char *name) {
    if (code == dlpack::complex && answers_yes(x, is_conj_word))
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: a conjugate view; pass %s.resolve_conj()", name, name);
    if ((code == dlpack::real || code == dlpack::complex) && answers_yes(x, is_neg_word))
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s: a negated view; pass %s.resolve_neg()", name, name);
}

void array::look_torch(const char *name, bool is_new) {
    kind = library::torch;
    if (!is_new) refuse_gradients(source, name);
    if (torch.table != nullptr) {
        dlpack::tensor borrowed;
        if (torch.table->borrow(source.ptr(), &borrowed) != 0) refuse_unexported(source, name);
        look_dlpack(borrowed, name, is_new);
        return;
    }
    const nb::object capsule = nb::steal(PyObject_CallFunctionObjArgs(torch.to_dlpack, source.ptr(), nullptr));
    if (!capsule.is_valid()) refuse_unexported(source, name);
    managed = static_cast<dlpack::managed *>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
    if (managed == nullptr || PyCapsule_SetName(capsule.ptr(), "used_dltensor") != 0) throw nb::python_error();
    look_dlpack(managed->array, name, is_new);
}

void array::look_dlpack(const dlpack::tensor &t, const char *name, bool is_new) {
    if (!is_new) refuse_lazy_views(source, t.element.code, name);
    const bool cuda = t.device.type == dlpack::cuda || t.device.type == dlpack::cuda_managed;
    if (!cuda && t.device.type != dlpack::host && t.device.type != dlpack::cuda_host)
        fail(RIFFLE_ERROR_UNSUPPORTED,
             "%s: on a device of DLPack's type %d; riffle works on the host and on NVIDIA GPUs", name,
             static_cast<int>(t.device.type));
    data = static_cast<char *>(t.data) + t.byte_offset;
    if (t.data == nullptr) data = nullptr;
    itemsize = (static_cast<size_t>(t.element.bits) * t.element.lanes + 7) / 8;
    set_rank(t.rank, name);
    for (unsigned k = 0; k < rank; k++) shape[k] = static_cast<uint64_t>(t.shape[k]);
    row_major();
    for (unsigned k = 0; k < rank && t.strides != nullptr; k++)
        strides[k] = t.strides[k] * static_cast<int64_t>(itemsize);
    if (!cuda) return;
    device = t.device.id;
    if (is_new) return; // the stream is x's
    void *current = nullptr;
    if (torch.table == nullptr)
        current = reinterpret_cast<void *>(nb::cast<uintptr_t>(called(torch.current_stream, nb::int_(device))));
    else if (torch.table->current_stream(dlpack::cuda, device, &current) != 0)
        throw nb::python_error();
    stream = static_cast<CUstream_st *>(current);
}

void array::look_cupy(const char *name, bool is_new) {
    kind = library::cupy;
    const nb::object memory = attribute(source, data_word), steps = attribute(source, strides_word),
                     lengths = attribute(source, shape_word), where = attribute(memory, device_id_word);
    data = reinterpret_cast<char *>(nb::cast<uintptr_t>(attribute(memory, ptr_word)));
    itemsize = nb::cast<size_t>(attribute(source, itemsize_word));
    set_rank(static_cast<int64_t>(nb::len(lengths)), name);
    for (unsigned k = 0; k < rank; k++) {
        shape[k] = nb::cast<uint64_t>(nb::object(lengths[k]));
        strides[k] = nb::cast<int64_t>(nb::object(steps[k]));
    }
    device = nb::cast<int>(where);
    if (is_new) return;
    stream =
        reinterpret_cast<CUstream_st *>(nb::cast<uintptr_t>(called(cupy.current_stream, where).attr("ptr")));
}

array::array(nb::handle x, const char *name, bool is_new)
    : kind(library::numpy), source(x), data(nullptr), itemsize(0), rank(0), readonly(false), device(-1),
      stream(nullptr), managed(nullptr) {
    view.obj = nullptr;
    if (find_numpy() && is_a(x, numpy.ndarray)) {
        look_numpy(name, is_new);
    } else if (find_torch() && is_a(x, torch.tensor)) {
        try {
            look_torch(name, is_new);
        } catch (...) {
            if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
            throw;
        }
    } else if (find_cupy() && is_a(x, cupy.ndarray)) {
        look_cupy(name, is_new);
    } else {
        fail_as("WrongType", "%s: no array, but a %s", name, nb::type_name(x.type()).c_str());
    }
}

array::~array() {
    if (view.obj != nullptr) PyBuffer_Release(&view);
    if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
}

uint64_t array::size() const {
    uint64_t count = 1;
    for (unsigned k = 0; k < rank; k++) count *= shape[k];
    return count;
}

bool array::is_contiguous() const {
    int64_t step = static_cast<int64_t>(itemsize);
    bool is_row_major = true;
    for (unsigned k = rank; k-- > 0;) {
        if (shape[k] == 0) return true;
        is_row_major = is_row_major && (shape[k] == 1 || strides[k] == step);
        step *= static_cast<int64_t>(shape[k]);
    }
    return is_row_major;
}

// -------------------------------------------------------------------- making

// By the function without PyTorch's dispatch, in half of empty_like's time; by new_empty where that has something to say, as of a
// subclass.
nb::object array::tensor_like(const nb::object &tuple, const uint64_t *lengths) const {
    PyObject *const empty = on_gpu() ? torch.empty_on_gpu : torch.empty_on_host;
    if (empty == nullptr || Py_TYPE(source.ptr()) != torch.tensor)
        return checked(PyObject_CallMethodObjArgs(source.ptr(), new_empty_word, tuple.ptr(), nullptr));
    const unsigned count = static_cast<unsigned>(nb::len(tuple));
    uint64_t steps[RIFFLE_MAX_RANK], step = 1;
    for (unsigned k = count; k-- > 0;) {
        steps[k] = step;
        step *= lengths[k] > 0 ? lengths[k] : 1;
    }
    return checked(PyObject_CallFunctionObjArgs(empty, tuple.ptr(), tuple_of(count, steps).ptr(),
                                                attribute(source, dtype_word).ptr(), nullptr));
}

nb::object array::like(unsigned count, const uint64_t *lengths) const {
    const nb::object tuple = tuple_of(count, lengths);
    if (kind == library::torch) return tensor_like(tuple, lengths);
    PyObject *const empty = kind == library::numpy ? numpy.empty : cupy.empty;
    const nb::object dtype = attribute(source, dtype_word);
    return checked(PyObject_CallFunctionObjArgs(empty, tuple.ptr(), dtype.ptr(), nullptr));
}

nb::object array::of_dtype(const nb::object &lengths, PyObject *torch_dtype, const char *dtype) const {
    if (kind == library::torch)
        return source.attr("new_empty")(lengths, nb::arg("dtype") = nb::handle(torch_dtype));
    return nb::handle(kind == library::numpy ? numpy.empty : cupy.empty)(lengths, dtype);
}

nb::object array::room(size_t count) const {
    const uint64_t wanted = count;
    return of_dtype(tuple_of(1, &wanted), torch.uint8, "uint8");
}

nb::object array::numbers(unsigned count, const uint64_t *lengths) const {
    return of_dtype(tuple_of(count, lengths), torch.int64, "int64");
}

// Where there is one GPU it is the current one.
static bool is_only_gpu(bool is_torch) {
    static int torch_gpus, cupy_gpus;
    int &count = is_torch ? torch_gpus : cupy_gpus;
    if (count == 0) {
        const nb::object cuda = imported(is_torch ? "torch" : "cupy").attr("cuda");
        count = nb::cast<int>(is_torch ? cuda.attr("device_count")()
                                       : cuda.attr("runtime").attr("getDeviceCount")());
    }
    return count == 1;
}

void device_guard::enter(const array &x) {
    if (!x.on_gpu()) return;
    const bool is_torch = x.kind == library::torch;
    if (is_only_gpu(is_torch)) return;
    const nb::object current =
        is_torch ? checked(PyObject_CallNoArgs(torch.current_device)) : nb::handle(cupy.device)().attr("id");
    if (nb::cast<int>(current) == x.device) return;
    context = nb::handle(is_torch ? torch.device : cupy.device)(x.device);
    context.attr("__enter__")();
}

device_guard::~device_guard() {
    if (!context.is_valid()) return;
    PyObject *const done = PyObject_CallMethod(context.ptr(), "__exit__", "OOO", Py_None, Py_None, Py_None);
    if (done == nullptr) PyErr_Clear();
    Py_XDECREF(done);
}

static bool are_of_one_dtype(nb::handle a, nb::handle b) {
    const nb::object one = attribute(a, dtype_word), other = attribute(b, dtype_word);
    return one.is(other) || !one.not_equal(other);
}

void check_together(const array &other, const char *other_name, const array &x, const char *x_name) {
    if (other.device != x.device)
        fail(RIFFLE_ERROR_INVALID_ARGUMENT,
             "%s: on %s %d and %s on %s %d; both must be in one memory (-1 is the host's)", other_name,
             other.on_gpu() ? "GPU" : "host", other.device, x_name, x.on_gpu() ? "GPU" : "host", x.device);
}

// Checks that an array that is given can take a result.
static void check_out(const array &out, const array &x, unsigned rank, const uint64_t *shape) {
    if (out.readonly) fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out: is read-only");
    check_together(out, "out", x, "x");
    if (out.itemsize != x.itemsize)
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out: elements of %zu bytes and x has elements of %zu",
             out.itemsize, x.itemsize);
    if (x.kind == out.kind && !are_of_one_dtype(out.source, x.source))
        fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out: of another dtype than x");
    if (out.rank != rank || memcmp(out.shape, shape, rank * sizeof *shape) != 0)
        fail(RIFFLE_ERROR_LENGTH, "out: has not the shape of the result, %s",
             nb::repr(tuple_of(rank, shape)).c_str());
}

result::result(const array &x, nb::handle out, unsigned rank, const uint64_t *shape)
    : object(out.is_none() ? x.like(rank, shape) : nb::borrow(out)), there(object, "out", out.is_none()) {
    if (!out.is_none()) check_out(there, x, rank, shape);
    there.stream = x.stream;
}

bool are_same(const array &a, const array &b) {
    if (a.data != b.data || a.rank != b.rank || a.itemsize != b.itemsize || a.device != b.device) return false;
    for (unsigned k = 0; k < a.rank; k++)
        if (a.shape[k] != b.shape[k] || (a.shape[k] > 1 && a.strides[k] != b.strides[k])) return false;
    return true;
}

// -------------------------------------------------------------------- copying

namespace {

// A copy as riffle_copy_strided wants it: strides count units, which divide elements, strides and on a GPU addresses.
struct strided {
    unsigned rank;
    uint64_t shape[RIFFLE_MAX_RANK + 1];
    int64_t dst_strides[RIFFLE_MAX_RANK + 1], src_strides[RIFFLE_MAX_RANK + 1];
    char *dst;
    const char *src;
    size_t unit;
};

// dst's strides are to be positive, so axes that run backwards there are walked from their other end.
void add_axis(strided &m, uint64_t length, int64_t dst_stride, int64_t src_stride) {
    if (length == 1) return;
    if (dst_stride < 0) {
        m.dst += static_cast<int64_t>(length - 1) * dst_stride;
        m.src += static_cast<int64_t>(length - 1) * src_stride;
        dst_stride = -dst_stride;
        src_stride = -src_stride;
    }
    m.shape[m.rank] = length;
    m.dst_strides[m.rank] = dst_stride;
    m.src_strides[m.rank++] = src_stride;
    m.unit =
        std::gcd(m.unit, std::gcd(static_cast<size_t>(dst_stride), static_cast<size_t>(std::abs(src_stride))));
}

void in_units(strided &m, size_t itemsize) {
    if (m.unit < itemsize) {
        if (m.rank == RIFFLE_MAX_RANK)
            fail(RIFFLE_ERROR_UNSUPPORTED,
                 "x: strides that are no multiples of its elements, in 32 dimensions");
        m.shape[m.rank] = itemsize;
        m.dst_strides[m.rank] = m.src_strides[m.rank] = static_cast<int64_t>(1 * m.unit);
        m.shape[m.rank++] /= m.unit;
    }
    for (unsigned k = 0; k < m.rank; k++) {
        m.dst_strides[k] /= static_cast<int64_t>(m.unit);
        m.src_strides[k] /= static_cast<int64_t>(m.unit);
    }
}

} // namespace

void copy_transposed(const array &dst, const array &src, const unsigned *order, unsigned threads) {
    if (dst.bytes() == 0) return;
    strided m{};
    m.dst = dst.data;
    m.src = src.data;
    m.unit = dst.itemsize;
    for (unsigned k = 0; k < dst.rank; k++) add_axis(m, dst.shape[k], dst.strides[k], src.strides[order[k]]);
    if (dst.on_gpu())
        m.unit =
            std::gcd(m.unit, std::gcd(reinterpret_cast<uintptr_t>(m.dst), reinterpret_cast<uintptr_t>(m.src)));
    in_units(m, dst.itemsize);
    const riffle_call_options options = {threads};
    run([&] {
        return dst.on_gpu() ? riffle_cuda_copy_strided(m.rank, m.shape, m.unit, m.dst, m.dst_strides, m.src,
                                                       m.src_strides, dst.stream)
                            : riffle_copy_strided(m.rank, m.shape, m.unit, m.dst, m.dst_strides, m.src,
                                                  m.src_strides, &options);
    });
}

void copy(const array &dst, const array &src) {
    unsigned order[RIFFLE_MAX_RANK];
    std::iota(order, order + RIFFLE_MAX_RANK, 0u);
    copy_transposed(dst, src, order);
}

contiguous::contiguous(const array &from, bool is_read, size_t alignment) : x(from), place(nullptr) {
    if (x.is_contiguous() && reinterpret_cast<uintptr_t>(x.data) % alignment == 0) return;
    owner = x.like(x.rank, x.shape);
    place = new array(owner, "a copy", true);
    place->stream = x.stream;
    if (is_read) copy(*place, x);
}

void contiguous::put_back() const {
    if (place != nullptr) copy(x, *place);
}

// ------------------------------------------------------------------- binding

bool is_known(nb::handle x) {
    return (find_numpy() && is_a(x, numpy.ndarray)) || (find_torch() && is_a(x, torch.tensor)) ||
           (find_cupy() && is_a(x, cupy.ndarray));
}

nb::object adopted(nb::handle plan, nb::handle x, nb::handle out) {
    return nb::module_::import_("riffle._arrays").attr("call")(plan, x, out);
}

void bind_arrays(nb::module_ &m) {
    shape_word = PyUnicode_InternFromString("shape");
    dtype_word = PyUnicode_InternFromString("dtype");
    hasobject_word = PyUnicode_InternFromString("hasobject");
    new_empty_word = PyUnicode_InternFromString("new_empty");
    requires_grad_word = PyUnicode_InternFromString("requires_grad");
    layout_word = PyUnicode_InternFromString("layout");
    is_conj_word = PyUnicode_InternFromString("is_conj");
    is_neg_word = PyUnicode_InternFromString("is_neg");
    strides_word = PyUnicode_InternFromString("strides");
    itemsize_word = PyUnicode_InternFromString("itemsize");
    data_word = PyUnicode_InternFromString("data");
    ptr_word = PyUnicode_InternFromString("ptr");
    device_id_word = PyUnicode_InternFromString("device_id");
    m.def("is_known", &is_known, nb::arg("x").none());
    // On a GPU, the number of the stream that is current for x.
    m.def("stream", [](nb::handle x) { return reinterpret_cast<uintptr_t>(array(x).stream); });
    // device, itemsize, shape: what a plan has to know.
    m.def(
        "describe",
        [](nb::handle x, const char *name) {
            const array a(x, name);
            return nb::make_tuple(a.device, a.itemsize, tuple_of(a.rank, a.shape), static_cast<int>(a.kind));
        },
        nb::arg("x"), nb::arg("name") = "x");
    m.def("like", [](nb::handle x, const std::vector<uint64_t> &shape) {
        const array like(x);
        const device_guard there(like);
        return like.like(static_cast<unsigned>(shape.size()), shape.data());
    });
    // int64 where x is.
    m.def("numbers", [](nb::handle x, const std::vector<uint64_t> &shape) {
        return array(x).numbers(static_cast<unsigned>(shape.size()), shape.data());
    });
    // True if out, which has to suit a result of x's shape, is in C order itself, at an address that is a multiple of
    // `alignment`.
    m.def("is_dense_out", [](nb::handle x, nb::handle out, size_t alignment) {
        const array from(x);
        const result to(from, out, from.rank, from.shape);
        return to.there.is_contiguous() && reinterpret_cast<uintptr_t>(to.there.data) % alignment == 0;
    });
    m.def("are_same", [](nb::handle a, nb::handle b) { return are_same(array(a, "x"), array(b, "out")); });
}
