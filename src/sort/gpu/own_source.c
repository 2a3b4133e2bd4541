/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "sort/gpu/own_source.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sort/before.h"

/* Words of C++ that are names in C. */
static bool is_of_cpp(const char *name) {
    static const char *const all[] = {
        "alignas",       "alignof",      "and",       "and_eq",     "bitand",
        "bitor",         "bool",         "catch",     "char16_t",   "char32_t",
        "class",         "compl",        "constexpr", "const_cast", "decltype",
        "delete",        "dynamic_cast", "explicit",  "export",     "false",
        "friend",        "mutable",      "namespace", "new",        "noexcept",
        "not",           "not_eq",       "nullptr",   "operator",   "or",
        "or_eq",         "private",      "protected", "public",     "reinterpret_cast",
        "static_assert", "static_cast",  "template",  "this",       "thread_local",
        "throw",         "true",         "try",       "typeid",     "typename",
        "using",         "virtual",      "wchar_t",   "xor",        "xor_eq"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(all[k], name) == 0) return true;
    return false;
}

static riffle_status check_names(const riffle_sort_key *key) {
    for (unsigned k = 0; k < key->fields; k++)
        if (key->field[k].name != NULL && is_of_cpp(key->field[k].name))
            return fail(RIFFLE_ERROR_UNSUPPORTED,
                        "field %u: '%s' is a word of C++, which GPUs' comparisons are compiled as; use another "
                        "name, or the cpu engine",
                        k, key->field[k].name);
    return RIFFLE_OK;
}

/* The largest power of two that divides an element's bytes, 16 at most. */
static size_t alignment_of(const riffle_sort_key *key) {
    const size_t bytes = key->elem_bytes | 16;
    return bytes & (~bytes + 1);
}

/* abs() is C's, of int; C++ has others of that name. */
static void print(const riffle_sort_key *key, FILE *out) {
    const embedded_text *text = sort_own_texts;
    fprintf(out,
            "#ifdef RIFFLE_LINT\n#undef __CUDACC__ /* the machine's words, as it compiles its own kernels */\n"
            "#endif\n"
            "#ifndef __CUDACC_RTC__\n#define memcpy __builtin_memcpy\n#endif\n");
    for (; text[1].name != NULL; text++) embedded_print(text, out);
    fprintf(out, "#define abs(x) abs((int)(x))\n");
    sort_before_print(key, "static __device__ inline", out);
    fprintf(out, "#define SORT_OWN_ELEMENT_BYTES %zu\n#define SORT_OWN_ALIGNMENT %zu\n", key->elem_bytes,
            alignment_of(key));
    embedded_print(text, out);
}

riffle_status sort_own_source(const riffle_sort_key *key, char **out) {
    char *text = NULL;
    size_t length = 0;
    const riffle_status status = check_names(key);
    if (status != RIFFLE_OK) return status;
    FILE *const stream = open_memstream(&text, &length);
    if (stream == NULL) return fail_memory("a kernel's source", 0);
    print(key, stream);
    const bool is_whole = !ferror(stream);
    if (fclose(stream) == 0 && is_whole) {
        *out = text;
        return RIFFLE_OK;
    }
    free(text);
    return fail_memory("a kernel's source", length);
}
