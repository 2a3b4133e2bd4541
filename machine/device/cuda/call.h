/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls the kernel with arguments given by address, and says which parameters it has.
 */
#ifndef RIFFLE_MACHINE_DEVICE_CUDA_CALL_H
#define RIFFLE_MACHINE_DEVICE_CUDA_CALL_H

struct riffle_lint_parameter {
    const char *type; /* ends with "T = int]" */
    bool fits;
};
template <class... Given> struct riffle_lint_given {};

namespace riffle_lint {
typedef riffle_lint_parameter parameter;
template <class T> using plain = typename std::remove_cv<typename std::remove_reference<T>::type>::type;

/* True if an argument of type Given may stand for a parameter: the same type, or integers that are the same to
 * the machine; a pointer to void takes any array. */
template <class Parameter, class Given> constexpr bool fits_value() {
    if (std::is_same<Parameter, Given>::value) return true;
    return std::is_integral<Parameter>::value && std::is_integral<Given>::value &&
           sizeof(Parameter) == sizeof(Given) &&
           std::is_signed<Parameter>::value == std::is_signed<Given>::value &&
           !std::is_same<Parameter, bool>::value && !std::is_same<Given, bool>::value;
}
template <class Parameter, class Given> constexpr bool fits_plain() {
    if constexpr (std::is_pointer<Parameter>::value && std::is_pointer<Given>::value) {
        typedef plain<typename std::remove_pointer<Parameter>::type> element;
        typedef typename std::remove_pointer<Given>::type given;
        if constexpr (std::is_void<element>::value)
            return true;
        else
            return fits_value<element, given>() ||
                   (is_one_of<element, char, signed char> && is_one_of<given, char, signed char>);
    } else {
        return fits_value<Parameter, Given>();
    }
}

/* The text between "T = " and the end of this function's name, which both compilers print alike. */
template <class T> const char *type_name() { return __PRETTY_FUNCTION__; }

template <unsigned K, class Parameter, class... Given> parameter describe() {
    if constexpr (K < sizeof...(Given)) {
        typedef typename std::tuple_element<K, std::tuple<Given...>>::type one;
        return {type_name<Parameter>(), fits_plain<plain<Parameter>, one>()};
    } else {
        return {type_name<Parameter>(), false};
    }
}

/* An argument, brought to the kernel's stack: what the host keeps is none of the machine's memory. */
template <class T> RIFFLE_INLINE __attribute__((no_sanitize_thread)) T fetch(const void *from) {
    T argument;
    __builtin_memcpy(static_cast<void *>(&argument), from, sizeof argument);
    return argument;
}

template <class... Parameters> struct kernel_of {
    template <class... Given, size_t... K>
    static unsigned describe_all(riffle_lint_given<Given...>, parameter *out, unsigned capacity,
                                 std::index_sequence<K...>) {
        const parameter all[] = {describe<(unsigned)K, Parameters, Given...>()..., {nullptr, false}};
        for (unsigned k = 0; k < sizeof...(Parameters) && k < capacity; k++) out[k] = all[k];
        return sizeof...(Parameters);
    }
    template <size_t... K>
    __attribute__((no_sanitize_thread)) static void call(void (*kernel)(Parameters...), void *const *args,
                                                         std::index_sequence<K...>) {
        kernel(fetch<plain<Parameters>>(args[K])...);
    }
};

} // namespace riffle_lint

/* The generated code uses these: names that no macro of the user's replaces. */

/* riffle_lint_has: an array of the type has an element with that number. The next two: an integer, or each element of an array,
 * holds a number exactly, and a float one of its size; and a constant, or each element of an array, can have such a value. */
template <class T> constexpr bool riffle_lint_has(unsigned long long k) {
    typedef typename std::remove_reference<T>::type one;
    return std::is_class<one>::value || (std::is_array<one>::value && k < std::extent<one>::value);
}
template <class T, class Value> constexpr bool riffle_lint_is_in_range(Value value) {
    typedef std::numeric_limits<T> limits;
    if constexpr (!std::is_integral<T>::value) return value <= limits::max() && value >= limits::lowest();
    const Value behind = 2 * static_cast<Value>(limits::max() / 2 + 1); /* max itself is no double */
    return value < behind && value >= (limits::is_signed ? -behind : 0);
}
template <class T, class Value> constexpr bool riffle_lint_fits(Value value) {
    typedef typename std::remove_all_extents<riffle_lint::plain<T>>::type one;
    if constexpr (std::is_floating_point<Value>::value && std::is_arithmetic<one>::value) {
        if (!riffle_lint_is_in_range<one>(value)) return false;
    }
    if constexpr (std::is_integral<one>::value) {
        const bool is_negative = value < 0;
        return static_cast<Value>(static_cast<one>(value)) == value && (static_cast<one>(value) < 0) == is_negative;
    } else {
        return true;
    }
}

template <class T, class Value>
constexpr auto riffle_lint_takes(int) -> decltype(static_cast<T>(std::declval<Value>()), true) {
    return true;
}
template <class T, class Value> constexpr bool riffle_lint_takes(long) { return false; }

/* Values of a constant from the command line, one after another, and who is told where they are. */
template <class T, class Tell, class... Values>
__attribute__((no_sanitize_thread)) void riffle_lint_fill(T &constant, Tell tell, Values... values) {
    typedef typename std::remove_all_extents<T>::type element;
    static_assert(sizeof...(Values) * sizeof(element) <= sizeof constant, "more values than the constant has");
    const element given[] = {static_cast<element>(values)...};
    __builtin_memcpy(&constant, given, sizeof given);
    tell(*reinterpret_cast<char(*)[sizeof given]>(&constant));
}
template <class T, class Tell, class Element>
__attribute__((no_sanitize_thread)) void riffle_lint_copy(T &constant, Tell tell, const Element *from, size_t length) {
    static_assert(std::is_same<typename std::remove_all_extents<T>::type, Element>::value, "the constant has elements of another type");
    const size_t bytes = length * sizeof *from < sizeof constant ? length * sizeof *from : sizeof constant;
    __builtin_memcpy(&constant, from, bytes);
    tell(constant);
}
template <class... Parameters, class Given>
unsigned riffle_lint_describe_kernel(void (*)(Parameters...), Given given, riffle_lint_parameter *out,
                                     unsigned capacity) {
    return riffle_lint::kernel_of<Parameters...>::describe_all(given, out, capacity,
                                                               std::index_sequence_for<Parameters...>());
}

template <class... Parameters> const void *riffle_lint_address(void (*kernel)(Parameters...)) {
    return reinterpret_cast<const void *>(kernel);
}

template <class... Parameters>
RIFFLE_INLINE __attribute__((no_sanitize_thread)) void riffle_lint_call(void (*kernel)(Parameters...),
                                                                        void *const *args) {
    riffle_lint::kernel_of<Parameters...>::call(kernel, args, std::index_sequence_for<Parameters...>());
}

#endif
