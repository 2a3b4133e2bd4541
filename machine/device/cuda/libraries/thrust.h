/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of Thrust that programs use around kernels of their own: vectors, pointers, and algorithms, which the host does by
 * C++'s. They make no launch, so they are not counted, and say so once. Vectors lie in memory that the host shares with the machine.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_THRUST_H
#define RIFFLE_MACHINE_DEVICE_CUDA_LIBRARIES_THRUST_H

#include "device.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

namespace thrust {
using std::get;
using std::make_pair;
using std::make_tuple;
using std::pair;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

template <class T = void> using plus = std::plus<T>;
template <class T = void> using minus = std::minus<T>;
template <class T = void> using multiplies = std::multiplies<T>;
template <class T = void> using divides = std::divides<T>;
template <class T = void> using modulus = std::modulus<T>;
template <class T = void> using negate = std::negate<T>;
template <class T = void> using less = std::less<T>;
template <class T = void> using less_equal = std::less_equal<T>;
template <class T = void> using greater = std::greater<T>;
template <class T = void> using greater_equal = std::greater_equal<T>;
template <class T = void> using equal_to = std::equal_to<T>;
template <class T = void> using not_equal_to = std::not_equal_to<T>;
template <class T> struct minimum {
    T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <class T> struct maximum {
    T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T> struct identity {
    const T &operator()(const T &a) const { return a; }
};

/* ---- where an algorithm would run */

struct policy {
    policy on(cudaStream_t) const { return {}; }
};
static const policy device, host, seq;
namespace cuda {
static const policy par, par_nosync;
}
namespace system {
namespace cuda {
static const policy par;
}
} // namespace system

/* ---- pointers */

template <class T> struct device_ptr {
    typedef std::random_access_iterator_tag iterator_category;
    typedef typename std::remove_const<T>::type value_type;
    typedef ptrdiff_t difference_type;
    typedef T *pointer;
    typedef T &reference;

    T *at = nullptr;
    device_ptr() = default;
    device_ptr(std::nullptr_t) {}
    explicit device_ptr(T *start) : at(start) {}
    template <class Other, class = typename std::enable_if<std::is_convertible<Other *, T *>::value>::type>
    device_ptr(device_ptr<Other> other) : at(other.at) {}
    T *get() const { return at; }
    T &operator*() const { return *at; }
    T *operator->() const { return at; }
    T &operator[](ptrdiff_t k) const { return at[k]; }
    device_ptr &operator+=(ptrdiff_t by) { return at += by, *this; }
    device_ptr &operator-=(ptrdiff_t by) { return at -= by, *this; }
    device_ptr &operator++() { return *this += 1; }
    device_ptr &operator--() { return *this -= 1; }
    device_ptr operator++(int) { return device_ptr(at++); }
    device_ptr operator--(int) { return device_ptr(at--); }
    device_ptr operator+(ptrdiff_t by) const { return device_ptr(at + by); }
    device_ptr operator-(ptrdiff_t by) const { return device_ptr(at - by); }
    ptrdiff_t operator-(device_ptr other) const { return at - other.at; }
    bool operator==(device_ptr other) const { return at == other.at; }
    bool operator!=(device_ptr other) const { return at != other.at; }
    bool operator<(device_ptr other) const { return at < other.at; }
    explicit operator bool() const { return at != nullptr; }
};
template <class T> device_ptr<T> device_pointer_cast(T *start) { return device_ptr<T>(start); }
template <class T> T *raw_pointer_cast(device_ptr<T> of) { return of.at; }
template <class T> T *raw_pointer_cast(T *of) { return of; }

/* 0, 1, 2, ... and the same again and again. */
template <class T> struct counting_iterator {
    typedef std::random_access_iterator_tag iterator_category;
    typedef T value_type, reference;
    typedef ptrdiff_t difference_type;
    typedef const T *pointer;
    T value;
    explicit counting_iterator(T first = T()) : value(first) {}
    T operator*() const { return value; }
    T operator[](ptrdiff_t k) const { return (T)(value + k); }
    counting_iterator &operator++() { return ++value, *this; }
    counting_iterator &operator--() { return --value, *this; }
    counting_iterator operator++(int) { return counting_iterator(value++); }
    counting_iterator &operator+=(ptrdiff_t by) { return value = (T)(value + by), *this; }
    counting_iterator operator+(ptrdiff_t by) const { return counting_iterator((T)(value + by)); }
    ptrdiff_t operator-(counting_iterator other) const { return (ptrdiff_t)value - (ptrdiff_t)other.value; }
    bool operator==(counting_iterator other) const { return value == other.value; }
    bool operator!=(counting_iterator other) const { return value != other.value; }
};
template <class T> counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }

namespace riffle {
inline void say_once() {
    static bool said;
    if (!said) fprintf(stderr, "riffle: Thrust's algorithms are done by the host, and not counted\n");
    said = true;
}
/* Tells the machine which elements were written. */
template <class T> void tell(T *from, T *to) { riffle_lint_host.written(from, (size_t)(to - from) * sizeof(T)); }
template <class T> void tell(device_ptr<T> from, device_ptr<T> to) { tell(from.at, to.at); }
template <class Any> void tell(Any, Any) {}
template <class It> It told(It from, It to) {
    tell(from, to);
    return to;
}
} // namespace riffle

/* ---- vectors */

template <class T> class device_vector;
template <class T, class A = std::allocator<T>> struct host_vector : std::vector<T, A> {
    using std::vector<T, A>::vector;
    host_vector() = default;
    template <class Other> host_vector(const device_vector<Other> &from) : std::vector<T, A>(from.begin(), from.end()) {}
    template <class Other> host_vector &operator=(const device_vector<Other> &from) {
        this->assign(from.begin(), from.end());
        return *this;
    }
};

template <class T> class device_vector {
    T *start = nullptr;
    size_t length = 0, room = 0;

  public:
    typedef T value_type;
    typedef size_t size_type;
    typedef T &reference;
    typedef device_ptr<T> pointer, iterator;
    typedef device_ptr<const T> const_iterator;

    device_vector() = default;
    explicit device_vector(size_t count, const T &value = T()) { resize(count, value); }
    device_vector(std::initializer_list<T> from) { assign(from.begin(), from.end()); }
    device_vector(const device_vector &from) { assign(from.begin(), from.end()); }
    device_vector(device_vector &&from) noexcept { swap(from); }
    template <class Other, class A> device_vector(const std::vector<Other, A> &from) { assign(from.begin(), from.end()); }
    template <class It, class = typename std::iterator_traits<It>::iterator_category> device_vector(It from, It to) { assign(from, to); }
    ~device_vector() { riffle_lint::release(start); }
    device_vector &operator=(device_vector from) { return swap(from), *this; }
    template <class Other, class A> device_vector &operator=(const std::vector<Other, A> &from) {
        assign(from.begin(), from.end());
        return *this;
    }

    void reserve(size_t count) {
        if (count <= room) return;
        T *grown = nullptr;
        if (riffle_lint::allocate((void **)&grown, count * sizeof(T), true) != cudaSuccess) throw std::bad_alloc();
        std::copy(start, start + length, grown);
        riffle_lint::release(start);
        start = grown;
        room = count;
    }
    void resize(size_t count, const T &value = T()) {
        reserve(count);
        if (count > length) std::fill(start + length, start + count, value);
        length = count;
    }
    template <class It> void assign(It from, It to) {
        const size_t count = (size_t)std::distance(from, to);
        reserve(count);
        std::copy(from, to, start);
        length = count;
    }
    void push_back(const T &value) {
        if (length == room) reserve(2 * room + 4);
        start[length++] = value;
    }
    void pop_back() { length--; }
    void clear() { length = 0; }
    void shrink_to_fit() {}
    iterator erase(iterator from, iterator to) {
        std::copy(to.at, start + length, from.at);
        length -= (size_t)(to - from);
        return from;
    }
    void swap(device_vector &other) noexcept {
        std::swap(start, other.start);
        std::swap(length, other.length);
        std::swap(room, other.room);
    }
    size_t size() const { return length; }
    size_t capacity() const { return room; }
    bool empty() const { return length == 0; }
    iterator begin() { return iterator(start); }
    iterator end() { return iterator(start + length); }
    const_iterator begin() const { return const_iterator(start); }
    const_iterator end() const { return const_iterator(start + length); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    pointer data() { return begin(); }
    const_iterator data() const { return begin(); }
    T &operator[](size_t k) { return start[k]; }
    const T &operator[](size_t k) const { return start[k]; }
    T &front() { return start[0]; }
    T &back() { return start[length - 1]; }
};

/* ---- algorithms: each with a policy before its arguments too, which changes nothing */

#define RIFFLE_THRUST(name)                                                                                    \
    template <class... Arguments> auto name(policy, Arguments &&...arguments) { return name(std::forward<Arguments>(arguments)...); }
/* One that writes in place, from its first argument to its second. */
#define RIFFLE_THRUST_IN_PLACE(name, does)                                                                     \
    template <class It, class... Rest> void name(It from, It to, Rest... rest) {                               \
        riffle::say_once();                                                                                    \
        std::does(from, to, rest...);                                                                          \
        riffle::tell(from, to);                                                                                \
    }                                                                                                          \
    RIFFLE_THRUST(name)
/* One that returns what it finds. */
#define RIFFLE_THRUST_VALUE(name, does)                                                                        \
    template <class It, class... Rest> auto name(It from, It to, Rest... rest) {                               \
        riffle::say_once();                                                                                    \
        return std::does(from, to, rest...);                                                                   \
    }                                                                                                          \
    RIFFLE_THRUST(name)
/* One that writes from `out` on, the argument behind its first range, or its ranges, and returns where it stopped. */
#define RIFFLE_THRUST_OUT(name, does)                                                                          \
    template <class It, class Out, class... Rest> Out name(It from, It to, Out out, Rest... rest) {            \
        riffle::say_once();                                                                                    \
        return riffle::told(out, std::does(from, to, out, rest...));                                           \
    }                                                                                                          \
    RIFFLE_THRUST(name)

RIFFLE_THRUST_IN_PLACE(sort, sort)
RIFFLE_THRUST_IN_PLACE(stable_sort, stable_sort)
RIFFLE_THRUST_IN_PLACE(fill, fill)
RIFFLE_THRUST_IN_PLACE(sequence, iota)
RIFFLE_THRUST_IN_PLACE(generate, generate)
RIFFLE_THRUST_IN_PLACE(replace, replace)
RIFFLE_THRUST_IN_PLACE(reverse, reverse)
RIFFLE_THRUST_IN_PLACE(for_each, for_each)
RIFFLE_THRUST_VALUE(count, count)
RIFFLE_THRUST_VALUE(count_if, count_if)
RIFFLE_THRUST_VALUE(find, find)
RIFFLE_THRUST_VALUE(find_if, find_if)
RIFFLE_THRUST_VALUE(all_of, all_of)
RIFFLE_THRUST_VALUE(any_of, any_of)
RIFFLE_THRUST_VALUE(none_of, none_of)
RIFFLE_THRUST_VALUE(equal, equal)
RIFFLE_THRUST_VALUE(is_sorted, is_sorted)
RIFFLE_THRUST_VALUE(min_element, min_element)
RIFFLE_THRUST_VALUE(max_element, max_element)
RIFFLE_THRUST_VALUE(minmax_element, minmax_element)
RIFFLE_THRUST_VALUE(lower_bound, lower_bound)
RIFFLE_THRUST_VALUE(upper_bound, upper_bound)
RIFFLE_THRUST_VALUE(remove, remove)
RIFFLE_THRUST_VALUE(remove_if, remove_if)
RIFFLE_THRUST_VALUE(unique, unique)
RIFFLE_THRUST_VALUE(inner_product, inner_product)
RIFFLE_THRUST_OUT(copy, copy)
RIFFLE_THRUST_OUT(copy_if, copy_if)
RIFFLE_THRUST_OUT(inclusive_scan, partial_sum)
RIFFLE_THRUST_OUT(adjacent_difference, adjacent_difference)

template <class It> void sequence(It from, It to) { thrust::sequence(from, to, typename std::iterator_traits<It>::value_type()); }
template <class It, class Size, class Out> Out copy_n(It from, Size count, Out out) { return thrust::copy(from, from + count, out); }
template <class It, class Size, class T> It fill_n(It from, Size count, T value) {
    thrust::fill(from, from + count, value);
    return from + count;
}
template <class It, class Out, class Operation> Out transform(It from, It to, Out out, Operation operation) {
    riffle::say_once();
    return riffle::told(out, std::transform(from, to, out, operation));
}
template <class It, class Other, class Out, class Operation>
Out transform(It from, It to, Other other, Out out, Operation operation) {
    riffle::say_once();
    return riffle::told(out, std::transform(from, to, other, out, operation));
}
RIFFLE_THRUST(transform)
template <class It, class T, class Operation> T reduce(It from, It to, T first, Operation operation) {
    riffle::say_once();
    return std::accumulate(from, to, first, operation);
}
template <class It, class T> T reduce(It from, It to, T first) { return thrust::reduce(from, to, first, std::plus<T>()); }
template <class It> auto reduce(It from, It to) { return thrust::reduce(from, to, typename std::iterator_traits<It>::value_type()); }
RIFFLE_THRUST(reduce)
template <class It, class Unary, class T, class Operation> T transform_reduce(It from, It to, Unary unary, T first, Operation operation) {
    riffle::say_once();
    return std::transform_reduce(from, to, first, operation, unary);
}
RIFFLE_THRUST(transform_reduce)
template <class It, class Out, class T, class Operation> Out exclusive_scan(It from, It to, Out out, T first, Operation operation) {
    riffle::say_once();
    return riffle::told(out, std::exclusive_scan(from, to, out, first, operation));
}
template <class It, class Out, class T> Out exclusive_scan(It from, It to, Out out, T first) {
    return thrust::exclusive_scan(from, to, out, first, std::plus<T>());
}
template <class It, class Out> Out exclusive_scan(It from, It to, Out out) {
    return thrust::exclusive_scan(from, to, out, typename std::iterator_traits<It>::value_type());
}
RIFFLE_THRUST(exclusive_scan)
template <class Key, class Value, class Less> void stable_sort_by_key(Key from, Key to, Value values, Less less_) {
    riffle::say_once();
    typedef typename std::iterator_traits<Key>::value_type key;
    std::vector<std::pair<key, typename std::iterator_traits<Value>::value_type>> both;
    for (Key at = from; at != to; ++at) both.emplace_back(*at, values[at - from]);
    std::stable_sort(both.begin(), both.end(), [&](const auto &a, const auto &b) { return less_(a.first, b.first); });
    for (size_t k = 0; k < both.size(); k++) from[(ptrdiff_t)k] = both[k].first, values[(ptrdiff_t)k] = both[k].second;
    riffle::tell(from, to);
    riffle::tell(values, values + (to - from));
}
template <class Key, class Value> void stable_sort_by_key(Key from, Key to, Value values) {
    thrust::stable_sort_by_key(from, to, values, std::less<>());
}
RIFFLE_THRUST(stable_sort_by_key)
template <class... Arguments> void sort_by_key(Arguments... arguments) { thrust::stable_sort_by_key(arguments...); }

#undef RIFFLE_THRUST_OUT
#undef RIFFLE_THRUST_VALUE
#undef RIFFLE_THRUST_IN_PLACE
#undef RIFFLE_THRUST
} // namespace thrust

#endif
