// SPDX-License-Identifier: Apache-2.0
#include "failing.h"

#include <cstdarg>
#include <cstdio>

static PyObject *class_of(riffle_status status) {
    const nb::object classes = nb::module_::import_("riffle.errors").attr("CLASSES");
    return nb::object(classes[nb::int_(static_cast<int>(status))]).release().ptr();
}

// Tables may be quoted in a detail, so sentences are decoded with care.
[[noreturn]] static void raise(riffle_status status, const char *sentence) {
    PyObject *const type = class_of(status);
    PyObject *const text = PyUnicode_DecodeUTF8(sentence, static_cast<Py_ssize_t>(strlen(sentence)), "replace");
    PyErr_SetObject(type, text);
    Py_XDECREF(text);
    Py_DECREF(type);
    throw nb::python_error();
}

void check(riffle_status status) {
    if (status == RIFFLE_OK) return;
    char sentence[4096];
    snprintf(sentence, sizeof sentence, "%s", riffle_error_detail());
    raise(status, sentence);
}

void fail(riffle_status status, const char *format, ...) {
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    raise(status, sentence);
}

void bind_failing(nb::module_ &m) {
    m.def("status_string", [](int status) { return riffle_status_string(static_cast<riffle_status>(status)); });
}
