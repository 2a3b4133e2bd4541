// SPDX-License-Identifier: Apache-2.0
#include "failing.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>

static nb::object class_of(riffle_status status) {
    return nb::module_::import_("riffle.errors").attr("CLASSES")[nb::int_(static_cast<int>(status))];
}

// Tables may be quoted in a detail, so sentences are decoded with care.
[[noreturn]] static void raise(const nb::object &type, const char *sentence) {
    PyObject *const text = PyUnicode_DecodeUTF8(sentence, static_cast<Py_ssize_t>(strlen(sentence)), "replace");
    PyErr_SetObject(type.ptr(), text);
    Py_XDECREF(text);
    throw nb::python_error();
}

static std::string formatted(const char *format, va_list arguments) {
    char sentence[1024];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    return sentence;
}

void check(riffle_status status) {
    if (status == RIFFLE_OK) return;
    if (status == RIFFLE_ERROR_STOPPED && PyErr_Occurred() != nullptr)
        throw nb::python_error(); // raises what stopped it
    char sentence[4096];
    snprintf(sentence, sizeof sentence, "%s", riffle_error_detail());
    raise(class_of(status), sentence);
}

void fail(riffle_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const std::string sentence = formatted(format, arguments);
    va_end(arguments);
    raise(class_of(status), sentence.c_str());
}

void fail_as(const char *class_name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const std::string sentence = formatted(format, arguments);
    va_end(arguments);
    raise(nb::module_::import_("riffle.errors").attr(class_name), sentence.c_str());
}

void bind_failing(nb::module_ &m) {
    m.def("status_string", [](int status) { return riffle_status_string(static_cast<riffle_status>(status)); });
}
