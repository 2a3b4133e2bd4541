/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"
#include "program/text/expand.h"

riffle_status riffle_program_parse(const char *text, const char *definitions, unsigned n,
                                   riffle_program **out) {
    RETURN_IF_NULL(text, out);
    if (n > RIFFLE_MAX_BITS)
        return fail(RIFFLE_ERROR_LENGTH, "program: an array of 2^%u elements; there are at most 2^%d", n,
                    RIFFLE_MAX_BITS);
    text_unit program = {.name = "program", .text = text};
    text_unit own = {.name = "definitions", .text = definitions};
    text_unit library = {.name = "library", .text = riffle_program_library()};
    riffle_status status = text_read_definitions(&library);
    if (status == RIFFLE_OK && definitions != NULL) status = text_read_definitions(&own);
    if (status == RIFFLE_OK) status = text_read_program(&program);
    if (status == RIFFLE_OK)
        status = text_expand(&program, definitions != NULL ? &own : NULL, &library, n, out);
    text_free(&program);
    text_free(&own);
    text_free(&library);
    return status;
}
