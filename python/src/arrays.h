// SPDX-License-Identifier: Apache-2.0
//
// Arrays of others, looked at where they are. An array's library decides three things: how its memory is found, how a result of
// the same kind is made, and which stream a GPU's work is queued on.
//
//     numpy    the buffer protocol           numpy.empty          the host
//     torch    DLPack                        x.new_empty          the device's current stream
//     cupy     its attributes                cupy.empty           the current stream
//
// Anything else is made one of these by riffle/_arrays.py before it comes here, its result made its own after.
#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>

#include "dlpack.h"
#include "riffle.h"
#include "riffle/cuda.h"

namespace nb = nanobind;

enum class library { numpy, torch, cupy };

class array {
  public:
    // Looks at x. Raises for what is no array, holds Python's objects, or cannot be exported. `is_new`: one of `like`'s, of which
    // nothing need be asked.
    explicit array(nb::handle x, const char *name = "x", bool is_new = false);
    ~array();
    array(const array &) = delete;
    array &operator=(const array &) = delete;

    library kind;
    nb::handle source;
    char *data;
    size_t itemsize;
    unsigned rank;
    uint64_t shape[RIFFLE_MAX_RANK];
    int64_t strides[RIFFLE_MAX_RANK]; // in bytes
    bool readonly;
    int device; // -1: the host
    CUstream_st *stream;

    uint64_t size() const;
    uint64_t bytes() const { return size() * itemsize; }
    bool is_contiguous() const; // in C order
    bool on_gpu() const { return device >= 0; }

    // A new array of the same library, dtype and device, in C order.
    nb::object like(unsigned rank, const uint64_t *shape) const;
    // New arrays where this one is, from its library's own memory pool: of bytes, a GPU's workspace; and of int64, in C order.
    nb::object room(size_t bytes) const;
    nb::object numbers(unsigned rank, const uint64_t *shape) const;

  private:
    void look_numpy(const char *name, bool is_new);
    void look_torch(const char *name, bool is_new);
    void look_dlpack(const dlpack::tensor &t, const char *name, bool is_new);
    void look_cupy(const char *name, bool is_new);
    void set_rank(int64_t rank, const char *name);
    void row_major();
    nb::object tensor_like(const nb::object &tuple, const uint64_t *lengths) const;
    nb::object of_dtype(const nb::object &shape, PyObject *torch_dtype, const char *dtype) const;
    Py_buffer view;
    dlpack::managed *managed;
};

// Makes the GPU of an array current, and gives the former one back: plans belong to one.
class device_guard {
  public:
    explicit device_guard(const array &x) { enter(x); }
    explicit device_guard(nb::handle like) { // None: no GPU's
        if (!like.is_none()) enter(array(like, "like"));
    }
    ~device_guard();
    device_guard(const device_guard &) = delete;
    device_guard &operator=(const device_guard &) = delete;

  private:
    void enter(const array &x);
    nb::object context; // torch's or CuPy's; None where the right one is current
};

// Fails unless both are in one memory; names are those of the messages.
void check_together(const array &other, const char *other_name, const array &x, const char *x_name);

// The largest power of two that divides the bytes, 16 at most: what the library wants addresses to be multiples of.
inline size_t alignment_of(size_t bytes) { return bytes % 16 == 0 ? 16 : bytes & (~bytes + 1); }

// dst = src element by element, any strides, on the device where both are; shapes are dst's.
void copy(const array &dst, const array &src);
// The same with src's axes in the order of `order`, on the host by at most `threads` threads; 0: as many as pay.
void copy_transposed(const array &dst, const array &src, const unsigned *order, unsigned threads = 0);

// An array's elements in C order, at a multiple of `alignment` bytes: itself, or a copy for as long as this lives.
class contiguous {
  public:
    contiguous(const array &x, bool is_read, size_t alignment = 1);
    void *data() const { return place != nullptr ? place->data : x.data; }
    // Copies what was written to the copy to the array.
    void put_back() const;
    ~contiguous() { delete place; }
    contiguous(const contiguous &) = delete;
    contiguous &operator=(const contiguous &) = delete;

  private:
    const array &x;
    nb::object owner;
    array *place;
};

// Where a move's result goes: `out`, or where that is None a new array like x. Raises unless out is of that shape, element size and
// place, and can be written.
class result {
  public:
    result(const array &x, nb::handle out, unsigned rank, const uint64_t *shape);
    const nb::object object;
    array there; // on x's stream
};

// True if two arrays are the same elements in the same places.
bool are_same(const array &a, const array &b);

// True if the core can look at x itself. Else `adopted` has riffle/_arrays.py make it an array, and the plan move that.
bool is_known(nb::handle x);
nb::object adopted(nb::handle plan, nb::handle x, nb::handle out);

void bind_arrays(nb::module_ &m);
