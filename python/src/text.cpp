// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <cstdlib>

#include "failing.h"

riffle_type type_named(const std::string &type, const char *name, const char *refusal) {
    riffle_type found;
    if (riffle_type_parse(type.c_str(), &found) == RIFFLE_OK) return found;
    fail(RIFFLE_ERROR_UNSUPPORTED, "%s: elements of type %s; %s", name, type.c_str(), refusal);
}

std::string printed(const std::function<riffle_status(FILE *)> &print) {
    char *text = nullptr;
    size_t length = 0;
    FILE *const stream = open_memstream(&text, &length);
    if (stream == nullptr) fail(RIFFLE_ERROR_OUT_OF_MEMORY, "no memory for a text");
    const riffle_status status = print(stream);
    fclose(stream);
    const std::string result(text, length);
    free(text);
    check(status);
    return result;
}
