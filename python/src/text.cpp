// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <cstdlib>

#include "failing.h"

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
